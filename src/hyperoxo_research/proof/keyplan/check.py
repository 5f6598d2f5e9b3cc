"""The check of a whole plan: of 6^3, 7^3 and other games; `check_plan` is the entry."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.processes import cores
from hyperoxo_research.proof.keyplan.board import MAIN, RICH, Board, Tables
from hyperoxo_research.proof.keyplan.examine import (
    HOLDS,
    IMAGE,
    KEY,
    LEAF,
    Work,
    examine,
    no_settled_states,
)
from hyperoxo_research.proof.keyplan.matching import (
    CLOSED,
    Scratch,
    close,
    have_two_each,
    scratch_for,
)
from hyperoxo_research.proof.keyplan.plan import PLANS, KeyPlan, PlanState
from hyperoxo_research.proof.keyplan.states import (
    ANY,
    MANY,
    Images,
    Listed,
    State,
    demand,
    find,
    images_of,
    open_all,
)

Progress = Callable[[int, int], object]
_OFTEN = 0.2  # seconds
_BLOCK = 256  # states
_ALL = (1 << 64) - 1


def check_plan(plan: KeyPlan, seen: set[bytes], progress: Progress | None = None) -> None:
    """Check a plan by its rules; CheckFailedError where it does not hold."""
    position, seat = plan.position, plan.seat
    # 1. Breaker answers Maker, whose lines count.
    PLANS.check(plan.game)
    if position.is_over or position.to_move == seat:
        raise CheckFailedError(f"player {3 - seat} is not to move at {position.text}")
    if seat == plan.game.first and position.ply < plan.game.opening_plies:
        raise CheckFailedError(f"player {seat} cannot answer while the opening is restricted")
    if not plan.game.convention.counts(3 - seat):
        raise CheckFailedError(f"lines of player {3 - seat} do not count")
    # 2. The invariants hold in the first state.
    states = States(plan)
    if states.begin() < 0:
        raise CheckFailedError("the first state of the plan is not listed")
    if not begins_well(plan.tables, by_lines=plan.by_lines):
        raise CheckFailedError("in the first state some lines have too few cells off the keys")
    # 3. States ascend, each holds by the rules, and is asked for with as many stones.
    listed = states.listed
    words = listed.makers.tolist(), listed.breakers.tolist(), listed.rows.tolist()
    last: tuple[object, ...] = ()
    for place, (maker, breaker, row) in enumerate(zip(*words, strict=True)):
        order = (maker, breaker, *row[: len(row) * plan.by_lines])
        if order <= last:
            raise CheckFailedError(f"{plan.states[place]} is not after {plan.states[place - 1]}")
        last = order
        seen.add(repr(order).encode())
    if wrong := states.examine_all(range(len(plan.states)), cores(), progress):
        raise CheckFailedError(f"{plan.states[wrong[0]]} {states.failure(*wrong[1:])}")
    for state, asked in zip(plan.states, listed.asked.tolist(), strict=True):
        if asked != state.counted:
            often = "never" if asked < 0 else f"with {asked} at most"
            raise CheckFailedError(f"{state} is asked for {often}")


class States:
    """The states of a plan as arrays, by default by lines where the plan is so."""

    def __init__(
        self, plan: KeyPlan, *, by_lines: bool | None = None, tables: Tables | None = None
    ) -> None:
        self.plan, self.tables = plan, tables or plan.tables
        self.by_lines = plan.by_lines if by_lines is None else by_lines
        self.board = self.tables.by_lines if self.by_lines else self.tables.by_counts
        joined = b"".join(state.stones for state in plan.states)
        stones = np.frombuffer(joined, np.uint8).reshape(len(plan.states), len(plan.keys))
        weights = np.uint64(1) << np.arange(len(plan.keys), dtype=np.uint64)
        width = len(self.board.regions.members)
        rows = np.full((len(plan.states), 1 + 2 * width), ANY)
        rows[:, 0] = [state.counted for state in plan.states]
        self.listed = Listed(
            (stones == 3 - plan.seat) @ weights,
            (stones == plan.seat) @ weights,
            rows,
            np.array([state.pairs for state in plan.states], np.bool_),
            np.full(len(plan.states), -1, np.int64),
        )
        # 1. The regions of states that are not wide.
        for at, state in enumerate(plan.states):
            if state.regions:
                rows[at] = self._row_of(state)
        # 2. The warm lines of open regions.
        for at in np.flatnonzero(open_all(self.board, self.listed)).tolist():
            if (state := plan.states[at]).regions:
                raise CheckFailedError(f"{state} is a wide one, written with regions")
        self.work = self._work(self.listed)

    def _row_of(self, state: PlanState) -> NDArray[np.int64]:
        members, near = self.tables.members, state.regions
        if len(near) != len(members):
            raise CheckFailedError(f"there are {len(members)} regions, not {len(near)}")
        place = {number: at for at, number in enumerate(self.tables.numbers)}
        warm = [place.get(number, -1) for number in state.warm]
        rich = set(itertools.chain(*members))
        if not rich.issuperset(warm) or list(state.warm) != sorted(set(state.warm)):
            raise CheckFailedError(f"{state} has warm lines that are not rich ones")
        if max(near) > ANY:
            raise CheckFailedError(f"{state} has more than {ANY} in a region")
        row = row_of(self.tables, state.counted, near, warm)
        if any(n == ANY and lines for n, lines in zip(near, row[1 + len(near) :], strict=True)):
            raise CheckFailedError(f"{state} has warm lines in an open region")
        return row

    def _work(self, listed: Listed) -> Work:
        room = scratch_for(len(self.tables.position.owners))
        return Work(listed, no_settled_states(len(listed.asked)), room)

    def find(self, maker: int, breaker: int, row: NDArray[np.int64]) -> int:
        """Return the index of a listed state that stands for another, or -1."""
        state = State(np.uint64(maker), np.uint64(breaker), row.copy())
        return int(find(self.board, self.listed, images_for(self.board, maker), state))

    def begin(self) -> int:
        """Return the place of the state where the plan begins, and note that it is asked for."""
        tables, row = self.tables, beginning(self.tables, by_lines=self.by_lines)
        place = self.find(int(tables.maker), int(tables.breaker), row)
        if place >= 0:
            demand(self.listed, place, row[0])
        return place

    def examine(self, place: int) -> tuple[int, int]:
        """Check one state by the rules; see `keyplan.examine.examine`."""
        wrong, where = examine(self.board, self.work, place)
        return int(wrong), int(where)

    def examine_all(
        self, places: Sequence[int], threads: int, progress: Progress | None = None
    ) -> tuple[int, int, int] | None:
        """Check states in some threads; return the first that fails, why and where."""
        # Threads take blocks in turn, whose states lead to the same wide ones, and note the states
        # that they ask for.
        blocks = iter(range(0, len(places), _BLOCK))
        noted = [np.full_like(self.listed.asked, -1) for _ in range(threads)]
        failed: list[tuple[int, int, int]] = []
        over: list[bool] = []
        done = [0] * threads

        def some(number: int) -> None:
            work = self._work(self.listed._replace(asked=noted[number]))
            for place in (place for at in blocks for place in places[at : at + _BLOCK]):
                if over or any(place > one for one, _, _ in failed):
                    break
                wrong, where = examine(self.board, work, place)
                done[number] += 1
                if wrong != HOLDS:
                    failed.append((place, int(wrong), int(where)))

        with ThreadPoolExecutor(threads) as pool:
            try:
                parts = [pool.submit(some, number) for number in range(threads)]
                running = True
                while running:
                    running = bool(wait(parts, _OFTEN).not_done)
                    if progress is not None:
                        progress(sum(done), len(places))
                for part in parts:
                    part.result()
            finally:
                over.append(True)
        np.maximum.reduce([self.listed.asked, *noted], out=self.listed.asked)
        return min(failed, default=None)

    def failure(self, wrong: int, where: int) -> str:
        """Describe a result of `examine`."""
        if wrong == IMAGE:
            return "is not the greatest of its images"
        if wrong == LEAF:
            return "is not settled by pairs"
        if wrong == KEY:
            return f"has no answer to cell {self.plan.keys[where]}"
        place = "elsewhere" if self.by_lines else "off the keys"
        if where < len(self.board.regions.members):
            place = f"in the region of cell {min(self.tables.groups[where])}"
        return f"has no answers that suffice to a stone {place}"


def images_for(board: Board, maker: int) -> Images:
    """Return the images of Maker's keys; compiled code gives plain numbers, and takes words."""
    keys, symmetries = images_of(board.images, np.uint64(maker))
    return Images(np.uint64(keys), symmetries)


def two_each(
    tables: Tables, wanted: NDArray[np.bool_], closed: Collection[int], taken: int = _ALL
) -> Scratch | None:
    """Give each of the lines two cells that are not closed, by default off the keys, or None."""
    room = scratch_for(len(tables.position.owners))
    close(tables.lines, np.uint64(taken), room)
    room.holder[list(closed)] = CLOSED
    return room if have_two_each(tables.lines, wanted, room) else None


def begins_well(tables: Tables, *, by_lines: bool) -> bool:
    """Check the invariants where a plan begins: (b) and (c), and by lines (e) and (f)."""
    lines, counted, breaker = tables.lines, tables.counted, int(tables.breaker)
    live = (lines.keys_on & tables.breaker) == 0
    decided = (lines.keys_on & ~tables.maker) == 0
    fine = two_each(tables, live & (lines.kinds == RICH), counted) is not None
    fine &= two_each(tables, decided & (lines.kinds != MAIN), counted) is not None
    if by_lines:
        fine &= pairs_have_spare_cells(tables, breaker, counted)
        fine &= blocks_have_spare_cells(tables, int(tables.maker), breaker, counted)
    return fine


def pairs_have_spare_cells(tables: Tables, breaker: int, counted: Collection[int]) -> bool:
    """Return whether (e) holds: with few stones, four cells without one for each pair."""
    board, taken = tables.by_lines, set(counted)
    if len(taken) > board.least + 1:
        return True
    stopped = board.lines.keys_on & np.uint64(breaker)
    return all(
        stopped[two] or len((tables.off[one] | tables.off[two]) - taken) >= 4
        for one, two in board.crossing.tolist()
    )


def blocks_have_spare_cells(
    tables: Tables, maker: int, breaker: int, counted: Collection[int]
) -> bool:
    """Return whether (f) holds: live blocks bear no more stones than they have spare cells."""
    taken = {key for place, key in enumerate(tables.keys) if maker >> place & 1}.union(counted)
    stopped = tables.lines.keys_on & np.uint64(breaker)
    return all(
        stopped[own].any()
        or len(set().union(*(tables.rows[line] for line in own)) - taken) >= 2 * len(own)
        for own in tables.chosen
    )


def live_lines(tables: Tables, breaker: int) -> list[list[int]]:
    """Return the live rich lines of each region."""
    keys_on = tables.lines.keys_on.tolist()
    return [[line for line in row if not keys_on[line] & breaker] for row in tables.members]


def full_lines(tables: Tables, breaker: int, counted: Collection[int]) -> set[int]:
    """Return the live rich lines that bear all the stones that they may."""
    off, taken = tables.off, set(counted)
    live = itertools.chain(*live_lines(tables, breaker))
    return {line for line in live if len(off[line] & taken) >= len(off[line]) - 2}


def lines_near(tables: Tables, breaker: int, cell: int) -> list[int]:
    """Return the live rich lines through a cell off the keys."""
    live = itertools.chain(*live_lines(tables, breaker))
    return [line for line in live if cell in tables.off[line]]


def row_of(
    tables: Tables, counted: int, near: Iterable[int], warm: Iterable[int]
) -> NDArray[np.int64]:
    """Return a row: all stones, those of regions, and warm lines of the tables."""
    regions = tables.by_lines.regions
    sets = np.zeros(len(regions.members), np.int64)
    for line in warm:
        sets[regions.of_line[line]] |= 1 << int(regions.bit[line])
    return np.array([counted, *near, *sets], np.int64)


def beginning(tables: Tables, *, by_lines: bool) -> NDArray[np.int64]:
    """Return the row of the state where a plan begins."""
    breaker, counted = int(tables.breaker), tables.counted
    if not by_lines:
        return np.array([len(counted)])
    near = [0] * len(tables.members)
    for cell in counted:
        for line in lines_near(tables, breaker, cell)[:1]:
            near[tables.by_lines.regions.of_line[line]] += 1
    stones = (min(MANY, many) for many in near)
    return row_of(tables, len(counted), stones, full_lines(tables, breaker, counted))
