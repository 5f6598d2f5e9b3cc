"""The rules of Breaker's plans read off their definitions, and the games themselves.

Every set of lines is looked at, so that this is for a few cells. Rules can be broken on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from hyperoxo.game import Game, Position

MAIN, RICH, POOR = range(3)


@cache
def maker_wins(lines: frozenset[int]) -> bool:
    """True if Maker, to move, takes all cells of a line; a line is its free cells."""
    if not lines or sum(2.0 ** -line.bit_count() for line in lines) < 0.5:
        return False
    if any(line.bit_count() <= 1 for line in lines):
        return True
    cells = 0
    for line in lines:
        cells |= line
    for cell in bits(cells):
        after = {line & ~cell for line in lines}
        short = {line for line in after if line.bit_count() == 1}
        if len(short) > 1:
            return True
        replies = short or set(bits(cells & ~cell))
        if all(maker_wins(least(line for line in after if not line & reply)) for reply in replies):
            return True
    return False


def least(lines: Iterator[int]) -> frozenset[int]:
    """Leave out lines that hold another one."""
    found: list[int] = []
    for line in sorted(set(lines), key=int.bit_count):
        if not any(line & other == other for other in found):
            found.append(line)
    return frozenset(found)


def bits(word: int) -> Iterator[int]:
    """Give the bits of a word, the lowest first."""
    while word:
        yield word & -word
        word &= word - 1


class Rules:
    """The Breaker's key plan on some lines, with the first `width` cells as keys.

    `broken` names a rule that is left out: ``spare`` (what leaves need for counted stones),
    ``survivors`` (lines all of whose keys Maker has, where they meet poor ones), ``replies`` (a key
    for a stone elsewhere must be good, and need not hit anything).
    """

    def __init__(self, lines: tuple[int, ...], width: int, cells: int, broken: str = "") -> None:
        self.lines, self.width, self.cells, self.broken = lines, width, cells, broken
        self.keys = (1 << width) - 1
        self.others = ((1 << cells) - 1) & ~self.keys
        self.kinds = [
            POOR if not line & self.keys else RICH if line & self.others else MAIN for line in lines
        ]
        self.union = [0]
        for line in lines:
            self.union += [one | line for one in self.union]
        self._won: dict[tuple[int, int, int], bool] = {}
        self._of: dict[tuple[int, int], int] = {}

    def numbers(self, chosen: int) -> list[int]:
        """Give the numbers of the lines in a set."""
        return [one.bit_length() - 1 for one in bits(chosen)]

    def subsets(self, chosen: int) -> Iterator[int]:
        """Give all sets of some lines but the empty one."""
        here = chosen
        while here:
            yield here
            here = (here - 1) & chosen

    def of(self, kind: int, breaker: int) -> int:
        """Return the live lines of a kind."""
        if (kind, breaker) not in self._of:
            self._of[kind, breaker] = sum(
                1 << at
                for at, line in enumerate(self.lines)
                if self.kinds[at] == kind and not line & breaker
            )
        return self._of[kind, breaker]

    def survivors(self, maker: int, breaker: int) -> int:
        """Return the live rich lines without a free key."""
        rich = self.numbers(self.of(RICH, breaker))
        return sum(1 << at for at in rich if not self.lines[at] & self.keys & ~maker)

    def surplus(self, chosen: int, cells: int) -> int:
        """Return the cells on a set of lines, less two for each of them."""
        return (self.union[chosen] & cells).bit_count() - 2 * chosen.bit_count()

    def connected(self, chosen: int, cells: int) -> bool:
        """True if the lines of a set hang together by these cells."""
        left = [self.lines[at] & cells for at in self.numbers(chosen)]
        reached = left.pop()
        while touching := [line for line in left if line & reached]:
            for line in touching:
                reached |= line
                left.remove(line)
        return not left

    def leaf(self, maker: int, breaker: int, counted: int) -> bool:
        """True if pairs settle a state."""
        free = (self.keys | self.others) & ~(maker | breaker)
        poor, rich = self.of(POOR, breaker), self.of(RICH, breaker)
        live = poor | rich | self.of(MAIN, breaker)
        if self.broken == "survivors":
            rich &= ~self.survivors(maker, breaker)
        for chosen in self.subsets(live):
            surplus = self.surplus(chosen, free)
            if surplus < 0:
                return False
            mixed = chosen & poor and chosen & rich and self.broken != "spare"
            if mixed and surplus < counted and self.connected(chosen, free):
                return False
        return True

    def mended(self, maker: int, breaker: int, replies: int, counted: int) -> bool:
        """True if replies to a stone off the keys are enough."""
        if not replies or self.broken == "replies":
            return bool(replies)
        unhit = sum(
            1 << at for at in self.numbers(self.of(RICH, breaker)) if not self.lines[at] & replies
        )
        undecided = unhit & ~self.survivors(maker, breaker)
        return all(
            self.surplus(chosen, self.others) > counted
            for chosen in self.subsets(unhit)
            if chosen & undecided
        ) and (not undecided or all(self.surplus(s, self.others) >= 0 for s in self.subsets(unhit)))

    def won(self, maker: int, breaker: int, counted: int) -> bool:
        """True if the plan wins a state."""
        state = maker, breaker, counted
        if state not in self._won:
            self._won[state] = self.leaf(*state) or self._by_moves(*state)
        return self._won[state]

    def _by_moves(self, maker: int, breaker: int, counted: int) -> bool:
        free = self.keys & ~(maker | breaker)
        for key in bits(free):
            if not any(self.won(maker | key, breaker | y, counted) for y in bits(free & ~key)):
                return False
        replies = sum(y for y in bits(free) if self.won(maker, breaker | y, counted + 1))
        return self.mended(maker, breaker, replies, counted)

    def placements(self, maker: int, breaker: int, counted: int) -> Iterator[int]:
        """Give all sets of so many counted stones that the invariants allow."""
        rich = self.of(RICH, breaker)
        decided = self.of(POOR, breaker) | self.survivors(maker, breaker)
        sets: dict[int, int] = {}
        for allowed in (rich, decided):
            for chosen in self.subsets(allowed):
                cells = self.union[chosen] & self.others
                sets[cells] = max(sets.get(cells, 0), 2 * chosen.bit_count())
        for stones in combinations(bits(self.others), counted):
            off = ~sum(stones)
            if all((cells & off).bit_count() >= needed for cells, needed in sets.items()):
                yield sum(stones)

    def refuted(self, maker: int, breaker: int, stones: int) -> bool:
        """True if Maker wins after all, with these counted stones on the board."""
        mine = maker | stones
        return maker_wins(least(line & ~mine for line in self.lines if not line & breaker))


def random_rules(rng: random.Random, broken: str = "") -> Rules:
    """Return rules for random lines on at most 13 cells."""
    while True:
        width, others = rng.randint(2, 5), rng.randint(6, 9)
        if width + others > 13:
            continue
        off = list(range(width, width + others))
        lines: list[int] = []
        for kind, most in ((RICH, others // 2), (POOR, others // 2)):
            rng.shuffle(off)
            for at in range(rng.randint(1 if kind == POOR else 2, most)):
                line = 1 << off[2 * at] | 1 << off[2 * at + 1]
                if rng.random() < 0.3:
                    line |= 1 << rng.choice(off)
                if kind == RICH:
                    line |= sum(1 << k for k in rng.sample(range(width), rng.randint(1, 2)))
                lines.append(line)
        if rng.random() < 0.3 and width > 2:
            lines.append(sum(1 << k for k in rng.sample(range(width), 3)))
        if len(set(lines)) == len(lines):
            return Rules(tuple(lines), width, width + others, broken)


def spec_of(rules: Rules) -> str:
    """The board of the rules as a game."""
    lines = ["+".join(str(c) for c in range(rules.cells) if one >> c & 1) for one in rules.lines]
    return f"{rules.cells}{{{'/'.join(lines)}}}"


def drawn_keys(rules: Rules, rng: random.Random) -> tuple[int, int]:
    """Draw some keys of Maker's and of Breaker's."""
    owners = [rng.randrange(4) for _ in range(rules.width)]
    one, two = (sum(1 << k for k, own in enumerate(owners) if own == who) for who in (1, 2))
    return one, two


def drawn_position(rules: Rules, rng: random.Random) -> Position:
    """Return a position of the rules' lines with as many stones of Maker's as of Breaker's."""
    position = Game(spec_of(rules)).start()
    for cell in rng.sample(range(rules.cells), 2 * rng.randint(0, 2)):
        if not position.is_over:
            position = position.play(cell)
    return position


def left_of(rules: Rules, position: Position) -> tuple[Rules, int, int, int]:
    """The rules of the lines that are left, the keys of both players, and Maker's other stones."""
    mine, theirs = (
        sum(1 << c for c, owner in enumerate(position.owners) if owner == player)
        for player in (1, 2)
    )
    off = theirs & rules.others
    left = Rules(tuple(one for one in rules.lines if not one & off), rules.width, rules.cells)
    return left, mine & left.keys, theirs & left.keys, mine & left.others


def left_on_boards(boards: int) -> Iterator[tuple[Position, Rules, int, int, int]]:
    """Give drawn positions that are not over, with what is left of their rules and stones."""
    rng = random.Random(5)
    for _ in range(boards):
        rules = random_rules(rng)
        position = drawn_position(rules, rng)
        if not position.is_over:
            yield position, *left_of(rules, position)
