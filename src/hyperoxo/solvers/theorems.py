"""What theorems say about a position, before anything is searched.

Each theorem is a function that looks whether its conditions hold and then returns one
`Bound`, or None. A bound is a statement about the player to move: 1 he can force a win,
0 a draw, -1 neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hyperoxo.position import Position
from hyperoxo.rules import Game, Requires, Trait
from hyperoxo.solvers.draws.filling import lines_in_fillings
from hyperoxo.solvers.draws.mirroring import mirroring_seat
from hyperoxo.solvers.draws.pairing import open_lines, pairs_of

__all__ = ["Bound", "bounds_by_theorems"]

_MOST_LINES = 200_000

_TARGETS = (Trait.ONE_LINE, Trait.SEVERAL_LINES)
_OPENINGS = (Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES)
_STEALING = Requires("strategy stealing", _TARGETS)
_BREAKING = Requires("the theorems on breakers", {*_TARGETS, *_OPENINGS})
_BREAKING_MANY = Requires(
    "the theorem on biased breakers", {Trait.SEVERAL_PLAYERS, *_TARGETS, *_OPENINGS}
)
_NO_DRAW = Requires(
    "the theorem on lines in fillings",
    {Trait.STRONG, Trait.MISERE, Trait.ANY_CELL, Trait.GRAVITY, *_TARGETS, *_OPENINGS},
)


@dataclass(frozen=True)
class Bound:
    """Bounds of the value for the player to move, and why they hold."""

    low: int = -1
    high: int = 1
    evidence: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether the bounds meet."""
        return self.low == self.high

    def both(self, other: Bound) -> Bound:
        """Join two bounds; evidence for less than is known is left out."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if other.low < low and other.high > high:
            return self
        return Bound(low, high, self.evidence + other.evidence)


def bounds_by_theorems(position: Position) -> Bound:
    """Bound the value of a position for the player to move.

    References
    ----------
    P. Erdős and J. Selfridge, "On a combinatorial game", J. Combin. Theory A 14 (1973);
    J. Beck, "Remarks on positional games", Acta Math. Acad. Sci. Hungar. 40 (1982);
    S. Golomb and A. Hales, "Hypercube tic-tac-toe", More Games of No Chance (2002).
    """
    bound = Bound()
    for theorem in _THEOREMS:
        for found in theorem(position):
            bound = bound.both(found)
    if bound.low < bound.high and 0 in (bound.low, bound.high) and _NO_DRAW.holds(position.game):
        why = _no_draw(position.game)
        if why:
            low, high = bound.low or 1, bound.high or -1
            bound = bound.both(Bound(low, high, (why,)))
    return bound


def _never_loses(position: Position, seat: int, why: str) -> Bound:
    """Bound of two players where `seat` can at least draw."""
    if seat == position.to_move:
        return Bound(low=0, evidence=(why,))
    return Bound(high=0, evidence=(why,))


def _strategy_stealing(position: Position) -> Iterator[Bound]:
    """Bound the first player's value by what he could take from the second.

    Suppose that the second player could win. The first player places a stone anywhere and forgets
    it: on the board without that stone he answers as the winner does, and wherever the answer is
    the forgotten stone's cell, he places another stone and forgets that one. The other player
    owns the same cells on both boards, and the first player on the true one those of the
    imagined one and perhaps one more; so he reaches the target no later, and the other no sooner,
    than imagined. On a full board the forgotten cell, if one is left, is the other's next move in
    the imagined game. He wins even then, thus also with the cell his own, which takes lines
    from the other and from him none. Both cannot win, so that the second player could not.

    This holds for every target. It does not where an own stone may harm (misère play), where the
    forgotten stone would change which cells can be played on (gravity), or where the two do
    not move by the same rules (an opening restriction).
    """
    game = position.game
    if position.ply == 0 and _STEALING.holds(game):
        yield Bound(
            low=0, evidence=("Strategy stealing: the second player has no winning strategy.",)
        )


def _mirroring(position: Position) -> Iterator[Bound]:
    seat = None if position.ply else mirroring_seat(position.game)
    if seat == 2:
        yield _never_loses(
            position,
            2,
            "Mirroring (Golomb and Hales): the second player answers each move at "
            "the opposite cell and never loses.",
        )
    elif seat == 1:
        yield _never_loses(
            position,
            1,
            "Mirroring (Golomb and Hales): the first player takes the centre, then "
            "answers each move at the opposite cell, and never loses.",
        )


def _breakers(position: Position) -> Iterator[int]:
    """Players who may answer wherever they like, so that theorems on breakers hold for them."""
    game = position.game
    if not _BREAKING.holds(game) or game.board.line_count > _MOST_LINES:
        return
    for seat in (1, 2):
        restricted = game.opening is not None and seat == 1
        if not restricted or position.ply >= 2 * game.opening_moves:
            yield seat


def _potential_after(position: Position, maker: int, base: int) -> float:
    """Largest sum of base^-(free cells) over the maker's lines, with the others to move."""
    total = 0.0
    through = np.zeros(position.game.board.cell_count)
    for free in open_lines(position, maker):
        weight = float(base) ** -len(free)
        total += weight
        through[free] += weight * (base - 1)
    if position.to_move == maker:
        total += float(through[list(position.legal_moves)].max())
    return total


_MARGIN = 1e-9


def _potential(position: Position) -> Iterator[Bound]:
    for seat in _breakers(position):
        total = _potential_after(position, 3 - seat, 2)
        if total < 1 - _MARGIN:
            yield _never_loses(
                position,
                seat,
                f"Erdős–Selfridge: the potential of player {3 - seat}'s lines is "
                f"at most {total:.3g} with player {seat} to move, which is below 1, so that "
                f"player {seat} never loses.",
            )


def _pairing(position: Position) -> Iterator[Bound]:
    for seat in _breakers(position):
        if pairs_of(position, seat):
            yield _never_loses(
                position,
                seat,
                "Pairing: every line that "
                f"player {3 - seat} could complete has two free cells of its own, and player "
                f"{seat} answers inside the pair and never loses.",
            )


def _beck(position: Position) -> Iterator[Bound]:
    game, mover = position.game, position.to_move
    if not _BREAKING_MANY.holds(game) or game.board.line_count > _MOST_LINES:
        return
    if game.opening is not None and (
        mover != 1 and position.ply < game.players * game.opening_moves
    ):
        return
    total = _potential_after(position, mover, game.players)
    if total < 1 - _MARGIN:
        why = (
            f"Beck's biased potential: player {mover}'s lines weigh at most {total:.3g} with "
            f"the {game.players - 1} others to move, which is below 1, so that he completes "
            "no line against all of them."
        )
        yield Bound(high=0, evidence=(why,))


def _no_draw(game: Game) -> str:
    """Why no draw exists, or an empty text.

    A draw needs a full board on which nobody has reached the target T, and then the two have
    at most T - 1 lines each. Where every filling by two colours has 2T - 1 lines of one colour,
    there is none, in misère play too.
    """
    board = game.board
    cube = board.side == 3 and board.dim is not None and board.dim >= 3 and not board.blocked
    if cube and game.target == 1:
        return (
            "No draw exists: every filling of 3^3 with two colours has a line of one colour "
            "(Golomb and Hales), and every larger board of side 3 contains 3^3."
        )
    lines = lines_in_fillings(board, 2 * game.target - 1)
    if lines is None:
        return ""
    reached = "a line" if game.target == 1 else f"{game.target} lines"
    return (
        f"No draw exists: every filling with two colours has at least {lines} of the "
        f"{board.line_count} lines of one colour (proved by a semidefinite form, checked in whole "
        f"numbers), so that somebody has {reached}."
    )


Theorem = Callable[[Position], Iterator[Bound]]
_THEOREMS: tuple[Theorem, ...] = (_strategy_stealing, _mirroring, _potential, _pairing, _beck)
