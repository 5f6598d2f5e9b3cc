"""The regions of a search for a plan of Breaker's that knows which lines bear many stones."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.kernels.arrays import Ints, Longs
from hyperoxo_research.kernels.breaker_rules import Regions
from hyperoxo_research.kernels.breaker_states import MOST_LINES, MOST_REGIONS

_MOST_PAIRS = 2_000


def regions_told(
    rows: list[list[int]],
    off: list[set[int]],
    home: list[int],
    crossing: list[list[int]],
    on_cell: Longs,
    symmetries: NDArray[np.int32],
) -> Regions:
    """Return the regions of rich lines, and their tables for each set of lines.

    `on_cell` is written: of cells off the keys, where it is not -1, the lines of their region.
    """
    count = max(home, default=-1) + 1
    members = [[line for line, one in enumerate(home) if one == region] for region in range(count)]
    listed, bit = _numbered(members, len(off))
    cell_home = np.full(len(on_cell), -1, np.int64)
    for region, lines in enumerate(members):
        for line in lines:
            for cell in off[line]:
                cell_home[cell] = region
                on_cell[cell] |= 1 << int(bit[line])
    threads = [
        sorted({int(on_cell[cell]) for cell in np.flatnonzero(cell_home == region)})
        for region in range(count)
    ]
    shared = np.zeros((count, MOST_LINES, MOST_LINES), np.int64)
    for region, lines in enumerate(members):
        for one, two in itertools.product(range(len(lines)), repeat=2):
            shared[region, one, two] = len(off[lines[one]] & off[lines[two]])
    spare, apart, slack = _by_sets(off, members, cell_home, on_cell)
    ends, poor, poor_shared, poor_in = _poor_ones(off, crossing, cell_home, count)
    moved, moved_lines = _moves(symmetries, members, rows, cell_home)
    thread_ends, sets = ragged(threads)
    return Regions(
        home=np.array(home, np.int64),
        bit=bit,
        lines=listed,
        off=np.array([len(one) for one in off], np.int64),
        on_cell=on_cell,
        cell_home=cell_home,
        thread_ptr=thread_ends,
        threads=sets,
        shared=shared,
        spare=spare,
        apart=apart,
        slack=slack,
        poor_ptr=ends,
        poor=poor,
        poor_shared=poor_shared,
        poor_in=poor_in,
        moved=moved,
        moved_lines=moved_lines,
        limits=_limits(off, crossing, count),
    )


def _numbered(members: list[list[int]], lines: int) -> tuple[Longs, Longs]:
    """Return the lines of the regions, and of each line which of its region it is."""
    if len(members) > MOST_REGIONS:
        raise SpecError(f"by lines a plan has at most {MOST_REGIONS} regions, not {len(members)}")
    longest = max(map(len, members), default=0)
    if longest > MOST_LINES:
        raise SpecError(f"by lines a region has at most {MOST_LINES} rich lines, not {longest}")
    listed = np.full((len(members), MOST_LINES), -1, np.int64)
    bit = np.full(lines, -1, np.int64)
    for region, row in enumerate(members):
        listed[region, : len(row)] = row
        bit[row] = range(len(row))
    return listed, bit


def _poor_ones(
    off: list[set[int]], crossing: list[list[int]], cell_home: Longs, count: int
) -> tuple[Longs, Longs, Longs, Longs]:
    """Return the poor lines of each rich one, what they share, and cells by regions."""
    crossed: list[list[tuple[int, int]]] = [[] for _ in off]
    poor_in = np.zeros((len(off), count), np.int64)
    for line, cells in enumerate(off if count else []):
        for rich in crossing[line]:
            crossed[rich].append((line, len(cells & off[rich])))
        for cell in cells:
            if cell_home[cell] >= 0:
                poor_in[line, cell_home[cell]] += 1
    ends, poor = ragged([[one for one, _ in row] for row in crossed])
    shared = [many for row in crossed for _, many in row]
    return ends, poor, np.array(shared, np.int64), poor_in


def _by_sets(
    off: list[set[int]],
    members: list[list[int]],
    cell_home: Longs,
    on_cell: Longs,
) -> tuple[Ints, Ints, Ints]:
    """Return, for each set of lines of a region, what `Regions` holds of it."""
    size = 1 << max(map(len, members), default=0)
    sets = np.arange(size)
    counts = np.array([int(one).bit_count() for one in sets], np.int32)
    spare, apart, slack = (np.zeros((len(members), size), np.int32) for _ in range(3))
    for region, lines in enumerate(members):
        for cell in np.flatnonzero(cell_home == region):
            spare[region] += (sets & on_cell[cell]) != 0
        spare[region] -= 2 * counts
        borne = np.zeros(size, np.int32)
        for at, line in enumerate(lines):
            borne += np.where(sets >> at & 1, len(off[line]) - 2, 0).astype(np.int32)
        # |A| - X(A), where X(A) is what lines could bear alone less what they can together.
        apart[region] = counts - (borne - spare[region])
        slack[region] = apart[region]
        for at in range(len(lines)):
            with_it = (sets >> at & 1) == 1
            slack[region, with_it] = np.maximum(
                slack[region, with_it], slack[region, sets[with_it] & ~(1 << at)]
            )
    return spare, apart, slack


def _moves(
    symmetries: NDArray[np.int32],
    members: list[list[int]],
    lines: list[list[int]],
    cell_home: Longs,
) -> tuple[Longs, Ints]:
    """Return where symmetries move the regions and their lines."""
    count = len(members)
    moved = np.zeros((len(symmetries), count), np.int64)
    images = np.zeros((len(symmetries), count, 2, 256), np.int32)
    place = {frozenset(lines[line]): at for row in members for at, line in enumerate(row)}
    values = np.arange(256)
    for region, row in enumerate(members):
        for at, line in enumerate(row):
            cells = symmetries[:, lines[line]]
            ones = [1 << place[frozenset(image)] for image in cells.tolist()]
            half, low = divmod(at, 8)
            images[:, region, half, (values >> low & 1) == 1] |= np.array(ones, np.int32)[:, None]
            # Keys are in no region.
            moved[:, region] = cell_home[cells].max(axis=1)
    return moved, images


def regions_of(rows: list[set[int]]) -> list[int]:
    """Number the sets of cells that hang together; the number of an empty one is -1."""
    home = [-1] * len(rows)
    count = 0
    for first, row in enumerate(rows):
        if home[first] >= 0 or not row:
            continue
        reached, grew = set(row), True
        while grew:
            grew = False
            for other, cells in enumerate(rows):
                if home[other] < 0 and cells & reached:
                    home[other], grew = count, True
                    reached |= cells
        count += 1
    return home


def _limits(off: list[set[int]], crossing: list[list[int]], regions: int) -> Longs:
    """Return what `Regions.limits` holds; zeros where regions are not told apart."""
    if not regions:
        return np.zeros(2, np.int64)
    pairs = [(poor, rich) for poor, row in enumerate(crossing) for rich in row]
    words = [sum(1 << cell for cell in cells) for cells in off]
    united = [(words[poor] | words[rich], poor, rich) for poor, rich in pairs]
    least = 255
    if len(pairs) > _MOST_PAIRS:
        least = 0
    else:
        for (one, poor, rich), (two, other, another) in itertools.combinations(united, 2):
            if rich != another:
                lines = 4 - (poor == other)
                least = min(least, (one | two).bit_count() - 2 * lines)
    alone = min((word.bit_count() - 4 for word, _, _ in united), default=255)
    return np.array([least, alone], np.int64)


def ragged(rows: list[list[int]]) -> tuple[Longs, Longs]:
    """Return rows one after the other, and where each begins."""
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return ends, np.array([one for row in rows for one in row], np.int64)
