"""Blocks of key plans, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.proof.keyplan import blocks, check
from hyperoxo_research.proof.keyplan.board import Tables, hyperplanes
from hyperoxo_research.proof.keyplan.check import begins_well, blocks_have_spare_cells
from hyperoxo_research.proof.keyplan.pairs import is_block
from tests.hyperoxo_research.proof.keyplan.cases import Case, cases
from tests.hyperoxo_research.proof.keyplan.count_rules import bits


def on_blocks(seed: int, boards: int) -> Iterator[Case]:
    """States on boards with blocks."""
    for case in cases(seed, boards):
        if case.rules.blocks:
            yield case


def numbers(case: Case, chosen: list[int]) -> list[int]:
    """The numbers of some blocks."""
    return [case.rules.blocks.index(block) for block in chosen]


def test_what_blocks_are_made_of() -> None:
    met: Counter[int] = Counter()
    for case in on_blocks(3, 120):
        rules, board = case.rules, case.board
        given = board.blocks
        assert [sum(1 << int(at) for at in np.flatnonzero(one)) for one in given.inside] == list(
            rules.blocks
        )
        for at, block in enumerate(rules.blocks):
            assert int(given.keys[at]) == rules.union[block] & rules.keys
            for maker in (0, case.state.maker):
                spare = blocks.block_spare(board, at, np.uint64(maker))
                assert spare == rules.block_spare(block, maker)
            for line in range(len(rules.lines)):
                assert blocks.shared_with(board, at, line) == rules.shared(block, 1 << line)
            for region, own in enumerate(rules.inside):
                for some in rules.subsets(own):
                    both = blocks.max_on_both(board, at, region, case.bits_of(region, some))
                    assert both == rules.common(block, some)
            for some in (block, block & ~1, block | 1):
                assert is_block(board, case.flags(some)) == (some in rules.blocks)
            met[len(rules.blocks)] += 1
    assert len(met) > 2


def test_boards_without_rich_lines_have_no_regions() -> None:
    for spec in ("5{0+1+2/2+3+4}", "5{0+1+2}"):
        regions = Tables(Game(spec).start(), 1, (0, 1, 2)).by_lines.regions
        count = 1 if "/" in spec else 0
        assert regions.spare.shape == (count, 1 << count)


@pytest.mark.more
def test_which_blocks_are_at_risk() -> None:
    told: Counter[tuple[str, bool]] = Counter()
    for case in on_blocks(4, 240):
        rules, state, board = case.rules, case.state, case.board
        live = rules.live_blocks(state.breaker)
        danger = [block for block in live if rules.block_in_danger(state, block)]
        for at, block in enumerate(rules.blocks):
            bound = blocks.max_on_block(board, case.at.row, at)
            assert bound == rules.block_bound(state, block)
            assert blocks.is_block_at_risk(board, case.at, at) == (block in danger)
            told["live", block in live] += 1
            told["danger", block in danger] += 1
        assert blocks.blocks_at_risk(board, case.at).tolist() == numbers(case, danger)
        for key in bits(state.maker):
            fine = rules.blocks_bear(state, key)
            earlier = np.uint64(state.maker & ~key)
            assert blocks.are_blocks_safe(board, earlier, case.at) == fine
            told["keys", fine] += 1
        assert blocks.are_blocks_safe(board, case.at.maker, case.at)
    assert len(told) == 6
    assert min(told.values()) > 20


@pytest.mark.more
def test_blocks_that_may_be_one_too_many_at_once() -> None:
    """With any pairs, sets and events."""
    rng, told = random.Random(5), Counter[tuple[str, bool]]()
    for case in on_blocks(5, 500):
        rules, maker = case.rules, case.state.maker
        danger = [block for block in rules.live_blocks(case.state.breaker) if rng.random() < 0.7]
        spares = {block: rules.block_spare(block, maker) for block in danger}
        pairs = [pair for pair in rules.crossings if rng.random() < 0.5]
        region = rng.randrange(max(1, len(rules.regions)))
        own = list(rules.subsets(rules.inside[region])) if rules.regions else []
        sets = rng.sample(own, min(len(own), 2))
        total = rng.randint(2, 8)
        given = case.board, np.uint64(maker), total, np.array(numbers(case, danger), np.int64)
        expected = (
            all(
                spares[one] + spares[two] + 2 - rules.shared(one, two) > total
                for one, two in combinations(danger, 2)
            )
            and all(
                spare + rules.spare[some] + 2 - rules.common(block, some) > total
                for block, spare in spares.items()
                for some in sets
            )
            and all(
                block >> rich & 1
                or spare + rules.spare[1 << poor | 1 << rich] + 2
                > total + rules.shared(block, 1 << poor) + rules.shared(block, 1 << rich)
                for block, spare in spares.items()
                for poor, rich in pairs
            )
        )
        apart = blocks.are_blocks_apart(
            *given,
            np.array(pairs, np.int64).reshape(-1, 2),
            np.array([case.bits_of(region, some) for some in sets], np.int64),
            region,
        )
        assert apart == expected
        told["at once", expected] += 1
        for line in rules.numbers(rules.rich):
            met = all(
                block >> line & 1
                or spare + rules.room[line] + 2 - rules.shared(block, 1 << line) > total
                for block, spare in spares.items()
            )
            assert blocks.are_blocks_apart_from_event(*given, line) == met
            told["event", met] += 1
    assert len(told) == 4
    assert min(told.values()) > 30


def test_hyperplanes_are_blocks() -> None:
    """On 4^3 the keys of a plane are on its diagonals, and each of its ten lines is in it."""
    game = Game("4^3")
    keys = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)
    made = Tables(game.start(), 1, keys)
    assert [len(own) for own in made.chosen] == [10] * 12
    assert set(made.by_lines.blocks.spare.tolist()) == {16 - 20}
    assert len(made.by_lines.images) == 192
    assert len(hyperplanes(Tables(Game("3^3").start(), 1, (13,)))) == 9
    # One in which a line has keys alone is none.
    assert [len(own) for own in hyperplanes(Tables(game.start(), 1, (0, 1, 2, 3)))] == [10] * 10
    # Nor are there any where symmetries do not keep them, or none are known.
    assert not hyperplanes(Tables(Game("2^4").start(), 1, (0,)))
    assert not hyperplanes(Tables(Game("5{0+1+2/2+3+4}").start(), 1, (2,)))


def test_a_line_of_a_hyperplane_that_is_dead_is_left_out() -> None:
    position = Game("6^3").position("moves:0,6")
    keys = tuple(range(0, 216, 43))
    tables = Tables(position, 1, keys)
    assert 6 not in keys
    assert min(len(own) for own in hyperplanes(tables)) < 14
    # A row and a column have no other line.
    assert len(hyperplanes(Tables(Game("3^2").position("moves:0,1"), 1, (4,)))) == 4


def test_where_a_plan_begins_blocks_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Tables(Game("5{0+1+2/2+3+4}").start(), 1, (2,))
    assert begins_well(made, by_lines=True)
    monkeypatch.setattr(check, "blocks_have_spare_cells", lambda *_: False)
    assert not begins_well(made, by_lines=True)
    assert begins_well(made, by_lines=False)


def test_symmetries_must_keep_blocks() -> None:
    game, keys = Game("9{0+1+2/2+3+4/4+5+6/6+7+8}"), (2, 6)
    ends = [at for at, row in enumerate(Tables(game.start(), 1, keys).rows) if 4 not in row]
    assert len(Tables(game.start(), 1, keys, [ends]).by_lines.images) > 1
    with pytest.raises(CheckFailedError, match="moves a block to cells that are not a block"):
        _ = Tables(game.start(), 1, keys, [ends[:1]]).by_lines


def test_blocks_have_room_where_a_plan_begins() -> None:
    told: Counter[bool] = Counter()
    for case in on_blocks(6, 200):
        rules, state = case.rules, case.state
        rng = random.Random(len(told))
        for _ in range(4):
            some = rng.sample(range(rules.width, rules.cells), rng.randint(0, 5))
            stones = sum(1 << cell for cell in some)
            free = (rules.keys | rules.others) & ~(state.maker | stones)
            fine = all(
                rules.surplus(block, free) >= 0 for block in rules.live_blocks(state.breaker)
            )
            assert blocks_have_spare_cells(case.tables, state.maker, state.breaker, some) == fine
            told[fine] += 1
    assert min(told.values()) > 20
