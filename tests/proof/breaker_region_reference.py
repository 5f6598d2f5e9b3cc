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

    `broken` names what is left out: of the rule of pairs ``pairs`` (what is to spare),
    ``survivors`` (lines all of whose keys Maker has, where they meet poor ones), and of a bound
    ``first`` (stones on poor lines), ``second`` (the poor lines' spare cells) or ``third`` (those
    of the poor lines beside the pair); of the replies to a stone the condition that ``1`` to ``6``
    names in the documentation, or all but the first with ``replies``.
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

        def off(some: int) -> int:
            return self.union[some] & self.others

        beside = self.stones(places, counts, off(rich), rich)
        found = [
            sum(counts),
            beside if self.broken == "first" else self.stones(places, counts, off(chosen), rich),
            beside + (0 if self.broken == "second" else self.surplus(poor, self.others)),
        ]
        for one, two in self.crossing(chosen):
            less, fewer = poor & ~(1 << one), rich & ~(1 << two)
            found.append(
                self.surplus(1 << one | 1 << two, self.others)
                + (0 if self.broken == "third" else self.surplus(less, self.others))
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
            few = chosen in bounds and surplus < sum(counts) and self.broken != "pairs"
            if few and self.connected(chosen, free):
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
        if self.broken == "replies" or not (replies or self.broken == "1"):
            return bool(replies)
        # Sets of rich lines of the region.
        rich = [at for at in self.numbers(self.of(RICH, breaker)) if self.home(at) == region]
        unhit = sum(1 << at for at in rich if not self.lines[at] & replies)
        undecided = self.undecided(maker, breaker)
        danger = sum(1 << at for at in undecided)
        for chosen in self.subsets(unhit) if self.broken != "2" else ():
            if chosen & danger and self.surplus(chosen, self.others) <= counts[region]:
                return False
        # Pairs.
        places = self.places(maker, breaker)
        after = tuple(count + (at == region) for at, count in enumerate(counts))
        pairs = [
            (poor, line)
            for poor, line in self.crossing((1 << len(self.lines)) - 1)
            if line in undecided and self.endangered(places, after, region, poor, line)
        ]
        if self.broken != "3" and any(not self.lines[line] & replies for _, line in pairs):
            return False
        # What is in danger at once.
        for one, two in combinations(pairs, 2) if self.broken != "4" else ():
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
        alone = min(self.stones(places, counts, one), one.bit_count() - 2) + counts[home]
        return bool(one & places[region]) and min(both, alone) > spare

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
        if self.broken == ("5" if home == region else "6"):
            return True
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

    def needed(self, maker: int, breaker: int) -> dict[int, int]:
        """Return how many cells without a stone the invariants ask for, on which cells."""
        rich, poor = self.of(RICH, breaker), self.of(POOR, breaker)
        found: dict[int, int] = {}
        for allowed in (rich, poor | self.survivors(maker, breaker)):
            for chosen in self.subsets(allowed):
                cells = self.union[chosen] & self.others
                found[cells] = max(found.get(cells, 0), 2 * chosen.bit_count())
        for one, two in self.crossing(rich | poor):
            cells = (self.lines[one] | self.lines[two]) & self.others
            found[cells] = max(found.get(cells, 0), 4)
        return found

    def spread(self, maker: int, breaker: int, counts: Counts) -> Iterator[int]:
        """Give all sets of stones with these counts that the invariants allow."""
        needed = self.needed(maker, breaker)
        groups = zip(self.places(maker, breaker), counts, strict=True)
        parts = [[sum(some) for some in combinations(bits(cells), n)] for cells, n in groups]
        for choice in product(*parts):
            if allow(needed, sum(choice)):
                yield sum(choice)

    def tight(self, maker: int, breaker: int, stones: int) -> int:
        """Return the cells without a stone of tight sets of decided lines."""
        found = 0
        for chosen in self.subsets(self.of(POOR, breaker) | self.survivors(maker, breaker)):
            left = self.union[chosen] & self.others & ~stones
            if left.bit_count() == 2 * chosen.bit_count():
                found |= left
        return found


def allow(needed: dict[int, int], stones: int) -> bool:
    """Whether stones leave as many cells without one as are needed."""
    return all((cells & ~stones).bit_count() >= least for cells, least in needed.items())


def random_region_rules(rng: random.Random, broken: str = "") -> RegionRules:
    """Return rules for random lines on at most 13 cells."""
    made = random_rules(rng)
    return RegionRules(made.lines, made.width, made.cells, broken)


def crossing_rules(rng: random.Random, broken: str = "") -> RegionRules:
    """Return rules for lines of one to three regions, and poor lines across them."""
    while True:
        width = rng.randint(2, 4)
        cells = width + rng.randint(5, min(9, 12 - width))
        off, keys = range(width, cells), range(width)
        groups: list[list[int]] = [[] for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        for cell in off:
            rng.choice(groups).append(cell)
        rows = []
        for group in groups:
            for _ in range(rng.randint(1, 2) if len(group) > 1 else 0):
                own = rng.sample(group, min(len(group), rng.choice((2, 2, 3, 3, 4))))
                rows.append(own + rng.sample(keys, rng.choice((1, 1, 1, 2))))
        rows += [rng.sample(off, rng.choice((2, 3, 3, 4))) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.25:
            rows.append(rng.sample(keys, 2))
        lines = [sum(1 << cell for cell in row) for row in rows]
        if len(set(lines)) == len(lines) < 8:
            return RegionRules(tuple(lines), width, cells, broken)


WITH_INNER_STATES = (
    ((547, 1177, 168, 84, 3), 2, 11),
    ((22, 235, 212, 3), 2, 8),
    ((195, 787, 228, 100, 3), 2, 10),
    ((1163, 342, 1120, 1544, 3), 2, 11),
    ((1538, 364, 372, 1856, 6), 4, 11),
    ((323, 102, 1545, 1666, 652, 3), 2, 11),
    ((651, 369, 584, 532, 3), 2, 10),
    ((1334, 787, 201, 1088, 312, 5), 3, 12),
    ((681, 682, 339, 44, 3), 2, 10),
    ((3843, 299, 214, 2696, 576, 6), 3, 12),
)
"""Lines, keys and cells where some states are won, and not by pairs; one in 8,000 drawn ones is."""


def changed(rules: RegionRules, rng: random.Random) -> RegionRules:
    """Return rules for lines that differ in a little: they often have such states as well."""
    while True:
        lines = list(rules.lines)
        for _ in range(rng.randint(1, 2)):
            at, cell = rng.randrange(len(lines)), 1 << rng.randrange(rules.cells)
            if rng.random() < 0.6:
                lines[at] ^= cell
            elif len(lines) < 7:
                lines.append(lines[at] ^ cell)
            else:
                lines.pop(at)
        made = RegionRules(tuple(lines), rules.width, rules.cells, rules.broken)
        short = any(line.bit_count() < 2 for line in lines)
        if made.regions and not short and len(set(lines)) == len(lines):
            return made


def some_state(rules: RegionRules, rng: random.Random) -> tuple[int, int, Counts]:
    """Return a state with two or three free keys, and up to three counted stones."""
    keys = rng.sample(range(rules.width), rules.width)
    maker = breaker = 0
    for key in keys[rng.randint(2, min(3, rules.width)) :]:
        if rng.random() < 0.5:
            maker |= 1 << key
        else:
            breaker |= 1 << key
    counts = [0] * (len(rules.regions) + 1)
    for _ in range(rng.randint(0, 3)):
        counts[rng.randrange(len(counts))] += 1
    return maker, breaker, rules.normal(maker, breaker, tuple(counts))
