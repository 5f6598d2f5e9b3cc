"""Rules of Breaker's plans that know in which regions Maker's counted stones are.

`docs/breaker.md` has the rules and their proofs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.kernels.arrays import Longs, Words, copy
from hyperoxo.kernels.breaker_counts import (
    all_stones,
    one_stone_more,
    open_regions,
    stones_anywhere,
    stones_in,
)
from hyperoxo.kernels.breaker_flow import Flow, close, come_back, grow, take_over
from hyperoxo.kernels.breaker_rules import (
    POOR,
    RICH,
    Matching,
    PlanBoard,
    clear,
    extra,
    one_more,
)
from hyperoxo.kernels.lean import lean

MOST_STEPS = 16
"""Most lines that a set must hold."""
_MOST_SETS = 12_000
"""Sets that are looked at before a leaf is given up."""
_SPARE, _NEXT = range(2)
_ONE, _NONE = np.uint64(1), np.uint64(0)


class Sets(NamedTuple):
    """Room for the search for sets of lines with few spare cells."""

    flow: Flow
    chosen: Longs
    """Lines that the sets must hold."""
    steps: Longs
    """At each step, the spare cells, and which line comes next, ``[2, steps]``."""
    touching: Words
    """At each step, the lines that touch the largest set, ``[steps, words]``."""
    inside: Longs
    """The lines of that set."""
    on_poor: Longs
    on_rich: Longs
    """How many of its lines each cell is on."""
    rooms: Longs
    """Cells of its lines by regions, less two for each rich one: of all lines, and of rich ones
    alone, ``[2, regions + 1]``."""
    bounds: Longs
    """Lower and upper bounds of the stones in each region and elsewhere, ``[2, regions + 1]``."""
    pairs: Longs
    """Pairs of a poor and a rich line, ``[2, pairs]``."""
    done: Words
    """Poor lines all of whose pairs were looked at, ``[words]``."""


@lean
def settles_by_regions(
    board: PlanBoard,
    opened: int,
    breaker: np.uint64,
    counted: int,
    total: int,
    most: int,
    owner: Longs,
    sets: Sets,
) -> bool:
    """Tell whether pairs win, by a matching with two cells for each live line.

    Every connected set of lines with a poor and a rich one must have as many spare cells as stones
    can be on it, or on a larger set: no more than `total`, nor than are counted by regions.

    `sets.bounds` are left with counts for which the same holds: at least `counted` if pairs win,
    for any stones up to `total`, and else at most `counted`. No more than `most` poor lines are
    looked at.
    """
    budget, flow, chosen = _MOST_SETS, sets.flow, sets.chosen
    anywhere = stones_anywhere(board, total)
    for region in range(board.moved.shape[1] + 1):
        sets.bounds[0, region] = stones_in(board, counted, region)
        sets.bounds[1, region] = stones_in(board, anywhere, region)
    take_over(board, breaker, owner, flow)
    for word in range(len(sets.done)):
        sets.done[word] = _NONE
    for step in range(len(board.kinds)):
        # Where a leaf failed last, another may fail too.
        line = (step + sets.steps[_NEXT, MOST_STEPS]) % len(board.kinds)
        if board.kinds[line] != POOR:
            continue
        if most == 0:
            break
        most -= 1
        chosen[0] = line
        spare = grow(board, chosen, 1, total, flow)
        if spare < total:
            for at in range(board.crossing_ptr[line], board.crossing_ptr[line + 1]):
                rich = board.crossing[at]
                if not board.masks[rich] & breaker:
                    chosen[1] = rich
                    budget = _pair_bears(board, opened, total, spare, budget, sets)
                    if budget < 0:
                        sets.steps[_NEXT, MOST_STEPS] = line
                        return False
                    come_back(board, flow, spare)
        sets.done[line >> 6] |= _ONE << np.uint64(line & 63)
        come_back(board, flow, 0)
    return True


@lean
def _pair_bears(
    board: PlanBoard,
    opened: int,
    total: int,
    spare: int,
    budget: int,
    sets: Sets,
) -> int:
    """Return what is left of a budget of sets, below 0 where a set with two lines bears too little.

    All sets with some lines and the fewest spare cells are within one of them. If that one has
    enough, so have they; others hold a line outside it.
    """
    flow, chosen, steps, lines = sets.flow, sets.chosen, sets.steps, len(board.kinds)
    rich, depth = chosen[1], 0
    spare += grow(board, chosen, 2, total - spare, flow)
    if spare == total:
        return budget
    while True:
        # 1. The largest set, and the lines that touch it.
        budget -= 1
        steps[_SPARE, depth] = spare
        if budget < 0 or not _bears(board, opened, depth, sets):
            return -1
        # With one cell less than are needed, no line can be added.
        if spare < total - 1 and depth + 3 < MOST_STEPS:
            steps[_NEXT, depth] = 0
        elif spare == total - 1:
            depth -= 1
        else:
            return -1
        # 2. The next line that leaves too few.
        spare = total
        while depth >= 0 and spare == total:
            line = steps[_NEXT, depth]
            if line == lines:
                depth -= 1
                continue
            steps[_NEXT, depth] += 1
            word, bit = line >> 6, _ONE << np.uint64(line & 63)
            # Sets with a pair that was looked at need no second look.
            known = sets.done[word] & bit and _cross(board, line, rich)
            if not sets.touching[depth, word] & bit or known:
                continue
            come_back(board, flow, steps[_SPARE, depth])
            chosen[depth + 2] = line
            spare = steps[_SPARE, depth]
            spare += grow(board, chosen, depth + 3, total - spare, flow)
            budget -= 1
        if depth < 0:
            return budget
        depth += 1


@lean
def _bears(board: PlanBoard, opened: int, depth: int, sets: Sets) -> bool:
    """Tell whether the largest set with the fewest spare cells has as many as stones can be there.

    The lines that touch it are kept. Bounds of the stones become tighter where they must.
    """
    inside, spare, flow = sets.inside, sets.steps[_SPARE, depth], sets.flow
    on_poor, on_rich, rooms = sets.on_poor, sets.on_rich, sets.rooms
    length = close(board, sets.chosen, depth + 2, inside, flow)
    copy(sets.touching[depth], flow.reached)
    # 1. Cells by regions, where regions that are settled are elsewhere.
    regions = board.moved.shape[1]
    for region in range(regions + 1):
        rooms[0, region] = rooms[1, region] = 0
    poor_spare = 0
    for here in range(length):
        line = inside[here]
        poor = board.kinds[line] == POOR
        poor_spare -= 2 * poor
        if board.kinds[line] == RICH:
            home = board.line_region[line]
            home = home if opened >> home & 1 else regions
            rooms[0, home] -= 2
            rooms[1, home] -= 2
        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
            cell = board.line_cells[at]
            region = board.cell_region[cell]
            if region < 0:
                continue
            region = region if opened >> region & 1 else regions
            rooms[0, region] += not on_poor[cell] and not on_rich[cell]
            if poor:
                poor_spare += not on_poor[cell]
                on_poor[cell] += 1
            else:
                rooms[1, region] += not on_rich[cell]
                on_rich[cell] += 1
    # 2. For as many stones as can be there; if there are too many, for fewer.
    given = opened, length, poor_spare, spare
    enough = _have_room(board, *given, sets.bounds[1], sets)
    if not enough:
        enough = _have_room(board, *given, sets.bounds[0], sets)
        _tighten(board, *given, enough, sets)
    for here in range(length):
        for at in range(board.line_ptr[inside[here]], board.line_ptr[inside[here] + 1]):
            on_poor[board.line_cells[at]] = on_rich[board.line_cells[at]] = 0
    return bool(enough)


@lean
def _tighten(
    board: PlanBoard,
    opened: int,
    length: int,
    poor_spare: int,
    spare: int,
    enough: bool,
    sets: Sets,
) -> None:
    """Lower the upper bounds until there is room, or the lower ones as long as there is none."""
    regions, low, high = board.moved.shape[1], sets.bounds[0], sets.bounds[1]
    if enough:
        while not _have_room(board, opened, length, poor_spare, spare, high, sets):
            widest = 0
            for region in range(1, regions + 1):
                if high[region] - low[region] > high[widest] - low[widest]:
                    widest = region
            high[widest] -= 1
        return
    for region in range(regions + 1):
        while low[region] > 0:
            low[region] -= 1
            if _have_room(board, opened, length, poor_spare, spare, low, sets):
                low[region] += 1
                break


@lean
def _have_room(
    board: PlanBoard,
    opened: int,
    length: int,
    poor_spare: int,
    spare: int,
    counts: Longs,
    sets: Sets,
) -> bool:
    """Tell whether no more stones can be on the set at hand than it has spare cells."""
    # 1. All stones by regions; or those on poor lines, and others by regions.
    if _within(board, counts, sets.rooms[0]) <= spare:
        return True
    both = poor_spare + _within(board, counts, sets.rooms[1])
    if both <= spare:
        return True
    # 2. Those on a pair that cross, and the others as before; that is better by what they share.
    if both > spare + board.unions[2]:
        return False
    return bool(_with_a_pair(board, opened, counts, length, poor_spare, spare, sets))


@lean
def _within(board: PlanBoard, counts: Longs, rooms: Longs) -> int:
    """Return how many stones there can be in some rooms, one for each region and one elsewhere."""
    bound = 0
    for region in range(board.moved.shape[1] + 1):
        bound += min(rooms[region], counts[region])
    return bound


@lean
def _with_a_pair(
    board: PlanBoard,
    opened: int,
    counts: Longs,
    length: int,
    poor_spare: int,
    spare: int,
    sets: Sets,
) -> bool:
    """Tell whether there is room enough by what some poor and rich line that cross can bear."""
    inside, on_poor, on_rich, rooms = sets.inside, sets.on_poor, sets.on_rich, sets.rooms[1]
    regions = board.moved.shape[1]
    for there in range(length):
        rich = inside[there]
        if board.kinds[rich] != RICH:
            continue
        # 1. The cells of other rich lines.
        home = board.line_region[rich]
        home = home if opened >> home & 1 else regions
        own = off = 0
        for at in range(board.line_ptr[rich], board.line_ptr[rich + 1]):
            cell = board.line_cells[at]
            off += board.cell_region[cell] >= 0
            own += on_rich[cell] == 1
        rooms[home] += 2 - own
        others = _within(board, counts, rooms)
        rooms[home] -= 2 - own
        # 2. Those of other poor lines.
        for here in range(length):
            poor = inside[here]
            if board.kinds[poor] != POOR:
                continue
            alone = shared = 0
            for at in range(board.line_ptr[poor], board.line_ptr[poor + 1]):
                cell = board.line_cells[at]
                alone += on_poor[cell] == 1
                for place in range(board.line_ptr[rich], board.line_ptr[rich + 1]):
                    shared += board.line_cells[place] == cell
            pair = board.line_ptr[poor + 1] - board.line_ptr[poor] + off - shared - 4
            if shared and pair + poor_spare - alone + 2 + others <= spare:
                return True
    return False


@lean
def stone_is_met(
    board: PlanBoard,
    maker: np.uint64,
    breaker: np.uint64,
    replies: np.uint64,
    counted: int,
    region: int,
    state: Matching,
    sets: Sets,
) -> bool:
    """Tell whether replies hit all that one more stone in a region, or elsewhere, can endanger."""
    if not replies:
        return False
    regions = board.moved.shape[1]
    hit = breaker | replies
    # 1. Sets of rich lines of the region.
    undecided = False
    for line in range(len(board.kinds)):
        if region < regions and board.line_region[line] == region and not board.masks[line] & hit:
            undecided |= board.masks[line] & ~maker != 0
    if undecided:
        if not _match_region(board, hit, region, state):
            return False
        stones = stones_in(board, counted, region)
        for line in range(len(board.kinds)):
            mask = board.masks[line]
            unhit = board.line_region[line] == region and not mask & hit and mask & ~maker
            if unhit and extra(board, line, -1, stones + 1, state) <= stones:
                return False
    # 2. Pairs of a poor and an undecided line that cross.
    if all_stones(board, counted) < board.unions[1]:
        return True
    after, length = one_stone_more(counted, region), 0
    opened = open_regions(board, maker, breaker)
    for poor in range(len(board.kinds)):
        for at in range(board.crossing_ptr[poor], board.crossing_ptr[poor + 1]):
            rich = board.crossing[at]
            mask = board.masks[rich]
            if mask & breaker or not mask & ~maker:
                continue
            if _is_endangered(board, opened, after, region, poor, rich):
                if not mask & hit:
                    return False
                sets.pairs[0, length], sets.pairs[1, length] = poor, rich
                length += 1
    if not length:
        return True
    # 3. No two sets that are in danger at once may be without a rich line in common.
    return _apart_from_rich(
        board, opened, breaker, counted, region, length, state, sets
    ) and _apart_from_pairs(board, opened, counted, length, sets)


@lean
def _cross(board: PlanBoard, poor: int, rich: int) -> bool:
    """Tell whether a poor and a rich line share a cell."""
    for at in range(board.crossing_ptr[poor], board.crossing_ptr[poor + 1]):
        if board.crossing[at] == rich:
            return True
    return False


@lean
def _match_region(board: PlanBoard, hit: np.uint64, region: int, state: Matching) -> bool:
    """Give two cells off the keys to each rich line of a region that is not hit."""
    clear(board, ~np.uint64(0), state)
    for line in range(len(board.kinds)):
        if board.line_region[line] == region and not board.masks[line] & hit:
            for _ in range(2):
                if not one_more(board, line, -1, state):
                    return False
    return True


@lean
def _size(board: PlanBoard, line: int) -> int:
    """Return the number of cells of a line."""
    return int(board.line_ptr[line + 1] - board.line_ptr[line])


@lean
def _cells_off(board: PlanBoard, line: int) -> int:
    """Return the number of cells of a line off the keys."""
    off = 0
    for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
        off += board.cell_region[board.line_cells[at]] >= 0
    return off


@lean
def _shared(board: PlanBoard, one: int, two: int) -> int:
    """Return the number of cells that two lines share."""
    shared = 0
    for at in range(board.line_ptr[one], board.line_ptr[one + 1]):
        for there in range(board.line_ptr[two], board.line_ptr[two + 1]):
            shared += board.line_cells[at] == board.line_cells[there]
    return shared


@lean
def _cells_in(board: PlanBoard, opened: int, line: int, region: int) -> int:
    """Return the number of cells of a line in an open region, or elsewhere."""
    found, regions = 0, board.moved.shape[1]
    for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
        home = board.cell_region[board.line_cells[at]]
        found += home >= 0 and (home if opened >> home & 1 else regions) == region
    return found


@lean
def _is_endangered(
    board: PlanBoard, opened: int, counted: int, region: int, poor: int, rich: int
) -> bool:
    """Tell whether a poor line and a rich one that cross can bear one stone too many.

    There must be a cell of theirs in a region; the rich line by itself bears no more than it may.
    """
    regions, home = board.moved.shape[1], board.line_region[rich]
    if home != region and not _cells_in(board, opened, poor, region):
        return False
    bears, shared = _cells_off(board, rich) - 2, _shared(board, poor, rich)
    both = on_poor = 0
    for other in range(regions + 1):
        cells, stones = _cells_in(board, opened, poor, other), stones_in(board, counted, other)
        on_poor += min(stones, cells)
        both += min(stones, bears + cells - shared if other == home else cells)
    alone = min(stones_in(board, counted, home), bears)
    most = min(both, alone + min(on_poor, _size(board, poor) - 2))
    return most > bears + _size(board, poor) - shared - 2


@lean
def _outside(board: PlanBoard, opened: int, counted: int, region: int, poor: int) -> int:
    """Return how many stones a poor line can bear outside a region."""
    found = 0
    for other in range(board.moved.shape[1] + 1):
        if other != region:
            cells = _cells_in(board, opened, poor, other)
            found += min(cells, stones_in(board, counted, other))
    return min(found, _size(board, poor) - 2)


@lean
def _apart_from_rich(
    board: PlanBoard,
    opened: int,
    breaker: np.uint64,
    counted: int,
    region: int,
    length: int,
    state: Matching,
    sets: Sets,
) -> bool:
    """Tell whether no set of rich lines can be in danger together with one of the pairs listed.

    The rich lines are those of the region, as others hold no cell that is played on.
    """
    if region == board.moved.shape[1]:
        return True
    if not _match_region(board, breaker, region, state):
        return False
    stones = stones_in(board, counted, region)
    for at in range(length):
        poor, rich = sets.pairs[0, at], sets.pairs[1, at]
        inside, home = _cells_in(board, opened, poor, region), board.line_region[rich]
        outside = _outside(board, opened, counted, region, poor)
        most = stones + 1
        if home == region:
            # 1. Sets with the rich line of the pair itself need room for all stones there.
            over = outside - (_size(board, poor) - 2 - inside)
            if over <= 0:
                continue
            most = stones + over
        else:
            # 2. All that the pair bears is then outside the region, but for cells of the poor line.
            bears = _cells_off(board, rich) - 2
            there = min(
                stones_in(board, counted, home),
                bears + _cells_in(board, opened, poor, home) - _shared(board, poor, rich),
            )
            beyond = 0
            for other in range(board.moved.shape[1] + 1):
                if other not in (region, home):
                    cells = _cells_in(board, opened, poor, other)
                    beyond += min(cells, stones_in(board, counted, other))
            least = bears + _size(board, poor) - _shared(board, poor, rich) - 2
            if not inside or there + beyond + inside - 1 < least:
                continue
        for line in range(len(board.kinds)):
            if board.line_region[line] != region or board.masks[line] & breaker or line == rich:
                continue
            if home == region:
                if extra(board, rich, line, most, state) < most:
                    return False
            elif _shared(board, poor, line) and extra(board, line, -1, most, state) < most:
                return False
    return True


@lean
def _apart_from_pairs(board: PlanBoard, opened: int, counted: int, length: int, sets: Sets) -> bool:
    """Tell whether no two of the pairs listed, with different rich lines, can be in danger at once.

    So it is where their lines together leave room for all stones that can be there.
    """
    total, regions, seen, rooms = (
        all_stones(board, counted),
        board.moved.shape[1],
        sets.on_poor,
        sets.rooms[0],
    )
    if total <= board.unions[0]:
        return True
    counts = sets.bounds[0]
    for region in range(regions + 1):
        counts[region] = stones_in(board, counted, region)
    for one in range(length):
        for two in range(one):
            if sets.pairs[1, one] == sets.pairs[1, two]:
                continue
            for region in range(regions + 1):
                rooms[region] = 0
            cells, lines = 0, 4 - (sets.pairs[0, one] == sets.pairs[0, two])
            for clearing in range(2):
                for kind in range(2):
                    for which in (one, two):
                        line = sets.pairs[kind, which]
                        for at in range(board.line_ptr[line], board.line_ptr[line + 1]):
                            cell = board.line_cells[at]
                            region = board.cell_region[cell]
                            if clearing:
                                seen[cell] = 0
                            elif region >= 0 and not seen[cell]:
                                seen[cell] = 1
                                cells += 1
                                rooms[region if opened >> region & 1 else regions] += 1
            spare = cells - 2 * lines
            if spare < total and spare < _within(board, counts, rooms):
                return False
    return True
