"""The bounds on stones, the test, and rule *pairs*: R1 by counts, R5 by lines.

`wanted` and other numbers are of cells; `among`, `chosen` and `decided` are sets of lines, and
`alive` are the cells on live rich lines.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit_or_python as njit
from hyperoxo_research.proof.keyplan.board import MAIN, POOR, RICH, Board, Flags, Longs
from hyperoxo_research.proof.keyplan.matching import (
    Scratch,
    can_have_more,
    close,
    have_two_each,
    spare_with,
    tightest_with,
)
from hyperoxo_research.proof.keyplan.states import ANY, MANY, State


@njit(nogil=True)
def cells_on(board: Board, some: Flags) -> Flags:
    """Return the cells of some lines."""
    lines, found = board.lines, np.zeros(len(board.is_key), np.bool_)
    for line in range(len(some)):
        if some[line]:
            for at in range(lines.starts[line], lines.starts[line + 1]):
                found[lines.cells[at]] = True
    return found


@njit(nogil=True)
def spare_off(board: Board, chosen: Flags) -> int:
    """Return f₀ of some lines."""
    return int((cells_on(board, chosen) & ~board.is_key).sum() - 2 * chosen.sum())


@njit(nogil=True)
def spare_of_pair(board: Board, poor: int, rich: int) -> int:
    """Return f₀ of a poor and a rich line."""
    return int(board.off[poor] + board.off[rich] - board.shared[poor, rich] - 4)


@njit(nogil=True)
def max_on_line(board: Board, row: Longs, line: int) -> int:
    """Return a(l), the most stones on a live rich line."""
    regions = board.regions
    warm = row[1 + len(regions.members) + regions.of_line[line]] >> regions.bit[line] & 1
    return int(board.off[line] - 2 - (1 - warm))


@njit(nogil=True)
def max_by_regions(board: Board, row: Longs, rich: Flags) -> Longs:
    """Return b_P(R) for the rich lines of each region."""
    regions = board.regions
    sets, most = np.zeros((2, len(regions.members)), np.int64)
    for line in range(len(rich)):
        if rich[line]:
            region = regions.of_line[line]
            sets[region] |= 1 << regions.bit[line]
            most[region] += max_on_line(board, row, line)
    for region in range(len(sets)):
        most[region] = min(most[region], regions.spare[region, sets[region]])
    return most


@njit(nogil=True)
def max_in_regions(row: Longs, most: Longs) -> int:
    """Return Σ min(z_P, the most of each region), where 3 counts as ∞."""
    found = 0
    for region in range(len(most)):
        near = row[1 + region]
        found += min(most[region], near) if near < MANY else most[region]
    return found


@njit(nogil=True)
def max_on_rich(board: Board, row: Longs, rich: Flags) -> int:
    """Return B(R), the most stones on some rich lines."""
    return int(max_in_regions(row, max_by_regions(board, row, rich)))


@njit(nogil=True)
def max_elsewhere(board: Board, row: Longs) -> int:
    """Return p - Σ z_P, where an open region counts 0."""
    away = row[0]
    for region in range(len(board.regions.members)):
        away -= row[1 + region] if row[1 + region] != ANY else 0
    return int(away)


@njit(nogil=True)
def max_by_places(board: Board, row: Longs, alive: Flags, chosen: Flags) -> int:
    """Return bound 5, by the stones elsewhere and in each region."""
    kinds, regions = board.lines.kinds, board.regions
    rich = chosen & (kinds == RICH)
    most, on_rich = max_by_regions(board, row, rich), cells_on(board, rich)
    elsewhere = 0
    for cell, on_poor in enumerate(cells_on(board, chosen & (kinds == POOR))):
        if on_poor:
            region = regions.of_cell[cell]
            elsewhere += not alive[cell]
            if region >= 0 and not on_rich[cell]:
                most[region] += 1
    return int(min(elsewhere, max_elsewhere(board, row)) + max_in_regions(row, most))


@njit(nogil=True)
def max_stones(
    board: Board, row: Longs, alive: Flags, chosen: Flags, decided: Flags, wanted: int
) -> int:
    """Return β, the least of bounds 1 to 5, or a bound that is at most `wanted`."""
    # (c) holds for the decided lines.
    kinds = board.lines.kinds
    poor, rich = chosen & (kinds == POOR), chosen & (kinds == RICH)
    best = row[0]
    if best > wanted:
        best = min(best, spare_off(board, poor) + max_on_rich(board, row, rich))
    if best > wanted:
        others = max_on_rich(board, row, rich & ~decided)
        best = min(best, spare_off(board, chosen & decided) + others)
    # Bound 5 before bound 4, which takes longest.
    if best > wanted:
        best = min(best, max_by_places(board, row, alive, chosen))
    for at in range(len(board.crossing) if row[0] <= board.least + 1 else 0):
        one, two = board.crossing[at]
        if best > wanted and poor[one] and rich[two]:
            poor[one] = rich[two] = False
            rest = spare_off(board, poor) + max_on_rich(board, row, rich)
            poor[one] = rich[two] = True
            best = min(best, spare_of_pair(board, one, two) + rest)
    return int(best)


@njit(nogil=True)
def is_block(board: Board, chosen: Flags) -> bool:
    """Return whether some lines are a block, for which bound 6 holds."""
    for inside in board.blocks.inside:
        line = 0
        while line < len(chosen) and inside[line] == chosen[line]:
            line += 1
        if line == len(chosen):
            return True
    return False


@njit(nogil=True)
def passes_test(
    board: Board, row: Longs, alive: Flags, among: Flags, decided: Flags, room: Scratch
) -> bool:
    """Return whether the test holds for some lines, which hold two cells each."""
    # All poor lines are among them. Every connected set with a poor and a rich line has a poor and
    # a rich one that cross. By counts each such set needs p spare cells, which is R1 (ii).
    lines = board.lines
    begun, none = room.holder.copy(), np.zeros_like(room.tried)
    asking = np.zeros(len(among), np.bool_)
    for rich in range(len(among)):
        if not among[rich] or lines.kinds[rich] != RICH:
            continue
        # 1. The spare cells of the rich line, whatever is beside it.
        asking[rich] = True
        alone = spare_with(lines, rich, 0, row[0], none, room)
        held, closed = room.holder.copy(), room.tried.copy()
        done, able = np.zeros((2, len(among)), np.bool_)
        # One cell more is enough with a line that can have it.
        if alone + 1 == row[0]:
            able = can_have_more(lines, among, room)
        # 2. All sets with it and a line that crosses it, but none before, where that is not
        #    enough.
        for at in range(len(board.crossing) if alone < row[0] else 0):
            poor, crossed = board.crossing[at]
            if crossed == rich:
                room.holder[:] = held
                asking[poor] = True
                both = row[0]
                if not able[poor]:
                    both = spare_with(lines, poor, alone, row[0], closed, room)
                if both < row[0] and not (
                    board.by_lines
                    and sets_pass(board, row, alive, among, decided, asking, done, both, room)
                ):
                    return False
                asking[poor], done[poor] = False, True
        asking[rich] = False
        room.holder[:] = begun
    return True


@njit(nogil=True)
def sets_pass(
    board: Board,
    row: Longs,
    alive: Flags,
    among: Flags,
    decided: Flags,
    asking: Flags,
    done_before: Flags,
    spare: int,
    room: Scratch,
) -> bool:
    """Return whether every connected set with those that ask passes the test."""
    # These have `spare` spare cells, fewer than p, and hold them; those that they tried are closed.
    # Sets with a line that is done are left out. With some lines fixed, all sets with the fewest
    # spare cells are parts of one. If there are not too many stones on that one, all its parts are
    # in order. Others hold a line outside it, which is fixed next, and left out afterwards; then
    # there are more spare cells, until there are p.
    lines, size, steps = board.lines, len(among), row[0] - spare
    # For each step: the lines fixed and those left out, the largest set [steps, lines] and its
    # cells, holders and closed cells [steps, cells], spare cells and the next line [steps]. Spare
    # cells grow from step to step, so that there are at most p - spare steps.
    fixed, done, whole = np.zeros((3, steps, size), np.bool_)
    reached = np.zeros((steps, len(room.holder)), np.bool_)
    holders, closed = np.zeros((2, steps, len(room.holder)), np.int64)
    spares, nexts = np.zeros((2, steps), np.int64)
    fixed[0], done[0], spares[0] = asking, done_before, spare
    depth, fresh = 0, True
    while depth >= 0:
        # 1. The largest set, whose bound is by its lines or, if it is a block, its spare cells:
        #    the stones on any part of it are on its cells too, and no part has fewer to spare.
        if fresh:
            able = can_have_more(lines, among, room)
            whole[depth], reached[depth] = tightest_with(lines, among, fixed[depth], able, room)
            found = spares[depth]
            if not is_block(board, whole[depth]) and (
                max_stones(board, row, alive, whole[depth], decided, found) > found
            ):
                return False
            # A line that shares a cell with the set and is not in it can have one more.
            first = size if found + 1 == row[0] else 0
            holders[depth], closed[depth], nexts[depth] = room.holder, room.tried, first
        # 2. The next line outside it that touches it: a connected set with the fixed lines that is
        #    no part of it has such a line.
        line, fresh = nexts[depth], False
        if line == size:
            depth -= 1
            continue
        nexts[depth] += 1
        touches = False
        if among[line] and not whole[depth, line] and not done[depth, line]:
            for at in range(lines.starts[line], lines.starts[line + 1]):
                touches |= reached[depth, lines.cells[at]]
        # 3. Sets with this line too, unless they have p spare cells, as many as there are stones.
        if touches:
            room.holder[:], done[depth, line] = holders[depth], True
            found = spare_with(lines, line, spares[depth], row[0], closed[depth], room)
            if found < row[0]:
                fixed[depth + 1], spares[depth + 1] = fixed[depth], found
                fixed[depth + 1, line], done[depth + 1] = True, done[depth]
                depth, fresh = depth + 1, True
    return True


@njit(nogil=True)
def is_won_by_pairs(board: Board, state: State, room: Scratch) -> bool:
    """Return whether pairs settle a state: (i) two cells for each live line, and (ii) the test."""
    lines, maker = board.lines, state.maker
    live = (lines.keys_on & state.breaker) == 0
    close(lines, maker | state.breaker, room)
    if not have_two_each(lines, live, room):
        return False
    decided = live & ((lines.keys_on & ~maker) == 0) & (lines.kinds != MAIN)
    alive = cells_on(board, live & (lines.kinds == RICH))
    return bool(passes_test(board, state.row, alive, live, decided, room))


@njit(nogil=True)
def are_decided_safe(board: Board, earlier: np.uint64, state: State, room: Scratch) -> bool:
    """Return whether the test holds for the lines decided after a key that was not `earlier`."""
    lines = board.lines
    live = ((lines.keys_on & state.breaker) == 0) & (lines.kinds != MAIN)
    now = live & ((lines.keys_on & ~state.maker) == 0)
    then = live & ((lines.keys_on & ~earlier) == 0)
    if (now == then).all():
        return True
    close(lines, ~np.uint64(0), room)
    alive = cells_on(board, live & (lines.kinds == RICH))
    fit = have_two_each(lines, now, room)
    return bool(fit and passes_test(board, state.row, alive, now, then, room))
