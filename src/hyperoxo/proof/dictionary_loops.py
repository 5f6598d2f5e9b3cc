"""Compiled loops over the replies of the defender, for the check of a dictionary."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.proof import forced_loops, tables
from hyperoxo.proof.forced_loops import Workspace, completed, replay, search, threat_through
from hyperoxo.proof.tables import Rows, Stones, Tables, Words, fill, lift, loop, place

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_2 = np.uint64(0xFF51AFD7ED558CCD)


@loop
def mark_completing(t: Tables, s: Stones, found: Rows) -> None:
    """Mark the completing cells of each side, uint8 ``[2, N]``."""
    found[:] = 0
    for line in range(len(t.sizes)):
        for side in range(2):
            cell = completed(t, s, line, side)
            if cell != forced_loops.NONE:
                found[side, cell] = 1


@loop
def invariant(t: Tables, s: Stones) -> np.uint64:
    """A number, never 0, that is the same for all images of a position."""
    return _sum(t, s) | _ONE


@loop
def _sum(t: Tables, s: Stones) -> np.uint64:
    # A symmetry permutes the lines and keeps the size and stones of each, so the sum over lines is
    # the same for all images. Arithmetic is modulo 2^64.
    total = _ZERO
    for line in range(len(t.sizes)):
        total += _weight(t.sizes[line], s.lines[line] & tables.STONES)
    return total


@loop
def _weight(size: int, stones: int) -> np.uint64:
    """Hash of a line's size and of both players' stones on it."""
    mixed = np.uint64(size << 32 | stones) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX_2
    return mixed ^ mixed >> np.uint64(32)


@loop
def invariants(t: Tables, owners: Rows, attacker: int, s: Stones, found: Words) -> None:
    """Write the invariant of each position, a row of `owners`; `s` is written over."""
    for row in range(len(owners)):
        fill(t, s, owners[row], attacker)
        found[row] = invariant(t, s)


@loop
def table_of(numbers: Words, table: Words) -> None:
    """Insert nonzero numbers into an empty hash set of 2^k slots (linear probing)."""
    mask = len(table) - 1
    for number in numbers:
        place = np.int64((number * _MIX) >> np.uint64(33)) & mask
        while table[place] != _ZERO and table[place] != number:
            place = (place + 1) & mask
        table[place] = number


@loop
def sift(t: Tables, s: Stones, replies: Rows, table: Words, kinds: NDArray[np.int8]) -> None:
    """Classify the replies of the defender, in `kinds` int8 ``[N]``.

    -1: not marked in `replies`; 0: it makes no three, and the position is not listed; 1: it makes
    no three, and the position may be listed; 2: it makes a three; 3: it makes several, in different
    cells. The position `s`, which stays as it is, is one where the defender has no three.
    """
    mask = len(table) - 1
    total = _sum(t, s)
    for cell in range(len(replies)):
        kinds[cell] = -1
        if replies[cell] == 0:
            continue
        # 1. Invariant after the reply: only the lines through its cell change their terms.
        number = total
        for at in range(t.starts[cell], t.starts[cell + 1]):
            line = t.through[at]
            number -= _weight(t.sizes[line], s.lines[line] & tables.STONES)
        place(t, s, cell, tables.DEFENDER)
        theirs = threat_through(t, s, tables.DEFENDER, cell)
        for at in range(t.starts[cell], t.starts[cell + 1]):
            line = t.through[at]
            number += _weight(t.sizes[line], s.lines[line] & tables.STONES)
        lift(t, s, cell, tables.DEFENDER)
        # 2. A reply that threatens has to be blocked (rule 2), so no listed move applies to it.
        # Every threat runs through the new stone, since the defender had none before.
        if theirs != forced_loops.NONE:
            kinds[cell] = 3 if theirs == forced_loops.SEVERAL else 2
            continue
        # 3. Look the invariant up. A number that is absent proves that the position is not listed.
        number |= _ONE
        slot = np.int64((number * _MIX) >> np.uint64(33)) & mask
        while table[slot] != _ZERO and table[slot] != number:
            slot = (slot + 1) & mask
        kinds[cell] = np.int8(table[slot] == number)


@loop
def answer(
    t: Tables,
    w: Workspace,
    s: Stones,
    kinds: NDArray[np.int8],
    limit: int,
    sequences: NDArray[np.int16],
    lengths: NDArray[np.int64],
    count: int,
    fates: NDArray[np.int16],
) -> int:
    """Answer replies of the defender by forced sequences, each by the first that holds.

    Row k of `sequences` int16 ``[N + 2, longest + 2]`` has ``lengths[k]`` moves; `count` of them
    are known. Unless `limit` is 0, further ones are sought, of that many nodes at most: one as if
    the defender passed, then one for each reply that breaks those found before. Returns the number
    of known fates. `fates` int16 ``[N]`` tells which one answers a reply; -1 where none is
    known, -2 where the search ran out of nodes, -3 for cells whose number in `kinds` is below 0.
    """
    nothing = limit == 0
    # 1. Search as if the defender passed: such a sequence usually answers most replies. If none
    # exists, no reply has one: an extra stone of the defender never helps the attacker.
    if limit:
        length = search(t, w, s, limit, sequences[count])
        nothing = length == forced_loops.NOT_FOUND
        if length > 0 and replay(t, s, sequences[count], length):
            lengths[count] = length
            count += 1
    for cell in range(len(kinds)):
        fates[cell] = -3
        if kinds[cell] < 0:
            continue
        fates[cell] = -1
        # 2. Replay known sequences with the reply on the board, which may break or counter them.
        place(t, s, cell, tables.DEFENDER)
        for known in range(count):
            if replay(t, s, sequences[known], lengths[known]):
                fates[cell] = known
                break
        # 3. Search again for this reply alone. Only the replay is trusted: the search compares
        # hashed positions.
        if not nothing and fates[cell] < 0:
            length = search(t, w, s, limit, sequences[count])
            if length == forced_loops.OUT_OF_NODES:
                fates[cell] = -2
            elif length > 0 and replay(t, s, sequences[count], length):
                lengths[count] = length
                fates[cell] = count
                count += 1
        lift(t, s, cell, tables.DEFENDER)
    return count
