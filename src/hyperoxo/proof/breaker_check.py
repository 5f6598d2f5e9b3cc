"""The check of a Breaker's plan: its lines and symmetries, and its states by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.position import BLOCKED, FREE, Position
from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof.breaker import PLANS, BreakerPlan, PlanState, state_name
from hyperoxo.proof.forms import moves_a_line
from hyperoxo.rules import Game

MOST_KEYS = 56
_MOST_CELLS = 60_000
_MOST_SYMMETRIES = 100_000


class Tables:
    """The lines of a plan that Breaker has no stone on off the keys, and where it begins."""

    def __init__(self, position: Position, maker: int, keys: tuple[int, ...]) -> None:
        board, owners = position.game.board, position.owners
        self.board = board
        places = {cell: place for place, cell in enumerate(keys)}
        if list(keys) != sorted(places) or not 0 < len(keys) <= MOST_KEYS:
            raise CheckFailedError(f"there are not 1 to {MOST_KEYS} keys that ascend")
        if keys[-1] >= len(owners) or any(owners[cell] == BLOCKED for cell in keys):
            raise CheckFailedError("a key is not a cell that can be played on")
        if len(owners) > _MOST_CELLS:
            raise CheckFailedError(f"plans are for boards of at most {_MOST_CELLS:,} cells")
        self.stopped = sorted(
            cell for cell, owner in enumerate(owners) if owner == 3 - maker and cell not in places
        )
        self.counted = sorted(
            cell for cell, owner in enumerate(owners) if owner == maker and cell not in places
        )
        dead = set(self.stopped)
        every = [board.line(at).tolist() for at in range(board.line_count)]
        self.numbers = [at for at, line in enumerate(every) if not dead & set(line)]
        self.rows = [every[at] for at in self.numbers]
        on = [sum(1 << places[cell] for cell in line if cell in places) for line in self.rows]
        kinds = [
            loops.POOR if not bits else loops.MAIN if bits.bit_count() == len(row) else loops.RICH
            for bits, row in zip(on, self.rows, strict=True)
        ]
        self.lines = loops.PlanLines(
            np.cumsum([0, *map(len, self.rows)]),
            np.array([cell for row in self.rows for cell in row], np.int64),
            np.array(kinds, np.int64),
            np.array(on, np.uint64),
            np.array(keys, np.int64),
        )
        self.maker = _word(owners[cell] == maker for cell in keys)
        self.breaker = _word(owners[cell] == 3 - maker for cell in keys)
        self._position, self._keys = position, keys

    def room(self) -> loops.Room:
        """Return room for matchings, which no two threads may share."""
        return loops.room_for(len(self._position.owners))

    def begins_well(self) -> bool:
        """Check the invariants where it begins.

        Every set of live rich lines needs two cells for each line off the keys and without Maker's
        stones, and so does every set of lines that have no free key.
        """
        live = (self.lines.keys_on & self.breaker) == 0
        decided = (self.lines.keys_on & ~self.maker) == 0
        rich, others = self.lines.kinds == loops.RICH, self.lines.kinds != loops.MAIN
        room = self.room()
        for wanted in (live & rich, others & decided):
            loops.close(self.lines, ~np.uint64(0), room)
            room.holder[self.counted] = loops.CLOSED
            if not loops.two_each(self.lines, wanted, room):
                return False
        return True

    @cached_property
    def images(self) -> NDArray[np.uint64]:
        """Images of every eight keys under the symmetries that keep keys and lines."""
        return self.images_with_lines([])[0]

    def images_with_lines(self, some: list[int]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Images of every eight keys, and of some lines, under the same symmetries."""
        width = len(self._keys)
        rows = self._symmetries()
        place = {frozenset(row): at for at, row in enumerate(self.rows if some else [])}
        images = [
            [place[frozenset(image)] for image in rows[:, self.rows[line]].tolist()]
            for line in some
        ]
        moved = np.column_stack([rows[:, list(self._keys)], *images])
        moved = np.unique(moved, axis=0)
        identity = (moved == [*self._keys, *some]).all(axis=1)
        moved = np.concatenate([moved[identity], moved[~identity]])
        places = np.searchsorted(self._keys, moved[:, :width]).astype(np.uint64)
        count = len(places)
        ones = np.zeros((count, -(-width // 8) * 8), np.uint64)
        ones[:, :width] = np.uint64(1) << places
        bits = (np.arange(256)[None] >> np.arange(8)[:, None] & 1).astype(np.uint64)
        table: NDArray[np.uint64] = ones.reshape(count, -1, 8) @ bits
        return table, np.ascontiguousarray(moved[:, width:])

    def _symmetries(self) -> NDArray[np.int64]:
        """Permutations of the cells, each of them looked at."""
        identity = np.arange(len(self._position.owners))[None]
        symmetry = self._position.game.board.symmetry
        try:
            if symmetry.order > _MOST_SYMMETRIES:
                return identity
            rows: NDArray[np.int64] = symmetry.permutations().astype(np.int64)
        except LimitError:
            return identity
        for kept in (list(self._keys), self.stopped):
            rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
        if (np.sort(rows, axis=1) != identity).any():
            raise CheckFailedError("a symmetry is no permutation of the cells")
        longest = max(map(len, self.rows), default=0)
        padded = np.array([row + [-1] * (longest - len(row)) for row in self.rows], np.int64)
        if moves_a_line(np.column_stack([rows, np.full(len(rows), -1)]), padded):
            raise CheckFailedError("a symmetry moves a line to where none is")
        return rows


@lru_cache(maxsize=8)
def tables_of(position: Position, maker: int, keys: tuple[int, ...]) -> Tables:
    """Return the lines of a plan; they take a while where there are many symmetries."""
    return Tables(position, maker, keys)


def _word(chosen: Iterable[bool]) -> np.uint64:
    return np.uint64(sum(1 << place for place, one in enumerate(chosen) if one))


class States(NamedTuple):
    """The states of a plan as arrays."""

    makers: NDArray[np.uint64]
    breakers: NDArray[np.uint64]
    counts: NDArray[np.int64]
    leaves: NDArray[np.bool_]
    asked: NDArray[np.int64]


def arrays_of(plan: BreakerPlan) -> States:
    """Return the states of a plan as arrays; none of them is asked for yet."""
    return States(
        *words_of(plan),
        np.array([state.counted for state in plan.states], np.int64),
        np.array([state.pairs for state in plan.states], np.bool_),
        np.full(len(plan.states), -1, np.int64),
    )


def words_of(plan: BreakerPlan) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return Maker's keys and Breaker's in each state, a bit each."""
    joined = b"".join(state.stones for state in plan.states)
    stones = np.frombuffer(joined, np.uint8).reshape(len(plan.states), len(plan.keys))
    weights = np.uint64(1) << np.arange(len(plan.keys), dtype=np.uint64)
    return (stones == 3 - plan.seat) @ weights, (stones == plan.seat) @ weights


def holds(
    plan: BreakerPlan,
    seen: set[bytes],
    *,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Check a plan by its rules; CheckFailedError where it does not hold."""
    position, seat = plan.position, plan.seat
    PLANS.check(plan.game)
    if position.is_over or position.to_move == seat:
        raise CheckFailedError(f"player {3 - seat} is not to move at {position.text}")
    if seat == plan.game.first and position.ply < plan.game.opening_plies:
        raise CheckFailedError(f"player {seat} cannot answer while the opening is restricted")
    if not plan.game.convention.counts(3 - seat):
        raise CheckFailedError(f"lines of player {3 - seat} do not count")
    if plan.by_lines:
        from hyperoxo.proof.breaker_lines import check_states

        check_states(plan, seen, progress)
        return
    states = arrays_of(plan)
    _check_beginning(plan, states)
    words = list(zip(states.makers.tolist(), states.breakers.tolist(), strict=True))
    for place, state in enumerate(plan.states):
        if place and words[place] <= words[place - 1]:
            raise CheckFailedError(
                f"{state_name(state)} is not after {state_name(plan.states[place - 1])}"
            )
        wrong, key = examined(plan, states, place)
        if wrong != loops.HOLDS:
            raise CheckFailedError(
                f"{state_name(state)} {_WRONG[wrong].format(cell=plan.keys[key])}"
            )
        seen.add(state.stones)
        if progress is not None:
            progress(place + 1, len(plan.states))
    for state, asked in zip(plan.states, states.asked.tolist(), strict=True):
        if asked != state.counted:
            often = "never" if asked < 0 else f"with {asked} at most"
            raise CheckFailedError(f"{state_name(state)} is asked for {often}")


_WRONG = {
    loops.NOT_LEAST: "is not the greatest of its images",
    loops.LEAF: "is not settled by pairs",
    loops.KEY: "has no answer to cell {cell}",
    loops.PASS: "has no answers that suffice to a stone off the keys",
}


def examined(plan: BreakerPlan, states: States, place: int) -> tuple[int, int]:
    """Check one state by the rules; see `breaker_loops.examine`."""
    tables = plan.tables
    return loops.examine(tables.lines, tables.images, *states, tables.room(), place)


def _check_beginning(plan: BreakerPlan, states: States) -> None:
    """Check that the state of the beginning is listed, and that the invariants hold there."""
    tables = plan.tables
    beginning = tables.maker, tables.breaker, len(tables.counted)
    if not loops.ask(tables.images, *states[:3], states.asked, *beginning):
        raise CheckFailedError("the state where it begins is not listed")
    if not tables.begins_well():
        raise CheckFailedError("where it begins some lines have too few cells off the keys")


def listed(
    game: Game,
    seat: int,
    keys: tuple[int, ...],
    states: Iterable[tuple[int, int, int, bool]],
    begins: Position | None = None,
) -> BreakerPlan:
    """Return a plan of states in any image and order, without those that are not asked for.

    A state is Maker's keys and Breaker's, as bits by their places among the keys, the number
    counted, and whether pairs settle it.
    """
    plan = BreakerPlan(game, seat, keys, (), begins)
    images = plan.tables.images
    best: dict[tuple[int, int], tuple[int, bool]] = {}
    for maker, breaker, counted, pairs in states:
        one, two = loops.form_of(images, np.uint64(maker), np.uint64(breaker))
        form = int(one), int(two)
        best[form] = max(best.get(form, (-1, False)), (counted, pairs))
    while True:
        rows = tuple(
            PlanState(stones_of(maker, breaker, seat, len(keys)), counted, bool(pairs))
            for (maker, breaker), (counted, pairs) in sorted(best.items())
        )
        plan = BreakerPlan(game, seat, keys, rows, begins)
        found = arrays_of(plan)
        tables = plan.tables
        beginning = tables.maker, tables.breaker, len(tables.counted)
        loops.ask(images, *found[:3], found.asked, *beginning)
        for place in np.flatnonzero(~found.leaves).tolist():
            examined(plan, found, place)
        asked = found.asked.tolist()
        if all(row.counted == count for row, count in zip(rows, asked, strict=True)):
            return plan
        best = {
            form: (count, pairs)
            for (form, (_, pairs)), count in zip(sorted(best.items()), asked, strict=True)
            if count >= 0
        }


def stones_of(maker: int, breaker: int, seat: int, count: int) -> bytes:
    """Return the owners of the keys by Maker's and Breaker's, a bit each."""

    def owner(place: int) -> int:
        return 3 - seat if maker >> place & 1 else seat if breaker >> place & 1 else FREE

    return bytes(map(owner, range(count)))
