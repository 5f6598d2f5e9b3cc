"""Maker-Breaker games as they stand: cells and lines in flat arrays, leaves, names of positions.

Player 0 is the Maker, who wants the cells of whole lines, player 1 the Breaker. A line is *live*
while the Breaker has no stone in it, and a cell while a line through it is. Dead cells play no
part: who owns them, if anyone, changes nothing, as another stone never harms.

`s` is one position, int32: the numbers `PLY` and `DONE` (lines completed), then for each cell its
owner (-1 where free), its live lines and the line that has it in its pair, or -1; then for each
line the cells that the Maker lacks and the Breaker's stones.

`r` are the rules, int64: the numbers below, then for each ply the mover and the cells that are
left of that turn, and then the weights by the number of free cells, rounded up, in parts of
2^40: (1 + b)^(-k/a) for k cells and a bias of a to b.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, fill
from hyperoxo.kernels.lean import lean

PLY, DONE, HEAD = range(3)
CELLS, LINES, PLIES, TARGET, MAKER_CELLS, BREAKER_CELLS, CYCLE, RULES = range(8)

MAKER, BREAKER = 1, 2
"""Who wins, as far as a leaf says so; 0 where it does not."""

PART = 1 << 40


@lean
def mover(r: Longs, s: Ints) -> int:
    """Return who is to move, 0 the Maker."""
    return int(r[RULES + s[PLY]])


@lean
def left(r: Longs, s: Ints) -> int:
    """Return how many cells are left of the turn."""
    return int(r[RULES + r[PLIES] + 1 + s[PLY]])


@lean
def weight(r: Longs, free: int) -> int:
    """Return the weight of a line by its free cells."""
    return int(r[RULES + 2 * (r[PLIES] + 1) + free])


@lean
def put(r: Longs, s: Ints, cell: int, by: Ints, through: Ints, start: Ints, inside: Ints) -> None:
    """Place a stone of the player to move; `by` and `through` are the lines of each cell."""
    cells, lines = r[CELLS], r[LINES]
    who = mover(r, s)
    s[HEAD + cell] = who
    s[PLY] += 1
    lacking = HEAD + 3 * cells
    for i in range(by[cell], by[cell + 1]):
        line = through[i]
        if who == 0:
            s[lacking + line] -= 1
            if s[lacking + line] == 0 and s[lacking + lines + line] == 0:
                s[DONE] += 1
        else:
            s[lacking + lines + line] += 1
            if s[lacking + lines + line] == 1:
                for j in range(start[line], start[line + 1]):
                    s[HEAD + cells + inside[j]] -= 1


@lean
def take(r: Longs, s: Ints, cell: int, by: Ints, through: Ints, start: Ints, inside: Ints) -> None:
    """Take back the stone that was placed last."""
    cells, lines = r[CELLS], r[LINES]
    s[PLY] -= 1
    s[HEAD + cell] = -1
    who = mover(r, s)
    lacking = HEAD + 3 * cells
    for i in range(by[cell], by[cell + 1]):
        line = through[i]
        if who == 0:
            if s[lacking + line] == 0 and s[lacking + lines + line] == 0:
                s[DONE] -= 1
            s[lacking + line] += 1
        else:
            if s[lacking + lines + line] == 1:
                for j in range(start[line], start[line + 1]):
                    s[HEAD + cells + inside[j]] += 1
            s[lacking + lines + line] -= 1


@lean
def live_cells(r: Longs, s: Ints, marks: Bytes) -> int:
    """Mark the free cells on live lines; return how many there are."""
    count = 0
    for cell in range(r[CELLS]):
        marks[cell] = s[HEAD + cell] < 0 and s[HEAD + r[CELLS] + cell] > 0
        count += marks[cell]
    return count


@lean
def paired(r: Longs, s: Ints, start: Ints, inside: Ints, work: Ints) -> None:
    """Give lines two free cells of their own, starting from the pairs of the last position.

    `work` has an entry for each cell, the line that asked for it, and three for each line: a queue,
    how many cells it has, and the cell of its own by which the search came to it.
    """
    cells, lines = r[CELLS], r[LINES]
    lacking, pair = HEAD + 3 * cells, HEAD + 2 * cells
    queue, has, via = cells, cells + lines, cells + 2 * lines
    for line in range(lines):
        work[has + line] = 0
        work[via + line] = -1
    # 1. What still holds of the pairs before.
    for cell in range(cells):
        line = s[pair + cell]
        if line >= 0 and (s[HEAD + cell] >= 0 or s[lacking + lines + line] > 0):
            s[pair + cell] = -1
        elif line >= 0:
            work[has + line] += 1
    # 2. Each line that has fewer than two asks, and who has a cell asks for another instead.
    for asking in range(lines):
        if s[lacking + lines + asking] > 0 or s[lacking + asking] < 2:
            continue
        while work[has + asking] < 2:
            for cell in range(cells):
                work[cell] = -1
            first, last, found = 0, 1, -1
            work[queue] = asking
            work[via + asking] = cells
            while first < last and found < 0:
                line = work[queue + first]
                first += 1
                for j in range(start[line], start[line + 1]):
                    cell = inside[j]
                    if s[HEAD + cell] >= 0 or work[cell] >= 0 or s[pair + cell] == line:
                        continue
                    work[cell] = line
                    holder = s[pair + cell]
                    if holder < 0:
                        found = cell
                        break
                    if work[via + holder] < 0:
                        work[via + holder] = cell
                        work[queue + last] = holder
                        last += 1
            # Cells are handed on along the way back.
            cell = found
            while cell >= 0 and cell < cells:
                line = work[cell]
                s[pair + cell] = line
                cell = work[via + line]
            for i in range(last):
                work[via + work[queue + i]] = -1
            if found < 0:
                break
            work[has + asking] += 1
    # 3. A cell alone is no pair.
    for cell in range(cells):
        line = s[pair + cell]
        if line >= 0 and work[has + line] < 2:
            s[pair + cell] = -1


@lean
def _kept_by_weight(
    r: Longs, s: Ints, start: Ints, inside: Ints, pairs: bool, sums: Longs, zone: Bytes
) -> bool:
    """Whether the weights, of the lines without a pair where there are pairs, are small enough."""
    cells, lines = r[CELLS], r[LINES]
    lacking, pair = HEAD + 3 * cells, HEAD + 2 * cells
    fill(sums, 0)
    fill(zone, 0)
    total, heaviest = 0, 0
    for line in range(lines):
        if s[lacking + lines + line] > 0:
            continue
        free, kept = 0, False
        for j in range(start[line], start[line + 1]):
            cell = inside[j]
            if s[HEAD + cell] < 0:
                if pairs and s[pair + cell] >= 0:
                    kept = kept or s[pair + cell] == line
                else:
                    free += 1
        if kept:
            continue
        worth = weight(r, free)
        total += worth
        for j in range(start[line], start[line + 1]):
            cell = inside[j]
            if s[HEAD + cell] < 0 and not (pairs and s[pair + cell] >= 0):
                zone[cell] = 1
                sums[cell] += worth
                heaviest = max(heaviest, sums[cell])
    now = left(r, s)
    if now == 1 and r[MAKER_CELLS] == 1:
        total += r[BREAKER_CELLS] * heaviest
    else:
        # The same as at the end of the turn: each line gains as if all its cells were on it.
        total = 0
        for line in range(lines):
            if s[lacking + lines + line] == 0:
                total += weight(r, max(0, s[lacking + line] - now))
    if total >= r[TARGET] * PART:
        return False
    if pairs:
        for cell in range(cells):
            if s[pair + cell] >= 0:
                zone[cell] = 1
    return True


@lean
def leaf(
    r: Longs, s: Ints, start: Ints, inside: Ints, sums: Longs, work: Ints, zone: Bytes, marks: Bytes
) -> int:
    """Tell who wins, where lines and weights decide it, and the cells that this rests on.

    `zone` gets these cells. Where nobody is known to win, `marks` gets the cells that may be
    played on, and `zone` is all of a threat that the Breaker must answer.
    """
    cells, lines = r[CELLS], r[LINES]
    lacking = HEAD + 3 * cells
    fill(zone, 0)
    if s[DONE] >= r[TARGET]:
        return MAKER
    count = live_cells(r, s, marks)
    if count == 0:
        return BREAKER
    now, making = left(r, s), mover(r, s) == 0
    reach = now if making else int(r[MAKER_CELLS])
    if r[TARGET] - s[DONE] == 1:
        # A line that the Maker completes in this turn, or in the next one: the Breaker's first
        # cell is in it, or with one cell left in all such lines.
        shortest = -1
        for line in range(lines):
            if s[lacking + lines + line] or s[lacking + line] > reach or s[lacking + line] == 0:
                continue
            if making or now == 1:
                for j in range(start[line], start[line + 1]):
                    if s[HEAD + inside[j]] < 0:
                        zone[inside[j]] = 1
                if making:
                    return MAKER
                count = _only_in(start, inside, line, marks)
                if count == 0:
                    return MAKER
            elif shortest < 0 or s[lacking + line] < s[lacking + shortest]:
                shortest = line
        if shortest >= 0:
            for j in range(start[shortest], start[shortest + 1]):
                if s[HEAD + inside[j]] < 0:
                    zone[inside[j]] = 1
            _only_in(start, inside, shortest, marks)
    if making:
        if r[MAKER_CELLS] == 1:
            paired(r, s, start, inside, work)
            if _kept_by_weight(r, s, start, inside, True, sums, zone):
                return BREAKER
        if _kept_by_weight(r, s, start, inside, False, sums, zone):
            return BREAKER
        fill(zone, 0)
    return 0


@lean
def _only_in(start: Ints, inside: Ints, line: int, marks: Bytes) -> int:
    """Keep the marks of free cells of a line only; return how many are left."""
    count = 0
    for j in range(start[line], start[line + 1]):
        marks[inside[j]] *= 2
    for cell in range(len(marks)):
        marks[cell] //= 2
        count += marks[cell]
    return count


@lean
def name(
    r: Longs, s: Ints, codes: Words, perms: Ints, group: int, cells_of: Ints, into: Words
) -> int:
    """Write the name of a position, two words, and return the symmetry that gives it.

    Only what matters counts: dead cells, the Maker's live ones, and the place in the round.
    """
    cells = r[CELLS]
    count = 0
    for cell in range(cells):
        if s[HEAD + cells + cell] == 0:
            cells_of[count] = cell
            count += 1
    dead = count
    for cell in range(cells):
        if s[HEAD + cells + cell] > 0 and s[HEAD + cell] == 0:
            cells_of[count] = cell
            count += 1
    best, chosen = np.uint64(0), -1
    for image in range(group):
        total = np.uint64(s[PLY] % r[CYCLE]) * codes[2, 0]
        for i in range(count):
            total += codes[int(i >= dead), perms[image, cells_of[i]]]
        if chosen < 0 or total < best:
            best, chosen = total, image
    check = np.uint64(s[PLY] % r[CYCLE]) * codes[2, 0]
    for i in range(count):
        check += codes[3 + int(i >= dead), perms[chosen, cells_of[i]]]
    into[0], into[1] = best, check
    return chosen
