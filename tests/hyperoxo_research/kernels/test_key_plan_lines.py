"""Plans by lines: what the compiled loops say of states agrees with the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo.kernels.arrays import Words
from hyperoxo_research.draws.key_plan_board import blocks_with_tables, plan_board, scratch_for
from hyperoxo_research.draws.key_plan_tables import larger, new_table
from hyperoxo_research.kernels.key_plan_leaves import (
    OPEN,
    PlanScratch,
    PlanTables,
    count_wide,
    is_leaf_by_lines,
    may_be_wide,
)
from hyperoxo_research.kernels.key_plan_lines import decided_pass
from hyperoxo_research.kernels.key_plan_rules import Blocks, PlanBoard, Regions, is_leaf
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    NUMBERS,
    STATE,
    add_warm,
    forget,
    make_normal,
    make_wide,
    one_stone_more,
    stands_for,
    warm_in,
)
from hyperoxo_research.kernels.key_plan_stones import (
    MOST_KINDS,
    NO_EVENT,
    blocks_are_met,
    blocks_pass,
    event_of,
    is_enough,
    kinds_of_stones,
    newly_warm,
    region_of,
)
from hyperoxo_research.kernels.key_plan_table import enter, general_place, list_general, place
from tests.hyperoxo_research.proof.keyplan.cases import some_state
from tests.hyperoxo_research.proof.keyplan.count_rules import bits, random_rules, spec_of
from tests.hyperoxo_research.proof.keyplan.line_rules import (
    ANY,
    Kind,
    LineRules,
    State,
    drawn_blocks,
)


class Case:
    """Rules for random lines, and the same lines as arrays."""

    def __init__(self, rng: random.Random) -> None:
        made = random_rules(rng)
        self.rules = drawn_blocks(LineRules(made.lines, made.width, made.cells), rng)
        keys = tuple(range(made.width))
        self.board: PlanBoard = plan_board(Game(spec_of(made)).start(), keys, 1, by_lines=True)
        told = self.board.regions
        count = told.moved.shape[1]
        assert count == len(self.rules.regions)
        # The lines of the rules are those of the board in another order.
        rows = [
            sum(1 << int(c) for c in self.board.line_cells[a:b])
            for a, b in zip(self.board.line_ptr[:-1], self.board.line_ptr[1:], strict=True)
        ]
        self.line = [self.rules.lines.index(row) for row in rows]
        self.region = [
            next(r for r, cells in enumerate(self.rules.regions) if cells >> int(c) & 1)
            for c in (told.cell_home.tolist().index(region) for region in range(count))
        ]
        self.board = self.board._replace(blocks=self._blocks(told))
        self.room: PlanScratch = scratch_for(self.board, made.cells)

    def _blocks(self, told: Regions) -> Blocks:
        """Return the blocks of the rules."""
        board, ends = self.board, pairwise(self.board.line_ptr.tolist())
        on = np.zeros((len(board.kinds), self.rules.cells), np.int64)
        for at, (first, last) in enumerate(ends):
            on[at, board.line_cells[first:last]] = 1
        chosen = [
            [at for at, line in enumerate(self.line) if block >> line & 1]
            for block in self.rules.blocks
        ]
        return blocks_with_tables(chosen, on, board.keys, board.kinds, told)

    def lines_of(self, region: int, some: int) -> int:
        """Return some lines of a region as the rules number them."""
        row = self.board.regions.lines[region]
        return sum(1 << self.line[row[at]] for at in range(16) if some >> at & 1)

    def words(self, state: State) -> Words:
        """Return a state as words."""
        found = np.zeros(STATE, np.uint64)
        found[MAKER], found[BREAKER] = state.maker, state.breaker
        for region, there in enumerate(self.region):
            if state.z[there] == ANY:
                forget(self.board, found, region)
                continue
            for _ in range(state.z[there]):
                one_stone_more(found, region)
            for at, line in enumerate(self.board.regions.lines[region]):
                if line >= 0 and state.warm >> self.line[line] & 1:
                    add_warm(found, region, 1 << at)
        found[NUMBERS] = found[NUMBERS] & ~np.uint64(255) | np.uint64(state.p)
        return found


def cases(count: int, seed: int) -> Iterator[tuple[Case, State, random.Random]]:
    rng = random.Random(seed)
    while count:
        case = Case(rng)
        if case.rules.regions and max(map(int.bit_count, case.rules.inside)) <= 6:
            count -= 1
            for _ in range(4):
                yield case, some_state(case.rules, rng), rng


@pytest.mark.more
def test_leaves_and_decided_lines() -> None:
    found: Counter[tuple[str, bool, bool]] = Counter()
    for case, state, rng in cases(150, 1):
        words, rules = case.words(state), case.rules
        for easy, where in (False, state), (True, rules.wide(state)):
            asked = words.copy()
            if easy:
                make_wide(words, asked)
            holds = is_leaf_by_lines(case.board, asked, len(case.board.kinds), case.room)
            found["wide" if easy else "leaf", holds, rules.settles(where)] += 1
        if taken := list(bits(state.maker)):
            before = state.maker & ~(key := rng.choice(taken))
            after = rules.decided(state.maker, state.breaker)
            given = rules.decided(before, state.breaker)
            bears = decided_pass(*(case.board, words, np.uint64(before), case.room.sets))
            fine = after == given or rules.passes(state, after, given & after)
            found["decided", bears, fine] += 1
            earlier = words.copy()
            earlier[MAKER] = before
            safe = not any(
                rules.block_in_danger(state, block)
                for block in rules.live_blocks(state.breaker)
                if rules.union[block] & key
            )
            assert blocks_pass(case.board, earlier, words) == safe
            found["blocks", safe, safe] += 1
    assert min(found["blocks", True, True], found["blocks", False, False]) > 5
    # It may refuse what the rules do not, never the other way round.
    for which in ("leaf", "wide", "decided"):
        assert found[which, True, False] == 0
        assert found[which, True, True] > 20
        assert found[which, False, False] > 5


@pytest.mark.more
def test_kinds_of_stones_and_when_replies_are_enough() -> None:
    found: Counter[tuple[bool, bool, bool]] = Counter()
    for case, state, rng in cases(200, 2):
        words, rules = case.words(state), case.rules
        kinds = np.zeros(MOST_KINDS, np.int64)
        listed = kinds[: kinds_of_stones(case.board, words, kinds)].tolist()
        count = case.board.regions.moved.shape[1]
        told = {}
        for kind in listed:
            region, event = region_of(kind), event_of(kind)
            if region == count:
                told[Kind(None)] = kind
                continue
            line = None
            if event != NO_EVENT:
                line = case.line[case.board.regions.lines[region, event]]
            fuller = case.lines_of(region, newly_warm(kind))
            told[Kind(case.region[region], fuller, line)] = kind
        assert sorted(map(str, told)) == sorted(map(str, rules.kinds_of_stones(state)))
        free = rules.keys & ~(state.maker | state.breaker)
        for kind, number in told.items():
            keys = free if kind.event is None else free & rules.lines[kind.event]
            replies = keys & rng.choice((keys, rng.randrange(1 << rules.width)))
            given = case.board, words, np.uint64(replies), number, case.room.stones
            said = is_enough(*given) and blocks_are_met(*given)
            assert said == rules.enough(state, kind, replies)
            met = not replies or rules.blocks_are_met(state, kind, replies)
            found[said, met, kind.event is None] += 1
    assert min(found.values()) > 5
    assert len(found) == 6


def test_what_does_not_live_is_forgotten() -> None:
    for case, state, rng in cases(40, 3):
        raw = State(state.maker, state.breaker, state.p, tuple(3 for _ in state.z), case.rules.rich)
        words = case.words(raw)
        make_normal(case.board, words)
        assert words.tolist() == case.words(case.rules.normal(raw)).tolist()
        region = rng.randrange(len(case.region))
        live = case.rules.of(1, state.breaker) & case.rules.inside[case.region[region]]
        assert case.lines_of(region, warm_in(words, region)) == live


@pytest.mark.more
def test_a_state_that_says_less_stands_for_others() -> None:
    """It is found in a table by its keys, and in a larger table too."""
    told: Counter[bool] = Counter()
    for case, state, rng in cases(120, 4):
        rules, words, board = case.rules, case.words(state), case.board
        regions = len(case.region)
        # 1. What is said of a region is forgotten.
        region = rng.randrange(regions)
        opened, less = words.copy(), rules.opened(state, case.region[region])
        assert forget(board, opened, region) == (less != state)
        assert opened.tolist() == case.words(less).tolist()
        # 2. States that say less, and others.
        one = less
        for _ in range(rng.randint(0, 2)):
            one = rng.choice([one, *rules.saying_less(one)])
        if rng.random() < 0.4:
            other = some_state(rules, rng)
            one = rules.normal(one._replace(z=other.z, warm=other.warm))
        general = case.words(one)
        stands = stands_for(general, words, regions)
        assert stands == rules.stands_for(one, state)
        told[stands] += 1
        # 3. Both orders of a table.
        table, found, wide = new_table(1 << 4), np.zeros(STATE, np.uint64), words.copy()
        make_wide(words, wide)
        slots = []
        for entered in (general, wide):
            assert place(board, entered, table, found) < 0
            slots.append(enter(table, found, OPEN, 1))
        given = board, words, 2
        assert general_place(*given, slots[1], table) == -1
        list_general(table, slots[0], slots[1])
        list_general(table, slots[0], slots[1])
        assert general_place(*given, slots[1], table) == -1
        table.won[slots[0]] = 2
        same = general_place(*given, slots[1], table)
        assert same == (slots[0] if stands else -1) or board.images.shape[2] > 1
        assert same == slots[0] or not stands
        assert general_place(board, words, 1, slots[1], table) == -1
        more = larger(table)
        place(board, wide, more, found)
        at = general_place(*given, place(board, wide, more, found), more)
        assert (at >= 0) == (same >= 0)
        assert at < 0 or more.states[at].tolist() == table.states[slots[0]].tolist()
    assert min(told.values()) > 50


def test_kinds_of_wide_states_that_seldom_win_are_left() -> None:
    case, state, _ = next(cases(1, 5))
    words, table = case.words(state), new_table(1)
    tables = PlanTables(table, table, np.zeros((2, 57, 57), np.int64))
    for number in range(40):
        assert may_be_wide(words, tables) == (number < 16)
        count_wide(words, False, tables)
    count_wide(words, True, tables)
    assert not may_be_wide(words, tables)
    count_wide(words, True, tables)
    assert may_be_wide(words, tables)


def test_a_state_is_no_leaf_without_cells_for_its_lines() -> None:
    lines = "6{0+1/0+2/0+3}"
    board = plan_board(Game(lines).start(), (0,), 1, by_lines=True)
    room = scratch_for(board, 6)
    assert not is_leaf(board, np.uint64(0), np.uint64(0), 0, room.matching)
    assert is_leaf(board, np.uint64(0), np.uint64(1), 0, room.matching)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("/".join(f"0+{c}+{c + 1}" for c in range(1, 19, 2)), "at most 8 regions, not 9"),
        ("/".join(f"0+1+2+{c}" for c in range(3, 20)), "at most 16 rich lines, not 17"),
    ],
)
def test_boards_with_too_many_regions_or_lines(spec: str, said: str) -> None:
    with pytest.raises(Exception, match=said):
        plan_board(Game(f"21{{{spec}}}").start(), (0,), 1, by_lines=True)
