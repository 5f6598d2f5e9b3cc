"""What the check of a dictionary does for every reply of the defender, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kept_code import njit
from hyperoxo.proof.bits import bits_set
from hyperoxo.proof.forced_loops import (
    NOT_FOUND,
    OUT_OF_NODES,
    Workspace,
    completing,
    completing_through,
    replay,
    search,
)
from hyperoxo.proof.images import Bytes
from hyperoxo.proof.tables import Tables, Words

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@njit(nogil=True)
def look(t: Tables, s: Words, found: Words) -> None:
    """Write the cells where the attacker and where the defender completes a line."""
    found[0], found[1] = completing(t.lines, s, 0)
    found[2], found[3] = completing(t.lines, s, 2)


@njit(nogil=True)
def invariant(t: Tables, s: Words) -> np.uint64:
    """A number, never 0, that is the same for all images of a position."""
    total = _ZERO
    for line in range(len(t.sizes)):
        mine = bits_set(t.lines[line, 0] & s[0]) + bits_set(t.lines[line, 1] & s[1])
        his = bits_set(t.lines[line, 0] & s[2]) + bits_set(t.lines[line, 1] & s[3])
        total += t.weights[t.sizes[line], mine, his]
    return total | _ONE


@njit(nogil=True)
def invariants(t: Tables, owners: Bytes, attacker: int, found: Words) -> None:
    """Write the invariant of each position, a row of `owners`."""
    s = np.zeros(4, np.uint64)
    for row in range(len(owners)):
        for i in range(4):
            s[i] = _ZERO
        for cell in range(owners.shape[1]):
            if owners[row, cell] == 1 or owners[row, cell] == 2:
                first = 0 if owners[row, cell] == attacker else 2
                s[first] |= t.bits[cell, 0]
                s[first + 1] |= t.bits[cell, 1]
        found[row] = invariant(t, s)


@njit(nogil=True)
def table_of(numbers: Words, table: Words) -> None:
    """Put numbers other than 0 into an empty table of a size that is a power of two."""
    mask = len(table) - 1
    for number in numbers:
        place = np.int64((number * _MIX) >> np.uint64(33)) & mask
        while table[place] != _ZERO and table[place] != number:
            place = (place + 1) & mask
        table[place] = number


@njit(nogil=True)
def sift(t: Tables, s: Words, replies: Words, table: Words, kinds: NDArray[np.int8]) -> None:
    """Tell the replies of the defender apart, in `kinds` int8 ``[N]``.

    -1: not among `replies`; 0: it makes no three, and the position is not listed; 1: it makes no
    three, and the position may be listed; 2: it makes a three; 3: it makes several, in different
    cells. The position `s` is one where the defender has no three.
    """
    mask = len(table) - 1
    now = s.copy()
    size = len(t.sizes)
    mine = np.zeros(size, np.int64)
    his = np.zeros(size, np.int64)
    total = _ZERO
    for line in range(size):
        mine[line] = bits_set(t.lines[line, 0] & s[0]) + bits_set(t.lines[line, 1] & s[1])
        his[line] = bits_set(t.lines[line, 0] & s[2]) + bits_set(t.lines[line, 1] & s[3])
        total += t.weights[t.sizes[line], mine[line], his[line]]
    for cell in range(len(t.bits)):
        kinds[cell] = -1
        if (t.bits[cell, 0] & replies[0]) | (t.bits[cell, 1] & replies[1]) == _ZERO:
            continue
        now[2] = s[2] | t.bits[cell, 0]
        now[3] = s[3] | t.bits[cell, 1]
        threat0, threat1 = completing_through(t, now, 2, cell)
        threats = bits_set(threat0) + bits_set(threat1)
        if threats:
            kinds[cell] = 2 if threats == 1 else 3
            continue
        number = total
        for at in range(t.starts[cell], t.starts[cell + 1]):
            line = t.through[at]
            number -= t.weights[t.sizes[line], mine[line], his[line]]
            number += t.weights[t.sizes[line], mine[line], his[line] + 1]
        number |= _ONE
        place = np.int64((number * _MIX) >> np.uint64(33)) & mask
        while table[place] != _ZERO and table[place] != number:
            place = (place + 1) & mask
        kinds[cell] = np.int8(table[place] == number)


@njit(nogil=True)
def answer(
    t: Tables,
    w: Workspace,
    s: Words,
    kinds: NDArray[np.int8],
    limit: int,
    sequences: NDArray[np.int16],
    lengths: NDArray[np.int64],
    count: int,
    fates: NDArray[np.int16],
) -> int:
    """Answer replies of the defender by forced sequences, each by the first that holds.

    Row k of `sequences` int16 ``[N + 2, LONGEST + 2]`` has ``lengths[k]`` moves; `count` of them
    are known. Unless `limit` is 0, further ones are sought, of that many nodes at most: one as if
    the defender passed, then one for each reply that breaks those found before. Returns how many
    are known in the end. `fates` int16 ``[N]`` tells which one answers a reply; -1 where none is
    known, -2 where the search ran out of nodes, -3 for cells whose number in `kinds` is below 0.
    """
    nothing = limit == 0
    if limit:
        length = search(t, w, s, limit, sequences[count])
        # A stone more of the defender's never helps the attacker.
        nothing = length == NOT_FOUND
        if length > 0 and replay(t, s, sequences[count], length):
            lengths[count] = length
            count += 1
    now = s.copy()
    for cell in range(len(t.bits)):
        fates[cell] = -3
        if kinds[cell] < 0:
            continue
        now[2] = s[2] | t.bits[cell, 0]
        now[3] = s[3] | t.bits[cell, 1]
        fates[cell] = -1
        for known in range(count):
            if replay(t, now, sequences[known], lengths[known]):
                fates[cell] = known
                break
        if nothing or fates[cell] >= 0:
            continue
        length = search(t, w, now, limit, sequences[count])
        if length == OUT_OF_NODES:
            fates[cell] = -2
        elif length > 0 and replay(t, now, sequences[count], length):
            lengths[count] = length
            fates[cell] = count
            count += 1
    return count


@njit(nogil=True)
def threatens(t: Tables, s: Words) -> bool:
    """Whether the defender completes a line if they may move."""
    found0, found1 = completing(t.lines, s, 2)
    return bool(found0 | found1 != _ZERO)
