"""Plans by lines: all states that the checker would accept, against the games themselves.

On a small board every state is tried, those in which Breaker holds most keys first: whatever holds
given the states before it is listed. So no file can list anything more, be it found by the search
or made up. Wherever the stones of a state may be, Breaker must win by trying all moves, and must
have an answer to each move of Maker's that leads to a position of a listed state again.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo_research.proof.keyplan.board import Board
from hyperoxo_research.proof.keyplan.examine import HOLDS, Work, examine, no_settled_states
from hyperoxo_research.proof.keyplan.matching import scratch_for
from tests.hyperoxo_research.proof.keyplan.cases import (
    Form,
    form_of,
    listed_rows,
    tabled,
    with_blocks,
)
from tests.hyperoxo_research.proof.keyplan.count_rules import RICH, bits
from tests.hyperoxo_research.proof.keyplan.line_rules import (
    ANY,
    MANY,
    LineRules,
    State,
    allow,
    changed,
    crossing_line_rules,
    drawn_blocks,
    long_line_rules,
)
from tests.hyperoxo_research.proof.keyplan.test_examine import WITH_PLANS


class Drawn(NamedTuple):
    """Lines as the rules read, and as the checker takes them, which may be spoilt."""

    rules: LineRules
    board: Board


class Accepted(NamedTuple):
    """A state that the checker accepts, and whether pairs settle it."""

    state: State
    leaf: bool


def drawn_board(rng: random.Random, like: list[LineRules]) -> Drawn:
    """Draw a board of few cells, most often one that differs a little from one of some."""
    while True:
        drawn = changed(rng.choice(like), rng)
        if rng.random() < 0.1:
            drawn = rng.choice((crossing_line_rules, long_line_rules))(rng)
        if drawn.width > 3 or drawn.cells > 12:
            continue
        rules, tables = tabled(drawn)
        if rng.random() < 0.5:
            rules = drawn_blocks(rules, rng)
        # Symmetries must keep the blocks.
        with suppress(CheckFailedError):
            return Drawn(rules, with_blocks(tables, rules).by_lines)


def placements(rules: LineRules, maker: int, breaker: int, p: int) -> Iterator[int]:
    """Give all stones off the keys that the invariants allow, if at most so many are counted."""
    needed = rules.needed(maker, breaker, p)
    for count in range(p + 1):
        for some in itertools.combinations(bits(rules.others), count):
            if allow(needed, sum(some)):
                yield sum(some)


def states_of(rules: LineRules) -> set[State]:
    """Return what may be said of each position: all that is known, nothing, or something else."""
    found = set[State]()
    for owners in itertools.product(range(3), repeat=rules.width):
        maker, breaker = (
            sum(1 << key for key, owner in enumerate(owners) if owner == who) for who in (1, 2)
        )
        live = rules.of(RICH, breaker)
        for stones in placements(rules, maker, breaker, 6):
            near = []
            for cells, own in zip(rules.regions, rules.inside, strict=True):
                on = (stones & cells & rules.union[own & live]).bit_count()
                near.append(min(MANY, on) if own & live else 0)
            full = rules.full(breaker, stones)
            state = rules.normal(State(maker, breaker, stones.bit_count(), tuple(near), full))
            found |= {state, rules.wide(state)}
            some = list(rules.saying_less(state))
            for region in range(len(near)):
                # A stone that was on a live line when it came.
                more = (*near[:region], min(MANY, near[region] + 1), *near[region + 1 :])
                some.append(rules.normal(state._replace(z=more, p=max(state.p, sum(more)))))
            # All images of a state have the same numbers.
            for one in some:
                words = one.maker, one.breaker, one.warm
                if hash((one.p, *map(int.bit_count, words), *sorted(one.z))) % 4 == 0:
                    found.add(one)
    return found


def accepted(drawn: Drawn, states: set[State]) -> list[Accepted]:
    """Return all of some states that the checker accepts, listed with one another."""
    rules, board = drawn
    groups = dict[int, dict[Form, list[State]]]()
    for state in sorted(states):
        group = groups.setdefault(state.breaker.bit_count(), {})
        group.setdefault(form_of(rules, board, state), []).append(state)
    found, before = list[Accepted](), list[Form]()
    for _, group in sorted(groups.items(), reverse=True):
        order = sorted([*before, *group])
        listed = listed_rows(order)
        work = Work(listed, no_settled_states(len(order)), scratch_for(rules.cells))
        for at in [at for at, form in enumerate(order) if form in group]:
            for leaf in (True, False):
                listed.leaves[at] = leaf
                if examine(board, work, at)[0] == HOLDS:
                    before.append(order[at])
                    found += [Accepted(state, leaf) for state in group[order[at]]]
                    break
    return found


def exchanges(rules: LineRules, state: State, stones: int, rng: random.Random) -> tuple[int, int]:
    """Draw exchanges on lines of a tight set, and return the cells of Maker's and Breaker's."""
    tight = 0
    for chosen in rules.subsets(rules.decided(state.maker, state.breaker)):
        left = rules.union[chosen] & rules.others & ~stones
        tight |= chosen if left.bit_count() == 2 * chosen.bit_count() else 0
    lines = rules.numbers(tight)
    rng.shuffle(lines)

    def matched(at: int, taken: int) -> list[tuple[int, int]] | None:
        if at == len(lines):
            return []
        free = list(bits(rules.lines[lines[at]] & rules.others & ~taken))
        rng.shuffle(free)
        for one, two in itertools.combinations(free, 2):
            if (others := matched(at + 1, taken | one | two)) is not None:
                return [(one, two), *others]
        return None

    pairs = [pair for pair in matched(0, stones) or () if rng.random() < 0.5]
    return sum(one for one, _ in pairs), sum(two for _, two in pairs)


class Positions:
    """Where stones may be in the accepted states of a board."""

    def __init__(self, drawn: Drawn) -> None:
        self.rules = drawn.rules
        self.accepted = accepted(drawn, states_of(drawn.rules))
        self._with_keys: dict[tuple[int, int], list[State]] = {}
        for state, _ in self.accepted:
            self._with_keys.setdefault(state[:2], []).append(state)
        self._allowed: dict[tuple[int, int, int], list[int]] = {}
        self._covered: dict[tuple[int, int], set[int]] = {}

    def of(self, state: State) -> list[int]:
        """Return the stones that may lie there in a state."""
        keys = state[:3]
        if keys not in self._allowed:
            self._allowed[keys] = list(placements(self.rules, *keys))
        return [stones for stones in self._allowed[keys] if self.rules.fits(state, stones)]

    def covered(self, maker: int, breaker: int) -> set[int]:
        """Return the stones that may lie there in any accepted state with these keys."""
        keys = maker, breaker
        if keys not in self._covered:
            states = self._with_keys.get(keys, ())
            self._covered[keys] = {stones for state in states for stones in self.of(state)}
        return self._covered[keys]

    def unanswered(self, state: State, stones: int) -> int:
        """Return how many of Maker's moves have no answer to a position of an accepted state."""
        rules, (maker, breaker) = self.rules, state[:2]
        free = rules.keys & ~(maker | breaker)
        found = 0
        for key in bits(free):
            replies = bits(free & ~key)
            found += not any(stones in self.covered(maker | key, breaker | y) for y in replies)
        # Exchanges answer stones on tight sets.
        others = rules.others & ~stones & ~rules.tight(maker, breaker, stones)
        for x in bits(others):
            found += not any(stones | x in self.covered(maker, breaker | y) for y in bits(free))
        return found

    def unpaired(self, state: State, stones: int) -> bool:
        """True if some live lines lack two cells each."""
        rules = self.rules
        free = (rules.keys | rules.others) & ~(state.maker | state.breaker | stones)
        live = sum(1 << at for at, line in enumerate(rules.lines) if not line & state.breaker)
        return any(rules.surplus(some, free) < 0 for some in rules.subsets(live))


def wrong_on(drawn: Drawn, rng: random.Random, tally: Counter[str]) -> Counter[str]:
    """Count positions of accepted states that Maker wins, and moves without an answer."""
    rules, positions = drawn.rules, Positions(drawn)
    wrong = Counter[str]()
    for state, leaf in positions.accepted:
        if leaf and rng.random() < 0.9:
            continue
        found = positions.of(state)
        for stones in found:
            if leaf:
                wrong["pairs"] += positions.unpaired(state, stones)
            else:
                wrong["moves"] += positions.unanswered(state, stones)
            mine, theirs = exchanges(rules, state, stones, rng)
            wrong["games"] += rules.refuted(state.maker, state.breaker, stones)
            wrong["games"] += rules.refuted(state.maker, state.breaker | theirs, stones | mine)
            tally["exchanges"] += mine > 0
        if found and not leaf:
            tally["inner"] += 1
            tally["stones"] += state.p > 0
            tally["wide"] += ANY in state.z
            tally["warm"] += bool(state.warm) and ANY not in state.z
        tally["positions"] += len(found)
    return +wrong


def wrong_on_boards(
    boards: int,
    seed: int,
    tally: Counter[str],
    spoil: Callable[[Board], Board] = lambda board: board,
) -> Iterator[Counter[str]]:
    """Give what is wrong on each of many boards, more of them like those with inner states."""
    rng, like = random.Random(seed), [LineRules(*given) for given in WITH_PLANS]
    for _ in range(boards):
        (rules, board), before = drawn_board(rng, like), tally["stones"]
        yield wrong_on(Drawn(rules, spoil(board)), rng, tally)
        like += [rules] * (tally["stones"] > before + 1)


def test_what_the_checker_accepts_is_won() -> None:
    tally = Counter[str]()
    assert not any(wrong_on_boards(4, 4, tally))
    assert tally["positions"] > 200
    assert min(tally[one] for one in ("inner", "stones", "wide")) > 5


@pytest.mark.more
def test_what_the_checker_accepts_is_won_on_many_boards() -> None:
    tally = Counter[str]()
    assert not any(wrong_on_boards(150, 2, tally))
    assert tally["positions"] > 20_000
    assert min(tally[one] for one in ("stones", "wide", "warm", "exchanges")) > 100


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda board: board._replace(crossing=board.crossing[:0]), id="crossing"),
        pytest.param(lambda board: board._replace(off=board.off - 1), id="stones on a line"),
    ],
)
def test_wrong_tables_are_noticed(spoil: Callable[[Board], Board]) -> None:
    """The checker takes no lines for crossing ones, or lets each bear one stone less."""
    assert any(wrong_on_boards(6, 5, Counter(), spoil))
