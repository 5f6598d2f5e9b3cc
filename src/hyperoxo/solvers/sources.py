"""Stored proofs, and the sources of knowledge of other packages.

An entry point of the group ``hyperoxo.sources`` names a `Source`. Its methods are called for any
game and return nothing for those that they do not support.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, NotationError
from hyperoxo.game import Bounds, Game, Position, Reason, Requires, Trait, Value, Why
from hyperoxo.proof.claim import BoardProof, Proof
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.stored import STORED
from hyperoxo.registry import loaded

ROLES = Requires(
    "a Maker-Breaker game that stored proofs of the one without roles decide",
    {Trait.MAKER_BREAKER, Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS},
)


@dataclass
class Stored:
    """Bounds from stored proofs, on a position and on its decided moves, with reasons."""

    own: Bounds = field(default_factory=Bounds)
    moves: dict[int, Bounds] = field(default_factory=dict)


@dataclass(frozen=True)
class NoDrawReason:
    """Reason why no play of a game ends in a draw, and a checkable proof of it.

    A strategy for a `large` game is too large to search for.
    """

    reason: Reason
    proof: Callable[[], BoardProof | None] = lambda: None
    large: bool = False


@dataclass(frozen=True)
class FullBoard:
    """A full board without a line of one player; None if not found, `exhausted` if impossible."""

    owners: tuple[int, ...] | None
    exhausted: bool


class Source:
    """Knowledge without search; subclasses override the methods that they support."""

    references: Mapping[Why, str] = MappingProxyType({})
    """Publications of its theorems."""

    def bounds(self, position: Position) -> Iterable[Bounds]:
        """Bound the value for the player to move by theorems."""
        return ()

    def stored(self, position: Position) -> Stored | None:
        """Bound a position and its moves by proofs that come with the package."""

    def no_draw(self, game: Game) -> NoDrawReason | None:
        """Return the reason why a game has no draw, or None."""

    def full_board(self, game: Game, seed: int) -> FullBoard | None:
        """Look for a full board without a line of one player."""

    def prove(self, position: Position, seat: int) -> Proof | None:
        """Return a certificate of at least a draw for a seat."""


@cache
def sources() -> tuple[Source, ...]:
    """Return the sources of other packages."""
    return tuple(found for _, found in loaded("hyperoxo.sources"))


def full_board(game: Game, seed: int = 0) -> FullBoard:
    """Look for a full board without a line of one player, by the first source that can."""
    for source in sources():
        if (found := source.full_board(game, seed)) is not None:
            return found
    raise CheckFailedError("full boards need hyperoxo_research, which is not installed")


def bounds_by_stored_proofs(position: Position) -> Stored:
    """Look a position and its moves up in the stored proofs for its game, until one decides all."""
    # A proof that was found for another opening of the same board may apply, too (`Coverage`); the
    # reason then says that this game is no harder for the attacker.
    said = Stored(Bounds(Value.least(position.game.players)))
    for coverage in () if position.is_over else coverages(position.game):
        attacks = position.to_move == coverage.attacker
        decided = Bounds.exactly(Value.WIN if attacks else Value.LOSS)
        won = coverage.wins(position)
        moves = position.legal_moves
        if attacks:
            moves = coverage.winning_moves(position)
        elif not won:
            moves = tuple(cell for cell in moves if coverage.wins(position.play(cell)))
        said.moves |= dict.fromkeys(moves, decided)
        if won or moves:
            dictionary = coverage.dictionary
            why = Why.STORED_PROOF(statement=dictionary.statement, moves=len(dictionary.moves))
            other = dictionary.game != position.game and position.ply < position.game.opening_plies
            more = (Why.NO_HARDER(game=dictionary.game),) if other else ()
            said.own &= Bounds(reasons=(why, *more))
        if won or (attacks and moves):
            said.own &= decided
        if won and not attacks:
            break
    for source in sources():
        if (found := source.stored(position)) is not None:
            said.own &= found.own
            said.moves |= found.moves
    if not position.is_over and ROLES.accepts(position.game):
        _add_to_roles(said, position)
    return said


def _add_to_roles(said: Stored, position: Position) -> None:
    """Add bounds on Maker, player 1, and Breaker from stored proofs of games without roles."""
    # A strategy that completes a line before the rival does completes one. Extra stones of Maker do
    # no harm: where the strategy asks for the cell of one, any other cell will do. So it also wins
    # on a layer n^k of n^d without a stone of Breaker, with Maker to move. If Breaker is to move,
    # such layers must not all have a cell in common.
    # 1. The whole board: wins of player 1 carry over.
    game = position.game
    won = Bounds.exactly(Value.WIN if position.to_move == 1 else Value.LOSS)
    specs = [f"{game.side}^{dim}" for dim in range(2, (game.dim or 0) + 1)]
    if STORED.keys().isdisjoint(specs):
        return
    plain = Game(specs[-1])
    if plain.board != game.board:
        return
    try:
        known = bounds_by_stored_proofs(Position.from_owners(plain, position.owners))
    except NotationError:  # no position of the game where both players want lines
        known = Stored()
    if known.own.reasons:
        said.own &= Bounds(reasons=(*known.own.reasons, Why.AS_MAKER()))
    if known.own.low == known.own.high == won.low:
        said.own &= won
    said.moves |= {cell: bounds for cell, bounds in known.moves.items() if bounds == won}
    # 2. Layers. `through` counts the free layers through each cell, so `count` is their number, and
    # `most` of them share a cell. With Maker to move one is enough; a move of Breaker leaves those
    # that do not contain its cell.
    for layer in (Game(spec) for spec in specs[:-1] if spec in STORED):
        proofs = bounds_by_stored_proofs(layer.start()).own
        if proofs.low is not Value.WIN:
            continue
        through = _free_layers(position, layer.dim or 0)
        count, most = int(through.sum()) // layer.cells, int(through.max())
        if count > (0 if position.to_move == 1 else most):
            said.own &= Bounds(reasons=(*proofs.reasons, Why.ON_A_LAYER())) & won
        lost = np.full(game.cells, most) if position.to_move == 1 else through
        said.moves |= {cell: won for cell in position.legal_moves if count > lost[cell]}


def _free_layers(position: Position, dim: int) -> NDArray[np.int64]:
    """Count, for each cell, the `dim`-dimensional layers through it without a stone of Breaker."""
    shape = (position.game.side or 0,) * (position.game.dim or 0)
    foreign = (np.frombuffer(position.owners, np.uint8) == 2).reshape(shape)
    counts = np.zeros(shape, np.int64)
    for axes in combinations(range(len(shape)), dim):
        counts += ~foreign.any(axis=axes, keepdims=True)
    return counts.ravel()
