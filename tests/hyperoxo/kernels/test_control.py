"""When a search ends, and where keys are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP, expired
from hyperoxo.kernels.table import find_slot


@pytest.mark.parametrize(
    ("nodes", "limit", "stop", "over"),
    [(5, 0, 0, False), (5, 5, 0, False), (6, 5, 0, True), (1, 0, 1, True), (1, 9, 1, True)],
)
def test_a_limit_or_the_flag_ends_a_search(nodes: int, limit: int, stop: int, over: bool) -> None:
    control = np.zeros(3, np.int64)
    control[[NODES, NODE_LIMIT, STOP]] = nodes, limit, stop
    assert expired(control) is over


@pytest.mark.more
@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=15))
def test_every_key_has_a_place_of_its_own(numbers: list[int]) -> None:
    keys, used = np.zeros(16, np.uint64), np.zeros(16, np.uint8)
    places: dict[int, int] = {}
    for number in numbers:
        key = np.uint64(number)
        place = find_slot(keys, used, key)
        assert bool(used[place]) == (number in places)
        keys[place], used[place] = key, 1
        assert places.setdefault(number, place) == place
    assert len(set(places.values())) == len(places)
