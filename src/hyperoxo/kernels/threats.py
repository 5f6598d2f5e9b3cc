"""Forced wins by threats in any two-player state, with or without gravity.

The search of :mod:`hyperoxo.kernels.threat_bits`, for boards of any size and for gravity, on the
flat tables and state of :mod:`hyperoxo.kernels.state`; its answers and ``control`` are the same.
For target 1, normal or Maker-Breaker play, and no restricted move to come.

Under gravity a move that cannot be made threatens nothing. So a threat move is one after which
the attacker can complete a line with the next stone, and the defender cannot; the cell
above the new stone counts, for both. In Maker-Breaker play the defender never can.

Failures are stored under a Zobrist key of 128 bits of attacker's and defender's stones, not under
the position itself. A wrong answer would need two positions of one memory that agree in all 128
bits: with 2^20 positions searched its chance is about 2^-88.

Arrays besides tables ``t`` and state ``s``, allocated by the caller:

``work`` (int64, from `new_work`)
    the stack; one a thread.
``memo`` (uint64 ``[3 * 2^k]``, zeros at first)
    memory of failures of one game, kept from search to search.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.cell_sets import signed
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.rng import mix
from hyperoxo.kernels.state import (
    cells_of,
    lands,
    lines_completed,
    lines_of,
    may_play,
    near_lines,
    play,
    undo,
)
from hyperoxo.kernels.threat_bits import CUT, FOREVER, NONE, STOPPED

# `work` begins with a header: a stamp that is new for each position; the cell of a win or -1, and
# the two cells that it threatens; the cell that must be blocked or -1; the number of levels. Then
# come for each cell the stamp of the last position in which it was in a pair, and the other cell of
# that pair; then the levels, with two numbers per pair.
_CHECK_EVERY = 256
_FEWEST_LEVELS, _MOST_NUMBERS = 4, 1 << 26
_ENTRY = 3
_STAMP, _WIN, _WIN_1, _WIN_2, _FORCED, LEVELS = range(6)
_MARKS_AT = 8
_COUNT, _NEXT, _LAST, _WAS_CUT, _KEY_1, _KEY_2, _PAIRS = range(7)
_GOLDEN, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95)


def new_work(t: Ints) -> Longs:
    """Allocate the stack for searches with tables `t`, for fewer threats on very large boards."""
    stride = _PAIRS + 2 * max(int(t[state.LINES]), int(t[state.PLAYABLE]))
    levels = min(int(t[state.PLAYABLE]) // 2 + 2, _FEWEST_LEVELS + _MOST_NUMBERS // stride)
    work = np.zeros(_MARKS_AT + 2 * int(t[state.CELLS]) + levels * stride, np.int64)
    work[LEVELS] = levels
    return work


@njit(**NO_REFCOUNT)
def _completes(t: Ints, s: Ints, cell: int, player: int) -> bool:
    """Return whether `player` (0 or 1) completes a line that counts on a free cell."""
    return not (player and t[state.MAKER_ONLY]) and lines_completed(t, s, cell, player) > 0


@njit(**NO_REFCOUNT)
def completing_cells(t: Ints, s: Ints, player: int, out: Ints) -> int:
    """Write the cells where `player` (0 or 1) may complete a line next; return their number.

    In the order of the landing cells.
    """
    count = 0
    ahead = 0 if t[t[state.T_MOVERS] + s[state.PLIES]] == player else 1
    for place in range(s[state.LEGAL]):
        cell = s[t[state.S_LEGAL] + place]
        if _completes(t, s, cell, player) and may_play(t, s, cell, ahead):
            out[count] = cell
            count += 1
    return count


@njit(**NO_REFCOUNT)
def _add_pair(t: Ints, work: Longs, level: int, first: int, second: int) -> None:
    """Add a pair of free cells of one line, and note a double threat."""
    # A cell met again in this position, with another answer, threatens on two cells. With the same
    # answer the pair is known: overlapping lines make one threat, not two.
    cells = t[state.CELLS]
    stamp = work[_STAMP]
    for turn in range(2):
        attack, answer = (first, second) if turn == 0 else (second, first)
        if work[_MARKS_AT + attack] != stamp:
            work[_MARKS_AT + attack] = stamp
            work[_MARKS_AT + cells + attack] = answer
        elif work[_MARKS_AT + cells + attack] == answer:
            return
        elif work[_FORCED] < 0 or work[_FORCED] == attack:
            work[_WIN] = attack
            work[_WIN_1] = work[_MARKS_AT + cells + attack]
            work[_WIN_2] = answer
    at = level + _PAIRS + 2 * work[level + _COUNT]
    work[at] = first
    work[at + 1] = second
    work[level + _COUNT] += 1


@njit(**NO_REFCOUNT)
def _lacks_two(t: Ints, s: Ints, me: int, line: int) -> bool:
    """True if a line misses two stones of `me` and has none of the other."""
    at = t[state.S_COUNT] + 2 * line
    return bool(s[at + me] == t[t[state.T_SIZES] + line] - 2 and s[at + 1 - me] == 0)


@njit(**NO_REFCOUNT)
def _add_line(t: Ints, s: Ints, work: Longs, level: int, line: int) -> None:
    """Add the pair of a line that misses two stones."""
    first = -1
    for j in cells_of(t, line):
        cell = t[j]
        if s[t[state.S_OWNER] + cell] == 0:
            if first >= 0:
                _add_pair(t, work, level, first, cell)
                return
            first = cell


@njit(**NO_REFCOUNT)
def _new_lines(
    t: Ints, s: Ints, work: Longs, level: int, stride: int, me: int, attack: int, answer: int
) -> None:
    """Fill the pairs of a level without gravity: inherited ones and those through `attack`."""
    if attack < 0:
        # A call for each line would take most of the time of a search that finds no threat.
        for line in range(t[state.LINES]):
            if _lacks_two(t, s, me, line):
                _add_line(t, s, work, level, line)
        return
    above = level - stride
    for i in range(work[above + _COUNT]):
        first = work[above + _PAIRS + 2 * i]
        second = work[above + _PAIRS + 2 * i + 1]
        if first not in (attack, answer) and second not in (attack, answer):
            _add_pair(t, work, level, first, second)
    for j in lines_of(t, attack):
        if _lacks_two(t, s, me, t[j]):
            _add_line(t, s, work, level, t[j])


@njit(**NO_REFCOUNT)
def _add_landing(t: Ints, s: Ints, work: Longs, level: int, me: int, cell: int) -> bool:
    """Add the threat that a stone on a landing cell makes under gravity."""
    # Return whether two cells are threatened, which wins.
    # 1. The cell above becomes playable for both: the defender must not complete a line there.
    above = t[t[state.T_ABOVE] + cell]
    answer = -1
    if above >= 0:
        if _completes(t, s, above, 1 - me):
            return False
        if _completes(t, s, above, me):
            answer = above
    # 2. Lines that miss this cell and another, which must be playable next: it lands already, or it
    #    is the one above.
    for j in lines_of(t, cell):
        if not _lacks_two(t, s, me, t[j]):
            continue
        other = -1
        for k in cells_of(t, t[j]):
            if t[k] != cell and s[t[state.S_OWNER] + t[k]] == 0:
                other = t[k]
        if other == answer or not (other == above or lands(t, s, other)):
            continue
        if answer >= 0:
            work[_WIN] = cell
            work[_WIN_1] = answer
            work[_WIN_2] = other
            return True
        answer = other
    if answer >= 0:
        at = level + _PAIRS + 2 * work[level + _COUNT]
        work[at] = cell
        work[at + 1] = answer
        work[level + _COUNT] += 1
    return False


@njit(**NO_REFCOUNT)
def _list_threats(
    t: Ints, s: Ints, work: Longs, level: int, stride: int, gravity: bool, attack: int, answer: int
) -> int:
    """List the threat moves of the position of a level."""
    # Return 2 when the attacker completes a line now, 1 with a double threat (both are described in
    # the header of `work`), 0 when moves must be tried, -1 when there are none.
    # 1. Lines that either player may complete now. Without gravity an exchange leaves the attacker
    #    none, for the answer has stopped it, and the defender only those through the answer.
    me = t[t[state.T_MOVERS] + s[state.PLIES]]
    work[level + _COUNT] = 0
    work[_STAMP] += 1
    work[_WIN] = -1
    work[_FORCED] = -1
    if gravity or attack < 0:
        # Without gravity the first position has many cells, and seldom a line short of one stone.
        for place in range(s[state.LEGAL] if gravity or near_lines(t, s, me) else 0):
            cell = s[t[state.S_LEGAL] + place]
            if _completes(t, s, cell, me):
                work[_WIN] = cell
                return 2
        for place in range(s[state.LEGAL] if gravity or near_lines(t, s, 1 - me) else 0):
            cell = s[t[state.S_LEGAL] + place]
            if _completes(t, s, cell, 1 - me):
                if work[_FORCED] >= 0:
                    return -1
                work[_FORCED] = cell
    elif not _one_answer(t, s, work, me, answer):
        return -1
    # 2. Threat moves; if a cell must be blocked, the one there.
    if not gravity:
        _new_lines(t, s, work, level, stride, me, attack, answer)
    elif work[_FORCED] >= 0:
        _add_landing(t, s, work, level, me, work[_FORCED])
    else:
        for place in range(s[state.LEGAL]):
            if _add_landing(t, s, work, level, me, s[t[state.S_LEGAL] + place]):
                break
    if work[_WIN] >= 0:
        return 1
    return 0 if _set_children(work, level, gravity) else -1


@njit(**NO_REFCOUNT)
def _one_answer(t: Ints, s: Ints, work: Longs, me: int, answer: int) -> bool:
    """Find the cell that the defender threatens since the stone on `answer`."""
    # Return False when there are two.
    if t[state.MAKER_ONLY]:
        return True
    for j in lines_of(t, answer):
        line = t[j]
        at = t[state.S_COUNT] + 2 * line
        if s[at + 1 - me] != t[t[state.T_SIZES] + line] - 1 or s[at + me] != 0:
            continue
        for k in cells_of(t, line):
            if s[t[state.S_OWNER] + t[k]] == 0:
                if work[_FORCED] >= 0 and work[_FORCED] != t[k]:
                    return False
                work[_FORCED] = t[k]
    return True


@njit(**NO_REFCOUNT)
def _set_children(work: Longs, level: int, gravity: bool) -> bool:
    """Set the range of moves to try; return whether there are any."""
    # Entry 2 i of the range plays the first cell of pair i, entry 2 i + 1 the second, which gravity
    # does not have.
    count = work[level + _COUNT]
    forced = work[_FORCED]
    work[level + _WAS_CUT] = 0
    work[level + _LAST] = 0
    work[level + _NEXT] = 2 * count
    if forced >= 0:
        for child in range(2 * count):
            if work[level + _PAIRS + child] == forced and not (gravity and child & 1):
                work[level + _LAST] = child
                work[level + _NEXT] = child + 1
                return True
        return False
    return bool(count > 0)


@njit(**NO_REFCOUNT)
def _cell_key(cell: int, side: int, salt: np.uint64) -> np.uint64:
    return mix(np.uint64(2 * cell + side + 1) * _GOLDEN + salt)


@njit(**NO_REFCOUNT)
def _known(memo: Words, key_1: np.uint64, key_2: np.uint64) -> int:
    """Return the number of threats within which a position is known to fail, or 0."""
    slot = _ENTRY * signed(key_1 & np.uint64(len(memo) // _ENTRY - 1))
    if memo[slot] == key_1 and memo[slot + 1] == key_2:
        return signed(memo[slot + 2])
    return signed(0)


@njit(**NO_REFCOUNT)
def _write_line(t: Ints, s: Ints, work: Longs, exchanges: int, double: bool, line: Ints) -> int:
    history = s[state.PLIES] - 2 * exchanges
    for i in range(2 * exchanges):
        line[i] = s[t[state.S_HISTORY] + history + i]
    length = 2 * exchanges
    line[length] = work[_WIN]
    if not double:
        return length + 1
    line[length + 1] = work[_WIN_1]
    line[length + 2] = work[_WIN_2]
    return length + 3


@njit(**NO_REFCOUNT)
def find_win(
    t: Ints, s: Ints, work: Longs, memo: Words, control: Longs, limit: int, line: Ints
) -> int:
    """Search a forced win of the player to move; the state is restored."""
    # An exchange is a threat and its answer, so a level is two plies. `remaining` is the limit on
    # threats from the present level on.
    gravity = False
    for cell in range(t[state.CELLS]):
        gravity = gravity or t[t[state.T_ABOVE] + cell] >= 0
    first = _MARKS_AT + 2 * t[state.CELLS]
    stride = _PAIRS + 2 * max(t[state.LINES], t[state.PLAYABLE])
    most = control[NODE_LIMIT] or signed(1) << 62
    if control[NODES] >= most or control[STOP]:
        return STOPPED
    me = t[t[state.T_MOVERS] + s[state.PLIES]]
    if me == 1 and t[state.MAKER_ONLY]:
        return NONE
    # 1. The keys of the stones, by side: attacker or defender.
    key_1, key_2 = np.uint64(0), np.uint64(0)
    for cell in range(t[state.CELLS]):
        owner = s[t[state.S_OWNER] + cell]
        if owner:
            side = 0 if owner == me + 1 else 1
            key_1 ^= _cell_key(cell, side, _GOLDEN)
            key_2 ^= _cell_key(cell, side, _SECOND)
    level = first
    remaining = min(signed(limit), work[LEVELS] - 1)
    exchanges = 0
    attack = answer = -1
    result = NONE
    entering = True
    while True:
        if entering:
            if control[NODES] >= most or (control[NODES] % _CHECK_EVERY == 0 and control[STOP]):
                result = STOPPED
                break
            # 2. A new position: its threat moves, or a win.
            control[NODES] += 1
            seen = _list_threats(t, s, work, level, stride, gravity, attack, answer)
            if seen == 2 or (seen == 1 and remaining >= 1):
                result = _write_line(t, s, work, exchanges, seen == 1, line)
                break
            was_cut = bool(seen >= 0)
            # 3. A leaf: no threat, too few left, or known to fail within as many. With one left
            #    it takes a double threat, but under gravity an answer may make the completing
            #    cell playable.
            leaf = seen < 0 or remaining <= (0 if gravity else 1)
            if not leaf:
                known = _known(memo, key_1, key_2)
                leaf = known >= remaining
                was_cut = bool(known < FOREVER)
                work[level + _KEY_1] = signed(key_1)
                work[level + _KEY_2] = signed(key_2)
        else:
            key_1 = np.uint64(work[level + _KEY_1])
            key_2 = np.uint64(work[level + _KEY_2])
            leaf = bool(work[level + _NEXT] == work[level + _LAST])
            if leaf:
                # 4. Every move was tried: stored as failing, for good if nothing was cut.
                was_cut = bool(work[level + _WAS_CUT] != 0)
                slot = _ENTRY * signed(key_1 & np.uint64(len(memo) // _ENTRY - 1))
                memo[slot] = key_1
                memo[slot + 1] = key_2
                memo[slot + 2] = remaining if was_cut else FOREVER
        # 5. Up again, or the end.
        if leaf:
            if exchanges == 0:
                result = CUT if was_cut else NONE
                break
            undo(t, s)
            undo(t, s)
            level -= stride
            exchanges -= 1
            remaining += 1
            work[level + _WAS_CUT] |= was_cut
            entering = False
            continue
        # 6. The next exchange: a threat and the one answer to it.
        child = work[level + _NEXT] - 1
        if gravity:
            child &= ~1
        work[level + _NEXT] = child
        attack = work[level + _PAIRS + child]
        answer = work[level + _PAIRS + (child ^ 1)]
        key_1 ^= _cell_key(attack, 0, _GOLDEN) ^ _cell_key(answer, 1, _GOLDEN)
        key_2 ^= _cell_key(attack, 0, _SECOND) ^ _cell_key(answer, 1, _SECOND)
        play(t, s, attack)
        play(t, s, answer)
        level += stride
        exchanges += 1
        remaining -= 1
        entering = True
    # 7. The state goes back as it was.
    for _ in range(2 * exchanges):
        undo(t, s)
    return result
