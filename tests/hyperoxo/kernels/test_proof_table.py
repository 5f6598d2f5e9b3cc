from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.kernels.cell_sets import cells_of, words_for
from hyperoxo.kernels.proof_table import (
    MOST,
    NO_MOVE,
    SOLVED,
    best_of,
    busy_of,
    disproof_of,
    entry_words,
    fetch,
    log_of,
    mark,
    pack,
    proof_of,
    refill,
    store,
    work_of,
)

WIDTHS = [27, 64, 81, 125, 225]


def numbers_of(proof: int, disproof: int = 1, move: int = NO_MOVE, work: int = 1) -> np.uint64:
    return np.uint64(pack(proof, disproof, move, work, 0))


def positions(cells: int, count: int, seed: int = 1) -> list[tuple[int, int]]:
    """Return disjoint sets of stones."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        own = rng.getrandbits(cells)
        found.append((own & ~(other := rng.getrandbits(cells)), other & ~own))
    return found


class Table:
    """A table in which sets are ints."""

    def __init__(self, cells: int, buckets: int = 1000) -> None:
        self.cells = cells
        self.entry = entry_words(words_for(cells))
        self.words = np.zeros(buckets * 4 * self.entry, np.uint64)

    def store(
        self, words: tuple[int, int], numbers: np.uint64, moves: int = 0, quiet: int = -1
    ) -> bool:
        own, other, set_ = (cells_of(number, self.cells) for number in (*words, moves))
        return bool(store(self.words, own, other, quiet, numbers, set_))

    def fetch(self, words: tuple[int, int], quiet: int = -1) -> tuple[int, int]:
        own, other = (cells_of(number, self.cells) for number in words)
        numbers, moves = fetch(self.words, own, other, quiet)
        return int(numbers), int(moves)

    def mark(self, words: tuple[int, int], change: int) -> None:
        own, other = (cells_of(number, self.cells) for number in words)
        mark(self.words, own, other, -1, change)

    def refill(self, entries: NDArray[np.uint64]) -> int:
        return int(refill(self.words, entries.ravel(), cells_of(0, self.cells)))

    @property
    def entries(self) -> NDArray[np.uint64]:
        return self.words.reshape(-1, self.entry)


@given(
    st.integers(0, SOLVED),
    st.integers(0, SOLVED),
    st.one_of(st.integers(0, 255), st.just(NO_MOVE)),
    st.integers(0, 31),
    st.integers(0, 3),
)
def test_numbers_are_packed_and_unpacked(
    proof: int, disproof: int, move: int, work: int, busy: int
) -> None:
    word = np.uint64(pack(proof, disproof, move, work, busy))
    assert proof_of(word) == proof
    assert disproof_of(word) == disproof
    assert best_of(word) == move
    assert work_of(word) == work
    assert busy_of(word) == busy


def test_the_largest_numbers() -> None:
    assert MOST + 1 == SOLVED
    assert [log_of(work) for work in (1, 2, 3, 4, 1000, 1 << 40)] == [1, 2, 2, 3, 10, 31]


@pytest.mark.parametrize("cells", WIDTHS)
def test_what_is_stored_is_found(cells: int) -> None:
    table = Table(cells)
    known = dict.fromkeys(positions(cells, 60))
    rng = random.Random(2)
    stored = {}
    for words in known:
        stored[words] = int(numbers_of(rng.randrange(1, MOST), work=3)), rng.getrandbits(cells)
        assert table.store(words, np.uint64(stored[words][0]), stored[words][1])
    assert {words: table.fetch(words) for words in known} == stored
    for words in positions(cells, 60, seed=9):
        if words not in known:
            assert table.fetch(words) == (0, 0)
    words = next(iter(known))
    assert not table.store(words, numbers_of(7), 5)
    assert table.fetch(words) == (int(numbers_of(7)), 5)


@pytest.mark.parametrize("cells", WIDTHS)
def test_limits_on_quiet_moves_are_kept_apart(cells: int) -> None:
    table = Table(cells)
    (words,) = positions(cells, 1)
    for quiet in range(-1, 6):
        assert table.fetch(words, quiet) == (0, 0)
        assert table.store(words, numbers_of(quiet + 2), 1, quiet)
    assert [proof_of(np.uint64(table.fetch(words, quiet)[0])) for quiet in range(-1, 6)] == [
        *range(1, 8)
    ]


@pytest.mark.parametrize("cells", WIDTHS)
def test_the_least_work_makes_room(cells: int) -> None:
    table = Table(cells, buckets=1)
    known = positions(cells, 6)
    for work, words in zip((5, 9, 2, 7), known, strict=False):
        assert table.store(words, numbers_of(1, work=work))
    assert not table.store(known[4], numbers_of(1, work=6)), "nothing was free"
    listed = [words for words in known if table.fetch(words)[0]]
    assert listed == [known[0], known[1], known[3], known[4]]


@pytest.mark.parametrize("cells", WIDTHS)
def test_torn_entries_are_not_believed(cells: int) -> None:
    """An entry that holds words of two others is read as neither, whichever words they are."""
    one, two = positions(cells, 2)
    rows = []
    for words, numbers in ((one, numbers_of(3)), (two, numbers_of(4, move=7))):
        table = Table(cells, buckets=1)
        table.store(words, numbers, words[0] ^ 3)
        rows.append(table.entries[0].copy())
    table = Table(cells, buckets=1)
    for mask in range(1, (1 << table.entry) - 1):
        choice = np.array([mask >> i & 1 for i in range(table.entry)], bool)
        if (rows[0][choice] == rows[1][choice]).all() or (
            rows[0][~choice] == rows[1][~choice]
        ).all():
            continue
        table.words[:] = 0
        table.entries[0] = np.where(choice, rows[1], rows[0])
        assert table.fetch(one) == table.fetch(two) == (0, 0)


@pytest.mark.parametrize("cells", [64, 81])
def test_threads_below_are_counted(cells: int) -> None:
    table = Table(cells)
    words, other = positions(cells, 2)
    table.mark(words, 1)
    assert table.fetch(words) == (0, 0)
    table.store(words, numbers_of(5, move=3), 9)
    for change, busy in ((1, 1), (1, 2), (-1, 1), (-1, 0), (-1, 0), (1, 1), (1, 2), (1, 3), (1, 3)):
        table.mark(words, change)
        numbers, moves = table.fetch(words)
        assert moves == 9
        assert busy_of(np.uint64(numbers)) == busy
        assert (proof_of(np.uint64(numbers)), best_of(np.uint64(numbers))) == (5, 3)
    assert table.fetch(other) == (0, 0)


@pytest.mark.parametrize("cells", WIDTHS)
def test_saved_entries_fill_a_table_of_another_size(cells: int) -> None:
    table, larger = Table(cells), Table(cells, buckets=1500)
    known = positions(cells, 50)
    for i, words in enumerate(known):
        table.store(words, numbers_of(i + 1, work=2), i)
    table.mark(known[0], 1)
    filled = table.entries[table.entries[:, 2] != 0]
    assert larger.refill(filled) == len(filled)
    assert larger.refill(filled) == 0
    for i, words in enumerate(known):
        assert larger.fetch(words) == (int(numbers_of(i + 1, work=2)), i)
