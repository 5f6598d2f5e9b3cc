"""The rules of Breaker's plans that count stones by regions, read off their definitions.

Every set of lines is looked at, so that this is for a few cells. Rules can be broken on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

from tests.proof.breaker_reference import POOR, RICH, Rules, bits, random_rules

Counts = tuple[int, ...]


class RegionRules(Rules):
    """The rules by regions.

    `broken` names what is left out: ``bounds`` (stones on poor lines are not counted in leaves),
    ``survivors`` (lines all of whose keys Maker has, where leaves have them meet poor ones),
    ``replies`` (any good key will do after a stone), ``pairs`` (a poor and a rich line that a stone
    endangers together), ``apart`` (what a stone endangers at once).
    """

    def __init__(self, lines: tuple[int, ...], width: int, cells: int, broken: str = "") -> None:
        super().__init__(lines, width, cells, broken)
        self.regions: list[int] = []
        for at, line in enumerate(lines):
            if self.kinds[at] == RICH:
                off = line & self.others
                joined = [one for one in self.regions if one & off]
                self.regions = [one for one in self.regions if not one & off]
                self.regions.append(off | sum(joined))
        self.regions.sort(key=lambda cells: cells & -cells)
        self.known: dict[tuple[int, int, Counts], bool] = {}

    def home(self, line: int) -> int:
        """Return the region of a rich line."""
        return next(r for r, cells in enumerate(self.regions) if cells & self.lines[line])

    def undecided(self, maker: int, breaker: int) -> list[int]:
        """Return the live rich lines with a free key."""
        return self.numbers(self.of(RICH, breaker) & ~self.survivors(maker, breaker))

    def places(self, maker: int, breaker: int) -> list[int]:
        """Return the cells of each region, none where it is not open, and those elsewhere."""
        opened = {self.home(line) for line in self.undecided(maker, breaker)}
        found = [cells if r in opened else 0 for r, cells in enumerate(self.regions)]
        return [*found, self.others & ~sum(found)]

    def normal(self, maker: int, breaker: int, counts: Counts) -> Counts:
        """Count the stones of regions that are not open elsewhere."""
        places = self.places(maker, breaker)
        kept = tuple(c if cells else 0 for c, cells in zip(counts, places[:-1], strict=False))
        return (*kept, sum(counts) - sum(kept))

    def stones(self, places: list[int], counts: Counts, cells: int, rich: int = 0) -> int:
        """Bound the stones on some cells, among them those of some rich lines."""
        found = 0
        for place, count in zip(places, counts, strict=True):
            room = (cells & place).bit_count()
            room -= sum(2 for line in self.numbers(rich) if self.lines[line] & place)
            found += min(room, count)
        return found

    def crossing(self, chosen: int) -> Iterator[tuple[int, int]]:
        """Give the pairs of a poor and a rich line in a set that cross."""
        for one in self.numbers(chosen):
            for two in self.numbers(chosen):
                mixed = (self.kinds[one], self.kinds[two]) == (POOR, RICH)
                if mixed and self.lines[one] & self.lines[two]:
                    yield one, two

    def bound(self, places: list[int], counts: Counts, chosen: int) -> int:
        """Bound the stones on the lines of a set."""
        kinds = dict.fromkeys((POOR, RICH), 0)
        for line in self.numbers(chosen):
            if self.kinds[line] in kinds:
                kinds[self.kinds[line]] |= 1 << line
        poor, rich = kinds[POOR], kinds[RICH]
        if self.broken == "bounds":
            return self.stones(places, counts, self.union[rich] & self.others, rich)

        def off(some: int) -> int:
            return self.union[some] & self.others

        found = [
            sum(counts),
            self.stones(places, counts, off(chosen), rich),
            self.surplus(poor, self.others) + self.stones(places, counts, off(rich), rich),
        ]
        for one, two in self.crossing(chosen):
            less, fewer = poor & ~(1 << one), rich & ~(1 << two)
            found.append(
                self.surplus(1 << one | 1 << two, self.others)
                + self.surplus(less, self.others)
                + self.stones(places, counts, off(fewer), fewer)
            )
        return min(found)

    def settles(self, maker: int, breaker: int, counts: Counts) -> bool:
        """Whether pairs settle a state."""
        free = (self.keys | self.others) & ~(maker | breaker)
        poor, rich = self.of(POOR, breaker), self.of(RICH, breaker)
        live = poor | rich | self.of(0, breaker)
        if self.broken == "survivors":
            rich &= ~self.survivors(maker, breaker)
        places = self.places(maker, breaker)
        bounds = {
            some: self.bound(places, counts, some)
            for some in self.subsets(live)
            if some & poor and some & rich
        }
        for chosen in self.subsets(live):
            surplus = self.surplus(chosen, free)
            if surplus < 0:
                return False
            if chosen in bounds and surplus < sum(counts) and self.connected(chosen, free):
                larger = (bound for some, bound in bounds.items() if some & chosen == chosen)
                if surplus < min(larger):
                    return False
        return True

    def least_with(self, region: int, breaker: int, held: tuple[int, ...]) -> int:
        """Return the least spare cells off the keys of live rich lines, some lines among them."""
        rich = [at for at in self.numbers(self.of(RICH, breaker)) if self.home(at) == region]
        must = sum(1 << line for line in held)
        return min(
            self.surplus(some, self.others)
            for some in self.subsets(sum(1 << at for at in rich))
            if some & must == must
        )

    def meets(self, maker: int, breaker: int, replies: int, counts: Counts, region: int) -> bool:
        """Whether replies to a stone in a region, or elsewhere, are enough."""
        if not replies or self.broken == "replies":
            return bool(replies)
        # 1. Sets of rich lines of the region.
        rich = [at for at in self.numbers(self.of(RICH, breaker)) if self.home(at) == region]
        unhit = sum(1 << at for at in rich if not self.lines[at] & replies)
        undecided = self.undecided(maker, breaker)
        danger = sum(1 << at for at in undecided)
        for chosen in self.subsets(unhit):
            if chosen & danger and self.surplus(chosen, self.others) <= counts[region]:
                return False
        if self.broken == "pairs":
            return True
        # 2. Pairs.
        places = self.places(maker, breaker)
        after = tuple(count + (at == region) for at, count in enumerate(counts))
        pairs = [
            (poor, line)
            for poor, line in self.crossing((1 << len(self.lines)) - 1)
            if line in undecided and self.endangered(places, after, region, poor, line)
        ]
        if any(not self.lines[line] & replies for _, line in pairs):
            return False
        if self.broken == "apart":
            return True
        # 3. What is in danger at once.
        for one, two in combinations(pairs, 2):
            if one[1] != two[1]:
                both = sum(1 << line for line in {*one, *two})
                cells = self.union[both] & self.others
                if self.surplus(both, self.others) < self.stones(places, counts, cells):
                    return False
        return all(self.alone(places, breaker, counts, region, *pair) for pair in pairs)

    def endangered(
        self, places: list[int], counts: Counts, region: int, poor: int, line: int
    ) -> bool:
        """Whether a pair can have one stone too many, with one in the region."""
        one, two = self.lines[poor], self.lines[line] & self.others
        spare = (one | two).bit_count() - 4
        home, off = self.home(line), two.bit_count()
        both = 0
        for at, (place, count) in enumerate(zip(places, counts, strict=True)):
            room = (one & place & ~two).bit_count() + (off - 2 if at == home else 0)
            both += min(room, count)
        alone = min(self.stones(places, counts, one), one.bit_count() - 2)
        alone += min(counts[home], off - 2)
        return bool((one | two) & places[region]) and min(both, alone) > spare

    def alone(
        self, places: list[int], breaker: int, counts: Counts, region: int, poor: int, line: int
    ) -> bool:
        """Whether no set of rich lines of the region can be in danger together with a pair."""
        if region == len(self.regions):
            return True
        one, two = self.lines[poor], self.lines[line] & self.others
        home, inside = self.home(line), (one & places[region]).bit_count()
        others = [place if at != region else 0 for at, place in enumerate(places)]
        rich = [at for at in self.numbers(self.of(RICH, breaker)) if self.home(at) == region]
        if home == region:
            more = min(self.stones(others, counts, one), one.bit_count() - 2)
            more -= one.bit_count() - 2 - inside
            return more <= 0 or all(
                self.least_with(region, breaker, (line, other)) >= counts[region] + more
                for other in rich
                if other != line
            )
        beyond = 0
        for at, (place, count) in enumerate(zip(others, counts, strict=True)):
            room = (one & place & ~two).bit_count() + (two.bit_count() - 2 if at == home else 0)
            beyond += min(room, count)
        if not inside or beyond + inside - 1 < (one | two).bit_count() - 4:
            return True
        return all(
            self.least_with(region, breaker, (other,)) > counts[region]
            for other in rich
            if self.lines[other] & one
        )

    def wins(self, maker: int, breaker: int, counts: Counts) -> bool:
        """Whether the plan wins a state."""
        state = maker, breaker, self.normal(maker, breaker, counts)
        if state not in self.known:
            self.known[state] = self.settles(*state) or self._moves(*state)
        return self.known[state]

    def _moves(self, maker: int, breaker: int, counts: Counts) -> bool:
        free = self.keys & ~(maker | breaker)
        for key in bits(free):
            if not any(self.wins(maker | key, breaker | y, counts) for y in bits(free & ~key)):
                return False
        for region, cells in enumerate(self.places(maker, breaker)):
            if not cells:
                continue
            after = tuple(count + (at == region) for at, count in enumerate(counts))
            replies = sum(y for y in bits(free) if self.wins(maker, breaker | y, after))
            if not self.meets(maker, breaker, replies, counts, region):
                return False
        return True

    def spread(self, maker: int, breaker: int, counts: Counts) -> Iterator[int]:
        """Give all sets of stones with these counts that the invariants allow."""
        live = self.of(RICH, breaker) | self.of(POOR, breaker)
        pairs = list(self.crossing(live))
        groups = zip(self.places(maker, breaker), counts, strict=True)
        parts = [[sum(some) for some in combinations(bits(cells), n)] for cells, n in groups]
        allowed = set(self.placements(maker, breaker, sum(counts)))
        for choice in product(*parts):
            stones = sum(choice)
            if stones in allowed and all(
                ((self.lines[one] | self.lines[two]) & self.others & ~stones).bit_count() >= 4
                for one, two in pairs
            ):
                yield stones


def random_region_rules(rng: random.Random, broken: str = "") -> RegionRules:
    """Return rules for random lines on at most 13 cells."""
    made = random_rules(rng)
    return RegionRules(made.lines, made.width, made.cells, broken)
