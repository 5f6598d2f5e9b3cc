"""The check of a Breaker's plan that counts Maker's stones by regions of rich lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.position import Position
from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof import breaker_region_forms as forms
from hyperoxo.proof.breaker import BreakerPlan, PlanState, state_name
from hyperoxo.proof.breaker_check import Tables, stones_of, words_of
from hyperoxo.proof.breaker_region_loops import examine
from hyperoxo.rules import Game


class RegionTables:
    """The regions of a plan, in the order of their least cells, and the images of its states."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        off = [
            {cell for cell in row if cell not in set(tables.lines.keys.tolist())}
            for row in tables.rows
        ]
        rich = [at for at, kind in enumerate(tables.lines.kinds) if kind == loops.RICH]
        groups: list[set[int]] = []
        for line in rich:
            joined = [group for group in groups if group & off[line]]
            groups = [group for group in groups if not group & off[line]]
            groups.append(off[line].union(*joined))
        self.cells = sorted(groups, key=min)
        of_line = np.full(len(off), -1, np.int64)
        of_cell = np.full(len(tables.room().holder), len(groups), np.int64)
        for region, group in enumerate(self.cells):
            of_cell[list(group)] = region
            of_line[[line for line in rich if off[line] <= group]] = region
        of_cell[tables.lines.keys] = -1
        self._of_line, self._of_cell = of_line, of_cell

    @cached_property
    def _images(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        return self.tables.images_with([min(group) for group in self.cells], self._of_cell)

    @property
    def images(self) -> NDArray[np.uint64]:
        """Images of every eight keys under the symmetries that keep keys and lines."""
        return self._images[0]

    @cached_property
    def regions(self) -> forms.Regions:
        """Regions of lines and cells, and where the symmetries move them."""
        return forms.Regions(self._of_line, self._of_cell, self._images[1])

    def counts(self, cells: Iterable[int]) -> NDArray[np.int64]:
        """Count cells off the keys by regions, and elsewhere."""
        found = np.zeros(len(self.cells) + 1, np.int64)
        np.add.at(found, self._of_cell[list(cells)], 1)
        return found

    @cached_property
    def _crossing(self) -> list[tuple[int, set[int]]]:
        """Rich lines, each with the cells off the keys of it and of a poor line that meets it."""
        kinds, rows = self.tables.lines.kinds, list(map(set, self.tables.rows))
        keys = set(self.tables.lines.keys.tolist())
        poor = [row for row, kind in zip(rows, kinds, strict=True) if kind == loops.POOR]
        rich = [line for line, kind in enumerate(kinds) if kind == loops.RICH]
        return [
            (line, (row | rows[line]) - keys) for line in rich for row in poor if row & rows[line]
        ]

    def pairs_have_room(self, breaker: int, counted: Collection[int]) -> bool:
        """Tell whether each poor line and each live rich one that meets it have four free cells.

        These are off the keys and without counted stones.
        """
        stopped, taken = self.tables.lines.keys_on & np.uint64(breaker), set(counted)
        return all(stopped[line] or len(cells - taken) >= 4 for line, cells in self._crossing)

    def begins_well(self) -> bool:
        """Check the invariants where it begins, those of all plans and that of pairs."""
        tables = self.tables
        return tables.begins_well() and self.pairs_have_room(int(tables.breaker), tables.counted)


@lru_cache(maxsize=8)
def region_tables(tables: Tables) -> RegionTables:
    """Return the regions of some lines; they take a while where there are many symmetries."""
    return RegionTables(tables)


class RegionStates:
    """The states of a plan as arrays."""

    def __init__(self, plan: BreakerPlan) -> None:
        self.plan, self.made = plan, region_tables(plan.tables)
        self.makers, self.breakers = words_of(plan)
        width = len(self.made.cells) + 1
        rows = [(*state.regions, state.counted) for state in plan.states]
        if any(len(row) != width for row in rows):
            raise CheckFailedError(f"stones are counted in {width - 1} regions and elsewhere")
        self.counts = np.array(rows, np.int64).reshape(len(rows), width)
        self.leaves = np.array([state.pairs for state in plan.states], np.bool_)
        self.asked = np.zeros(len(rows), np.bool_)

    def ask(self, maker: int, breaker: int, counts: NDArray[np.int64]) -> int:
        """Return the place of a state in the list, or -1."""
        return int(
            forms.ask(
                *(self.made.tables.lines, self.made.regions, self.made.images),
                *(self.makers, self.breakers, self.counts),
                *(np.uint64(maker), np.uint64(breaker), counts),
            )
        )

    def begin(self) -> int:
        """Return the place of the state where the plan begins, and note that it is asked for."""
        tables = self.made.tables
        place = self.ask(int(tables.maker), int(tables.breaker), self.made.counts(tables.counted))
        if place >= 0:
            self.asked[place] = True
        return place

    def examine(self, place: int, room: loops.Room) -> tuple[int, int]:
        """Check one state by the rules; see `breaker_region_loops.examine`."""
        made = self.made
        wrong, where = examine(
            *(made.tables.lines, made.regions, made.images, self.makers, self.breakers),
            *(self.counts, self.leaves, self.asked, room, place),
        )
        return int(wrong), int(where)


def check_states(plan: BreakerPlan, seen: set[bytes]) -> None:
    """Check the states of a plan by the rules; CheckFailedError where one does not hold."""
    states = RegionStates(plan)
    if states.begin() < 0:
        raise CheckFailedError("the state where it begins is not listed")
    if not states.made.begins_well():
        raise CheckFailedError("where it begins some lines have too few cells off the keys")
    room, last = plan.tables.room(), None
    for place, state in enumerate(plan.states):
        row = states.makers[place], states.breakers[place], tuple(states.counts[place])
        if last is not None and row <= last:
            before = state_name(plan.states[place - 1])
            raise CheckFailedError(f"{state_name(state)} is not after {before}")
        last = row
        wrong, where = states.examine(place, room)
        if wrong != loops.HOLDS:
            raise CheckFailedError(f"{state_name(state)} {_said(plan, states, wrong, where)}")
        seen.add(state.stones + bytes((*state.regions, state.counted)))
    for place, state in enumerate(plan.states):
        if not states.asked[place]:
            raise CheckFailedError(f"{state_name(state)} is asked for never")


def _said(plan: BreakerPlan, states: RegionStates, wrong: int, where: int) -> str:
    if wrong == loops.NOT_LEAST:
        return "is not the greatest of its images"
    if wrong == loops.LEAF:
        return "is not settled by pairs"
    if wrong == loops.KEY:
        return f"has no answer to cell {plan.keys[where]}"
    cells = states.made.cells
    place = f"in the region of cell {min(cells[where])}" if where < len(cells) else "elsewhere"
    return f"has no answers that suffice to a stone {place}"


def listed_by_regions(
    game: Game,
    seat: int,
    keys: tuple[int, ...],
    states: Iterable[tuple[int, int, tuple[int, ...], bool]],
    begins: Position | None = None,
) -> BreakerPlan:
    """Return a plan of states in any image and order, without those that are not asked for.

    A state is Maker's keys and Breaker's, as bits by their places among the keys, the stones in the
    regions and elsewhere, and whether pairs settle it.
    """
    empty = BreakerPlan(game, seat, keys, (), begins)
    made = region_tables(empty.tables)
    best: dict[tuple[int, int, tuple[int, ...]], bool] = {}
    for maker, breaker, counts, pairs in states:
        one, two, three = forms.form_of(
            *(made.images, made.regions, np.uint64(maker), np.uint64(breaker)),
            np.array(counts, np.int64),
        )
        best[int(one), int(two), tuple(three.tolist())] = bool(pairs)
    while True:
        rows = tuple(
            PlanState(
                stones_of(maker, breaker, seat, len(keys)), counts[-1], best[form], counts[:-1]
            )
            for form in sorted(best)
            for maker, breaker, counts in [form]
        )
        plan = BreakerPlan(game, seat, keys, rows, begins)
        found, room = RegionStates(plan), plan.tables.room()
        found.begin()
        for place in np.flatnonzero(~found.leaves).tolist():
            found.examine(place, room)
        if found.asked.all():
            return plan
        kept = zip(sorted(best), found.asked.tolist(), strict=True)
        best = {form: best[form] for form, asked in kept if asked}
