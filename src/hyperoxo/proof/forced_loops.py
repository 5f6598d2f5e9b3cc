"""Forced wins, compiled: finding a sequence of threats, and replaying one.

A *forced sequence* is a list of attacker's moves. Each but the last makes exactly one *threat*
(a cell that completes a line of the attacker's) and the defender answers there; the last completes
a line, or threatens in two cells. Where the defender has a threat, the attacker's move must take
that cell, and threaten as well; where the defender has two, the sequence fails.
:func:`search` may overlook wins, and what it finds counts only where :func:`replay` confirms it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kept_code import njit
from hyperoxo.proof.bits import bits_set, lowest_bit
from hyperoxo.proof.tables import MOST_CELLS, Tables, Words

__all__ = [
    "LONGEST",
    "NOT_FOUND",
    "OUT_OF_NODES",
    "Workspace",
    "completing",
    "completing_through",
    "replay",
    "search",
    "workspace",
]

LONGEST = MOST_CELLS // 2
"""Most moves of a forced sequence: each but the last fills two cells."""

NOT_FOUND = 0
OUT_OF_NODES = -1

# Columns of `Workspace.counts`.
LIVE = 0
THREATS = 1
NEXT = 2
CUT = 3

_ABSOLUTE = 127
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_MIX_0 = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX_2 = np.uint64(0x165667B19E3779F9)
_MIX_3 = np.uint64(0xD6E8FEB86659FD93)
_MIX_4 = np.uint64(0xFF51AFD7ED558CCD)


class Workspace(NamedTuple):
    """What a search writes to; one for each thread, attacker and board."""

    keys: Words
    depths: NDArray[np.int8]
    stones: Words
    live: NDArray[np.uint16]
    pair: NDArray[np.uint16]
    moves: NDArray[np.int16]
    answers: NDArray[np.int16]
    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]


def workspace(tables: Tables, *, memory_bits: int = 15) -> Workspace:
    """Make a workspace that remembers ``2**memory_bits`` positions.

    Small ones stay in the processor's cache, and are faster than large ones.
    """
    lines, levels = max(len(tables.sizes), 1), LONGEST + 2
    return Workspace(
        np.zeros((1 << memory_bits, 4), np.uint64),
        np.zeros(1 << memory_bits, np.int8),
        np.zeros((levels, 4), np.uint64),
        np.zeros((levels, lines + 1), np.uint16),
        np.zeros(lines + 1, np.uint16),
        np.zeros((levels, 2 * lines), np.int16),
        np.zeros((levels, 2 * lines), np.int16),
        np.zeros((levels, 4), np.int64),
        np.zeros(1, np.int64),
    )


@njit(nogil=True)
def completing(lines: Words, s: Words, own: int) -> tuple[np.uint64, np.uint64]:
    """Cells that complete a line for the attacker (`own` 0) or the defender (`own` 2)."""
    rival = 2 - own
    mine0, mine1, his0, his1 = s[own], s[own + 1], s[rival], s[rival + 1]
    found0, found1 = _ZERO, _ZERO
    for line in range(len(lines)):
        cells0, cells1 = lines[line, 0], lines[line, 1]
        left0, left1 = cells0 & ~mine0, cells1 & ~mine1
        alive = (cells0 & his0) | (cells1 & his1) == _ZERO
        one = alive & (bits_set(left0) + bits_set(left1) == 1)
        keep = _ZERO - np.uint64(one)
        found0 |= left0 & keep
        found1 |= left1 & keep
    return found0, found1


@njit(nogil=True)
def completing_through(t: Tables, s: Words, own: int, cell: int) -> tuple[np.uint64, np.uint64]:
    """Cells that complete a line through `cell`; see `completing`."""
    rival = 2 - own
    found0, found1 = _ZERO, _ZERO
    for at in range(t.starts[cell], t.starts[cell + 1]):
        line = t.through[at]
        cells0, cells1 = t.lines[line, 0], t.lines[line, 1]
        if (cells0 & s[rival]) | (cells1 & s[rival + 1]):
            continue
        left0, left1 = cells0 & ~s[own], cells1 & ~s[own + 1]
        if bits_set(left0) + bits_set(left1) == 1:
            found0 |= left0
            found1 |= left1
    return found0, found1


@njit(nogil=True)
def replay(t: Tables, start: Words, sequence: NDArray[np.int16], length: int) -> bool:
    """Tell whether a forced sequence wins for the attacker, who is to move in `start`.

    Cells that complete a line are sought on all lines at first, and after each stone on the lines
    through it: nothing else can have changed.
    """
    s = start.copy()
    mine0, mine1 = completing(t.lines, s, 0)
    his0, his1 = completing(t.lines, s, 2)
    for at in range(length):
        move = sequence[at]
        if move < 0 or move >= len(t.bits):
            return False
        bit0, bit1 = t.bits[move, 0], t.bits[move, 1]
        free0 = t.playable[0] & ~(s[0] | s[2])
        free1 = t.playable[1] & ~(s[1] | s[3])
        if (bit0 & free0) | (bit1 & free1) == _ZERO:
            return False
        if (mine0 & bit0) | (mine1 & bit1):
            return at == length - 1
        if (his0 & ~bit0) | (his1 & ~bit1):
            return False
        s[0] |= bit0
        s[1] |= bit1
        new0, new1 = completing_through(t, s, 0, move)
        mine0 |= new0
        mine1 |= new1
        threats = bits_set(mine0) + bits_set(mine1)
        if threats == 0:
            return False
        if threats > 1:
            return at == length - 1
        answer = _cell(mine0, mine1)
        s[2] |= mine0
        s[3] |= mine1
        mine0, mine1 = _ZERO, _ZERO
        his0, his1 = completing_through(t, s, 2, answer)
    return False


@njit(nogil=True)
def _place(s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64, mask: int) -> np.int64:
    mixed = (s0 * _MIX_0) ^ (s2 * _MIX_1) ^ (s1 * _MIX_2) ^ (s3 * _MIX_3)
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX_4
    return np.int64(mixed >> np.uint64(33)) & mask


@njit(nogil=True)
def _cell(word0: np.uint64, word1: np.uint64) -> int:
    """The lowest cell of a set that is not empty."""
    if word0:
        return lowest_bit(word0)
    return 64 + lowest_bit(word1)


@njit(nogil=True)
def search(t: Tables, w: Workspace, start: Words, limit: int, sequence: NDArray[np.int16]) -> int:
    """Look for a forced win of the attacker, who is to move in `start`.

    Returns the length of the sequence written to `sequence` int16 ``[LONGEST + 2]``, NOT_FOUND if
    there is none, or OUT_OF_NODES after `limit` nodes. Short sequences are tried before long ones.

    Level k of the workspace is the position after k - 1 moves and answers; level 0 lists all lines.
    """
    lines, bits, starts, through = t.lines, t.bits, t.starts, t.through
    keys, depths, s, live = w.keys, w.depths, w.stones, w.live
    moves, answers, counts, pair = w.moves, w.answers, w.counts, w.pair
    mask = len(depths) - 1
    mine0, mine1 = completing(lines, start, 0)
    if mine0 | mine1:
        sequence[0] = _cell(mine0, mine1)
        return 1
    root0, root1 = completing(lines, start, 2)
    count = 0
    for line in range(len(lines)):
        if not (lines[line, 0] & start[2]) | (lines[line, 1] & start[3]):
            live[0, count] = line
            count += 1
    counts[0, LIVE] = count
    for word in range(4):
        s[1, word] = start[word]
    nodes = 0
    depth = 1
    level = 1
    entering = True
    while True:
        if entering:
            entering = False
            nodes += 1
            if nodes > limit:
                w.nodes[0] += nodes
                return OUT_OF_NODES
            left = depth - level + 1
            s0, s1, s2, s3 = s[level, 0], s[level, 1], s[level, 2], s[level, 3]
            his0, his1 = root0, root1
            if level > 1:
                his0, his1 = _ZERO, _ZERO
                cell = answers[level - 1, counts[level - 1, NEXT] - 1]
                for at in range(starts[cell], starts[cell + 1]):
                    line = through[at]
                    cells0, cells1 = lines[line, 0], lines[line, 1]
                    if (cells0 & s0) | (cells1 & s1):
                        continue
                    free0, free1 = cells0 & ~s2, cells1 & ~s3
                    if bits_set(free0) + bits_set(free1) == 1:
                        his0 |= free0
                        his1 |= free1
            counts[level, THREATS] = 0
            counts[level, NEXT] = 0
            counts[level, CUT] = 0
            threats = bits_set(his0) + bits_set(his1)
            if threats < 2:
                kept = 0
                pairs = 0
                cut = 0
                # Without branches, which the processor could not foresee.
                for at in range(counts[level - 1, LIVE]):
                    line = live[level - 1, at]
                    cells0, cells1 = lines[line, 0], lines[line, 1]
                    alive = (cells0 & s2) | (cells1 & s3) == _ZERO
                    missing = bits_set(cells0 & ~s0) + bits_set(cells1 & ~s1)
                    live[level, kept] = line
                    kept += int(alive & (missing <= left + 1))
                    cut |= int(alive & (missing > left + 1))
                    pair[pairs] = line
                    pairs += int(alive & (missing == 2))
                once0, once1, twice0, twice1 = _ZERO, _ZERO, _ZERO, _ZERO
                count = 0
                for line in pair[:pairs]:
                    free0, free1 = lines[line, 0] & ~s0, lines[line, 1] & ~s1
                    twice0 |= once0 & free0
                    twice1 |= once1 & free1
                    once0 |= free0
                    once1 |= free1
                    one = _cell(free0, free1)
                    other = _cell(free0 & ~bits[one, 0], free1 & ~bits[one, 1])
                    if threats == 0 or (his0 & bits[one, 0]) | (his1 & bits[one, 1]):
                        moves[level, count] = one
                        answers[level, count] = other
                        count += 1
                    if threats == 0 or (his0 & bits[other, 0]) | (his1 & bits[other, 1]):
                        moves[level, count] = other
                        answers[level, count] = one
                        count += 1
                if threats:
                    twice0 &= his0
                    twice1 &= his1
                if twice0 | twice1:
                    move = _double(moves[level], answers[level], count, twice0, twice1)
                    if move >= 0:
                        sequence[level - 1] = move
                        w.nodes[0] += nodes
                        return level
                if left == 1 and count:
                    count = 0
                    cut = 1
                counts[level, LIVE] = kept
                counts[level, THREATS] = count
                counts[level, CUT] = cut
        if counts[level, NEXT] < counts[level, THREATS]:
            at = counts[level, NEXT]
            counts[level, NEXT] += 1
            move, answer = moves[level, at], answers[level, at]
            s0, s1 = s[level, 0] | bits[move, 0], s[level, 1] | bits[move, 1]
            s2, s3 = s[level, 2] | bits[answer, 0], s[level, 3] | bits[answer, 1]
            place = _place(s0, s1, s2, s3, mask)
            if (
                keys[place, 0] == s0
                and keys[place, 2] == s2
                and keys[place, 1] == s1
                and keys[place, 3] == s3
                and depths[place] >= depth - level
            ):
                if depths[place] < _ABSOLUTE:
                    counts[level, CUT] = 1
                continue
            sequence[level - 1] = move
            level += 1
            s[level, 0] = s0
            s[level, 1] = s1
            s[level, 2] = s2
            s[level, 3] = s3
            entering = True
            continue
        if level > 1:
            place = _place(s[level, 0], s[level, 1], s[level, 2], s[level, 3], mask)
            for word in range(4):
                keys[place, word] = s[level, word]
            if counts[level, CUT]:
                depths[place] = depth - level + 1
                counts[level - 1, CUT] = 1
            else:
                depths[place] = _ABSOLUTE
            level -= 1
            continue
        if counts[1, CUT] == 0 or depth == LONGEST:
            w.nodes[0] += nodes
            return NOT_FOUND
        depth = depth + 1 if depth < 4 else depth + 2 if depth < 8 else min(2 * depth, LONGEST)
        entering = True


@njit(nogil=True)
def _double(
    moves: NDArray[np.int16],
    answers: NDArray[np.int16],
    count: int,
    twice0: np.uint64,
    twice1: np.uint64,
) -> int:
    """Return a move of a set that is answered in two different cells, or -1."""
    for at in range(count):
        move = moves[at]
        in_set = twice0 >> np.uint64(move) if move < 64 else twice1 >> np.uint64(move - 64)
        if not in_set & _ONE:
            continue
        for after in range(at + 1, count):
            if moves[after] == move and answers[after] != answers[at]:
                return int(move)
    return -1
