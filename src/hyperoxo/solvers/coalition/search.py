"""What one seat can force against all others together: searches, and what proves their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import CLASSIC, Game, Position, Requires, Value
from hyperoxo.kernels.coalition import FAILS, SUCCEEDS, Named, force, list_moves, proving_move
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.proof import Prevention, Strategy, completes, contained, forms_of, replies
from hyperoxo.solvers.arrays import (
    FEW_SYMMETRIES,
    SYMMETRY_WORK,
    state_of,
    symmetries_of,
    tables_of,
)
from hyperoxo.task import ALONE, Task

if TYPE_CHECKING:
    from hyperoxo.solvers.exact.seat_value import ExactSearch

DRAW, WIN = 1, 2
"""Goals of a seat: at least a draw, or a win."""

GOALS = ((WIN, Value.WIN, Value.DRAW), (DRAW, Value.DRAW, Value.NOTHING))
"""Goals in the order of search, with the value each gives, and the best without it."""

COALITIONS = Requires("coalition search", CLASSIC)

_SMALL_TABLE, _LARGE_TABLE = 16, 22
_MOST_MOVES, _MOST_REPLIES = 1 << 21, 200_000
_FIRST_NODES = 30_000
_ATTEMPTS = (
    *((width, _FIRST_NODES) for width in (0, 4, -4, 2, -2, 8)),
    *((width, 20 * _FIRST_NODES) for width in (0, 3, -3, 6, -6, 12)),
    (0, 0),
)
"""Widths and most positions of one search after the other; the last one is complete."""


@dataclass(frozen=True)
class Keys:
    """How positions of a game are named in tables."""

    codes: NDArray[np.uint64]
    perms: NDArray[np.int32]
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
def forms_keys(game: Game) -> Keys:
    """Return keys under exactly the symmetries that proofs of the game use."""
    complete = bool(forms_of(game).inverses)
    return _keys(game, symmetries_of(game, None if complete else 0), complete)


@dataclass(frozen=True)
class Forcing:
    """What was found about one goal of one seat."""

    forced: bool | None
    nodes: int
    width: int
    table: tuple[NDArray[np.uint64], NDArray[np.uint8]]


def _new_table(bits: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    return np.zeros(1 << bits, dtype=np.uint64), np.zeros(1 << bits, dtype=np.uint8)


def _search_control(keys: Keys, nodes: int = 0) -> NDArray[np.int64]:
    """Return the `control` of a search with a limit on positions, 0 for none."""
    return np.array([0, nodes, 0, SYMMETRY_WORK // len(keys.perms)], dtype=np.int64)


def forcing(
    position: Position,
    seat: int,
    goal: int,
    task: Task = ALONE,
    *,
    nodes: int = 0,
) -> Forcing:
    """Decide whether a seat can force a goal against all others together."""
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
        arguments = (tables, state, seat - 1, goal, width, named, control)
        found = _limited(partial(force, *arguments), control, task)
        visited += int(control[NODES])
        if (found == FAILS and width >= 0) or (found == SUCCEEDS and width <= 0):
            return Forcing(found == SUCCEEDS, visited, width, table)
    return Forcing(None, visited, 0, table)


def ask(search: ExactSearch, position: Position, seat: int, goal: int, most: int = 0) -> Forcing:
    """Ask what a seat can force with at most so many positions, which count as the search's."""
    left = search.nodes_left
    nodes = min(left or most, most or left)
    found = forcing(position, seat, goal, Task(stop=search), nodes=nodes)
    search.count(found.nodes)
    return found


def _limited(work: Callable[[], Any], control: NDArray[np.int64], task: Task) -> int:
    """Run a compiled search until the clock, Ctrl-C or another thread stops it."""
    found = [0]

    def run() -> None:
        found[0] = int(work())

    if not task.run(run, control[STOP : STOP + 1]):
        raise KeyboardInterrupt
    return found[0]


def _proof_table(found: Forcing) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return a table to find a proof with: the search's own unless it is small."""
    return found.table if len(found.table[0]) > 1 << _SMALL_TABLE else _new_table(20)


def listed_moves(
    position: Position, seat: int, goal: int, found: Forcing, *, most: int = _MOST_MOVES
) -> dict[bytes, int]:
    """List the moves that prove what `forcing` has found."""
    game = position.game
    keys, forms = keys_of(game), forms_keys(game)
    cells = game.board.cell_count
    control = _search_control(keys)
    size = min(1 << 14, most)
    while True:
        owners = np.zeros((size, cells), dtype=np.uint8)
        moves = np.zeros(size, dtype=np.int32)
        places = 1 << int(4 * size * game.players - 1).bit_length()
        table = _proof_table(found)
        search = (seat - 1, goal, found.width, SUCCEEDS if found.forced else FAILS)
        seen = (np.zeros(places, dtype=np.uint64), np.zeros(places, dtype=np.uint8))
        arguments = (
            *(tables_of(game), state_of(position), *search, Named(keys.codes, keys.perms, *table)),
            *(Named(forms.codes, forms.perms, *seen), owners, moves, control),
        )
        listed = _limited(partial(list_moves, *arguments), control, Task())
        if listed >= 0:
            break
        size *= 4
        if size > most:
            raise LimitError(f"the proof has more than {most:,} positions")
    owners[:, list(game.blocked)] = 255
    return _in_forms(game, owners[:listed], moves[:listed])


def _in_forms(game: Game, owners: NDArray[np.uint8], moves: NDArray[np.int32]) -> dict[bytes, int]:
    if not len(owners):
        return {}
    forms = owners
    if forms_of(game).inverses:
        forms, index = game.symmetry.canonical_with(owners)
        moves = game.symmetry.permutations()[index, moves]
    return {form.tobytes(): int(move) for form, move in zip(forms, moves, strict=True)}


def strategy_of(
    position: Position, seat: int, goal: int, found: Forcing, *, most: int = _MOST_MOVES
) -> Strategy:
    """Return the strategy of a seat that can force a goal, as a plain value."""
    moves = listed_moves(position, seat, goal, found, most=most)
    claim = "win" if goal == WIN else "draw"
    begins = None if position.ply == 0 else position
    return Strategy(position.game, seat, claim, moves, begins)


def prevention_of(
    position: Position,
    seat: int,
    goal: int,
    found: Forcing,
    task: Task = ALONE,
    *,
    most: int = _MOST_REPLIES,
) -> Prevention:
    """Return the replies by which the others keep a seat from a goal."""
    if found.forced is not False:
        raise CheckFailedError(f"it was not shown that player {seat} cannot force that")
    game = position.game
    keys, forms, tables = keys_of(game), forms_of(game), tables_of(game)
    control = _search_control(keys)
    named = Named(keys.codes, keys.perms, *_proof_table(found))
    scratch = np.empty(game.board.cell_count, dtype=np.int32)
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [position]
    with task.watched(control[STOP : STOP + 1]):
        while waiting:
            here = waiting.pop()
            if here.is_over or completes(here, seat):
                continue
            form, cells = forms.locate(here.owners)
            if form in seen:
                continue
            seen.add(form)
            if here.to_move == seat:
                waiting += [here.play(cell) for cell in replies(here, seat)]
            elif goal != WIN or not contained(here, seat):
                move = proving_move(
                    *(tables, state_of(here), seat - 1, goal, found.width, FAILS),
                    *(named, control, scratch),
                )
                if move < 0 or control[STOP]:
                    raise LimitError("the proof was not found within the limit")
                if len(moves) == most:
                    raise LimitError(f"the proof has more than {most:,} replies")
                moves[form] = list(cells).index(move)
                waiting.append(here.play(move))
    claim = "no-win" if goal == WIN else "no-draw"
    return Prevention(game, seat, claim, moves, position)
