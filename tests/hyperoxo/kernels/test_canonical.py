from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.kernels.canonical import canonical_forms, canonical_forms_with, canonicalizer_of
from tests.hyperoxo.board.test_symmetry import closure


@pytest.mark.more
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_group_on_a_few_cells(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 5))
    generators = data.draw(st.lists(st.permutations(range(size)), max_size=3))
    inverses = np.array(sorted(closure(generators, size)), np.int32)
    positions = np.array(list(itertools.product([0, 1, 2, 8], repeat=size)), np.uint8)
    forms, index, same = canonical_forms_with(positions, canonicalizer_of(inverses))
    images = positions[:, inverses]
    assert [bytes(form) for form in forms] == [max(map(bytes, rows)) for rows in images]
    chosen = images[np.arange(len(positions)), index]
    assert np.array_equal(chosen, forms)
    assert np.array_equal((images == forms[:, None]).all(axis=2).sum(axis=1), same)
    firsts = (images == forms[:, None]).all(axis=2).argmax(axis=1)
    assert np.array_equal(firsts, index)


@pytest.mark.parametrize("stones", [0, 1, 2, 5, 40, 299, 300])
def test_wide_boards_sparse_and_dense(stones: int) -> None:
    size = 300
    turn = [*range(1, 150), 0, *range(150, 300)]
    flip = [*range(150), *range(299, 149, -1)]
    inverses = np.array(sorted(closure([turn, flip], size)), np.int32)
    rng = np.random.default_rng(stones)
    positions = np.zeros((20, size), np.uint8)
    for row in positions:
        row[rng.choice(size, stones, replace=False)] = rng.integers(1, 4, stones)
    forms, index, same = canonical_forms_with(positions, canonicalizer_of(inverses))
    for position, form, chosen, count in zip(positions, forms, index, same, strict=True):
        images = position[inverses]
        assert bytes(form) == max(map(bytes, images))
        assert np.array_equal(images[chosen], form)
        assert count == (images == form).all(axis=1).sum()


def test_more_cells_than_sixteen_bits_can_name() -> None:
    size = 70_000
    inverses = np.array([np.arange(size), np.arange(size)[::-1]], np.int32)
    plan = canonicalizer_of(inverses)
    assert plan.sources.dtype == np.uint32
    position = np.zeros((1, size), np.uint8)
    position[0, 69_998] = 3
    assert np.flatnonzero(canonical_forms(position, plan)[0]).tolist() == [1]


def test_trivial_group_changes_nothing() -> None:
    plan = canonicalizer_of(np.arange(4, dtype=np.int32)[None])
    positions = np.array([[0, 1, 255, 2]], np.uint8)
    forms, index, same = canonical_forms_with(positions, plan)
    assert np.array_equal(forms, positions)
    assert (index.tolist(), same.tolist()) == ([0], [1])


def test_fixed_cells_may_hold_anything_and_input_stays() -> None:
    plan = canonicalizer_of(np.array([[0, 1, 2], [2, 1, 0]], np.int32))
    positions = np.array([[0, 255, 1], [0, 7, 0]], np.uint8)
    before = positions.copy()
    assert canonical_forms(positions, plan).tolist() == [[1, 255, 0], [0, 7, 0]]
    assert np.array_equal(positions, before)
