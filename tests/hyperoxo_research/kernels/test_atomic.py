"""Marks that several threads set: each place is had by one of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hyperoxo.jit import njit
from hyperoxo.kernels.arrays import Bytes, Longs
from hyperoxo_research.kernels.atomic import FREE, PUBLISHED, claim, is_published, publish


@njit(cache=False, nogil=True)
def _take_all(marks: Bytes, names: Longs, name: int) -> int:
    taken = 0
    for at in range(len(marks)):
        if claim(marks, at):
            names[at] = name
            publish(marks, at)
            taken += 1
    return taken


@njit(cache=False, nogil=True)
def _count(marks: Bytes) -> int:
    found = 0
    for at in range(len(marks)):
        found += is_published(marks, at)
    return found


def test_each_place_is_claimed_once() -> None:
    marks, names = np.full(200_000, FREE, np.uint8), np.zeros(200_000, np.int64)
    assert _count(marks) == 0
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda name: _take_all(marks, names, name), range(1, 5)))
    assert sum(taken) == len(marks) == _count(marks)
    assert (marks == PUBLISHED).all()
    assert [int((names == name).sum()) for name in range(1, 5)] == taken
