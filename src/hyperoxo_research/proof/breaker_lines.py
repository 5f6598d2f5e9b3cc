"""The check of a Breaker's plan that knows which lines bear many of Maker's counted stones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.processes import cores
from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker_line_blocks import blocks_of
from hyperoxo_research.proof.breaker_line_forms import ANY, MANY
from hyperoxo_research.proof.breaker_line_leaves import nothing_settled, settles
from hyperoxo_research.proof.breaker_line_stones import examine
from hyperoxo_research.proof.breaker_plan import (
    BreakerPlan,
    PlanState,
    state_name,
    stones_of,
    words_of,
)
from hyperoxo_research.proof.breaker_tables import Tables

MOST_LINES = 16
"""Most rich lines of a region: every set of them is looked at."""
_OFTEN = 0.2  # seconds
_NEVER = 10_000
"""Spare cells of two pairs that cross, where there are none."""

Counts = tuple[int, tuple[int, ...], tuple[int, ...]]
"""All stones, those of the regions, and the warm lines as the board numbers them."""


def hyperplanes(tables: Tables) -> list[list[int]]:
    """Return the lines of each hyperplane of n^d in which no line has keys alone.

    Not of 2^d, whose symmetries do not keep them.
    """
    board = tables.board
    if board.side is None or board.dim is None or board.side < 3:
        return []
    found = []
    for axis in range(board.dim):
        step = board.side**axis
        for value in range(board.side):
            own = [
                line
                for line, row in enumerate(tables.rows)
                if all(cell // step % board.side == value for cell in row)
            ]
            if own and all(tables.lines.kinds[line] != loops.MAIN for line in own):
                found.append(own)
    return found


class LineTables:
    """The regions of a plan, in the order of their least cells, and the images of its states.

    `chosen` are the lines of its blocks, by default those of `hyperplanes`.
    """

    def __init__(self, tables: Tables, chosen: Sequence[Sequence[int]] | None = None) -> None:
        self.tables = tables
        keys = set(tables.lines.keys.tolist())
        self._off = [set(row) - keys for row in tables.rows]
        rich = [at for at, kind in enumerate(tables.lines.kinds) if kind == loops.RICH]
        groups: list[set[int]] = []
        for line in rich:
            joined = [group for group in groups if group & self._off[line]]
            groups = [group for group in groups if not group & self._off[line]]
            groups.append(self._off[line].union(*joined))
        self.cells = sorted(groups, key=min)
        self.members = [[line for line in rich if self._off[line] <= group] for group in self.cells]
        if (most := max(map(len, self.members), default=0)) > MOST_LINES:
            raise CheckFailedError(f"a region has {most} rich lines, and at most {MOST_LINES} may")
        self.chosen = [sorted(own) for own in (hyperplanes(tables) if chosen is None else chosen)]

    @cached_property
    def _images(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Images of the keys, and of the rich lines, under the same symmetries.

        They keep the blocks too.
        """
        rich = [line for row in self.members for line in row]
        others = sorted({line for own in self.chosen for line in own}.difference(rich))
        keys, moved = self.tables.images_with_lines(rich + others)
        place = {line: at for at, line in enumerate(rich + others)}
        blocks = set(map(tuple, self.chosen))
        for own in self.chosen:
            images = np.unique(np.sort(moved[:, [place[line] for line in own]], axis=1), axis=0)
            if not blocks.issuperset(map(tuple, images.tolist())):
                raise CheckFailedError("a symmetry moves a block to where none is")
        return keys, moved

    @property
    def images(self) -> NDArray[np.uint64]:
        """Images of every eight keys under the symmetries that keep keys and lines."""
        return self._images[0]

    @cached_property
    def regions(self) -> forms.Regions:
        """The regions as arrays."""
        count, lines = len(self.cells), self.tables.lines
        width = max(map(len, self.members), default=0)
        members = np.full((count, width), -1, np.int64)
        of_line, bit = (np.full(len(self._off), -1, np.int64) for _ in range(2))
        cells = len(self.tables.room().holder)
        of_cell, on_cell = np.full(cells, -1, np.int64), np.zeros(cells, np.int64)
        for region, row in enumerate(self.members):
            members[region, : len(row)] = row
            of_line[row], bit[row] = region, range(len(row))
            of_cell[list(self.cells[region])] = region
            for line in row:
                on_cell[list(self._off[line])] |= 1 << int(bit[line])
        is_key = np.zeros(cells, np.bool_)
        is_key[lines.keys] = True
        spare, apart, loose = self._sets(width)
        moved, moved_bits = self._moves(of_line, bit, width)
        return forms.Regions(
            of_line=of_line,
            bit=bit,
            members=members,
            off=np.array(list(map(len, self._off)), np.int64),
            is_key=is_key,
            of_cell=of_cell,
            on_cell=on_cell,
            spare=spare,
            apart=apart,
            loose=loose,
            crossing=self._crossing,
            least=self._least,
            moved=moved,
            moved_bits=moved_bits,
            blocks=blocks_of(self.chosen, self.tables.rows, lines, self.members),
        )

    def _moves(
        self, of_line: NDArray[np.int64], bit: NDArray[np.int64], width: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where symmetries move the regions and their lines."""
        moved = self._images[1]
        regions = np.zeros((len(moved), len(self.members)), np.int64)
        bits = np.zeros((len(moved), len(self.members), width), np.int64)
        at = 0
        for region, row in enumerate(self.members):
            for place, _ in enumerate(row):
                regions[:, region] = of_line[moved[:, at]]
                bits[:, region, place] = bit[moved[:, at]]
                at += 1
        return regions, bits

    def _sets(self, width: int) -> NDArray[np.int64]:
        """Return the spare cells of each set of lines of each region, |A| - X(A), and v."""
        found = np.zeros((3, len(self.members), 1 << width), np.int64)
        for region, row in enumerate(self.members):
            for some in range(1, 1 << len(row)):
                lines = [line for at, line in enumerate(row) if some >> at & 1]
                cells = len(set().union(*(self._off[line] for line in lines)))
                apart = len(lines) - (sum(len(self._off[line]) for line in lines) - cells)
                without = (some & ~(1 << at) for at in range(len(row)) if some >> at & 1)
                most = max(int(found[2, region, less]) for less in without)
                found[:, region, some] = cells - 2 * len(lines), apart, max(apart, most)
        return found

    @cached_property
    def _crossing(self) -> NDArray[np.int64]:
        """Poor and rich lines that share cells, and how many."""
        kinds = self.tables.lines.kinds
        poor = [line for line, kind in enumerate(kinds) if kind == loops.POOR]
        rows = [
            (one, two, len(self._off[one] & self._off[two]))
            for one in poor
            for two in itertools.chain(*self.members)
        ]
        return np.array([row for row in rows if row[2]], np.int64).reshape(-1, 3)

    @cached_property
    def _least(self) -> int:
        """Return u: the least spare cells of two pairs that cross, with different rich lines."""
        pairs = [
            (sum(1 << cell for cell in self._off[one] | self._off[two]), one, two)
            for one, two, _ in self._crossing.tolist()
        ]
        return min(
            (
                (first | second).bit_count() - 2 * (4 - (one == three))
                for (first, one, two), (second, three, four) in itertools.combinations(pairs, 2)
                if two != four
            ),
            default=_NEVER,
        )

    def pairs_have_room(self, breaker: int, counted: Collection[int]) -> bool:
        """Tell whether (e) holds: while it is asked, four cells without counted stones each."""
        if len(counted) > self._least + 1:
            return True
        stopped, taken = self.tables.lines.keys_on & np.uint64(breaker), set(counted)
        return all(
            stopped[two] or len((self._off[one] | self._off[two]) - taken) >= 4
            for one, two, _ in self._crossing.tolist()
        )

    def blocks_have_room(self, maker: int, breaker: int, counted: Collection[int]) -> bool:
        """Tell whether (f) holds: live blocks bear no more stones than they have spare cells."""
        taken, keys = set(counted), self.tables.lines.keys.tolist()
        taken.update(key for place, key in enumerate(keys) if maker >> place & 1)
        stopped, rows = self.tables.lines.keys_on & np.uint64(breaker), self.tables.rows
        return all(
            stopped[own].any()
            or len(set().union(*(rows[line] for line in own)) - taken) >= 2 * len(own)
            for own in self.chosen
        )

    def begins_well(self) -> bool:
        """Check the invariants where it begins: those of all plans, of pairs and of blocks."""
        tables = self.tables
        stones = int(tables.breaker), tables.counted
        fine = tables.begins_well() and self.pairs_have_room(*stones)
        return fine and self.blocks_have_room(int(tables.maker), *stones)

    def live(self, breaker: int) -> list[list[int]]:
        """Return the live rich lines of each region."""
        keys_on = self.tables.lines.keys_on.tolist()
        return [[line for line in row if not keys_on[line] & breaker] for row in self.members]

    def full(self, breaker: int, counted: Collection[int]) -> set[int]:
        """Return the live rich lines that bear all the stones that they may."""
        taken = set(counted)
        return {
            line
            for line in itertools.chain(*self.live(breaker))
            if len(self._off[line] & taken) >= len(self._off[line]) - 2
        }

    def near(self, breaker: int, cell: int) -> list[int]:
        """Return the live rich lines through a cell off the keys."""
        every = itertools.chain(*self.live(breaker))
        return [line for line in every if cell in self._off[line]]

    def row(self, counted: int, near: Iterable[int], warm: Iterable[int]) -> NDArray[np.int64]:
        """Return the row of a state: stones, those of regions, and warm lines of the tables."""
        bit, of_line = self.regions.bit, self.regions.of_line
        sets = np.zeros(len(self.cells), np.int64)
        for line in warm:
            sets[of_line[line]] |= 1 << int(bit[line])
        return np.array([counted, *near, *sets], np.int64)

    def is_wide(self, breaker: int, row: Sequence[int] | NDArray[np.int64]) -> bool:
        """Tell whether all regions with a live line are open in a row."""
        near = row[1 : 1 + len(self.cells)]
        return all(n == ANY for n, live in zip(near, self.live(breaker), strict=True) if live)

    def beginning(self) -> NDArray[np.int64]:
        """Return the row of the state where it begins."""
        breaker, counted = int(self.tables.breaker), self.tables.counted
        near = [0] * len(self.cells)
        for cell in counted:
            for line in self.near(breaker, cell)[:1]:
                near[self.regions.of_line[line]] += 1
        stones = (min(MANY, many) for many in near)
        return self.row(len(counted), stones, self.full(breaker, counted))


@lru_cache(maxsize=8)
def line_tables(tables: Tables) -> LineTables:
    """Return the regions of some lines; they take a while where there are many symmetries."""
    return LineTables(tables)


class LineStates:
    """The states of a plan as arrays."""

    def __init__(self, plan: BreakerPlan, made: LineTables | None = None) -> None:
        self.plan, self.made = plan, made or line_tables(plan.tables)
        width, numbers = len(self.made.cells), self.made.tables.numbers
        place = {number: at for at, number in enumerate(numbers)}
        rich = set(itertools.chain(*self.made.members))
        makers, breakers = words_of(plan)
        rows = np.full((len(plan.states), 1 + 2 * width), ANY)
        rows[:, 0] = [state.counted for state in plan.states]
        # 1. What is said of the regions, where it is no wide state.
        for at, state in enumerate(plan.states):
            if not (near := state.regions):
                continue
            if len(near) != width:
                raise CheckFailedError(f"there are {width} regions, not {len(near)}")
            warm = [place.get(number, -1) for number in state.warm]
            if not rich.issuperset(warm) or list(state.warm) != sorted(set(state.warm)):
                raise CheckFailedError(f"{state_name(state)} has warm lines that are not rich ones")
            if max(near) > ANY:
                raise CheckFailedError(f"{state_name(state)} has more than {ANY} in a region")
            rows[at] = self.made.row(state.counted, near, warm)
            if any(
                n == ANY and lines for n, lines in zip(near, rows[at, 1 + width :], strict=True)
            ):
                raise CheckFailedError(f"{state_name(state)} has warm lines in an open region")
        # 2. The warm lines of open regions.
        wide = forms.open_all(self.made.tables.lines, self.made.regions, breakers, rows)
        for at in np.flatnonzero(wide).tolist():
            if (state := plan.states[at]).regions:
                raise CheckFailedError(f"{state_name(state)} is a wide one, written with regions")
        self.listed = forms.Listed(
            *(makers, breakers, rows),
            np.array([state.pairs for state in plan.states], np.bool_),
            np.full(len(plan.states), -1, np.int64),
        )
        self.settled = nothing_settled(len(plan.states))

    def ask(self, maker: int, breaker: int, row: NDArray[np.int64]) -> int:
        """Return the place of a state in the list, or of one that stands for it, or -1."""
        made = self.made
        form, some = forms.greatest(made.images, np.uint64(maker))
        given = made.tables.lines, made.regions, made.images, self.listed
        return int(forms.ask(*given, form, some, np.uint64(breaker), row.copy()))

    def settles(self, maker: int, breaker: int, stones: int) -> bool:
        """Tell whether pairs settle a state with this many stones, wherever they are."""
        made = self.made
        given = made.tables.lines, made.regions, made.images, self.settled, made.tables.room()
        form, some = forms.greatest(made.images, np.uint64(maker))
        return bool(settles(*given, np.uint64(form), some, np.uint64(breaker), stones))

    def begin(self) -> int:
        """Return the place of the state where the plan begins, and note that it is asked for."""
        tables, beginning = self.made.tables, self.made.beginning()
        place = self.ask(int(tables.maker), int(tables.breaker), beginning)
        if place >= 0:
            forms.demand(self.listed, place, beginning[0])
        return place

    def examine(self, place: int, room: loops.Room) -> tuple[int, int]:
        """Check one state by the rules; see `breaker_line_stones.examine`."""
        made = self.made
        wrong, where = examine(
            *(made.tables.lines, made.regions, made.images, self.listed, self.settled),
            *(room, place),
        )
        return int(wrong), int(where)

    def examine_all(
        self,
        places: Sequence[int],
        threads: int,
        progress: Callable[[int, int], object] | None = None,
    ) -> tuple[int, int, int] | None:
        """Check states, each thread some of them; return the first that fails, why and where.

        The states that they ask for are noted.
        """
        made, noted = self.made, [np.full_like(self.listed.asked, -1) for _ in range(threads)]
        failed: list[tuple[int, int, int]] = []

        def some(number: int) -> None:
            given = made.tables.lines, made.regions, made.images
            listed, room = self.listed._replace(asked=noted[number]), made.tables.room()
            settled = nothing_settled(len(listed.asked))
            for place in places[number::threads]:
                if over or any(place > one for one, _, _ in failed):
                    break
                wrong, where = examine(*given, listed, settled, room, place)
                done[number] += 1
                if wrong != loops.HOLDS:
                    failed.append((place, int(wrong), int(where)))

        over: list[bool] = []
        done = [0] * threads
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


def check_states(
    plan: BreakerPlan, seen: set[bytes], progress: Callable[[int, int], object] | None = None
) -> None:
    """Check the states of a plan by the rules; CheckFailedError where one does not hold."""
    states = LineStates(plan)
    if states.begin() < 0:
        raise CheckFailedError("the state where it begins is not listed")
    if not states.made.begins_well():
        raise CheckFailedError("where it begins some lines have too few cells off the keys")
    listed = states.listed
    last: tuple[int, ...] = ()
    for place, (state, row) in enumerate(zip(plan.states, _rows(listed), strict=True)):
        if row <= last:
            before = state_name(plan.states[place - 1])
            raise CheckFailedError(f"{state_name(state)} is not after {before}")
        last = row
        seen.add(repr(row).encode())
    if wrong := states.examine_all(range(len(plan.states)), cores(), progress):
        place, *what = wrong
        raise CheckFailedError(f"{state_name(plan.states[place])} {_said(plan, states, *what)}")
    for state, asked in zip(plan.states, listed.asked.tolist(), strict=True):
        if asked != state.counted:
            often = "never" if asked < 0 else f"with {asked} at most"
            raise CheckFailedError(f"{state_name(state)} is asked for {often}")


def _rows(listed: forms.Listed) -> Iterator[tuple[int, ...]]:
    """Yield what states are ordered by."""
    words = listed.makers.tolist(), listed.breakers.tolist(), listed.rows.tolist()
    for maker, breaker, row in zip(*words, strict=True):
        yield (maker, breaker, *row)


def _said(plan: BreakerPlan, states: LineStates, wrong: int, where: int) -> str:
    if wrong == loops.NOT_LEAST:
        return "is not the greatest of its images"
    if wrong == loops.LEAF:
        return "is not settled by pairs"
    if wrong == loops.KEY:
        return f"has no answer to cell {plan.keys[where]}"
    cells = states.made.cells
    place = f"in the region of cell {min(cells[where])}" if where < len(cells) else "elsewhere"
    return f"has no answers that suffice to a stone {place}"


def listed_by_lines(
    game: Game,
    seat: int,
    keys: tuple[int, ...],
    states: Iterable[tuple[int, int, int, tuple[int, ...], tuple[int, ...], bool]],
    begins: Position | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> BreakerPlan:
    """Return a plan of states in any image and order, without those that need not be listed.

    These are states that are not asked for, and wide ones that pairs settle. A state is Maker's
    keys and Breaker's, as bits by their places among the keys, the number of stones, those of the
    regions, 4 for open ones, the warm lines of the others, and whether pairs settle it. Without
    regions, it is wide. `progress` begins again with each answer.
    """
    plan = BreakerPlan(game, seat, keys, (), begins)
    made = line_tables(plan.tables)
    place = {number: at for at, number in enumerate(made.tables.numbers)}
    # By what orders them, the stones and whether pairs settle it.
    best: dict[tuple[int, ...], tuple[int, bool]] = {}
    for maker, breaker, counted, near, warm, pairs in states:
        numbers = near or (ANY,) * len(made.cells)
        row = made.row(counted, numbers, (place[number] for number in warm))
        forms.open_up(made.tables.lines, made.regions, np.uint64(breaker), row)
        form, some = forms.greatest(made.images, np.uint64(maker))
        two, three = forms.form_of(made.images, made.regions, some, np.uint64(breaker), row)
        key = (int(form), int(two), *three.tolist())
        best[key] = max(best.get(key, (-1, False)), (counted, bool(pairs)))
    order = sorted(best)
    rows = [_state(made, seat, len(keys), form, *best[form]) for form in order]
    found = LineStates(BreakerPlan(game, seat, keys, tuple(rows), begins))
    found.begin()
    asked, ended = found.listed.asked, found.listed.leaves.copy()
    while len(fresh := np.flatnonzero((asked >= 0) & ~ended)):
        found.examine_all(fresh.tolist(), cores(), progress)
        ended[fresh] = True
    kept = np.flatnonzero(asked >= 0).tolist()
    wanted = tuple(rows[at]._replace(counted=int(asked[at])) for at in kept)
    # The checker finds wide states that pairs settle, but a plan by lines has a state with regions.
    told = tuple(state for state in wanted if state.regions or not state.pairs)
    shorter = replace(plan, states=told)
    return shorter if shorter.by_lines else replace(plan, states=wanted)


def _state(
    made: LineTables, seat: int, keys: int, form: tuple[int, ...], counted: int, pairs: bool
) -> PlanState:
    """Return a state by its form; a wide one has no regions."""
    count = len(made.cells)
    maker, breaker, *rest = form
    stones = stones_of(maker, breaker, seat, keys)
    near, sets = rest[1 : 1 + count], rest[1 + count :]
    if made.is_wide(breaker, rest):
        return PlanState(stones, counted, pairs)
    warm = sorted(
        made.tables.numbers[line]
        for n, row, some in zip(near, made.members, sets, strict=True)
        for at, line in enumerate(row)
        if n < ANY and some >> at & 1
    )
    return PlanState(stones, counted, pairs, tuple(near), tuple(warm))
