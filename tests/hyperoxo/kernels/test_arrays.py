"""Filling and copying arrays in compiled code does what NumPy's slices do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from hyperoxo.jit import njit
from hyperoxo.kernels.arrays import Floats, copy, fill


@pytest.fixture(scope="module")
def filled() -> Callable[..., None]:
    @njit(_nrt=False)
    def filled(array: Any, row: int, value: Any) -> None:
        fill(array[row], value)

    return filled


@pytest.fixture(scope="module")
def copied() -> Callable[..., None]:
    @njit(_nrt=False)
    def copied(array: Any, row: int, other: Any) -> None:
        copy(array[row], other)

    return copied


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.uint64, np.float32])
def test_a_row_is_filled(filled: Callable[..., None], kind: type) -> None:
    array: Any = np.arange(12).reshape(3, 2, 2).astype(kind)
    wanted = array.copy()
    wanted[1] = 7
    filled(array, 1, 7)
    assert array.tolist() == wanted.tolist()


def test_values_are_converted(filled: Callable[..., None]) -> None:
    array: Floats = np.ones((2, 3))
    filled(array, 0, -np.inf)
    filled(array, 1, -1)
    assert array.tolist() == [[-np.inf] * 3, [-1.0] * 3]


def test_a_row_is_copied(copied: Callable[..., None]) -> None:
    array = np.zeros((3, 2, 2), dtype=np.int32)
    other = np.arange(4, dtype=np.int32).reshape(2, 2)
    copied(array, 1, other)
    assert array.tolist() == [[[0, 0], [0, 0]], other.tolist(), [[0, 0], [0, 0]]]


def test_other_kinds_are_refused(filled: Callable[..., None], copied: Callable[..., None]) -> None:
    """Elements that lie apart, and elements of another kind."""
    with pytest.raises(TypingError):
        filled(np.zeros((2, 6), np.int32)[:, ::2], 0, 1)
    with pytest.raises(TypingError):
        copied(np.zeros((2, 3), np.int32), 0, np.zeros(3, np.int64))
