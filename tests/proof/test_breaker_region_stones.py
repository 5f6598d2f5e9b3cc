"""Replies to a stone off the keys in plans by regions, on boards made for one condition each."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof import breaker_region_forms as forms
from hyperoxo.proof import breaker_region_loops as by_region
from tests.proof.breaker_region_reference import RegionRules
from tests.proof.test_breaker_region_loops import laid_out

APART = "0+3+4+5/5+6+7/1+8+9+10/10+11+12/2+13+14"
FEW = "0+3+4/1+4+5/2+6+7+8"


def rows_of(spelled: str) -> tuple[int, ...]:
    """Lines as sets of cells."""
    return tuple(sum(1 << int(cell) for cell in row.split("+")) for row in spelled.split("/"))


@pytest.mark.parametrize(
    ("spelled", "counts", "region", "replies", "met"),
    [
        # Both pairs are endangered; there are as many spare cells as stones, then one too few.
        (APART, (1, 1, 0, 0), 3, 0b011, True),
        (APART, (1, 1, 0, 1), 3, 0b011, False),
        (APART, (1, 1, 0, 0), 3, 0b001, False),
        # Two lines of the first region have three cells, and are to be hit.
        (FEW, (0, 0, 0), 0, 0b100, False),
        (FEW, (0, 0, 0), 0, 0b011, True),
        (FEW, (0, 0, 0), 1, 0b100, True),
    ],
)
def test_replies_to_a_stone(
    spelled: str, counts: tuple[int, ...], region: int, replies: int, met: bool
) -> None:
    rows = rows_of(spelled)
    for first in range(len(rows)):
        rules = RegionRules(rows[first:] + rows[:first], 3, 15)
        here = (*laid_out(rules), np.uint64(0), np.uint64(0), np.uint64(replies))
        given = *here, np.array(counts, np.int64), region, loops.room_for(rules.cells)
        assert rules.meets(0, 0, replies, counts, region) == met
        assert by_region.stone_is_met(*given) == met


@pytest.mark.parametrize(
    ("spelled", "counts", "met"),
    [
        # The rich lines have no cell to spare; k is 0, and then 1, by a stone on 6 or 7.
        ("2+6+7/0+2+3/1+3+4+5", (1, 0), True),
        ("2+6+7/0+2+3/1+3+4+5", (0, 1), False),
        ("2+6+7/0+2+3/1+3+4+5+8", (0, 1), True),
        ("2+6+7/0+2+3/1+3+4+5+8", (1, 1), False),
        # The rich lines have fewer than two cells each.
        ("2+6+7/0+2+3/1+2+3", (0, 1), False),
    ],
)
def test_sets_with_the_rich_line_of_a_pair(
    spelled: str, counts: tuple[int, ...], met: bool
) -> None:
    """The first line is poor; the next is the rich one of the pair, in the region of the stone."""
    rules = RegionRules(rows_of(spelled), 2, 9)
    (lines, regions), word = laid_out(rules), np.uint64(0)
    opened = forms.open_ones(lines, regions, word, word)
    given = lines, regions, opened, np.array(counts, np.int64), word
    assert rules.alone(rules.places(0, 0), 0, counts, 0, 0, 1) == met
    assert by_region.alone(*given, 0, 0, 1, loops.room_for(9)) == met
