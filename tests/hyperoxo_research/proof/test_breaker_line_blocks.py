"""The loops of the checker of plans by lines against the rules: blocks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.proof import breaker_line_blocks as by_block
from hyperoxo_research.proof import breaker_line_loops as by_line
from hyperoxo_research.proof.breaker_lines import LineTables, hyperplanes
from hyperoxo_research.proof.breaker_tables import Tables
from tests.hyperoxo_research.proof.breaker_line_cases import Case, cases
from tests.hyperoxo_research.proof.breaker_line_reference import Kind, State
from tests.hyperoxo_research.proof.breaker_reference import bits


def with_blocks(seed: int, boards: int) -> Iterator[Case]:
    """States on boards with blocks."""
    for case in cases(seed, boards):
        if case.rules.blocks:
            yield case


def numbers(case: Case, blocks: list[int]) -> list[int]:
    """The numbers of some blocks."""
    return [case.rules.blocks.index(block) for block in blocks]


def test_what_blocks_are_made_of() -> None:
    met: Counter[int] = Counter()
    for case in with_blocks(3, 120):
        rules, blocks = case.rules, case.regions.blocks
        assert [sum(1 << int(at) for at in np.flatnonzero(one)) for one in blocks.inside] == list(
            rules.blocks
        )
        for at, block in enumerate(rules.blocks):
            assert int(blocks.keys[at]) == rules.union[block] & rules.keys
            for maker in (0, case.state.maker):
                given = case.regions, at, np.uint64(maker)
                assert by_block.spare_of(*given) == rules.block_spare(block, maker)
            for line in range(len(rules.lines)):
                assert blocks.shared[at, line] == rules.shared(block, 1 << line)
            for other, two in enumerate(rules.blocks):
                assert blocks.between[at, other] == rules.shared(block, two)
            for region, own in enumerate(rules.inside):
                for some in rules.subsets(own):
                    place = case.bits_of(region, some)
                    assert blocks.common[at, region, place] == rules.common(block, some)
            for some in (block, block & ~1, block | 1):
                assert by_line.is_block(case.regions, case.flags(some)) == (some in rules.blocks)
            met[len(rules.blocks)] += 1
    assert len(met) > 2


def test_boards_without_rich_lines_have_no_regions() -> None:
    made = LineTables(Tables(Game("5{0+1+2/2+3+4}").start(), 1, (0, 1, 2)))
    bare = LineTables(Tables(Game("5{0+1+2}").start(), 1, (0, 1, 2)))
    assert made.regions.blocks.common.shape == (0, 1, 2)
    assert bare.regions.blocks.common.shape == (0, 0, 1)


def test_how_many_cells_two_lines_share() -> None:
    for case in with_blocks(7, 60):
        shared = {
            (one, two): by_block.crossing_at(case.regions, one, two)
            for one in range(len(case.rules.lines))
            for two in range(len(case.rules.lines))
        }
        for (one, two), count in shared.items():
            cross = (one, two) in case.rules.crossings
            assert count == (case.rules.shared(1 << one, 1 << two) if cross else 0)


@pytest.mark.more
def test_which_blocks_are_in_danger() -> None:
    told: Counter[tuple[str, bool]] = Counter()
    for case in with_blocks(4, 240):
        rules, state = case.rules, case.state
        here, (maker, breaker), row = (case.lines, case.regions), case.words, case.row
        given = *here, maker, breaker, row
        live = rules.live_blocks(state.breaker)
        danger = [block for block in live if rules.block_in_danger(state, block)]
        for at, block in enumerate(rules.blocks):
            bound = by_block.most_on_block(*here, row, at)
            assert bound == rules.block_bound(state, block)
            assert by_block.in_danger(*given, at) == (block in danger)
            told["live", block in live] += 1
            told["danger", block in danger] += 1
        assert by_block.blocks_in_danger(*given).tolist() == numbers(case, danger)
        for key in bits(state.maker):
            earlier = np.uint64(state.maker & ~key)
            fine = rules.blocks_bear(state, key)
            held = by_block.blocks_hold(*here, earlier, maker, breaker, row)
            assert held == fine
            told["keys", fine] += 1
        assert by_block.blocks_hold(*here, maker, maker, breaker, row)
    assert len(told) == 6
    assert min(told.values()) > 20


@pytest.mark.more
def test_replies_that_take_care_of_blocks() -> None:
    """With any pairs and events; sets at risk are looked at apart."""
    rng, told = random.Random(5), Counter[tuple[bool, bool]]()
    for case in with_blocks(5, 800):
        rules, state = case.rules, case.state
        kinds = rules.kinds_of_stones(state)
        free = rules.keys & ~(state.maker | state.breaker)
        for kind in rng.sample(kinds, min(4, len(kinds))):
            p, after = rng.choice((state.p, 3, 4, 5, 6)), rules.after(state, kind)
            danger = [block for block in rules.live_blocks(state.breaker) if rng.random() < 0.7]
            replies = rng.choice((free, free & rng.randrange(1 << rules.width)))
            pairs = [pair for pair in rules.crossings if rng.random() < 0.5]
            given = (
                *(case.regions, case.words[0], np.uint64(replies), p + 1),
                np.array(numbers(case, danger), np.int64),
                np.array(pairs, np.int64).reshape(-1, 2),
                -1 if kind.event is None else kind.event,
            )
            expected = blocks_met(case, kind, replies, p + 1, danger, pairs)
            assert by_block.blocks_are_met(*given) == expected
            told[expected, kind.event is None] += 1
            assert after.p == state.p + 1
    assert len(told) == 4
    assert min(told.values()) > 10


def blocks_met(
    case: Case,
    kind: Kind,
    replies: int,
    total: int,
    danger: list[int],
    pairs: list[tuple[int, int]],
) -> bool:
    """Say as the rules do whether blocks in danger are met, with these pairs."""
    rules = case.rules
    spares = {block: rules.block_spare(block, case.state.maker) for block in danger}
    if kind.event is not None:
        room, event = rules.room[kind.event], 1 << kind.event
        return all(
            block & event or spare + room + 2 - rules.shared(block, event) > total
            for block, spare in spares.items()
        )
    return (
        all(rules.union[block] & replies for block in danger)
        and all(
            spares[one] + spares[two] + 2 - rules.shared(one, two) > total
            for one in danger
            for two in danger
            if one < two
        )
        and all(
            block >> rich & 1
            or spare
            + rules.spare[1 << poor | 1 << rich]
            + 2
            - rules.shared(block, 1 << poor)
            - rules.shared(block, 1 << rich)
            > total
            for block, spare in spares.items()
            for poor, rich in pairs
        )
    )


def test_hyperplanes_are_blocks() -> None:
    """On 4^3 the keys of a plane are on its diagonals, and each of its ten lines is in it."""
    game = Game("4^3")
    keys = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)
    made = LineTables(Tables(game.start(), 1, keys))
    assert [len(own) for own in made.chosen] == [10] * 12
    assert set(made.regions.blocks.spare.tolist()) == {16 - 20}
    assert len(made.images) == 192
    assert len(hyperplanes(Tables(Game("3^3").start(), 1, (13,)))) == 9
    # One in which a line has keys alone is none.
    some = Tables(game.start(), 1, (0, 1, 2, 3))
    assert [len(own) for own in hyperplanes(some)] == [10] * 10
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
    made = LineTables(Tables(Game("5{0+1+2/2+3+4}").start(), 1, (2,)))
    assert made.begins_well()
    monkeypatch.setattr(made, "blocks_have_room", lambda *_: False)
    assert not made.begins_well()


def test_symmetries_must_keep_blocks() -> None:
    tables = Tables(Game("9{0+1+2/2+3+4/4+5+6/6+7+8}").start(), 1, (2, 6))
    ends = [at for at, row in enumerate(tables.rows) if 4 not in row]
    assert len(LineTables(tables, [ends]).images) > 1
    with pytest.raises(CheckFailedError, match="moves a block to where none is"):
        _ = LineTables(tables, [ends[:1]]).images


def test_blocks_have_room_where_a_plan_begins() -> None:
    told: Counter[bool] = Counter()
    for case in with_blocks(6, 200):
        rules, state = case.rules, case.state
        rng = random.Random(len(told))
        for _ in range(4):
            some = rng.sample(range(rules.width, rules.cells), rng.randint(0, 5))
            stones = sum(1 << cell for cell in some)
            free = (rules.keys | rules.others) & ~(state.maker | stones)
            fine = all(
                rules.surplus(block, free) >= 0 for block in rules.live_blocks(state.breaker)
            )
            assert case.made.blocks_have_room(state.maker, state.breaker, some) == fine
            told[fine] += 1
    assert min(told.values()) > 20
    assert isinstance(case.state, State)
