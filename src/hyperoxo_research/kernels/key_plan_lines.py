"""The test of R5 for plans by lines: connected sets of lines hold no more stones than spare cells.

`docs/key-plans.md` has the rules and their proofs; R6 and R7 are in `breaker_stones`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo_research.kernels.key_plan_flow import (
    Flow,
    close,
    come_back,
    grow,
    take_base,
    take_over,
)
from hyperoxo_research.kernels.key_plan_rules import (
    POOR,
    RICH,
    TAKEN,
    UNHELD,
    Matching,
    PlanBoard,
    one_more,
)
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    SEVERAL,
    all_stones,
    is_open,
    live_in,
    stones_in,
    warm_in,
)

# Both limits give a state up as no leaf, which is sound: a plan is only harder to find.
MOST_STEPS = 16
"""Most lines chosen at a time."""
_MOST_SETS = 100_000
"""Sets tested for one state."""
_SPARE, _NEXT = range(2)
_ONE, _NONE = np.uint64(1), np.uint64(0)


class Sets(NamedTuple):
    """Stack of the search over sets of lines with few spare cells, and scratch arrays."""

    flow: Flow
    # chosen[0] is a poor line, chosen[1] a rich one that crosses it, chosen[2:] were added.
    chosen: Longs
    """The lines F that all sets of a step hold."""
    steps: Longs
    """At each step, the spare cells and the next line to add, ``[2, steps]``."""
    touching: Words
    """At each step, the lines that touch V, ``[steps, words]``."""
    inside: Longs
    """The lines of V, the largest set with the fewest spare cells."""
    on_poor: Longs
    on_decided: Longs
    """Number of poor or decided lines of V on each cell, ``[cells]``, 0 between tests."""
    # Rows: the set of its rich lines; of those outside Delta; the number c of bound 5; and the set
    # of all live lines.
    parts: Longs
    """V by regions, ``[4, regions + 1]``."""
    poor: Longs
    """The poor lines, the latest to fail first."""
    done: Words
    """Poor lines whose pairs are all tested, ``[words]``."""
    crossed: Words
    """Scratch set of lines, ``[words]``."""
    base: Flow
    """A 2-matching of the poor lines alone."""


@njit(**NO_REFCOUNT)
def sets_pass(
    board: PlanBoard,
    state: Words,
    before: np.uint64,
    most: int,
    owner: Longs,
    sets: Sets,
) -> bool:
    """Return whether the test holds for all live lines, of which `owner` is a 2-matching.

    Delta are the lines without a key off `before`. Only the first `most` poor lines are tried.
    """
    take_over(board, state[BREAKER], owner, sets.flow)
    return bool(_pass(board, state, ~_NONE, before, most, sets))


@njit(**NO_REFCOUNT)
def _pass(
    board: PlanBoard, state: Words, limit: np.uint64, before: np.uint64, most: int, sets: Sets
) -> bool:
    """Return whether the test holds for the live lines without a key off `limit`."""
    budget, flow, chosen = _MOST_SETS, sets.flow, sets.chosen
    total = all_stones(state)
    if not total:
        return True
    # 1. Every connected set with both kinds of lines has a crossing pair: start from each. A poor
    #    line that can own as many further cells as there are stones is left out: every set with it
    #    has enough.
    hindered = state[BREAKER] | ~limit
    for word in range(len(sets.done)):
        sets.done[word] = _NONE
    _find_crossed(board, hindered, sets.crossed)
    for step in range(min(most, len(sets.poor))):
        line = sets.poor[step]
        if not sets.crossed[line >> 6] >> np.uint64(line & 63) & _ONE:
            continue
        chosen[0] = line
        spare = grow(board, line, total, flow)
        if spare < total:
            for at in range(board.crossing_ptr[line], board.crossing_ptr[line + 1]):
                rich = board.crossing[at]
                if not board.masks[rich] & hindered:
                    # 2. All sets with the pair; the poor line keeps its cells for the next one.
                    chosen[1] = rich
                    budget = _pairs_pass(board, state, before, total, spare, budget, sets)
                    if budget < 0:
                        # Begin with the line that refuted the last leaf: it may refute the next.
                        for place in range(step, 0, -1):
                            sets.poor[place] = sets.poor[place - 1]
                        sets.poor[0] = line
                        return False
                    come_back(board, flow, spare)
        # 3. Sets of later pairs need not hold this line with their rich one again.
        sets.done[line >> 6] |= _ONE << np.uint64(line & 63)
        come_back(board, flow, 0)
    return True


@njit(**NO_REFCOUNT)
def _find_crossed(board: PlanBoard, hindered: np.uint64, crossed: Words) -> None:
    """Find the poor lines that cross a rich one without any of some keys."""
    regions = board.regions
    for word in range(len(crossed)):
        crossed[word] = _NONE
    for line in range(len(board.kinds)):
        if board.kinds[line] == RICH and not board.masks[line] & hindered:
            for at in range(regions.poor_ptr[line], regions.poor_ptr[line + 1]):
                poor = regions.poor[at]
                crossed[poor >> 6] |= _ONE << np.uint64(poor & 63)


@njit(**NO_REFCOUNT)
def decided_pass(board: PlanBoard, state: Words, before: np.uint64, sets: Sets) -> bool:
    """Return whether the test of R6 holds for decided lines once Maker took a key.

    `before` are Maker's keys without it.
    """
    breaker, maker, decided = state[BREAKER], state[MAKER], sets.crossed
    fresh = False
    for word in range(len(decided)):
        decided[word] = _NONE
    for line in range(len(board.kinds)):
        mask = board.masks[line]
        if board.kinds[line] == RICH and not mask & (breaker | ~maker):
            decided[line >> 6] |= _ONE << np.uint64(line & 63)
            fresh |= mask & ~before != 0
    # Without a line that became decided, Delta is all of Lambda and nothing is left to test.
    if not fresh:
        return True
    if not take_base(board, sets.base, decided, sets.flow):
        return False
    return bool(_pass(board, state, maker, before, len(board.kinds), sets))


@njit(**NO_REFCOUNT)
def find_base(board: PlanBoard, matching: Matching, base: Flow) -> bool:
    """Prepare a 2-matching of the poor lines, which no state changes: they have no key."""
    for cell in range(len(matching.owner)):
        matching.owner[cell] = UNHELD
    for key in range(len(board.keys)):
        matching.owner[board.keys[key]] = TAKEN
    for line in range(len(board.kinds)):
        if board.kinds[line] == POOR:
            for _ in range(2):
                if not one_more(board, line, -1, matching):
                    return False
    # All keys count as Breaker's, so the poor lines alone are live.
    take_over(board, ~_NONE, matching.owner, base)
    return True


@njit(**NO_REFCOUNT)
def _pairs_pass(
    board: PlanBoard,
    state: Words,
    before: np.uint64,
    total: int,
    spare: int,
    budget: int,
    sets: Sets,
) -> int:
    """Test all sets with two lines; return the budget left, below 0 if one fails."""
    # Of the sets with lines F and the fewest spare cells, V holds all others: its bound serves
    # them.
    # Depth first over F. A set with F that is not within V has a line that touches V, and more
    # spare cells, so each level adds such a line and gains a cell at least: fewer than `total`.
    flow, chosen, steps, lines = sets.flow, sets.chosen, sets.steps, len(board.kinds)
    rich, depth = chosen[1], 0
    spare += grow(board, rich, total - spare, flow)
    if spare == total:
        return budget
    while True:
        # 1. V and its bound.
        budget -= 1
        steps[_SPARE, depth] = spare
        if budget < 0 or not _passes(board, state, before, depth, sets):
            return -1
        # With one cell fewer than are needed, any further line leaves enough: go back a level.
        if spare < total - 1 and depth + 3 < MOST_STEPS:
            steps[_NEXT, depth] = 0
        elif spare == total - 1:
            depth -= 1
        else:
            return -1
        # 2. The next line, at this level or above, with which there are still too few cells.
        spare = total
        while depth >= 0 and spare == total:
            line = steps[_NEXT, depth]
            if line == lines:
                depth -= 1
                continue
            steps[_NEXT, depth] += 1
            word, bit = line >> 6, _ONE << np.uint64(line & 63)
            # A poor line that is done and crosses `rich`: these sets were tested from that pair.
            known = sets.done[word] & bit and shared_by(board, line, rich) > 0
            if not sets.touching[depth, word] & bit or known:
                continue
            come_back(board, flow, steps[_SPARE, depth])
            chosen[depth + 2] = line
            spare = steps[_SPARE, depth]
            spare += grow(board, line, total - spare, flow)
            budget -= 1
        if depth < 0:
            return budget
        depth += 1


@njit(**NO_REFCOUNT)
def shared_by(board: PlanBoard, poor: int, rich: int) -> int:
    """Return the number of cells that a poor and a rich line share."""
    regions = board.regions
    for at in range(regions.poor_ptr[rich], regions.poor_ptr[rich + 1]):
        if regions.poor[at] == poor:
            return int(regions.poor_shared[at])
    return 0


@njit(**NO_REFCOUNT)
def most_on(board: PlanBoard, line: int, warm: int) -> int:
    """Return a(l): most stones on a rich line, one less if it is not warm."""
    cold = not warm >> board.regions.bit[line] & 1
    return int(board.regions.off[line] - 2 - cold)


@njit(**NO_REFCOUNT)
def borne_by(board: PlanBoard, region: int, lines: int, warm: int) -> int:
    """Return the sum of a(l) over some live lines of a region."""
    borne, at = 0, 0
    while lines >> at:
        if lines >> at & 1:
            borne += most_on(board, board.regions.lines[region, at], warm)
        at += 1
    return borne


@njit(**NO_REFCOUNT)
def _in_lines(board: PlanBoard, state: Words, region: int, lines: int) -> int:
    """Return b of R5 for some live lines of a region."""
    borne = borne_by(board, region, lines, warm_in(state, region))
    return min(int(board.regions.spare[region, lines]), borne)


@njit(**NO_REFCOUNT)
def _in_region(board: PlanBoard, state: Words, region: int, lines: int, total: int) -> int:
    """Return min(z, b), one region's term of B in R5."""
    near = stones_in(state, region)
    return min(_in_lines(board, state, region, lines), near if near < SEVERAL else total)


@njit(**NO_REFCOUNT)
def has_line(board: PlanBoard, block: int, line: int) -> bool:
    """Return whether a block has a line."""
    return bool(board.blocks.lines[block, line >> 6] >> np.uint64(line & 63) & _ONE)


@njit(**NO_REFCOUNT)
def _passes(board: PlanBoard, state: Words, before: np.uint64, depth: int, sets: Sets) -> bool:
    """Return whether V passes (beta(V) <= spare cells); keep the lines that touch it."""
    inside, spare, flow = sets.inside, sets.steps[_SPARE, depth], sets.flow
    length = close(board, sets.chosen, depth + 2, inside, flow)
    copy(sets.touching[depth], flow.reached)
    enough = _have_spare_cells(board, state, before, length, spare, sets)
    for here in range(length):
        for at in range(board.line_ptr[inside[here]], board.line_ptr[inside[here] + 1]):
            cell = board.line_cells[at]
            sets.on_poor[cell] = sets.on_decided[cell] = 0
    return bool(enough)


@njit(**NO_REFCOUNT)
def _by_places(board: PlanBoard, state: Words, length: int, total: int, sets: Sets) -> int:
    """Return bound 5 of R5: stones of no region, and those of each region."""
    # 1. Stones of no region: p less all z, where an open region counts 0.
    inside, parts, regions = sets.inside, sets.parts, board.regions
    count, apart, free = regions.moved.shape[1], total, 0
    for region in range(count):
        parts[2, region] = 0
        parts[3, region] = live_in(board, state, region)
        if not is_open(state, region):
            apart -= stones_in(state, region)
    # 2. Cells of poor lines: d of them are on no live rich line, c of a region on none of the set.
    #    A negative count marks a cell as visited.
    for here in range(length):
        line = inside[here]
        if board.kinds[line] != POOR:
            continue
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            cell = board.line_cells[at]
            if sets.on_poor[cell] <= 0:
                continue
            sets.on_poor[cell] = -sets.on_poor[cell]
            home = regions.cell_home[cell]
            if home < 0:
                free += 1
                continue
            free += not regions.on_cell[cell] & parts[3, home]
            parts[2, home] += not regions.on_cell[cell] & parts[0, home]
    found = min(apart, free)
    for here in range(length):
        line = inside[here]
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            cell = board.line_cells[at]
            sets.on_poor[cell] = abs(sets.on_poor[cell])
    # 3. Of each region at most z stones; SEVERAL may be any number, so lines and cells bound it.
    for region in range(count):
        near, lines = stones_in(state, region), parts[0, region]
        bound = _in_lines(board, state, region, lines) + parts[2, region]
        found += min(bound, near) if near < SEVERAL else bound
    return found


@njit(**NO_REFCOUNT)
def _is_block(board: PlanBoard, length: int, sets: Sets) -> bool:
    """Return whether the set at hand is a block."""
    blocks = board.blocks
    for block in range(len(blocks.keys)):
        if blocks.size[block] != length:
            continue
        same = True
        for here in range(length):
            same &= has_line(board, block, sets.inside[here])
        if same:
            return True
    return False


@njit(**NO_REFCOUNT)
def _have_spare_cells(
    board: PlanBoard, state: Words, before: np.uint64, length: int, spare: int, sets: Sets
) -> bool:
    """Return whether one of the bounds of R5 on the stones on V is at most its spare cells."""
    # 1. Bound 6; and bound 1 would be all stones, which are more than the spare cells here.
    if _is_block(board, length, sets):
        return True
    # 2. f0 of its poor lines, and of those in Delta; a cell counts when it is first met.
    inside, on_poor, on_decided, parts = sets.inside, sets.on_poor, sets.on_decided, sets.parts
    regions, total = board.regions, all_stones(state)
    count = regions.moved.shape[1]
    for region in range(count):
        parts[0, region] = parts[1, region] = 0
    poor_spare = decided_spare = 0
    for here in range(length):
        line = inside[here]
        poor = board.kinds[line] == POOR
        decided = poor or (board.kinds[line] == RICH and not board.masks[line] & ~before)
        poor_spare -= 2 * poor
        decided_spare -= 2 * decided
        if board.kinds[line] == RICH:
            parts[0, regions.home[line]] |= 1 << regions.bit[line]
            if not decided:
                parts[1, regions.home[line]] |= 1 << regions.bit[line]
        if not decided:
            continue
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            cell = board.line_cells[at]
            if regions.on_cell[cell] < 0:
                continue
            if poor:
                poor_spare += not on_poor[cell]
                on_poor[cell] += 1
            decided_spare += not on_decided[cell]
            on_decided[cell] += 1
    # 3. Bound 2, poor lines and rich ones; bound 3, Delta and the other rich lines.
    rich_bear = 0
    for region in range(count):
        rich_bear += _in_region(board, state, region, parts[0, region], total)
    if poor_spare + rich_bear <= spare:
        return True
    others = 0
    for region in range(count):
        others += _in_region(board, state, region, parts[1, region], total)
    if decided_spare + others <= spare:
        return True
    # 4. Bound 5.
    if _by_places(board, state, length, total, sets) <= spare:
        return True
    # 5. Bound 4, a crossing pair and the other lines, as long as invariant (e) speaks of pairs.
    #    Without its poor line the others have the cells less that were on it `alone`, and two more.
    if total > regions.limits[0] + 1:
        return False
    for there in range(length):
        rich = inside[there]
        if board.kinds[rich] != RICH:
            continue
        home = regions.home[rich]
        lines = parts[0, home]
        rest = rich_bear - _in_region(board, state, home, lines, total)
        rest += _in_region(board, state, home, lines & ~(1 << regions.bit[rich]), total)
        for here in range(length):
            poor = inside[here]
            if board.kinds[poor] != POOR:
                continue
            shared = shared_by(board, poor, rich)
            if not shared:
                continue
            alone = 0
            for at in range(board.line_ptr[poor], board.line_ptr[poor + 1]):
                alone += on_poor[board.line_cells[at]] == 1
            pair = regions.off[poor] + regions.off[rich] - shared - 4
            if pair + poor_spare - alone + 2 + rest <= spare:
                return True
    return False
