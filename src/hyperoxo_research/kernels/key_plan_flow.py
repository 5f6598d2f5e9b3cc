"""Bit-parallel augmenting paths: sets of lines are words, so one step visits up to 64 of them.

They serve the test of R5, which grows a few *chosen* lines: these seek cells beyond two each.
"""
# A chosen line that stays is saturated: no line that can be reached from it has a cell to spare. So
# no later augmenting path passes through it, it gives none of its cells away, and the last steps
# are undone by freeing the cells they gained. Other lines may keep what they exchanged.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo.kernels.cell_sets import trailing_zeros
from hyperoxo_research.kernels.key_plan_rules import TAKEN, UNHELD, PlanBoard

_ONE, _NONE = np.uint64(1), np.uint64(0)


class Flow(NamedTuple):
    """A matching with its residual graph; `owners`, `free` and `loose` follow from `owner`."""

    owner: Longs
    """Line, `UNHELD` or `TAKEN`, ``[cells]``."""
    owners: Words
    """The other lines that own cells of each line, ``[lines, words]``."""
    free: Longs
    """Number of cells of each line without an owner, ``[lines]``."""
    loose: Words
    """The lines with such cells, ``[words]``."""
    live: Words
    reached: Words
    """Scratch sets of lines, ``[words]``."""
    queue: Longs
    before: Longs
    further: Longs
    """Stack of cells that chosen lines own beyond two each; the last entry is its height."""


@njit(**NO_REFCOUNT)
def held(flow: Flow) -> int:
    """Return the number of cells that chosen lines own beyond two each."""
    return int(flow.further[len(flow.further) - 1])


@njit(**NO_REFCOUNT)
def come_back(board: PlanBoard, flow: Flow, count: int) -> None:
    """Undo growth, the last cell first, until chosen lines own `count` cells beyond two each."""
    while held(flow) > count:
        flow.further[len(flow.further) - 1] -= 1
        _leave(board, flow.further[held(flow)], flow)


@njit(**NO_REFCOUNT)
def take_over(board: PlanBoard, breaker: np.uint64, owner: Longs, flow: Flow) -> None:
    """Load a 2-matching of the live lines, and derive the residual graph."""
    words = flow.live.shape[0]
    copy(flow.owner, owner)
    flow.further[len(flow.further) - 1] = 0
    for word in range(words):
        flow.live[word] = flow.loose[word] = _NONE
    for line in range(len(board.kinds)):
        bit = _ONE << np.uint64(line & 63)
        for word in range(words):
            flow.owners[line, word] = _NONE
        if not board.masks[line] & breaker:
            flow.live[line >> 6] |= bit
        free = 0
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            holder = owner[board.line_cells[at]]
            free += holder == UNHELD
            if holder >= 0 and holder != line:
                flow.owners[line, holder >> 6] |= _ONE << np.uint64(holder & 63)
        flow.free[line] = free
        if free:
            flow.loose[line >> 6] |= bit


@njit(**NO_REFCOUNT)
def take_base(board: PlanBoard, base: Flow, lines: Words, flow: Flow) -> bool:
    """Load a prepared 2-matching and extend it to more lines; return whether that is possible."""
    words = flow.live.shape[0]
    # 1. The matching of the poor lines, with its derived arrays: no line of it is ever hit.
    copy(flow.owner, base.owner)
    copy(flow.free, base.free)
    copy(flow.loose, base.loose)
    for line in range(len(board.kinds)):
        copy(flow.owners[line], base.owners[line])
    copy(flow.live, base.live)
    # 2. Two cells for each further line. The stack is emptied each time, for these cells stay.
    for word in range(words):
        new = lines[word]
        flow.live[word] |= new
        while new:
            line = 64 * word + trailing_zeros(new)
            new &= new - _ONE
            flow.further[len(flow.further) - 1] = 0
            if grow(board, line, 2, flow) < 2:
                return False
    flow.further[len(flow.further) - 1] = 0
    return True


@njit(**NO_REFCOUNT)
def _loses(board: PlanBoard, line: int, old: int, flow: Flow) -> None:
    """Drop `old` from the owners of a line's cells, unless it owns another of them."""
    for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
        if flow.owner[board.line_cells[at]] == old:
            return
    flow.owners[line, old >> 6] &= ~(_ONE << np.uint64(old & 63))


@njit(**NO_REFCOUNT)
def _leave(board: PlanBoard, cell: int, flow: Flow) -> None:
    """Free a cell that a line owned."""
    old = flow.owner[cell]
    flow.owner[cell] = UNHELD
    for at in range(board.through_ptr[cell], board.through_ptr[cell + 1]):
        line = board.through[at]
        flow.free[line] += 1
        flow.loose[line >> 6] |= _ONE << np.uint64(line & 63)
        if line != old:
            _loses(board, line, old, flow)


@njit(**NO_REFCOUNT)
def _give(board: PlanBoard, cell: int, taker: int, flow: Flow) -> None:
    """Hand a cell, free or not, to a line."""
    old = flow.owner[cell]
    flow.owner[cell] = taker
    word, bit = taker >> 6, _ONE << np.uint64(taker & 63)
    for at in range(board.through_ptr[cell], board.through_ptr[cell + 1]):
        line = board.through[at]
        if old == UNHELD:
            flow.free[line] -= 1
            if not flow.free[line]:
                flow.loose[line >> 6] &= ~(_ONE << np.uint64(line & 63))
        elif line != old:
            _loses(board, line, old, flow)
        if line != taker:
            flow.owners[line, word] |= bit


@njit(**NO_REFCOUNT)
def grow(board: PlanBoard, line: int, most: int, flow: Flow) -> int:
    """Add cells to a line until it has `most` more or is saturated; return their number.

    With lines grown and saturated before it, the sum is the least f(S) of sets S with all of them.
    """
    count = 0
    while count < most and _one_more(board, line, flow):
        count += 1
    return count


@njit(**NO_REFCOUNT)
def _one_more(board: PlanBoard, line: int, flow: Flow) -> bool:
    """Augment: a line gets one more cell; others may exchange theirs."""
    # 1. Breadth first over lines: from a line to all unseen owners of its cells at once. The search
    #    ends at a line with a free cell.
    unseen, queue, before, words = flow.reached, flow.queue, flow.before, flow.live.shape[0]
    copy(unseen, flow.live)
    queue[0], before[line] = line, -1
    unseen[line >> 6] &= ~(_ONE << np.uint64(line & 63))
    last = line if flow.free[line] else -1
    done, ends = 0, 1
    while last < 0 and done < ends:
        here = queue[done]
        done += 1
        for word in range(words):
            new = flow.owners[here, word] & unseen[word]
            if not new:
                continue
            unseen[word] &= ~new
            loose = new & flow.loose[word]
            if loose:
                last = 64 * word + trailing_zeros(loose)
                before[last] = here
                break
            while new:
                line = 64 * word + trailing_zeros(new)
                new &= new - _ONE
                before[line] = here
                queue[ends] = line
                ends += 1
    if last < 0:
        return False
    # 2. From the last line back: each takes a cell, and gives one to the line before. The cell to
    #    give is chosen before the hand-over changes the owners.
    owner = flow.owner
    cell = _cell_of(board, last, UNHELD, owner)
    while True:
        giver = before[last]
        given = -1 if giver < 0 else _cell_of(board, giver, last, owner)
        _give(board, cell, last, flow)
        if giver < 0:
            flow.further[held(flow)] = cell
            flow.further[len(flow.further) - 1] += 1
            return True
        cell, last = given, giver


@njit(**NO_REFCOUNT)
def _cell_of(board: PlanBoard, line: int, holder: int, owner: Longs) -> int:
    """Return a cell of a line with the given holder (a line or `UNHELD`), or -1."""
    for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
        if owner[board.line_cells[at]] == holder:
            return int(board.line_cells[at])
    return -1


@njit(**NO_REFCOUNT)
def close(board: PlanBoard, chosen: Longs, length: int, inside: Longs, flow: Flow) -> int:
    """List V of the test: the largest connected set with the chosen lines and least spare cells.

    Live lines that touch it are left in `flow.reached`. Return its length.
    """
    owner, queue, words, through = flow.owner, flow.queue, flow.live.shape[0], board.through_bits
    # 1. Backwards from the lines with a free cell: a line through a cell that one of them owns can
    #    have that cell. All lines that are not reached are stuck: they own all cells on them that
    #    are not taken, so no set with the chosen lines has fewer spare cells (minimum cut), and
    #    none that has as few holds a line outside.
    stuck = flow.reached
    ends = done = 0
    for word in range(words):
        new = flow.live[word] & flow.loose[word]
        stuck[word] = flow.live[word] & ~new
        while new:
            queue[ends] = 64 * word + trailing_zeros(new)
            new &= new - _ONE
            ends += 1
    while done < ends:
        here = queue[done]
        done += 1
        for at in range(board.line_ptr[here], board.line_ptr[here + 1]):
            cell = board.line_cells[at]
            if owner[cell] != here:
                continue
            for word in range(words):
                new = through[cell, word] & stuck[word]
                stuck[word] &= ~new
                while new:
                    queue[ends] = 64 * word + trailing_zeros(new)
                    new &= new - _ONE
                    ends += 1
    # 2. Those connected with the chosen lines by cells that are not taken.
    for at in range(length):
        inside[at] = chosen[at]
        stuck[chosen[at] >> 6] &= ~(_ONE << np.uint64(chosen[at] & 63))
    ends, done = length, 0
    while done < ends:
        here = inside[done]
        done += 1
        for at in range(board.line_ptr[here], board.line_ptr[here + 1]):
            cell = board.line_cells[at]
            if owner[cell] == TAKEN:
                continue
            for word in range(words):
                new = through[cell, word] & stuck[word]
                stuck[word] &= ~new
                while new:
                    inside[ends] = 64 * word + trailing_zeros(new)
                    new &= new - _ONE
                    ends += 1
    # 3. Live lines that share a cell with the set, without those in it: a connected set that
    #    leaves V has one of them.
    touching = flow.reached
    for word in range(words):
        touching[word] = _NONE
    for here in range(ends):
        line = inside[here]
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            cell = board.line_cells[at]
            if owner[cell] != TAKEN:
                for word in range(words):
                    touching[word] |= through[cell, word]
    for word in range(words):
        touching[word] &= flow.live[word]
    for here in range(ends):
        touching[inside[here] >> 6] &= ~(_ONE << np.uint64(inside[here] & 63))
    return ends
