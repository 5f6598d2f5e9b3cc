"""Replies to a stone off the keys in plans by regions, on boards made for one condition each."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof import breaker_region_loops as by_region
from tests.proof.breaker_region_reference import RegionRules
from tests.proof.test_breaker_region_loops import laid_out

APART = "0+3+4+5/5+6+7/1+8+9+10/10+11+12/2+13+14"
FEW = "0+3+4/1+4+5/2+6+7+8"


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
    rows = tuple(sum(1 << int(cell) for cell in row.split("+")) for row in spelled.split("/"))
    for first in range(len(rows)):
        rules = RegionRules(rows[first:] + rows[:first], 3, 15)
        here = (*laid_out(rules), np.uint64(0), np.uint64(0), np.uint64(replies))
        given = *here, np.array(counts, np.int64), region, loops.room_for(rules.cells)
        assert rules.meets(0, 0, replies, counts, region) == met
        assert by_region.stone_is_met(*given) == met
