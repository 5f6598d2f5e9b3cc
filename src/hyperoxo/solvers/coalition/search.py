"""Coalition search: one seat against all others together, and proofs of the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import CLASSIC, Game, Position, Reason, Requires, Value, Why
from hyperoxo.kernels.coalition import (
    FAILS,
    SUCCEEDS,
    Named,
    Question,
    force,
    list_moves,
    proving_move,
)
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.proof import Prevention, Strategy, canonical_forms_of, completes, contained, replies
from hyperoxo.solvers.arrays import (
    FEW_SYMMETRIES,
    SYMMETRY_WORK,
    state_of,
    symmetries_of,
    tables_of,
)
from hyperoxo.task import ALONE, Task

if TYPE_CHECKING:
    from hyperoxo.solvers.exact.minimax import ExactSearch

GOALS = ((Value.WIN, Value.DRAW), (Value.DRAW, Value.NOTHING))
"""Goals of a seat, a win or at least a draw, in the order of search, and the best without each."""

COALITIONS = Requires("coalition search", CLASSIC)

_SMALL_TABLE, _LARGE_TABLE = 16, 22
_MOST_MOVES, _MOST_REPLIES = 1 << 21, 200_000
_FIRST_NODES = 30_000
_ATTEMPTS = (
    *((width, _FIRST_NODES) for width in (0, 4, -4, 2, -2, 8)),
    *((width, 20 * _FIRST_NODES) for width in (0, 3, -3, 6, -6, 12)),
    (0, 0),
)
"""Widths and node limits of successive searches. Width w > 0 restricts the others to w moves, w < 0
the seat to -w; the last search, of width 0, is complete."""


@dataclass(frozen=True)
class Keys:
    """Additive hash keys of positions: the sum of one code for each stone, least over images."""

    codes: NDArray[np.uint64]  # ``[q + 1, N]``, by owner and cell; wraps modulo 2^64
    perms: NDArray[np.int32]  # ``[G, N]``, the identity first
    exact: bool  # no two positions have the same name
    complete: bool  # `perms` are all symmetries of the game

    def names(self, position: Position, group: int | None = None) -> NDArray[np.uint64]:
        """Return the names of the first images of a position, of all by default."""
        owners = np.frombuffer(position.owners, dtype=np.uint8)
        stones = np.flatnonzero((owners > 0) & (owners < 255))
        images = self.codes[owners[stones], self.perms[:group, stones]]
        found: NDArray[np.uint64] = images.sum(axis=1, dtype=np.uint64)
        return found


def _keys(game: Game, rows: NDArray[np.int32], complete: bool) -> Keys:
    # If positions fit a word, the key is the position itself in base q + 1, and no two collide.
    base, cells = game.players + 1, game.board.cell_count
    if base**game.cells >= 2**64:
        rng = np.random.default_rng(0xC0A)
        codes = rng.integers(0, 2**64, size=(base, cells), dtype=np.uint64)
        return Keys(codes, rows, False, complete)
    codes = np.zeros((base, cells), dtype=np.uint64)
    # The last cell counts least, so that names are in lexicographic order.
    for place, cell in enumerate(game.board.playable[::-1]):
        codes[:, cell] = [owner * base**place for owner in range(base)]
    return Keys(codes, rows, True, complete)


@lru_cache(maxsize=16)
def keys_of(game: Game) -> Keys:
    """Return the keys that searches of a game use."""
    complete = game.cells <= 256 and game.symmetry.order <= FEW_SYMMETRIES
    return _keys(game, symmetries_of(game, FEW_SYMMETRIES), complete)


@lru_cache(maxsize=16)
def canonical_keys(game: Game) -> Keys:
    """Return keys under exactly the symmetries that proofs of the game use."""
    complete = bool(canonical_forms_of(game).inverses)
    return _keys(game, symmetries_of(game, None if complete else 0), complete)


@dataclass(frozen=True)
class Forcing:
    """Result for one goal of one seat: whether it is forced, None if undecided."""

    position: Position
    seat: int
    goal: Value
    forced: bool | None
    nodes: int
    width: int
    table: tuple[NDArray[np.uint64], NDArray[np.uint8]]

    def reason(self, how: Reason | None = None) -> Reason:
        """Reason for the result; `how` names its source if that is not the search."""
        goal = "a win" if self.goal is Value.WIN else "at least a draw"
        if self.forced is None:
            return Why.SEAT_OPEN(seat=self.seat, goal=goal)
        code = Why.CAN_FORCE if self.forced else Why.CANNOT_FORCE
        how = how or Why.LINES_SEARCHED(nodes=self.nodes)
        return code(seat=self.seat, goal=goal, how=how)

    @property
    def question(self) -> Question:
        """Seat, goal, width and result as the kernels take them."""
        result = SUCCEEDS if self.forced else FAILS
        return Question(self.seat - 1, 1 + self.goal.sign, self.width, result)


def _new_table(bits: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    return np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint8)


def _search_control(keys: Keys, nodes: int = 0) -> NDArray[np.int64]:
    """Return the `control` of a search with a limit on positions, 0 for none."""
    return np.array([0, nodes, 0, SYMMETRY_WORK // len(keys.perms)], dtype=np.int64)


def forcing(
    position: Position, seat: int, goal: Value, task: Task = ALONE, *, nodes: int = 0
) -> Forcing:
    """Decide whether a seat can force a win, or at least a draw, against all others together."""
    COALITIONS.check(position.game)
    keys = keys_of(position.game)
    tables, state = tables_of(position.game), state_of(position)
    visited = 0
    table = _new_table(1)
    for width, most in _ATTEMPTS:
        if task.over or 0 < nodes <= visited:
            break
        table = _new_table(_SMALL_TABLE if most == _FIRST_NODES else _LARGE_TABLE)
        control = _search_control(keys, min(most or nodes, nodes - visited) if nodes else most)
        named = Named(keys.codes, keys.perms, *table)
        asked = Question(seat - 1, 1 + goal.sign, width, 0)
        arguments = (tables, state, asked, named, control)
        found = task.result(partial(force, *arguments), control[STOP : STOP + 1])
        visited += int(control[NODES])
        # A narrow search is one-sided: the others' few moves suffice to refute (width > 0), the
        # seat's few moves to prove (width < 0). The opposite result says nothing.
        if (found == FAILS and width >= 0) or (found == SUCCEEDS and width <= 0):
            return Forcing(position, seat, goal, found == SUCCEEDS, visited, width, table)
    return Forcing(position, seat, goal, None, visited, 0, table)


def run_forcing(
    search: ExactSearch, position: Position, seat: int, goal: Value, most: int = 0
) -> Forcing:
    """Run `forcing` with at most `most` nodes, which are added to those of `search`."""
    left = search.nodes_left
    nodes = min(left or most, most or left)
    found = forcing(position, seat, goal, Task(stop=search), nodes=nodes)
    search.count(found.nodes)
    return found


def _proof_table(found: Forcing) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return a table for extracting a proof: that of the search unless it is small."""
    return found.table if len(found.table[0]) > 1 << _SMALL_TABLE else _new_table(20)


def listed_moves(found: Forcing, most: int = _MOST_MOVES) -> dict[bytes, int]:
    """List the moves that prove a result of `forcing`."""
    game = found.position.game
    keys, forms = keys_of(game), canonical_keys(game)
    cells = game.board.cell_count
    # The number of moves is not known before: enlarge the arrays until they hold all of them.
    control = _search_control(keys)
    size = min(1 << 14, most)
    while True:
        owners = np.zeros((size, cells), dtype=np.uint8)
        moves = np.zeros(size, dtype=np.int32)
        places = 1 << int(4 * size * game.players - 1).bit_length()
        table = _proof_table(found)
        seen = (np.zeros(places, dtype=np.uint64), np.zeros(places, dtype=np.uint8))
        arguments = (
            *(tables_of(game), state_of(found.position), found.question),
            *(Named(keys.codes, keys.perms, *table), Named(forms.codes, forms.perms, *seen)),
            *(owners, moves, control),
        )
        listed = ALONE.result(partial(list_moves, *arguments), control[STOP : STOP + 1])
        if listed >= 0:
            break
        size *= 4
        if size > most:
            raise LimitError(f"the proof has more than {most:,} positions")
    # Kernels have no code for blocked cells; proofs write them as 255.
    owners[:, list(game.blocked)] = 255
    return _in_canonical_form(game, owners[:listed], moves[:listed])


def _in_canonical_form(
    game: Game, owners: NDArray[np.uint8], moves: NDArray[np.int32]
) -> dict[bytes, int]:
    if not len(owners):
        return {}
    forms = owners
    if canonical_forms_of(game).inverses:
        forms, index = game.symmetry.canonical_with(owners)
        moves = game.symmetry.permutations()[index, moves]
    return {form.tobytes(): int(move) for form, move in zip(forms, moves, strict=True)}


def strategy_of(found: Forcing, most: int = _MOST_MOVES) -> Strategy:
    """Return the strategy by which a seat forces the goal."""
    moves, position = listed_moves(found, most), found.position
    begins = None if position.ply == 0 else position
    return Strategy(position.game, found.seat, str(found.goal), moves, begins)


def prevention_of(found: Forcing, task: Task = ALONE, *, most: int = _MOST_REPLIES) -> Prevention:
    """Return the replies by which the others keep a seat from a goal."""
    position, seat = found.position, found.seat
    if found.forced is not False:
        raise CheckFailedError(f"it was not shown that player {seat} cannot force that")
    keys, tables = keys_of(position.game), tables_of(position.game)
    control = _search_control(keys)
    named = Named(keys.codes, keys.perms, *_proof_table(found))
    scratch = np.empty(position.game.board.cell_count, dtype=np.int32)

    # The same cases as in the checker, `hyperoxo.proof.coalition`, so that nothing else is listed.
    def expand(here: Position) -> int | Iterable[int]:
        if completes(here, seat):
            return ()
        if here.to_move == seat:
            return replies(here, seat)
        if found.goal is Value.WIN and contained(here, seat):
            return ()
        move = proving_move(tables, state_of(here), found.question, named, control, scratch)
        if move < 0 or control[STOP]:
            raise LimitError("the proof was not found within the limit")
        return int(move)

    with task.watched(control[STOP : STOP + 1]):
        moves = listed(position, expand, most)
    return Prevention(position.game, seat, f"no-{found.goal}", moves, position)


def listed(
    position: Position,
    expand: Callable[[Position], int | Iterable[int]],
    most: float = math.inf,
    task: Task = ALONE,
) -> dict[bytes, int]:
    """List a move for each reachable class of positions, at most `most`.

    `expand` returns the move to list, or the moves to follow without listing one.
    """
    forms = canonical_forms_of(position.game)
    moves, seen, waiting = dict[bytes, int](), set[bytes](), [position]
    while waiting:
        here = waiting.pop()
        form, cells = forms.locate(here.owners)
        if form in seen or here.is_over:
            continue
        seen.add(form)
        found = expand(here)
        if isinstance(found, int):
            if len(moves) == most:
                raise LimitError(f"the proof has more than {most:,} replies")
            moves[form] = list(cells).index(found)
            found = (found,)
            task.report_progress(len(moves), len(moves) + len(waiting) + 1)
        waiting += map(here.play, found)
    return moves
