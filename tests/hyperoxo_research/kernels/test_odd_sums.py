"""Walks to odd sums whose square is small, step by step against all steps."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hyperoxo_research.kernels.odd_sums import walk_downhill


@pytest.mark.parametrize("most", [1, 2, 3])
def test_walks_end_where_no_step_helps(most: int) -> None:
    rng = np.random.default_rng(most)
    moved = 0
    for _ in range(20):
        size = int(rng.integers(1, 8))
        root = rng.normal(size=(size, size + 1))
        form = root @ root.T
        times = rng.integers(-most, most + 1, (30, size))
        times[:, 0] += (times.sum(axis=1) + 1) % 2
        times = times[np.abs(times).max(axis=1) <= most]
        begun = times.copy()
        values = walk_downhill(form, times, most)
        moved += int((begun != times).any(axis=1).sum())
        steps = [2 * sign * one for one in np.eye(size, dtype=int) for sign in (1, -1)]
        for one, two in itertools.combinations(np.eye(size, dtype=int), 2):
            steps += [first * one + second * two for first in (1, -1) for second in (1, -1)]
        for before, row, value in zip(begun, times, values, strict=True):
            assert row.sum() % 2 == 1
            assert np.abs(row).max() <= most
            assert value == pytest.approx(row @ form @ row)
            assert value <= before @ form @ before + 1e-9
            others = [row + step for step in steps if np.abs(row + step).max() <= most]
            assert all(other @ form @ other >= value - 1e-6 for other in others)
    assert moved > 100
