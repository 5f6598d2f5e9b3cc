"""The rules of Breaker's plans that count stones by lines, read off their definitions.

Every set of lines is looked at, so that this is for a few cells. Rules can be broken on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from tests.hyperoxo_research.proof.keyplan.count_rules import POOR, RICH, Rules, bits

MANY, ANY = 3, 4
"""As many stones of a region as this are counted as many; and any number of them."""


class State(NamedTuple):
    """Keys of Maker and of Breaker, the stones counted, those of each region, and warm lines."""

    maker: int
    breaker: int
    p: int
    z: tuple[int, ...]
    warm: int


class Kind(NamedTuple):
    """What Breaker answers: a stone in a region or elsewhere, lines that become full, an event."""

    region: int | None
    fuller: int = 0
    event: int | None = None


class LineRules(Rules):
    """The rules by lines.

    `broken` names what is left out or made wrong; `BROKEN` says how. With ``simple`` connected sets
    of rich lines alone can be at risk, and |A ∩ W| − X(A ∩ W) stands for the greatest such number;
    with ``exact`` no wide state stands for others. `blocks` are sets of poor and rich lines.
    """

    def __init__(
        self,
        lines: tuple[int, ...],
        width: int,
        cells: int,
        broken: str = "",
        blocks: tuple[int, ...] = (),
    ) -> None:
        super().__init__(lines, width, cells, broken)
        self.blocks = blocks
        self.regions: list[int] = []
        self.rich = sum(1 << at for at, kind in enumerate(self.kinds) if kind == RICH)
        for at in self.numbers(self.rich):
            own = lines[at] & self.others
            joined = [one for one in self.regions if one & own]
            self.regions = [one for one in self.regions if not one & own]
            self.regions.append(own | sum(joined))
        self.regions.sort(key=lambda cells: cells & -cells)
        # 1. The region of each rich line, the lines of each region, and those of each cell.
        off = [line & self.others for line in lines]
        self.home = [
            next((r for r, cells in enumerate(self.regions) if cells & one), None) for one in off
        ]
        self.inside = [
            sum(1 << at for at in self.numbers(self.rich) if self.home[at] == r)
            for r in range(len(self.regions))
        ]
        self.through = {
            x: sum(1 << at for at in self.numbers(self.rich) if lines[at] & x)
            for x in bits(self.others)
        }
        # 2. For each set of lines its spare cells off the keys, and cells counted repeatedly.
        self.spare = [self.surplus(some, self.others) for some in range(1 << len(lines))]
        self.size = [one.bit_count() for one in off]
        self.room = [size - 2 for size in self.size]
        self.repeated = [
            sum(self.room[at] for at in self.numbers(some)) - spare
            for some, spare in enumerate(self.spare)
        ]
        self.known: dict[State, bool] = {}
        self._needed: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
        self._full: dict[tuple[int, int], int] = {}

    def with_blocks(self, blocks: tuple[int, ...]) -> LineRules:
        """Return the rules with these blocks."""
        return LineRules(self.lines, self.width, self.cells, self.broken, blocks)

    @cached_property
    def crossings(self) -> list[tuple[int, int]]:
        """The pairs of a poor and a rich line that cross."""
        numbers = range(len(self.lines))
        return [
            (one, two)
            for one in numbers
            for two in numbers
            if (self.kinds[one], self.kinds[two]) == (POOR, RICH)
            if self.lines[one] & self.lines[two]
        ]

    @cached_property
    def u(self) -> float:
        """The least spare cells of two pairs with different rich lines."""
        return min(
            (
                self.spare[1 << one | 1 << two | 1 << three | 1 << four]
                for one, two in self.crossings
                for three, four in self.crossings
                if two != four
            ),
            default=float("inf"),
        ) + (self.broken == "u more")

    def apart(self, p: int) -> bool:
        """True if (e) is asked for with p stones."""
        return p <= self.u + 1 or self.broken == "u"

    def decided(self, maker: int, breaker: int) -> int:
        """Return the live lines that are poor, or rich without a free key."""
        return self.of(POOR, breaker) | self.survivors(maker, breaker)

    def undecided(self, state: State) -> int:
        """Return the live rich lines with a free key."""
        return self.of(RICH, state.breaker) & ~self.survivors(state.maker, state.breaker)

    def place(self, breaker: int, cell: int) -> int | None:
        """Return the region where a stone comes, or none if it is elsewhere."""
        lines = self.through[cell] & self.of(RICH, breaker)
        return self.home[self.numbers(lines)[0]] if lines else None

    def wide(self, state: State) -> State:
        """Say nothing of where the stones are."""
        return self.normal(state._replace(z=tuple(ANY for _ in state.z), warm=self.rich))

    def opened(self, state: State, region: int) -> State:
        """Say nothing of where the stones of a region are."""
        z = (*state.z[:region], ANY, *state.z[region + 1 :])
        return self.normal(state._replace(z=z, warm=state.warm | self.inside[region]))

    def saying_less(self, state: State) -> Iterator[State]:
        """States that stand for one, each with a region open or one warm line more."""
        for region, n in enumerate(state.z):
            if n != ANY and self.of(RICH, state.breaker) & self.inside[region]:
                yield self.opened(state, region)
            if n == MANY:
                for line in self.numbers(self.inside[region] & ~state.warm):
                    yield self.normal(state._replace(warm=state.warm | 1 << line))

    def stands_for(self, one: State, state: State) -> bool:
        """True if a state stands for another."""
        if one[:2] != state[:2] or one.p < state.p:
            return False
        for n, near, own in zip(one.z, state.z, self.inside, strict=True):
            more, less = state.warm & own & ~one.warm, one.warm & own & ~state.warm
            if n != ANY and (n != near or more or (less and n != MANY)):
                return False
        return True

    def normal(self, state: State) -> State:
        """Leave out what does not live any more."""
        live = self.of(RICH, state.breaker)
        z = tuple(n if live & own else 0 for n, own in zip(state.z, self.inside, strict=True))
        return state._replace(z=z, warm=state.warm & live)

    # Bounds, pairs and keys.

    def most(self, line: int, warm: int) -> int:
        """Return a(l), the most stones that a rich line bears."""
        return int(self.room[line] - (not warm >> line & 1 or self.broken == "a"))

    def rich_bound(self, state: State, rich: int) -> int:
        """Return B(R)."""
        found = 0
        for n, own in zip(state.z, self.inside, strict=True):
            if some := rich & own:
                each = sum(self.most(at, state.warm) for at in self.numbers(some))
                bounds = [each, self.spare[some] - (self.broken == "f0")]
                if n < MANY or self.broken == "many":
                    bounds.append(n - (self.broken == "z"))
                found += min(bounds)
        return found

    def placed_bound(self, state: State, poor: int, rich: int) -> int:
        """Return the bound by where stones are: elsewhere, and in each region."""
        on, live = self.union[poor] & self.others, self.of(RICH, state.breaker)
        dead = on & ~self.union[self.rich if self.broken == "dead" else live]
        away = state.p - sum(n for n in state.z if n != ANY) - (self.broken == "away")
        found = min(away, dead.bit_count())
        for n, cells, own in zip(state.z, self.regions, self.inside, strict=True):
            some = rich & own
            each = sum(self.most(at, state.warm) for at in self.numbers(some))
            beside = (on & cells & ~self.union[some]).bit_count()
            beside -= (on & cells & ~self.union[live]).bit_count() * (self.broken == "beside")
            most = min(each, self.spare[some]) + beside
            found += most if n >= MANY and self.broken != "many placed" else min(most, n)
        return int(found - (self.broken == "fifth"))

    def bound(self, state: State, chosen: int, given: int) -> int:
        """Return the bound of the stones on a set of lines; some are known to have two each."""
        poor = sum(1 << at for at in self.numbers(chosen) if self.kinds[at] == POOR)
        rich = chosen & self.rich
        found = [state.p - (self.broken == "first")]
        found.append(self.spare[poor] + self.rich_bound(state, rich) - (self.broken == "second"))
        found.append(
            self.spare[chosen & given]
            - (self.broken == "third")
            + self.rich_bound(state, rich & ~given)
        )
        found.append(self.placed_bound(state, poor, rich))
        if chosen in self.live_blocks(state.breaker):
            found.append(self.block_spare(chosen, state.maker) - (self.broken == "sixth"))
        for one, two in self.crossings if self.apart(state.p) else ():
            if poor >> one & 1 and rich >> two & 1:
                found.append(
                    self.spare[1 << one | 1 << two]
                    - (self.broken == "fourth")
                    + self.spare[poor & ~(1 << one)]
                    + self.rich_bound(state, rich & ~(1 << two))
                )
        return min(found)

    def passes(self, state: State, chosen: int, given: int) -> bool:
        """True if the test holds for some lines, some decided ones of them given."""
        free = (self.keys | self.others) & ~(state.maker | state.breaker)
        poor = sum(1 << at for at in self.numbers(chosen) if self.kinds[at] == POOR)
        rich = chosen & self.rich & ~given
        # 1. Sets that have fewer spare cells than there are stones at all.
        short = {
            some: self.surplus(some, free)
            for some in self.subsets(chosen)
            if some & poor and some & rich
        }
        short = {some: spare for some, spare in short.items() if spare < state.p}
        short = {some: spare for some, spare in short.items() if self.connected(some, free)}
        if not short:
            return True
        # 2. The bounds of these sets and of all that they are part of.
        bounds = {
            some: self.bound(state, some, given & some)
            for some in self.subsets(chosen)
            if some & poor and some & rich
        }
        return all(
            spare >= bounds[some]
            or spare >= min(bound for whole, bound in bounds.items() if whole & some == some)
            for some, spare in short.items()
        )

    def settles(self, state: State) -> bool:
        """True if pairs settle a state."""
        maker, breaker = state.maker, state.breaker
        free = (self.keys | self.others) & ~(maker | breaker)
        live = sum(1 << at for at, line in enumerate(self.lines) if not line & breaker)
        if any(self.surplus(some, free) < 0 for some in self.subsets(live)):
            return False
        return self.broken == "pairs" or self.passes(state, live, self.decided(maker, breaker))

    def taken(self, state: State, key: int, reply: int) -> State:
        """Return the state after a key and the reply to it."""
        maker, breaker = state.maker | key, state.breaker | reply
        return self.normal(state._replace(maker=maker, breaker=breaker))

    def to_key(self, state: State, key: int, reply: int) -> State | None:
        """Return the state after a key and the reply to it, if the test holds for it."""
        after = self.taken(state, key, reply)
        before, now = (self.decided(one.maker, one.breaker) for one in (state, after))
        fine = self.broken == "keys" or now == before or self.passes(after, now, now & before)
        return after if fine and self.blocks_bear(after, key) else None

    # Blocks.

    def live_blocks(self, breaker: int) -> list[int]:
        """Return the blocks without a key of Breaker."""
        return [one for one in self.blocks if not self.union[one] & breaker]

    def block_spare(self, block: int, maker: int) -> int:
        """Return f of a live block."""
        return int(self.surplus(block, (self.keys | self.others) & ~maker))

    def block_bound(self, state: State, block: int) -> int:
        """Return how many stones are on a live block at most."""
        poor, rich = block & ~self.rich, block & self.rich
        apart = self.union[poor] & self.others & ~self.union[rich]
        away = state.p - sum(n for n in state.z if n != ANY)
        found = min(self.spare[poor], away, apart.bit_count())
        for n, cells, own in zip(state.z, self.regions, self.inside, strict=True):
            most = sum(self.most(at, state.warm) for at in self.numbers(rich & own))
            most += (apart & cells).bit_count()
            found += most if n >= MANY else min(most, n)
        return int(min(state.p, found) - (self.broken == "block bound"))

    def block_in_danger(self, state: State, block: int) -> bool:
        """True if there may be more stones on a live block than it has spare cells."""
        return self.block_bound(state, block) > self.block_spare(block, state.maker)

    def blocks_bear(self, after: State, key: int) -> bool:
        """True if no live block with a key that Maker took is in danger after the reply."""
        own = [one for one in self.live_blocks(after.breaker) if self.union[one] & key]
        return self.broken == "block keys" or not any(
            self.block_in_danger(after, one) for one in own
        )

    def common(self, block: int, some: int) -> int:
        """Return how many stones may be on a block and a set of rich lines."""
        inner = some & block
        both = self.union[block] & self.union[some] & self.others & ~self.union[inner]
        return sum(self.room[at] for at in self.numbers(inner)) + both.bit_count()

    def blocks_are_met(self, state: State, kind: Kind, replies: int) -> bool:
        """True if replies to a stone take care of blocks, and no block is in danger with others."""
        after, p = self.after(state, kind), state.p + 1
        spares = {
            block: self.block_spare(block, state.maker)
            for block in self.live_blocks(state.breaker)
            if self.block_in_danger(after, block)
        }
        # 1. An event, which only keys of its line answer.
        if kind.event is not None:
            return self.broken == "block event" or all(
                block >> kind.event & 1
                or spare + self.room[kind.event] + 2 - self.shared(block, 1 << kind.event) > p
                for block, spare in spares.items()
            )
        # 2. Blocks alone, and two of them.
        if self.broken != "block hit" and any(not self.union[one] & replies for one in spares):
            return False
        if self.broken != "block two" and any(
            spares[one] + spares[two] + 2 - self.shared(one, two) <= p
            for one, two in combinations(spares, 2)
        ):
            return False
        # 3. Blocks and sets or pairs.
        return not any(
            spare + self.spare[some] + 2 - shared <= p
            for block, spare in spares.items()
            for some, shared in self.with_a_block(state, kind, block)
        )

    def shared(self, one: int, two: int) -> int:
        """Return how many cells off the keys two sets of lines share."""
        return (self.union[one] & self.union[two] & self.others).bit_count()

    def with_a_block(self, state: State, kind: Kind, block: int) -> Iterator[tuple[int, int]]:
        """Give what may be at risk with a block, and how many stones on both."""
        if kind.region is not None and self.broken != "block set":
            for some, _ in self.sets_at_risk(state, kind.region):
                yield some, self.common(block, some)
        for poor, rich in self.pairs_at_risk(state, kind) if self.broken != "block pair" else ():
            if not block >> rich & 1:
                both = self.shared(block, 1 << poor) + self.shared(block, 1 << rich)
                yield 1 << poor | 1 << rich, both

    # Stones off the keys.

    def possible(self, state: State, fuller: int, event: int | None = None) -> bool:
        """True if lines through a cell can become full at once, with one that is full."""
        lines = self.numbers(fuller)
        region = self.home[lines[0]] if lines else None
        if region is None or state.z[region] >= MANY:
            return True
        n, room = state.z[region], self.room
        less = {"N one": 0, "N two": 1, "N event": 2}.get(self.broken)
        if any(room[one] - 1 > n - (less == 0) for one in lines):
            return False
        if event is not None and any(
            room[event] + room[one] - self.repeated[1 << one | 1 << event] > n - (less == 2)
            for one in lines
        ):
            return False
        return all(
            room[one] + room[two] - 1 - self.repeated[1 << one | 1 << two] <= n - (less == 1)
            for one, two in combinations(lines, 2)
        )

    def _answered(self, found: set[int], n: int) -> list[int]:
        """Return the sets of lines that must be answered."""
        if self.broken == "N":
            return [0] if found else []
        if n >= MANY - 1 or self.broken == "largest":
            found = {
                one for one in found if not any(one != two and one & two == one for two in found)
            }
        return sorted(found)

    def kinds_of_stones(self, state: State) -> list[Kind]:
        """Return what must be answered."""
        live, danger = self.of(RICH, state.breaker), self.undecided(state)
        kinds = [Kind(None)]
        for region, cells in enumerate(self.regions):
            if not live & self.inside[region]:
                continue
            n = state.z[region]
            plain: set[int] = set()
            events: dict[int, set[int]] = {}
            for x in bits(cells):
                lines = self.through[x] & live
                sets = [0, *self.subsets(lines & ~state.warm)]
                hot = lines & state.warm
                if lines and (n >= MANY or not hot):
                    plain.update(one for one in sets if self.possible(state, one))
                for line in self.numbers(hot & danger):
                    if self.room[line] > state.p - (self.broken == "event p"):
                        continue
                    held = line if n < MANY else None
                    found = {one for one in sets if self.possible(state, one, held)}
                    events.setdefault(line, set()).update(found)
            kinds += [Kind(region, one) for one in self._answered(plain, n)]
            for line, some in events.items() if self.broken != "events" else ():
                if n < MANY or self.broken != "many events":
                    kinds += [Kind(region, one, line) for one in self._answered(some, n)]
        return kinds

    def after(self, state: State, kind: Kind, reply: int = 0) -> State:
        """Return the state after a stone and the reply to it."""
        z = list(state.z)
        if kind.region is not None:
            z[kind.region] += z[kind.region] < MANY
        warm = state.warm | (0 if self.broken == "warm" else kind.fuller)
        made = State(state.maker, state.breaker | reply, state.p + 1, tuple(z), warm)
        return self.normal(made)

    def hot(self, warm: int) -> int:
        """Return v(W), the most lines less cells counted repeatedly."""
        if self.broken == "simple":
            return int(warm.bit_count() - self.repeated[warm])
        return int(
            max((0, *(some.bit_count() - self.repeated[some] for some in self.subsets(warm))))
        )

    def sets_at_risk(self, state: State, region: int) -> list[tuple[int, int]]:
        """Return the sets at risk, each with what it lacks."""
        live = self.of(RICH, state.breaker) & self.inside[region]
        danger, n = self.undecided(state), state.z[region]
        most = (state.p if n >= MANY and self.broken != "c" else n) + 1
        found = []
        for some in self.subsets(live):
            if self.broken == "simple" and not self.connected(some, self.others):
                continue
            if some & danger and some & (some - 1) and most > self.spare[some]:
                lacks = some.bit_count() - self.repeated[some]
                lacks -= 0 if self.broken == "no v" else self.hot(some & state.warm)
                if lacks < 1:
                    found.append((some, lacks))
        return found

    def pairs_at_risk(self, state: State, kind: Kind) -> list[tuple[int, int]]:
        """Return the pairs of a poor and a rich line that may have a stone too many."""
        after = self.after(state, kind)
        if not self.apart(after.p):
            return []
        live, danger = self.of(RICH, state.breaker), self.undecided(state)
        found = []
        for poor, rich in self.crossings:
            if not danger >> rich & 1:
                continue
            one, two = self.lines[poor], self.lines[rich] & self.others
            spare, a = self.spare[1 << poor | 1 << rich], self.most(rich, after.warm)
            beside = 0
            for region, cells in enumerate(self.regions):
                known = after.z[region] != ANY or self.broken == "any"
                if live & self.inside[region] and known:
                    held = (one & cells & ~two).bit_count() + (self.home[rich] == region) * a
                    beside += max(0, after.z[region] - held)
            least = spare + (self.broken == "pair p")
            if after.p - beside > least and one.bit_count() - 2 + a > spare + (
                self.broken == "pair a"
            ):
                found.append((poor, rich))
        return found

    def enough(self, state: State, kind: Kind, replies: int) -> bool:
        """True if replies are enough for a stone."""
        if not replies:
            return False
        if not self.blocks_are_met(state, kind, replies):
            return False
        pairs = self.pairs_at_risk(state, kind)
        p = state.p + 1
        if kind.event is not None:
            return self.broken == "3 event" or all(
                self.spare[1 << kind.event | 1 << poor | 1 << rich] >= p - 1
                for poor, rich in pairs
                if rich != kind.event
            )
        if self.broken != "2" and any(not self.lines[rich] & replies for _, rich in pairs):
            return False
        if kind.region is None:
            return True
        late = sum(1 << at for at in self.numbers(self.rich) if self.room[at] > state.p)
        late &= 0 if self.broken == "Q late" else state.warm
        known = self.decided(state.maker, state.breaker) & state.warm | late
        q = (0 if self.broken == "Q new" else kind.fuller) | (
            0 if self.broken == "Q old" else known & self.inside[kind.region]
        )
        unhit = sum(1 << at for at, line in enumerate(self.lines) if not line & replies)
        for some, lacks in self.sets_at_risk(state, kind.region):
            if self.broken != "1" and some & unhit == some and lacks < bool(q & some):
                return False
            if self.broken != "3":
                for poor, rich in pairs:
                    if self.spare[some | 1 << poor | 1 << rich] < p - 1:
                        return False
        return True

    def wins(self, state: State) -> bool:
        """True if the plan wins a state."""
        state = self.normal(state)
        if state not in self.known:
            less = self.saying_less(state) if self.broken != "exact" else ()
            self.known[state] = any(one != state and self.wins(one) for one in less) or (
                self.settles(state) or self._moves(state)
            )
        return self.known[state]

    def _moves(self, state: State) -> bool:
        free = self.keys & ~(state.maker | state.breaker)
        for key in bits(free):
            states = (self.to_key(state, key, y) for y in bits(free & ~key))
            if not any(after is not None and self.wins(after) for after in states):
                return False
        for kind in self.kinds_of_stones(state):
            keys = free if kind.event is None else free & self.lines[kind.event]
            replies = sum(y for y in bits(keys) if self.wins(self.after(state, kind, y)))
            if not self.enough(state, kind, replies):
                return False
        return True

    # What the invariants say of stones on the board.

    def needed(self, maker: int, breaker: int, p: int) -> list[tuple[int, int]]:
        """Return on which cells (b), (c), (e) and (f) ask for how many without a stone."""
        # What is broken is the rules and not the invariants, so that `apart` is not asked.
        state = maker, breaker, p <= self.u + 1
        if state not in self._needed:
            rich = self.of(RICH, breaker)
            found: dict[int, int] = {}
            for allowed in (rich, self.decided(maker, breaker)):
                for chosen in self.subsets(allowed):
                    cells = self.union[chosen] & self.others
                    found[cells] = max(found.get(cells, 0), 2 * chosen.bit_count())
            for one, two in self.crossings if state[2] else ():
                if rich >> two & 1:
                    cells = (self.lines[one] | self.lines[two]) & self.others
                    found[cells] = max(found.get(cells, 0), 4)
            for block in self.live_blocks(breaker):
                cells, free = (
                    self.union[block] & self.others,
                    self.union[block] & self.keys & ~maker,
                )
                least = 2 * block.bit_count() - free.bit_count()
                found[cells] = max(found.get(cells, 0), least)
            self._needed[state] = list(found.items())
        return self._needed[state]

    def full(self, breaker: int, stones: int) -> int:
        """Return the full lines."""
        if (breaker, stones) not in self._full:
            self._full[breaker, stones] = sum(
                1 << at
                for at in self.numbers(self.of(RICH, breaker))
                if (self.lines[at] & stones).bit_count() == self.room[at]
            )
        return self._full[breaker, stones]

    def warm_as_said(self, state: State, stones: int) -> bool:
        """True if the full lines are warm and, where few stones are, the warm lines full."""
        full = self.full(state.breaker, stones)
        exact = sum(own for n, own in zip(state.z, self.inside, strict=True) if n < MANY)
        return not full & ~state.warm and not state.warm & ~full & exact

    def fits(self, state: State, stones: int) -> bool:
        """True if stones can lie there as (a) says, after some history."""
        live = self.of(RICH, state.breaker)
        for n, cells, own in zip(state.z, self.regions, self.inside, strict=True):
            if own & live and n != ANY:
                on = (stones & cells & self.union[own & live]).bit_count()
                if min(MANY, on) > n or (stones & cells).bit_count() < n:
                    return False
        return stones.bit_count() <= state.p and self.warm_as_said(state, stones)

    def spread(self, state: State) -> Iterator[int]:
        """Give all sets of stones with this state that the invariants allow."""
        needed = self.needed(state.maker, state.breaker, state.p)
        for count in range(state.p + 1):
            for some in combinations(bits(self.others), count):
                stones = sum(some)
                if allow(needed, stones) and self.fits(state, stones):
                    yield stones

    def tight(self, maker: int, breaker: int, stones: int) -> int:
        """Return the cells without a stone of tight sets of decided lines."""
        found = 0
        for chosen in self.subsets(self.decided(maker, breaker)):
            left = self.union[chosen] & self.others & ~stones
            if left.bit_count() == 2 * chosen.bit_count():
                found |= left
        return found


BROKEN = {
    "pairs": "the test of pairs is left out",
    "keys": "the test of keys is left out",
    "first": "one stone less on all lines",
    "second": "one less by the second bound",
    "third": "one less by the third",
    "fourth": "one less by the fourth",
    "fifth": "one less by the fifth",
    "away": "one stone less elsewhere",
    "dead": "stones elsewhere are on no rich line, live or not",
    "beside": "stones of a region are on live lines",
    "many placed": "three stones of a region taken for no more than three in the fifth",
    "sixth": "one less by the sixth",
    "block keys": "keys of blocks may be taken",
    "block bound": "one stone less on a block",
    "block hit": "blocks at risk need not be hit",
    "block event": "an event and a block may be in danger together",
    "block two": "two blocks may be in danger together",
    "block set": "a set and a block may be in danger together",
    "block pair": "a pair and a block may be in danger together",
    "a": "warm lines bear no more than others",
    "f0": "one less by (b) in B(R)",
    "z": "one less by the stones of the region in B(R)",
    "many": "three stones of a region taken for no more than three in B(R)",
    "u": "(e) is taken to hold with any number of stones",
    "u more": "u is more by one",
    "N": "no line becomes full",
    "N one": "a line needs one stone more to become full",
    "N two": "two lines need one stone more",
    "N event": "lines beside an event need one stone more",
    "largest": "the largest sets of lines alone are answered where stones are few",
    "events": "no event is answered",
    "event p": "a full line bears one stone more",
    "any": "any number of stones is taken for three or more",
    "many events": "no event is answered where there are many stones",
    "warm": "lines that become full are not warm",
    "no v": "warm lines of a set do not matter",
    "c": "three stones of a region taken for no more than three in sets at risk",
    "pair p": "a pair at risk must have two stones too many, of all",
    "pair a": "a pair at risk must have two stones too many, on its lines",
    "1": "sets at risk need not be hit",
    "2": "pairs at risk need not be hit",
    "3": "sets and pairs may be in danger together",
    "3 event": "an event and pairs may be in danger together",
    "Q new": "lines that become full do not count",
    "Q old": "decided warm lines do not count",
    "Q late": "warm lines do not count that bear more stones than there are",
}
"""What is left out, or made wrong.

Without a name here are ``simple`` and ``exact``, which are no less sound.
"""


def allow(needed: list[tuple[int, int]], stones: int) -> bool:
    """True if stones leave as many cells without one as are needed."""
    for cells, least in needed:  # noqa: SIM110 - a loop takes half the time of `all`
        if (cells & ~stones).bit_count() < least:
            return False
    return True


def drawn_blocks(rules: LineRules, rng: random.Random) -> LineRules:
    """Return the rules with blocks among their lines, those of few spare cells more often."""
    lines = [at for at, kind in enumerate(rules.kinds) if kind in (POOR, RICH)]
    found = set()
    for _ in range(rng.choice((1, 2, 3, 5)) if lines else 0):
        drawn = [rng.sample(lines, rng.randint(1, len(lines))) for _ in range(4)]
        spares = [
            (rules.block_spare(one, 0), one)
            for one in (sum(1 << at for at in some) for some in drawn)
        ]
        found.update([min(one for one in spares if one[0] >= 0)[1]] if max(spares)[0] >= 0 else [])
    return rules.with_blocks(tuple(sorted(found)))


def crossing_line_rules(rng: random.Random, broken: str = "", most: int = 14) -> LineRules:
    """Return rules for rich lines that cross each other, in one or two regions, and poor lines."""
    while True:
        width = rng.randint(2, 5)
        cells = width + rng.randint(6, min(10, most - width))
        off, keys = range(width, cells), range(width)
        groups: list[list[int]] = [[] for _ in range(rng.choice((1, 1, 1, 2, 2)))]
        for cell in off:
            rng.choice(groups).append(cell)
        rows = []
        for group in groups:
            for _ in range(rng.randint(1, 4) if len(group) > 1 else 0):
                size = rng.choice((1, *[2] * 4, *[3] * 10, *[4] * 8, *[5] * 3))
                own = rng.sample(group, min(len(group), size))
                rows.append(own + rng.sample(keys, rng.choice((1, 1, 1, 2))))
        poor = rng.choice((0, 1, 1, 1, 2, 2, 3))
        rows += [rng.sample(off, rng.choice((2, 3, 3, 4, 4, 5))) for _ in range(poor)]
        if rng.random() < 0.15:
            rows.append(rng.sample(keys, 2))
        lines = [sum(1 << cell for cell in row) for row in rows]
        if len(set(lines)) == len(lines) < 9:
            return LineRules(tuple(lines), width, cells, broken)


def long_line_rules(rng: random.Random, broken: str = "") -> LineRules:
    """Return rules for long rich lines of one region that cross in few cells."""
    while True:
        width, count = rng.randint(2, 4), rng.randint(8, 11)
        off, keys = range(width, width + count), range(width)
        rows = []
        for _ in range(rng.choice((2, 3, 3, 3, 4, 4))):
            size = rng.choice((3, 4, 4, 4, 5, 5))
            rows.append(rng.sample(off, size) + rng.sample(keys, rng.choice((1, 1, 1, 2))))
        poor = rng.choice((0, 0, 1, 1, 2))
        rows += [rng.sample(off, rng.choice((2, 2, 3, 4))) for _ in range(poor)]
        lines = [sum(1 << cell for cell in row) for row in rows]
        # Two cells in common are rare.
        pairs = list(combinations(lines, 2))
        often = sum((one & two & -(1 << width)).bit_count() > 1 for one, two in pairs)
        if len(set(lines)) == len(lines) and often <= rng.choice((0, 0, 1, 2)):
            return LineRules(tuple(lines), width, width + count, broken)


def drawn_state(rules: LineRules, rng: random.Random) -> State | None:
    """Draw keys and stones that keep the invariants, and return the state of them."""
    maker = breaker = 0
    share = rng.choice((0.2, 0.4, 0.6))
    for key in bits(rules.keys):
        draw = rng.random()
        if draw < share:
            maker |= key
        elif draw > 0.92:
            breaker |= key
    # 1. Stones one by one, as long as the invariants hold.
    stones = 0
    if not allow(rules.needed(maker, breaker, 0), 0):
        return None
    goal = rng.choice((0, 1, 2, 2, 3, 3, 4, 4, 5, 6))
    cells = list(bits(rules.others))
    rng.shuffle(cells)
    if rng.random() < 0.5:
        cells.sort(key=lambda x: sum(bool(line & x) for line in rules.lines))
    for x in cells:
        if (count := stones.bit_count()) < goal:
            fine = allow(rules.needed(maker, breaker, count + 1), stones | x)
            stones |= x if fine else 0
    # 2. What the books say of them; dead stones count where they were not dead when they came.
    live = rules.of(RICH, breaker)
    z, warm = [], rules.full(breaker, stones)
    for cells_of, own in zip(rules.regions, rules.inside, strict=True):
        on = (stones & cells_of & rules.union[own & live]).bit_count()
        n = min(MANY, rng.choice((on, on, (stones & cells_of).bit_count())))
        z.append(n if own & live else 0)
        if n == MANY and rng.random() < 0.4:
            warm |= own & live & rng.randrange(1 << len(rules.lines))
    if rng.random() < 0.25:
        return rules.wide(State(maker, breaker, goal, tuple(z), warm))
    return rules.normal(State(maker, breaker, stones.bit_count(), tuple(z), warm))


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


def changed(rules: LineRules, rng: random.Random) -> LineRules:
    """Return rules for lines that differ in a little: they often have such states as well."""
    while True:
        lines = list(rules.lines)
        for _ in range(rng.randint(1, 2)):
            at, cell = rng.randrange(len(lines)), 1 << rng.randrange(rules.cells)
            if rng.random() < 0.6:
                lines[at] ^= cell
            elif len(lines) < 8:
                lines.append(lines[at] ^ cell)
            else:
                lines.pop(at)
        made = LineRules(tuple(lines), rules.width, rules.cells, rules.broken)
        short = any(line.bit_count() < 2 for line in lines)
        if made.regions and not short and len(set(lines)) == len(lines):
            return made
