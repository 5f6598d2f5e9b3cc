"""The table of the proof search: proof and disproof numbers by position, shared by threads.

An entry is four words or more: both keys of the position, mixed with the rest so that an entry
torn by two writers is never believed; the numbers; and the set of moves worth searching. Buckets
hold four entries, and the one with the least work behind it makes room for a new one.

On boards of up to 64 cells the keys are the position itself. On others they are two hashes of 64
bits: two positions with equal hashes, which is most unlikely, would be taken for one, and the
result could be wrong. A proof is checked by other code, move by move.

A number of quiet moves that are left, where it is limited, is part of the keys.

The numbers' word, from the lowest bit: proof number (23 bits), disproof number (23), best move
(11), work (5, rounded logarithm), threads below (2).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Words
from hyperoxo.kernels.cell_sets import CellSet, get, hashed, nothing, put, signed, words_in
from hyperoxo.kernels.rng import mix
from hyperoxo.kernels.table import HASH_1, HASH_2, hash_of_two

Number: TypeAlias = "int | np.signedinteger[Any]"
"""An int to Numba, either of two types to the type checker."""

SOLVED = (1 << 23) - 1
"""Infinity: the proof number of a disproved position, the disproof number of a proved one."""

MOST = SOLVED - 1
"""The largest finite number; sums saturate here."""

NO_MOVE = 2047

# The table is shared without locks (R. Hyatt and T. Mann, "A lock-less transposition table
# implementation for parallel search", ICGA Journal 25, 2002). Words of an entry:
#     0  first key ^ numbers
#     1  second key ^ fold of the set of moves
#     2  numbers; 0 in a free entry, since no position has two numbers of 0
#     3  set of moves, k words
# A reader recovers the keys from words 0 and 1. If two writers mixed their words, the keys match
# neither position and the entry counts as absent; if both wrote the same position, either half is
# true by itself.
_WAYS = 4
_MOST_BUSY = 3
_NUMBER = np.uint64(SOLVED)
_MOVE_MASK, _WORK_MASK, _BUSY_MASK = np.uint64(NO_MOVE), np.uint64(31), np.uint64(_MOST_BUSY)
_AT_DISPROOF, _AT_MOVE, _AT_WORK, _AT_BUSY = map(np.uint64, (23, 46, 57, 62))
_SALTS = (HASH_1, np.uint64(0xD1342543DE82EF95), HASH_2, np.uint64(0xFF51AFD7ED558CCD))


def entry_words(set_words: int) -> int:
    """Return the words of an entry for sets of cells of `set_words` words."""
    return 3 + set_words


@njit(**NO_REFCOUNT)
def pack(proof: Number, disproof: Number, move: Number, work: Number, busy: Number) -> np.uint64:
    """Pack the numbers of an entry into one word."""
    return (
        np.uint64(proof)
        | (np.uint64(disproof) << _AT_DISPROOF)
        | (np.uint64(move) << _AT_MOVE)
        | (np.uint64(work) << _AT_WORK)
        | (np.uint64(busy) << _AT_BUSY)
    )


@njit(**NO_REFCOUNT)
def proof_of(numbers: np.uint64) -> int:
    """Return the proof number."""
    return signed(numbers & _NUMBER)


@njit(**NO_REFCOUNT)
def disproof_of(numbers: np.uint64) -> int:
    """Return the disproof number."""
    return signed((numbers >> _AT_DISPROOF) & _NUMBER)


@njit(**NO_REFCOUNT)
def best_of(numbers: np.uint64) -> int:
    """Return the best move, or NO_MOVE."""
    return signed((numbers >> _AT_MOVE) & _MOVE_MASK)


@njit(**NO_REFCOUNT)
def work_of(numbers: np.uint64) -> int:
    """Return the rounded logarithm of the work."""
    return signed((numbers >> _AT_WORK) & _WORK_MASK)


@njit(**NO_REFCOUNT)
def busy_of(numbers: np.uint64) -> int:
    """Return the number of threads below the position."""
    return signed((numbers >> _AT_BUSY) & _BUSY_MASK)


@njit(**NO_REFCOUNT)
def log_of(work: int) -> int:
    """Return the bits of a number, at most 31."""
    bits = 0
    while work:
        work >>= 1
        bits += 1
    return min(bits, 31)


@njit(**NO_REFCOUNT)
def _keys(own: CellSet, other: CellSet, quiet: int) -> tuple[np.uint64, np.uint64]:
    """Return the keys of a position with a number of quiet moves left, -1 for any."""
    # Keys shared by different numbers are as good as impossible, and could cost no more than a
    # proof that the checker rejects.
    # -1 gives a salt of 0: without a limit, the keys of a small board are its two sets of stones.
    salt = np.uint64(quiet + 1) * HASH_1
    if words_in(own) == 1:
        return hashed(own, np.uint64(1)) ^ salt, hashed(other, np.uint64(1))
    return (
        mix(mix(hashed(own, _SALTS[0])) + hashed(other, _SALTS[1])) ^ salt,
        mix(mix(hashed(own, _SALTS[2])) + hashed(other, _SALTS[3])),
    )


@njit(**NO_REFCOUNT)
def _folded(moves: CellSet) -> np.uint64:
    """Return a checksum of a set of moves in one word; of a small board, the set itself."""
    return np.uint64(hashed(moves, np.uint64(1) if words_in(moves) == 1 else HASH_1))


@njit(**NO_REFCOUNT)
def _bucket(table: Words, first: np.uint64, second: np.uint64, entry: int) -> int:
    buckets = len(table) // (_WAYS * entry)
    number = hash_of_two(first * HASH_1, second * HASH_2) % np.uint64(buckets)
    return signed(number) * _WAYS * entry


@njit(**NO_REFCOUNT)
def _offset(table: Words, first: np.uint64, second: np.uint64, like: CellSet) -> int:
    """Return the offset of a position's entry, or -1."""
    entry = 3 + words_in(like)
    at = _bucket(table, first, second, entry)
    for way in range(_WAYS):
        here = np.uint64(at + way * entry)
        numbers = table[here + np.uint64(2)]
        if numbers == np.uint64(0) or table[here] ^ numbers != first:
            continue
        moves = get(table, here + np.uint64(3), like)
        if table[here + np.uint64(1)] ^ _folded(moves) == second:
            return signed(here)
    return -1


@njit(**NO_REFCOUNT)
def fetch(table: Words, own: CellSet, other: CellSet, quiet: int) -> tuple[np.uint64, CellSet]:
    """Return the numbers and the set of moves of a position; 0 and no move if it is absent."""
    first, second = _keys(own, other, quiet)
    at = _offset(table, first, second, own)
    if at >= 0:
        # Another thread may have replaced the entry since it was found: what is returned is checked
        # once more, on the words that are returned.
        numbers, moves = table[at + 2], get(table, at + 3, own)
        if table[at] ^ numbers == first and table[at + 1] ^ _folded(moves) == second:
            return numbers, moves
    return np.uint64(0), nothing(own)


@njit(**NO_REFCOUNT)
def store(
    table: Words,
    own: CellSet,
    other: CellSet,
    quiet: int,
    numbers: np.uint64,
    moves: CellSet,
) -> bool:
    """Store a position in place of itself or of the least work; return True in a free entry."""
    first, second = _keys(own, other, quiet)
    return _enter(table, first, second, numbers, moves)


@njit(**NO_REFCOUNT)
def _enter(
    table: Words, first: np.uint64, second: np.uint64, numbers: np.uint64, moves: CellSet
) -> bool:
    at = _offset(table, first, second, moves)
    new = at < 0
    if new:
        entry = 3 + words_in(moves)
        bucket = _bucket(table, first, second, entry)
        # A free entry of the bucket, or else the one that is cheapest to search again.
        least = 32
        for way in range(_WAYS):
            here = bucket + way * entry
            known = table[here + 2]
            if known == np.uint64(0):
                at = here
                break
            work = work_of(known)
            if work < least:
                least = work
                at = here
        new = table[at + 2] == np.uint64(0)
    table[at] = first ^ numbers
    table[at + 1] = second ^ _folded(moves)
    table[at + 2] = numbers
    put(table, at + 3, moves)
    return new


@njit(**NO_REFCOUNT)
def mark(table: Words, own: CellSet, other: CellSet, quiet: int, change: int) -> None:
    """Count a thread in (1) or out (-1) below a position, if it is in the table."""
    first, second = _keys(own, other, quiet)
    at = _offset(table, first, second, own)
    if at < 0:
        return
    numbers = table[at + 2]
    busy = busy_of(numbers) + change
    # Two bits saturate, and `store` may have cleared the count: no mark is taken below 0.
    if not 0 <= busy <= _MOST_BUSY:
        return
    changed = (numbers & ~(_BUSY_MASK << _AT_BUSY)) | (np.uint64(busy) << _AT_BUSY)
    table[at] = table[at] ^ numbers ^ changed
    table[at + 2] = changed


@njit(**NO_REFCOUNT)
def refill(table: Words, entries: Words, like: CellSet) -> int:
    """Store saved entries, with no thread below them; return how many filled a free entry.

    `like` is any set of cells of the board.
    """
    added = 0
    for i in range(0, len(entries), 3 + words_in(like)):
        numbers, moves = entries[i + 2], get(entries, i + 3, like)
        calm = numbers & ~(_BUSY_MASK << _AT_BUSY)
        first, second = entries[i] ^ numbers, entries[i + 1] ^ _folded(moves)
        added += _enter(table, first, second, calm, moves)
    return added
