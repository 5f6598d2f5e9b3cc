from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.jit import njit
from hyperoxo.kernels import emit_sets
from hyperoxo.kernels.cell_sets import (
    CellSet,
    cells_of,
    get,
    hashed,
    lowest,
    nothing,
    popcount,
    put,
    single,
    trailing_zeros,
    word_of,
    words_for,
    words_in,
)


@njit(cache=False, nogil=True)
def both(first: CellSet, second: CellSet) -> tuple[CellSet, ...]:
    inverted = first
    inverted |= second
    inverted &= ~second
    inverted ^= second
    return first & second, first | second, first ^ second, first & ~second, inverted


@njit(cache=False, nogil=True)
def answers_of(first: CellSet, second: CellSet) -> tuple[bool, ...]:
    return first == second, first != second, bool(first), not second, first == nothing(second)


@njit(cache=False, nogil=True)
def parts(cells: CellSet, cell: int) -> tuple[CellSet, CellSet, int, int, int]:
    return (
        lowest(cells),
        single(cell, cells),
        popcount(cells),
        trailing_zeros(cells),
        words_in(cells),
    )


@njit(cache=False, nogil=True)
def moved(words: NDArray[np.uint64], at: int, to: int, like: CellSet) -> CellSet:
    cells = get(words, at, like)
    put(words, to, cells)
    return cells


@njit(cache=False, nogil=True)
def words_by_number(cells: CellSet, out: NDArray[np.uint64]) -> None:
    for i in range(words_in(cells)):
        out[i] = word_of(cells, i)


@njit(cache=False, nogil=True)
def hash_of(cells: CellSet, salt: np.uint64) -> np.uint64:
    return np.uint64(hashed(cells, salt))


BOARDS = st.sampled_from([9, 64, 65, 81, 125, 128, 150, 192, 216, 256, 625])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[int, int, int]:
    cells = draw(BOARDS)
    numbers = st.integers(0, (1 << cells) - 1)
    first = draw(numbers)
    return cells, first, draw(st.one_of(numbers, st.just(first)))


@pytest.mark.more
@given(pairs())
def test_operators_are_those_of_int(drawn: tuple[int, int, int]) -> None:
    cells, first, second = drawn
    sets = cells_of(first, cells), cells_of(second, cells)
    expected = first & second, first | second, first ^ second, first & ~second, first | second
    assert both(*sets) == expected
    equal = first == second
    assert answers_of(*sets) == (equal, not equal, first != 0, second == 0, first == 0)


@given(pairs(), st.data())
def test_parts_of_a_set(drawn: tuple[int, int, int], data: st.DataObject) -> None:
    cells, number, _ = drawn
    number |= 1 << data.draw(st.integers(0, cells - 1))
    cell = data.draw(st.integers(0, cells - 1))
    low = number & -number
    found = parts(cells_of(number, cells), cell)
    assert found == (low, 1 << cell, number.bit_count(), low.bit_length() - 1, words_for(cells))


@pytest.mark.more
@given(pairs(), st.integers(0, 3), st.integers(0, 3))
def test_sets_in_arrays_are_words_in_a_row(drawn: tuple[int, int, int], at: int, to: int) -> None:
    cells, number, _ = drawn
    size = words_for(cells)
    split = [number >> 64 * i & (1 << 64) - 1 for i in range(size)]
    words = np.zeros(16, np.uint64)
    words[at : at + size] = split
    assert moved(words, at, to, cells_of(0, cells)) == number
    assert words[to : to + size].tolist() == split
    out = np.zeros(size, np.uint64)
    words_by_number(cells_of(number, cells), out)
    assert out.tolist() == split


@given(pairs())
def test_hashes_differ_where_sets_do(drawn: tuple[int, int, int]) -> None:
    cells, first, second = drawn
    salt = np.uint64(0x9E3779B97F4A7C15)
    one, two = (hash_of(cells_of(number, cells), salt) for number in (first, second))
    assert (one == two) == (first == second)
    if cells <= 64:
        assert one == first * int(salt) % (1 << 64)


@pytest.mark.parametrize(("cells", "words"), [(0, 1), (1, 1), (64, 1), (65, 2), (128, 2), (256, 4)])
def test_words_for(cells: int, words: int) -> None:
    assert words_for(cells) == words


def test_the_functions_of_operators_have_names_of_their_own() -> None:
    """Code that two processes kept is linked by name, and by a number that may be the same."""
    kind = emit_sets.WideSet(2)
    made = [value for name, value in vars(emit_sets).items() if name.startswith("_overload_")]
    functions = [one(*(kind,) * one.__code__.co_argcount) for one in made]
    assert len({one.__qualname__ for one in functions}) == len(made) == 8
