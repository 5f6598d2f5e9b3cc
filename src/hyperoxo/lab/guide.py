"""Guided trees: one seat follows an agent, all others try everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import Agent
from hyperoxo.agents import agent as make_agent
from hyperoxo.agents.scored import ScoredAgent
from hyperoxo.display import Result
from hyperoxo.errors import AgentError, LimitError, SpecError, quoted
from hyperoxo.game import CLASSIC, Game, Position, Requires
from hyperoxo.heuristics import tabulate
from hyperoxo.jit import working_time
from hyperoxo.kernels.coalition import Named
from hyperoxo.kernels.guide import Scorer, count_guided
from hyperoxo.kernels.table import find_slot
from hyperoxo.lab.pictures.tree_nodes import Place
from hyperoxo.proof import Strategy, canonical_forms_of
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.coalition.search import keys_of
from hyperoxo.task import Task

__all__ = ["GuidedTree", "guide", "guided_strategy"]

GUIDED = Requires("a guided tree", CLASSIC)

_LEAST_BITS, _USUAL_BITS, _MOST_BITS = 14, 20, 24
_FEW_CELLS = 10
_MOST_POSITIONS = 300_000

Counts = tuple[int, int, int]
VERDICTS = ("wins", "never loses", "loses")


@dataclass(frozen=True)
class GuidedTree(Result):
    """The tree in which one seat follows an agent, and its leaves.

    Attributes
    ----------
    game : Game
        The game.
    seat : int
        The seat that follows the agent.
    agent : str
        The agent's spec.
    merged : bool
        Whether of moves that lead to equivalent positions the others tried only one.
    wins, draws, losses : int
        Number of leaves by the result for the seat.
    positions : int
        Different positions in the tree in which the game is not over.
    verdict : {"wins", "never loses", "loses"}
        Result that the agent's strategy ensures for this seat.
    losing_lines : tuple of tuple of int
        Cells played from the start to the loss, in lexicographic order, up to a limit.
    seconds : float
        Time it took.
    every_tie : bool
        Whether all moves were followed that the agent finds equally good.
    """

    game: Game
    seat: int
    agent: str
    merged: bool
    wins: int
    draws: int
    losses: int
    positions: int
    losing_lines: tuple[tuple[int, ...], ...]
    seconds: float = field(compare=False)
    every_tie: bool = False
    _data = (
        "game seat agent merged every_tie wins draws losses leaves positions verdict losing_lines "
        "seconds:6"
    )
    _text = """
{wins:#win}, {draws:#draw}, {losses:#loss|losses}: {leaves:#leaf|leaves}, {positions:#position}
{agent} {_does} {game} as player {seat}
*losing_lines   moves:{:;,}
?picture the tree is drawn in {picture}
?proof {proof.claim}, {proof.positions:#position} in {proof.file}
"""

    @property
    def _does(self) -> str:
        return "loses some games of" if self.losses else self.verdict

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return self.wins + self.draws + self.losses

    @property
    def verdict(self) -> str:
        """``wins`` if every leaf is a win, ``never loses`` if none is a loss, else ``loses``."""
        return VERDICTS[2 if self.losses else 1 if self.draws else 0]


def guide(
    game: Game,
    seat: int,
    agent: str | Agent,
    *,
    merge: bool = False,
    every_tie: bool = False,
    losing_lines: int = 10,
    seed: int = 0,
) -> GuidedTree:
    """Count the tree in which one seat follows an agent and all others try everything.

    Parameters
    ----------
    game : Game
        The game.
    seat : int
        The seat that follows the agent, 1..q.
    agent : str or Agent
        The agent. Ties go to the lowest cell unless its spec says otherwise; an agent that
        plays at random is asked once in each position, with its own seed.
    merge : bool
        Whether of moves that lead to equivalent positions the others try only one; the agent
        is then asked in the least image of each position, as text with ``.`` before ``1``.
    every_tie : bool
        Whether all moves are followed among which the agent draws, instead of the lowest; for
        agents that score moves by lines.
    losing_lines : int
        Largest number of losing lines listed.
    seed : int
        Seed of agents that play at random.

    Returns
    -------
    GuidedTree
        Counts, verdict and losing lines.

    Raises
    ------
    SpecError
        If there is no such seat, or the agent draws in another way than among equals.
    LimitError
        If the tree has too many positions.

    Examples
    --------
    >>> tree = guide(Game("3^2"), 1, "greedy", merge=True)
    >>> tree.wins, tree.draws, tree.losses, tree.leaves
    (18, 1, 0, 19)
    >>> guide(Game("3^2"), 2, "greedy").verdict
    'loses'
    """
    begin = working_time()
    walk = _walk(game, seat, agent, merge, seed, every_tie=every_tie)
    counts = walk.counts(game.start())
    lines = tuple(islice(walk.losing(game.start()), losing_lines))
    seconds = working_time() - begin
    spec, positions = walk.agent.spec, walk.positions
    return GuidedTree(game, seat, spec, merge, *counts, positions, lines, seconds, every_tie)


def guided_strategy(
    game: Game, seat: int, agent: str | Agent, *, seed: int = 0, most: int = _MOST_POSITIONS
) -> Strategy | None:
    """Return the agent's strategy as a plain value that proves the seat's result.

    The agent is asked in the form of each position that proofs list, and the same move is then
    made in all equivalent ones; so the tree is not quite the one that `guide` counts.

    Parameters
    ----------
    game, seat, agent, seed
        As for `guide`.
    most : int
        Largest number of positions listed.

    Returns
    -------
    Strategy or None
        With the claim ``"win"`` or ``"draw"``; None if the seat loses some line of play.

    Raises
    ------
    LimitError
        If there are more positions.

    Examples
    --------
    >>> guided_strategy(Game("3^2"), 1, "greedy").statement
    'player 1 gets at least a draw in 3^2'
    """
    # A walk over forms: each position is replaced by its canonical form before the agent is asked,
    # so that the strategy is a function of classes, as proofs need. One lost leaf refutes it; a
    # drawn one weakens the claim.
    walk = _walk(game, seat, agent, False, seed)
    forms = canonical_forms_of(game)
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [game.start()]
    claim = "win"
    while waiting:
        position = waiting.pop()
        if position.outcome is not None:
            if seat not in position.outcome.winners:
                if not position.outcome.draw:
                    return None
                claim = "draw"
            continue
        form = forms.of(position.owners)
        if form in seen:
            continue
        seen.add(form)
        if len(seen) > most:
            raise LimitError(f"the strategy has more than {most:,} positions")
        position = Position.from_owners(game, form)
        if position.to_move == seat:
            moves[form] = walk.choose(position)
            waiting.append(position.play(moves[form]))
        else:
            waiting.extend(position.play(cell) for cell in position.legal_moves)
    return Strategy(game, seat, claim, moves)


_MOST_BOARDS = 6000


def guided_places(
    game: Game, seat: int, agent: str | Agent, *, merge: bool = False, seed: int = 0
) -> Place:
    """Grow the tree that `guide` counts, for a picture; equivalent positions refer to the first."""
    # With `merge` nothing follows a move that leads to a position like that after another move.
    walk = _walk(game, seat, agent, merge, seed)
    root = Place(game.start())
    seen: dict[tuple[int, int], Place] = {}
    stack = [root]
    count = 0
    while stack:
        place = stack.pop()
        position = place.position
        count += 1
        place.number = count
        # Merged are moves of one position only; otherwise the first like it may be anywhere.
        name = walk.class_of(position), id(place.parent) if merge else 0
        place.equal = seen.get(name)
        seen.setdefault(name, place)
        if position.is_over or (merge and place.equal is not None):
            continue
        cells = (walk.choose(position),) if position.to_move == seat else position.legal_moves
        place.children = [Place(position.play(cell), place) for cell in cells]
        stack += reversed(place.children)
        if count + len(stack) > _MOST_BOARDS:
            raise LimitError(
                f"the tree has more than {_MOST_BOARDS:,} boards, too many to draw"
                + ("" if merge else "; with equivalent positions merged it has fewer")
            )
    return root


def _walk(
    game: Game,
    seat: int,
    agent: str | Agent,
    merge: bool,
    seed: int,
    *,
    every_tie: bool = False,
) -> _Walk:
    GUIDED.check(game)
    if not 1 <= seat <= game.players:
        raise SpecError(f"seat must be 1 to {game.players}, not {seat}")
    chosen = _with_lowest_ties(agent) if isinstance(agent, str) else agent
    chosen.check(game)
    how = chosen.seat(game)
    scored = how is not None and how.heuristic is not None and not how.temperature
    if every_tie and not (scored and isinstance(chosen, ScoredAgent)):
        raise SpecError(f"{quoted(chosen.spec)} does not draw among moves that it scores alike")
    compiled = every_tie or (scored and how is not None and how.lowest)
    walk = (_CompiledWalk if compiled else _Walk)(game, seat, chosen, merge, seed)
    walk.every_tie = every_tie
    return walk


def _with_lowest_ties(spec: str) -> Agent:
    """Make an agent that breaks ties by the lowest cell, if it has this option unset."""
    try:
        return make_agent(spec, ties="lowest")
    except SpecError:  # it has ties, or takes none
        return make_agent(spec)


class _Walk:
    """Counts a guided tree position by position, for any agent."""

    every_tie = False

    def __init__(self, game: Game, seat: int, agent: Agent, merge: bool, seed: int) -> None:
        self.game, self.seat, self.agent, self.merge = game, seat, agent, merge
        self._seed = seed
        self._known: dict[int, Counts] = {}
        self._chosen: dict[bytes, int] = {}
        self._keys = keys_of(game)
        self.positions = 0  # different unfinished ones, once they are counted

    def choose(self, position: Position) -> int:
        """Return the agent's move, computed once a position, or once a class if merging."""
        return self.choices(position)[0]

    def choices(self, position: Position) -> tuple[int, ...]:
        """Return the moves of the agent that are followed."""
        # Merged: the agent is asked in the least image, and its moves are carried back.
        if not self.merge:
            return self._choose(position)
        perms = self._keys.perms
        row = int(self._images(position).argmin())
        image = np.empty(self.game.board.cell_count, dtype=np.uint8)
        # Cell c of the position is cell ``perms[row][c]`` of the image.
        image[perms[row]] = np.frombuffer(position.owners, dtype=np.uint8)
        asked = self._choose(Position.from_owners(self.game, image.tobytes()))
        return tuple(int(np.flatnonzero(perms[row] == cell)[0]) for cell in asked)

    def _choose(self, position: Position) -> tuple[int, ...]:
        if self.every_tie:
            assert isinstance(self.agent, ScoredAgent)
            return self.agent.best_moves(position)
        if position.owners not in self._chosen:
            # A stream for each position: the move must not depend on the order of the walk.
            rng = np.random.default_rng([self._seed, *position.owners])
            cell = self.agent.choose(position, rng)
            if cell not in position.legal_moves:
                raise AgentError(f"agent '{self.agent.spec}' chose cell {cell}, which is not legal")
            self._chosen[position.owners] = cell
        return (self._chosen[position.owners],)

    def children(self, position: Position) -> Iterator[Position]:
        """Positions that follow in the tree."""
        if position.to_move == self.seat:
            yield from map(position.play, self.choices(position))
            return
        names = set()
        for cell in position.legal_moves:
            child = position.play(cell)
            if self.merge:
                name = self._name(child)
                if name in names:
                    continue
                names.add(name)
            yield child

    def _images(self, position: Position) -> NDArray[np.uint64]:
        """Names of all images of a position, or only its own without merging."""
        return self._keys.names(position, None if self.merge else 1)

    def class_of(self, position: Position) -> int:
        """Name that equivalent positions share."""
        return int(self._keys.names(position, None).min())

    def _name(self, position: Position) -> int:
        return int(self._images(position).min())

    def counts(self, position: Position) -> Counts:
        """Wins, draws and losses below a position."""
        # Post-order with an explicit stack: a position is counted once all its children are known,
        # and is revisited until then.
        stack = [position]
        while stack:
            here = stack[-1]
            name = self._name(here)
            if here.is_over or name in self._known:
                stack.pop()
                continue
            children = list(self.children(here))
            missing = [c for c in children if not c.is_over and self._name(c) not in self._known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            below = [self._leaves(child) for child in children]
            wins, draws, losses = (sum(counts[i] for counts in below) for i in range(3))
            self._known[name] = wins, draws, losses
            if len(self._known) > _MOST_POSITIONS:
                raise LimitError(
                    f"the guided tree has more than {_MOST_POSITIONS:,} positions; "
                    "agents that score lines are counted further"
                )
        self.positions = len(self._known)
        return self._leaves(position)

    def _leaves(self, position: Position) -> Counts:
        if position.outcome is None:
            return self._known[self._name(position)]
        won, drawn = self.seat in position.outcome.winners, position.outcome.draw
        return int(won), int(drawn), int(not won and not drawn)

    def losing(self, position: Position) -> Iterator[tuple[int, ...]]:
        """Lines of play that end in a loss, in lexicographic order."""
        if not self._leaves(position)[2]:
            return
        if position.is_over:
            yield position.history
            return
        for child in self.children(position):
            yield from self.losing(child)


class _CompiledWalk(_Walk):
    """Counts a guided tree in a compiled loop, for agents that score moves by lines."""

    def counts(self, position: Position) -> Counts:
        """Wins, draws and losses below a position."""
        if position.is_over:
            return self._leaves(position)
        game, how = self.game, self.agent.seat(self.game)
        assert how is not None
        assert how.heuristic is not None
        tables = tabulate(how.heuristic, game.board, game.players)
        lines = tables.weights, tables.kinds, int(tables.by_ends)
        sign = -1.0 if game.misere else 1.0
        scorer = Scorer(*lines, float(how.rival_weight), sign, not self.every_tie)
        bits = _LEAST_BITS if game.cells <= _FEW_CELLS else _USUAL_BITS
        while (found := self._count(position, scorer, bits)) < 0:
            if bits >= _MOST_BITS:
                # The kernel gives up when three quarters of the slots are used.
                raise LimitError(f"the guided tree has more than {3 << (bits - 2):,} positions")
            bits = min(bits + 3, _MOST_BITS)
        self.positions = found
        return self._leaves(position)

    def _count(self, position: Position, scorer: Scorer, bits: int) -> int:
        """Fill a hash table of 2^`bits` slots; return its positions, -1 if they do not fit."""
        # Names of positions, 1 where a slot is used, and wins, draws and losses below.
        self._table = (
            np.zeros(1 << bits, dtype=np.uint64),
            np.zeros(1 << bits, dtype=np.uint8),
            np.zeros((1 << bits, 3), dtype=np.int64),
        )
        stop = np.zeros(1, dtype=np.int64)
        tree = tables_of(self.game), state_of(position), self.seat - 1, scorer
        perms = self._keys.perms if self.merge else self._keys.perms[:1]
        named = Named(self._keys.codes, perms, *self._table[:2])
        return Task().result(partial(count_guided, *tree, named, self._table[2], stop), stop)

    def _leaves(self, position: Position) -> Counts:
        if position.is_over:
            return super()._leaves(position)
        names, used, table = self._table
        place = find_slot(names, used, np.uint64(self._name(position)))
        wins, draws, losses = (int(count) for count in table[place])
        return wins, draws, losses
