"""Forced wins, compiled: finding a sequence of threats, and replaying one.

A *forced sequence* is a list of attacker's moves. Each but the last makes exactly one *threat*
(a cell that completes a line of the attacker's) and the defender answers there; the last completes
a line, or threatens in two cells. If the defender has a threat, the attacker's move must take
that cell, and threaten as well; where the defender has two, the sequence fails.
:func:`search` may overlook wins, and what it finds counts only where :func:`replay` confirms it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from hyperoxo.proof.tables import (
    AT_SUM,
    ATTACKER,
    DEFENDER,
    FREE,
    STONES,
    Stones,
    Tables,
    Words,
    lift,
    loop,
    place,
)

_number = cast("Callable[[Any], int]", np.int64)
"""An entry of an array as a number of 64 bits."""

NOT_FOUND = 0
OUT_OF_NODES = -1
NONE = -1
SEVERAL = -2

# Columns of `Workspace.counts`: where the pairs of a level begin and end, the next one to try, the
# defender's threat, whether a pair has a move for it, and whether the limit on the length cut
# a sequence.
_FIRST, _END, _NEXT, _THEIRS, _OPEN, _CUT = range(6)

_ABSOLUTE = np.iinfo(np.int16).max
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(33)


class Workspace(NamedTuple):
    """Transposition table and stack of a search; one for each thread, attacker and board."""

    # Transposition table of positions without a win, ``[2^m]`` each: the hash key, and the most
    # further moves for which that is known (`_ABSOLUTE`: for any number).
    keys: Words
    depths: NDArray[np.int16]
    # Stack of the pairs of all levels, ``[levels * L, 2]``; a level owns `_FIRST`..`_END` of it.
    pairs: NDArray[np.int64]
    # The attacker's move, the defender's answer, and the hash key, by level ``[levels]``; level 0
    # is the position searched. `counts` is ``[levels, 6]``.
    moves: NDArray[np.int64]
    answers: NDArray[np.int64]
    counts: NDArray[np.int64]
    key: Words
    # Of each cell ``[N, 2]``: the stamp of the last listing that has it in a pair, and its partner.
    marks: NDArray[np.int64]
    # Nodes searched so far, and the stamp: the number of listings so far.
    nodes: NDArray[np.int64]


def longest(tables: Tables) -> int:
    """Most moves of a forced sequence: each but the last fills two cells."""
    return max(1, len(tables.starts) // 2)


def workspace(tables: Tables, *, memory_bits: int = 15) -> Workspace:
    """Make a workspace that remembers ``2**memory_bits`` positions.

    Small ones stay in the processor's cache, and are faster than large ones.
    """
    levels, cells = longest(tables) + 2, len(tables.starts) - 1
    return Workspace(
        np.zeros(1 << memory_bits, np.uint64),
        np.zeros(1 << memory_bits, np.int16),
        np.zeros((levels * max(len(tables.sizes), 1), 2), np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros((levels, 6), np.int64),
        np.zeros(levels, np.uint64),
        np.zeros((cells, 2), np.int64),
        np.zeros(2, np.int64),
    )


@loop
def completed(t: Tables, s: Stones, line: int, side: int) -> int:
    """Return the cell that completes a line of a side, or NONE."""
    held = s.lines[line]
    # The counts of both sides in one comparison: all stones but one are there, and all are theirs.
    # The sum of the free cells is then the missing cell itself.
    if held & STONES != (t.sizes[line] - 1) << 16 * side:
        return NONE
    return int(held >> AT_SUM)


@loop
def threat(t: Tables, s: Stones, side: int) -> int:
    """Return the only completing cell of a side, NONE or SEVERAL."""
    found = NONE
    for line in range(len(t.sizes)):
        cell = completed(t, s, line, side)
        if cell not in (NONE, found):
            if found != NONE:
                return SEVERAL
            found = cell
    return found


@loop
def threat_through(t: Tables, s: Stones, side: int, stone: int) -> int:
    """Return the only completing cell of a side on lines through a stone, NONE or SEVERAL."""
    found = NONE
    for at in range(t.starts[stone], t.starts[stone + 1]):
        cell = completed(t, s, t.through[at], side)
        if cell not in (NONE, found):
            if found != NONE:
                return SEVERAL
            found = cell
    return found


@loop
def _completes(t: Tables, s: Stones, side: int, cell: int) -> bool:
    """True if a stone of a side on a free cell completes a line."""
    for at in range(t.starts[cell], t.starts[cell + 1]):
        if completed(t, s, t.through[at], side) != NONE:
            return True
    return False


@loop
def replay(t: Tables, s: Stones, sequence: NDArray[np.int16], length: int) -> bool:
    """Return whether a forced sequence wins for the attacker, to move; `s` is restored.

    Cells that complete a line are sought on all lines at first, and after each stone on the lines
    through it: nothing else can have changed.
    """
    theirs = threat(t, s, DEFENDER)
    played = answered = 0
    holds = False
    for at in range(length):
        # 1. The move must be a free cell; if it completes a line it must be the last.
        move = _number(sequence[at])
        if move < 0 or move >= len(s.owners) or s.owners[move] != FREE:
            break
        if _completes(t, s, ATTACKER, move):
            holds = at == length - 1
            break
        # 2. A threat of the defender comes first: the move has to take its cell. Hence from here on
        # the defender threatens nothing, and has to answer the attacker's threat.
        if theirs not in (NONE, move):
            break
        place(t, s, move, ATTACKER)
        played += 1
        answer = threat_through(t, s, ATTACKER, move) if at else threat(t, s, ATTACKER)
        # 3. Two threats win, one forces the answer, none loses the initiative. At the first move
        # all lines count, for the sequence may ignore a threat that was there before.
        if answer < 0:
            holds = answer == SEVERAL and at == length - 1
            break
        place(t, s, answer, DEFENDER)
        s.trail[answered] = answer
        answered += 1
        theirs = threat_through(t, s, DEFENDER, answer)
    # 4. Take all stones off again.
    for at in range(played):
        lift(t, s, _number(sequence[at]), ATTACKER)
    for at in range(answered):
        lift(t, s, _number(s.trail[at]), DEFENDER)
    return holds


@loop
def search(t: Tables, w: Workspace, s: Stones, limit: int, sequence: NDArray[np.int16]) -> int:
    """Search for a forced win of the attacker, to move in `s`, which is restored.

    Returns the length of the sequence written to `sequence`, NOT_FOUND if there is none, or
    OUT_OF_NODES after `limit` nodes. Short sequences are tried before long ones.

    Level k of the workspace is the position after k moves and answers. Its *pairs*, the lines
    without a defender's stone that miss two cells, are those of the level before that are not
    touched by the last move and answer, and those through the last move.
    """
    # A line that the next stone completes is the whole sequence. Below this point the attacker has
    # no threat at the start of any level.
    at_once = threat(t, s, ATTACKER)
    if at_once == SEVERAL:
        line = 0
        while completed(t, s, line, ATTACKER) == NONE:
            line += 1
        at_once = completed(t, s, line, ATTACKER)
    if at_once != NONE:
        sequence[0] = at_once
        return 1
    moves, answers, counts, pairs = w.moves, w.answers, w.counts, w.pairs
    mask = len(w.depths) - 1
    most = max(1, len(t.starts) // 2)
    # Iterative deepening: `depth` limits the moves of a sequence, to 1, 2, 3, 4, 6, 8, 16...
    w.key[0] = 0
    for cell in range(len(s.owners)):
        if s.owners[cell] == ATTACKER + 1 or s.owners[cell] == DEFENDER + 1:
            w.key[0] ^= t.keys[cell, s.owners[cell] - 1]
    nodes = 0
    depth = 1
    level = 0
    result = NOT_FOUND
    entering = True
    while True:
        if entering:
            entering = False
            nodes += 1
            if nodes > limit:
                result = OUT_OF_NODES
                break
            # 1. The defender's threat, which only the last answer can have made. Two threats refute
            # the level: the attacker cannot take both cells.
            theirs = (
                threat_through(t, s, DEFENDER, answers[level]) if level else threat(t, s, DEFENDER)
            )
            first = counts[level - 1, _END] if level else 0
            counts[level, _FIRST] = first
            counts[level, _END] = first
            counts[level, _THEIRS] = theirs
            counts[level, _OPEN] = 0
            counts[level, _CUT] = 0
            if theirs != SEVERAL:
                # 2. The pairs. A cell in two of them makes two threats and wins, since it also
                # takes the cell of the defender's threat, if there is one. Otherwise the level is
                # a leaf at the depth limit (cut, if a pair has a move), or where no pair has one.
                double = _pairs(t, w, s, level, theirs)
                if double != NONE:
                    sequence[level] = double
                    result = level + 1
                    break
                if level + 1 == depth or counts[level, _OPEN] == 0:
                    counts[level, _CUT] = counts[level, _OPEN]
                    counts[level, _END] = first
            counts[level, _NEXT] = 2 * first
        choice = counts[level, _NEXT]
        if choice < 2 * counts[level, _END]:
            # 3. The next move and its answer: each cell of a pair in turn, the other one being the
            # forced answer. A defender's threat restricts the move to its own cell. Skip positions
            # that failed before with at least as many moves to go; the equality of hash keys may
            # hide a win, never invent one.
            counts[level, _NEXT] += 1
            move, answer = int(pairs[choice >> 1, choice & 1]), int(pairs[choice >> 1, ~choice & 1])
            if counts[level, _THEIRS] != NONE and counts[level, _THEIRS] != move:
                continue
            key = w.key[level] ^ t.keys[move, ATTACKER] ^ t.keys[answer, DEFENDER]
            slot = np.int64((key * _MIX) >> _HALF) & mask
            if w.keys[slot] == key and w.depths[slot] >= depth - level - 1:
                if w.depths[slot] < _ABSOLUTE:
                    counts[level, _CUT] = 1
                continue
            sequence[level] = move
            place(t, s, move, ATTACKER)
            place(t, s, answer, DEFENDER)
            level += 1
            moves[level], answers[level], w.key[level] = move, answer, key
            entering = True
            continue
        if level:
            # 4. All moves failed: store that in the transposition table, for good unless the depth
            # limit cut a sequence below, and take move and answer back.
            slot = np.int64((w.key[level] * _MIX) >> _HALF) & mask
            w.keys[slot] = w.key[level]
            w.depths[slot] = depth - level if counts[level, _CUT] else _ABSOLUTE
            counts[level - 1, _CUT] |= counts[level, _CUT]
            lift(t, s, moves[level], ATTACKER)
            lift(t, s, answers[level], DEFENDER)
            level -= 1
            continue
        # 5. Nothing was cut, or nothing longer fits on the board: there is no forced win.
        if counts[0, _CUT] == 0 or depth == most:
            break
        depth = depth + 1 if depth < 4 else depth + 2 if depth < 8 else 2 * depth
        depth = min(depth, most)
        entering = True
    while level:
        lift(t, s, moves[level], ATTACKER)
        lift(t, s, answers[level], DEFENDER)
        level -= 1
    w.nodes[0] += nodes
    return result


@loop
def _pairs(t: Tables, w: Workspace, s: Stones, level: int, theirs: int) -> int:
    """List the pairs of a level; return one that makes two threats and stops `theirs`, or NONE."""
    # A new stamp forgets the marks of earlier listings without clearing them.
    w.nodes[1] += 1
    double = NONE
    if level == 0:
        for line in range(len(t.sizes)):
            double = max(double, _line_pair(t, w, s, level, line, theirs))
        return int(double)
    # Move and answer filled two cells. Older pairs survive where both cells are still free: a
    # stone on either cell touches the line. New ones can only run through the attacker's stone.
    move = int(w.moves[level])
    for at in range(w.counts[level - 1, _FIRST], w.counts[level - 1, _END]):
        one, two = int(w.pairs[at, 0]), int(w.pairs[at, 1])
        if s.owners[one] == FREE and s.owners[two] == FREE:
            double = max(double, _pair(w, level, one, two, theirs))
    for at in range(t.starts[move], t.starts[move + 1]):
        double = max(double, _line_pair(t, w, s, level, t.through[at], theirs))
    return int(double)


@loop
def _line_pair(t: Tables, w: Workspace, s: Stones, level: int, line: int, theirs: int) -> int:
    """Add the pair of a line that is one; return as `_pair` does."""
    held = s.lines[line]
    if held & STONES != t.sizes[line] - 2:
        return NONE
    # The second free cell follows from the sum of both.
    at = t.ends[line]
    while s.owners[t.cells[at]] != FREE:
        at += 1
    one = int(t.cells[at])
    return _pair(w, level, one, int(held >> AT_SUM) - one, theirs)


@loop
def _pair(w: Workspace, level: int, one: int, two: int, theirs: int) -> int:
    """Add a pair, once; return a cell that is in another one too and stops `theirs`, or NONE."""
    stamp = w.nodes[1]
    double = NONE
    for turn in range(2):
        # The same two cells on another line add nothing; a cell with two partners is a fork.
        move, answer = (one, two) if turn == 0 else (two, one)
        if w.marks[move, 0] != stamp:
            w.marks[move, 0] = stamp
            w.marks[move, 1] = answer
        elif w.marks[move, 1] == answer:
            return NONE
        elif theirs in (NONE, move):
            double = move
    end = w.counts[level, _END]
    w.pairs[end, 0] = one
    w.pairs[end, 1] = two
    w.counts[level, _END] = end + 1
    if theirs in (NONE, one, two):
        w.counts[level, _OPEN] = 1
    return int(double)
