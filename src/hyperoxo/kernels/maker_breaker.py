"""Maker-Breaker positions: incremental line counters, potentials, leaf tests, canonical names.

Player 0 is the Maker, who wants the cells of whole lines, player 1 the Breaker. A line is *live*
while the Breaker has no stone in it, and a cell while a line through it is. Dead cells play no
part: who owns them, if anyone, changes nothing, as another stone never harms.

In Avoider-Enforcer play player 0 is the Avoider, who does not want whole lines, and player 1 the
Enforcer. Stones may harm there, and what counts of dead cells is how many are free.

Placing a stone updates all that leaves need: the number of live lines by the cells they lack, the
weight of the live lines through each cell, and the names of all images under the symmetries.
"""

# A line with k free cells and no Breaker stone weighs (1 + b)^-(k / a), for a Maker's turn of a
# cells and a Breaker's of b; the sum over lines is the potential. Breaker, to move, wins if it is
# below the target: P. Erdos and J. Selfridge, "On a combinatorial game", JCT A 14, 1973; J. Beck,
# "Remarks on positional games", Acta Math. Hungar. 40, 1982. Weights are integers in units of
# 2^-40, rounded up, so that a comparison with the target errs only on the safe side.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, fill

PLY, DONE = range(2)
"""Numbers of a position: stones placed, and live lines completed."""

MAKER, BREAKER = 1, 2
"""The winner, if a leaf test decides it, else 0. In Avoider-Enforcer play the Avoider completes
lines and loses by it, so that MAKER means the Enforcer's win."""

PART = 1 << 40
FINE = 1 << 20
DEAD, MADE = 0, 1
"""Kinds of cells in a name: on no live line, or the Maker's on a live line."""


class MakerBoard(NamedTuple):
    """Rules, lines, symmetries and hash codes of a game."""

    target: int
    maker_cells: int
    breaker_cells: int
    cycle: int
    avoids: bool
    """True in Avoider-Enforcer play."""
    movers: Bytes
    left: Ints
    """By ply: the player to move, and the cells left of the turn."""
    gains: Longs
    """Relative gain of the potential by m Maker cells, m = 0 to a, in units of 1 / `FINE`,
    rounded up: (1 + b)^(m/a) - 1."""
    weights: Longs
    """Weights by the free cells, rounded up, in units of 1 / `PART`: (1 + b)^(-k/a) for k."""
    by: Ints
    through: Ints
    """The lines through each cell, in CSR form."""
    start: Ints
    inside: Ints
    """The cells of each line, in CSR form."""
    perms: Ints
    """The symmetries, ``[symmetries, cells]``."""
    images: Words
    """Hash of a cell in the names of all images, ``[2, cells, symmetries]``."""
    checks: Words
    """Hash of a cell in the second word of names; row 2: of the place in the round, in both."""


class MakerState(NamedTuple):
    """One position."""

    numbers: Ints
    """PLY and DONE."""
    owner: Ints
    lives: Ints
    pair: Ints
    """For each cell its owner, 0, 1 or -1 if free; its live lines; the line of its pair or -1."""
    lacks: Ints
    stopped: Ints
    """For each line the cells that the Maker lacks, and the Breaker's stones."""
    short: Longs
    """Live lines by the number of cells they lack."""
    sums: Longs
    """The potential, then the weight of the live lines through each cell, ``[1 + N]``."""
    names: Words
    """The name of each image of the position."""


class MakerScratch(NamedTuple):
    """Scratch arrays with an entry for each cell or line."""

    marks: Bytes
    by: Bytes
    sums: Longs
    # Of the matching: for each cell the line that asked for it, and the list of these cells; for
    # each line the cells it has, and the cell by which it was reached, and the queue of lines.
    asked: Ints
    seen: Ints
    has: Ints
    via: Ints
    queue: Ints


@njit(**NO_REFCOUNT)
def mover(board: MakerBoard, state: MakerState) -> int:
    """Return the player to move, 0 the Maker."""
    return int(board.movers[state.numbers[PLY]])


@njit(**NO_REFCOUNT)
def left(board: MakerBoard, state: MakerState) -> int:
    """Return the cells left of the turn."""
    return int(board.left[state.numbers[PLY]])


@njit(**NO_REFCOUNT)
def completes(board: MakerBoard, state: MakerState) -> bool:
    """Return whether the player to move wins by completed lines: the Maker, or the Enforcer."""
    return (mover(board, state) == 0) != board.avoids


@njit(**NO_REFCOUNT)
def _rename(board: MakerBoard, state: MakerState, kind: int, cell: int, add: bool) -> None:
    """Add a cell to the names of all images, or take it away."""
    codes, names = board.images[kind, cell], state.names
    if add:
        for image in range(len(names)):
            names[image] += codes[image]
    else:
        for image in range(len(names)):
            names[image] -= codes[image]


@njit(**NO_REFCOUNT)
def _weigh(board: MakerBoard, state: MakerState, line: int, more: int) -> None:
    """Add to the weight of a line."""
    sums = state.sums
    sums[0] += more
    for j in range(board.start[line], board.start[line + 1]):
        sums[1 + board.inside[j]] += more


@njit(**NO_REFCOUNT)
def put(board: MakerBoard, state: MakerState, cell: int) -> None:
    """Place a stone of the player to move."""
    who = mover(board, state)
    state.owner[cell] = who
    state.numbers[PLY] += 1
    if who == 0:
        _change_makers(board, state, cell, 1)
    else:
        _change_breakers(board, state, cell, 1)


@njit(**NO_REFCOUNT)
def take(board: MakerBoard, state: MakerState, cell: int) -> None:
    """Take back the stone that was placed last."""
    state.numbers[PLY] -= 1
    state.owner[cell] = -1
    if mover(board, state) == 0:
        _change_makers(board, state, cell, -1)
    else:
        _change_breakers(board, state, cell, -1)


@njit(**NO_REFCOUNT)
def _change_makers(board: MakerBoard, state: MakerState, cell: int, by: int) -> None:
    """Update the counters for one Maker stone more (`by` 1) or less (-1)."""
    lacks, weights = state.lacks, board.weights
    if state.lives[cell] > 0:
        _rename(board, state, MADE, cell, by > 0)
    for i in range(board.by[cell], board.by[cell + 1]):
        line = board.through[i]
        before = lacks[line]
        after = before - by
        lacks[line] = after
        if state.stopped[line] == 0:
            state.short[before] -= 1
            state.short[after] += 1
            state.numbers[DONE] += (after == 0) - (before == 0)
            _weigh(board, state, line, weights[after] - weights[before])


@njit(**NO_REFCOUNT)
def _change_breakers(board: MakerBoard, state: MakerState, cell: int, by: int) -> None:
    """Update the counters for one Breaker stone more (`by` 1) or less (-1)."""
    owner, lives, stopped = state.owner, state.lives, state.stopped
    for i in range(board.by[cell], board.by[cell + 1]):
        line = board.through[i]
        before = stopped[line]
        after = before + by
        stopped[line] = after
        # 1. Only the first stone on a line kills it, and only the last one gone revives it.
        if before > 0 and after > 0:
            continue
        lack = state.lacks[line]
        state.short[lack] -= by
        _weigh(board, state, line, -by * board.weights[lack])
        for j in range(board.start[line], board.start[line + 1]):
            other = board.inside[j]
            before = lives[other]
            after = before - by
            lives[other] = after
            # 2. A cell that loses its last live line, or gets its first, changes its kind in names.
            if before == 0 or after == 0:
                _rename(board, state, DEAD, other, by > 0)
                if owner[other] == 0:
                    _rename(board, state, MADE, other, by < 0)


@njit(**NO_REFCOUNT)
def live_cells(state: MakerState, marks: Bytes) -> None:
    """Mark the free cells on live lines."""
    for cell in range(len(marks)):
        marks[cell] = state.owner[cell] < 0 and state.lives[cell] > 0


@njit(**NO_REFCOUNT)
def _only_in(board: MakerBoard, state: MakerState, line: int, zone: Bytes, marks: Bytes) -> int:
    """Keep the marks of free cells of a line only, and add these cells to a zone."""
    # Marks are 0 or 1: doubled on the line and halved everywhere, they survive on the line alone.
    for j in range(board.start[line], board.start[line + 1]):
        cell = board.inside[j]
        if state.owner[cell] < 0:
            zone[cell] = 1
            marks[cell] *= 2
    marked = 0
    for cell in range(len(marks)):
        marks[cell] //= 2
        marked += marks[cell]
    return marked


@njit(**NO_REFCOUNT)
def threat(board: MakerBoard, state: MakerState, zone: Bytes, marks: Bytes) -> int:
    """Return MAKER if the Maker completes the last line needed, whatever the Breaker does first.

    A line that the Maker completes in the next turn is a zone by itself. The Breaker's move is in
    one of them, or with one cell left of the turn in all: `marks` keeps these moves only.
    """
    fill(zone, 0)
    lacking = board.target - state.numbers[DONE]
    if lacking <= 0:
        return MAKER
    if lacking > 1:
        return 0
    making, now = mover(board, state) == 0, left(board, state)
    reach = min(now if making else board.maker_cells, len(state.short) - 1)
    least = 1
    while least <= reach and state.short[least] == 0:
        least += 1
    if least > reach:
        return 0
    # Here a live line is within reach of the Maker's present or next turn.
    lacks, stopped = state.lacks, state.stopped
    for line in range(len(lacks)):
        lack = lacks[line]
        if stopped[line] or lack == 0 or lack > reach:
            continue
        if making or now > 1:
            # One of the shortest. The Maker fills it. A Breaker with several cells left must put
            # one on it in this turn, and may do so first: within a turn the order does not matter.
            if lack == least:
                _only_in(board, state, line, zone, marks)
                return MAKER if making else 0
        # The Breaker's last cell must stop all of them; no mark left means that none does.
        elif _only_in(board, state, line, zone, marks) == 0:
            return MAKER
    return 0


@njit(**NO_REFCOUNT)
def leaf(
    board: MakerBoard, state: MakerState, scratch: MakerScratch, zone: Bytes, pairs: bool
) -> int:
    """Return the winner if lines and weights decide it, and the `zone`; `pairs` is slow."""
    # 1. Lines within reach, or none left.
    fill(scratch.marks, 1)
    if board.avoids:
        fill(zone, 1)
        return _avoided(board, state)
    found = threat(board, state, zone, scratch.marks)
    if found:
        return found
    open_lines = 0
    for lack in range(1, len(state.short)):
        open_lines += state.short[lack]
    if open_lines == 0:
        fill(zone, 0)
        return BREAKER
    most = board.target * PART
    breaking, now = mover(board, state) == 1, left(board, state)
    # 2. The potential, with the Breaker's whole turn to come. If the Breaker is to move and it is
    #    too large, the tests below fail too: their bounds only add to it.
    if breaking and now == board.breaker_cells and state.sums[0] < most:
        # The heaviest cells in order take away all that the Maker's next turn adds.
        live_cells(state, zone)
        return BREAKER
    if breaking and state.sums[0] >= most:
        return 0
    # 3. The potential after what the Maker can add before the Breaker's next turn.
    heaviest, free, crossing = 0, 0, 0
    for cell in range(len(state.owner)):
        if state.owner[cell] < 0 and state.lives[cell] > 0:
            heaviest = max(heaviest, state.sums[1 + cell])
            crossing = max(crossing, state.lives[cell])
            free += 1
    if _is_won_by_weights(board, state, breaking, now, heaviest):
        live_cells(state, zone)
        return BREAKER
    # 4. Pairs, if the Maker has one cell a turn: the Breaker answers in the pair, and plays by
    #    weights on the lines without one.
    if board.maker_cells > 1:
        return 0
    most -= state.numbers[DONE] * PART
    if breaking or not pairs or _hopeless(board, open_lines, free, crossing, most):
        return 0
    paired(board, state, scratch)
    if _is_won_by_pairs(board, state, scratch.sums, zone):
        return BREAKER
    return 0


@njit(**NO_REFCOUNT)
def _is_won_by_weights(
    board: MakerBoard, state: MakerState, breaking: bool, now: int, heaviest: int
) -> bool:
    """Return whether the potential stays below the target, whatever the Maker's turn adds."""
    # The cells that the Breaker takes before that weigh as much, one by one. Lines with fewer free
    # cells than are left of the Maker's turn count whole, and not in the heaviest cell.
    most, total, times = board.target * PART, state.sums[0], board.breaker_cells
    if breaking:
        times -= now
    elif board.maker_cells > 1:
        # As if each line gained all cells of the turn.
        grown = 0
        for lack in range(len(state.short)):
            grown += state.short[lack] * board.weights[max(0, lack - now)]
            if lack < now:
                total += state.short[lack] * (PART - board.weights[lack])
        if grown < most:
            return True
    if total >= most or times == 0:
        return bool(total < most)
    if breaking or now == board.maker_cells:
        return bool(heaviest <= (most - total - 1) // times)
    return bool(heaviest // FINE < (most - total) // board.gains[now])


@njit(**NO_REFCOUNT)
def _avoided(board: MakerBoard, state: MakerState) -> int:
    """Return the winner in Avoider-Enforcer play, if lines and weights decide it."""
    # Lines weigh 2^-(free cells). An Avoider of one cell takes the one that adds least, and the
    # Enforcer's next one takes away as much, so that the weight never grows; only where the Avoider
    # has the last cell of the board, no answer follows, and half as much is allowed.
    if state.numbers[DONE] >= board.target:
        return MAKER
    within_reach = 0
    for lack in range(len(state.short)):
        within_reach += state.short[lack]
    if within_reach < board.target:
        return BREAKER
    if board.maker_cells > 1:
        return 0
    total = state.sums[0]
    if board.movers[-2] == 0:
        total *= 2
    return BREAKER if total < board.target * PART else 0


@njit(**NO_REFCOUNT)
def _hopeless(board: MakerBoard, lines: int, free: int, crossing: int, most: int) -> bool:
    """Return whether the lines without a pair weigh too much for every number of pairs."""
    # Cells in no pair are at most `crossing` times on them, and equal shares of these weigh least.
    longest = len(board.weights) - 1
    for pairs in range(min(lines, free // 2) + 1):
        others = lines - pairs
        if others == 0:
            return False
        share = ((free - 2 * pairs) * crossing + others - 1) // others
        if others * board.weights[min(longest, share)] < most:
            return False
    return True


@njit(**NO_REFCOUNT)
def paired(board: MakerBoard, state: MakerState, scratch: MakerScratch) -> None:
    """Match lines with two private free cells each, starting from the last position's matching.

    Each search is for an augmenting path. Lines and cells of a failed search stay marked, since
    no later search finds more there.
    """
    owner, pairs = state.owner, state.pair
    lacks, stopped = state.lacks, state.stopped
    asked, has, via = scratch.asked, scratch.has, scratch.via
    fill(has, 0)
    fill(via, -1)
    # 1. The pairs of before, less those on cells taken or on dead lines.
    for cell in range(len(asked)):
        asked[cell] = -1
        line = pairs[cell]
        if line >= 0 and (owner[cell] >= 0 or stopped[line] > 0):
            pairs[cell] = -1
        elif line >= 0:
            has[line] += 1
    # 2. A path for each cell that a live line lacks. A line with `via` set failed.
    for asking in range(len(has)):
        if stopped[asking] > 0 or lacks[asking] < 2:
            continue
        while has[asking] < 2 and via[asking] < 0:
            found = _find_augmenting(board, state, scratch, asking)
            if found < 0:
                break
            # The path backwards: each line on it takes the cell it asked for, and gives up the one
            # by which it was reached. Only the marks of a successful search are cleared.
            cell = found
            while cell < len(asked):
                line = asked[cell]
                pairs[cell] = line
                cell = via[line]
            for i in range(scratch.queue[len(has)]):
                via[scratch.queue[i]] = -1
            for i in range(scratch.seen[len(asked)]):
                asked[scratch.seen[i]] = -1
            has[asking] += 1
    # 3. A single cell is not a pair.
    for cell in range(len(asked)):
        line = pairs[cell]
        if line >= 0 and has[line] < 2:
            pairs[cell] = -1


@njit(**NO_REFCOUNT)
def _find_augmenting(board: MakerBoard, state: MakerState, scratch: MakerScratch, root: int) -> int:
    """Search breadth first for a cell that no line has; -1 if there is no augmenting path."""
    # The last entries of `queue` and `seen` are the numbers of lines and cells reached.
    owner, pairs = state.owner, state.pair
    asked, via, queue, seen = scratch.asked, scratch.via, scratch.queue, scratch.seen
    first, last, count = 0, 1, 0
    queue[0] = root
    via[root] = len(asked)
    found = -1
    while first < last and found < 0:
        line = queue[first]
        first += 1
        for j in range(board.start[line], board.start[line + 1]):
            cell = board.inside[j]
            if owner[cell] >= 0 or asked[cell] >= 0 or pairs[cell] == line:
                continue
            asked[cell] = line
            seen[count] = cell
            count += 1
            holder = pairs[cell]
            if holder < 0:
                found = cell
                break
            if via[holder] < 0:
                via[holder] = cell
                queue[last] = holder
                last += 1
    queue[len(via)], seen[len(asked)] = last, count
    return found


@njit(**NO_REFCOUNT)
def _is_won_by_pairs(board: MakerBoard, state: MakerState, sums: Longs, zone: Bytes) -> bool:
    """Return whether the lines without a pair weigh little enough, and set the zone if so."""
    # Cells of pairs count as the Maker's on these lines, since the Maker may get either one of a
    # pair; only the others are free in the exponent.
    owner, pairs, stopped = state.owner, state.pair, state.stopped
    most = board.target * PART
    fill(sums, 0)
    for cell in range(len(zone)):
        zone[cell] = pairs[cell] >= 0
    total, heaviest = 0, 0
    for line in range(len(stopped)):
        if stopped[line] > 0:
            continue
        free, has_pair = 0, False
        for j in range(board.start[line], board.start[line + 1]):
            cell = board.inside[j]
            if owner[cell] < 0:
                if pairs[cell] >= 0:
                    has_pair = has_pair or pairs[cell] == line
                else:
                    free += 1
        if has_pair:
            continue
        worth = board.weights[free]
        total += worth
        if total >= most:
            return False
        for j in range(board.start[line], board.start[line + 1]):
            cell = board.inside[j]
            if owner[cell] < 0 and pairs[cell] < 0:
                zone[cell] = 1
                sums[cell] += worth
                heaviest = max(heaviest, sums[cell])
    # The Maker moves first, and multiplies the weight of the lines through one cell by 1 + b.
    return bool(total + board.breaker_cells * heaviest < most)


@njit(**NO_REFCOUNT)
def dominated(board: MakerBoard, state: MakerState, marks: Bytes, counts: Ints, by: Bytes) -> None:
    """Take away the marks of dominated moves: another marked move is at least as good.

    All live lines through such a cell also pass one other free cell, which stays marked. Where
    lines are avoided, it is the other way round. `by` marks the better cells.
    """
    lives, stopped, avoids = state.lives, state.stopped, board.avoids
    fill(counts, 0)
    for cell in range(len(marks)):
        if not marks[cell]:
            continue
        # 1. Count the live lines through `cell` that pass each other cell. With all of them the
        #    other cell dominates (in avoiding play with all of its own); of equals the lower one,
        #    so that no two cells dominate each other and a chain ends in a marked cell.
        better = -1
        for i in range(board.by[cell], board.by[cell + 1]):
            line = board.through[i]
            if stopped[line]:
                continue
            for j in range(board.start[line], board.start[line + 1]):
                other = board.inside[j]
                counts[other] += 1
                if other == cell or not marks[other]:
                    continue
                more = lives[other] - lives[cell]
                if avoids:
                    more = -more
                whole = lives[other] if avoids else lives[cell]
                if counts[other] == whole and (more > 0 or (more == 0 and other < cell)):
                    better = other
        # 2. Clear only the counts that were touched.
        for i in range(board.by[cell], board.by[cell + 1]):
            line = board.through[i]
            for j in range(board.start[line], board.start[line + 1]):
                counts[board.inside[j]] = 0
        if better >= 0:
            marks[cell] = 0
            by[better] = 1


@njit(**NO_REFCOUNT)
def moves_to_try(board: MakerBoard, state: MakerState, scratch: MakerScratch, zone: Bytes) -> None:
    """Mark the relevant moves; `zone` is that of the refutation of all others."""
    marks, by = scratch.marks, scratch.by
    fill(by, 0)
    if board.avoids:
        # A stone on a dead cell neither completes nor kills a line. No move is better: its owner
        # can play on as if the other cell were theirs, and if the rival takes that, so much the
        # better.
        fill(zone, 1)
        fill(marks, 0)
        for cell in range(len(marks)):
            if state.owner[cell] < 0 and state.lives[cell] == 0:
                marks[cell] = 1
                return
        live_cells(state, marks)
        dominated(board, state, marks, scratch.asked, by)
        return
    live_cells(state, marks)
    threat(board, state, zone, marks)
    dominated(board, state, marks, scratch.asked, by)
    # The Breaker refutes a dominated move of the Maker as the better one, and may need the better
    # cell, which is still free. To refute a dominated move of the Breaker the Maker needs no cell
    # more: the stone kills fewer lines.
    if mover(board, state) == 0:
        for cell in range(len(marks)):
            zone[cell] |= by[cell]


@njit(**NO_REFCOUNT)
def name(board: MakerBoard, state: MakerState, into: Words) -> int:
    """Write the canonical name of a position, two words; return the symmetry that leads to it.

    It depends on dead cells, the Maker's live ones, and the place in the round alone.
    """
    # The first word is the least name over all images; the second, made for that image alone, only
    # confirms it.
    chosen = 0
    for image in range(1, len(state.names)):
        if state.names[image] < state.names[chosen]:
            chosen = image
    perm = board.perms[chosen]
    place = np.uint64(state.numbers[PLY] % board.cycle)
    check = place * board.checks[2, 0]
    for cell in range(len(perm)):
        if state.lives[cell] == 0:
            check += board.checks[DEAD, perm[cell]]
        elif state.owner[cell] == 0:
            check += board.checks[MADE, perm[cell]]
    into[0] = state.names[chosen] + place * board.checks[2, 1 % len(perm)]
    into[1] = check
    return chosen
