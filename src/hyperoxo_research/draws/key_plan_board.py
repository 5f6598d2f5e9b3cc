"""Arrays of the key-plan search: lines, keys, regions, blocks and symmetries.

Regions and blocks serve the search by lines. Incidence matrices of zeros and ones have a row for
each line and a column for each cell: `on` with the keys, `off` without them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from hyperoxo.board import Board
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import BLOCKED, Game, Position
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo_research.kernels import key_plan_rules
from hyperoxo_research.kernels.key_plan_flow import Flow
from hyperoxo_research.kernels.key_plan_leaves import MOST_KEYS, PlanScratch
from hyperoxo_research.kernels.key_plan_lines import MOST_STEPS, Sets, find_base
from hyperoxo_research.kernels.key_plan_states import MOST_LINES, MOST_REGIONS, STATE
from hyperoxo_research.kernels.key_plan_stones import MOST_KINDS, Stones

Flags = NDArray[np.bool_]

# Crossing pairs of which all combinations are tried for u of the rules; with more, u is 0: the
# invariant for pairs then holds for fewer stones, which is sound and proves less.
_MOST_PAIRS = 2_000
_NEVER = 255


def ragged(matrix: Flags) -> tuple[Longs, Longs]:
    """Return a matrix of flags in compressed sparse row form: row pointers and columns."""
    ends = np.concatenate([[0], np.count_nonzero(matrix, axis=1).cumsum()])
    return ends.astype(np.int64), np.nonzero(matrix)[1].astype(np.int64)


def packed(matrix: Flags) -> Words:
    """Return the rows as words of 64 bits each."""
    words = -(-matrix.shape[1] // 64)
    bits = np.zeros((len(matrix), 64 * words), np.uint64)
    bits[:, : matrix.shape[1]] = matrix
    shifted = bits.reshape(len(matrix), words, 64) << np.arange(64, dtype=np.uint64)
    found: Words = np.bitwise_or.reduce(shifted, axis=2)
    return found


def regions_of(rich: Flags, shared: Longs) -> Longs:
    """Return the region of each rich line, -1 for other lines: components by shared cells."""
    home = np.full(len(rich), -1, np.int64)
    home[rich] = connected_components(shared[np.ix_(rich, rich)], directed=False)[1]
    return home


def regions_with_tables(
    rows: list[list[int]],
    off: Longs,
    home: Longs,
    crossing: Flags,
    on_cell: Longs,
    symmetries: NDArray[np.int32],
) -> key_plan_rules.Regions:
    """Return the regions of rich lines with their tables; `on_cell` is filled in place."""
    count, shared = int(home.max(initial=-1)) + 1, off @ off.T
    members = [np.flatnonzero(home == region) for region in range(count)]
    listed, bit = _numbered(members, len(off))
    cell_home = np.full(len(on_cell), -1, np.int64)
    both = np.zeros((count, MOST_LINES, MOST_LINES), np.int64)
    threads = []
    for region, lines in enumerate(members):
        here = off[lines].any(axis=0)
        cell_home[here] = region
        on_cell[here] = (1 << bit[lines]) @ off[lines][:, here]
        threads.append(np.unique(on_cell[here]))
        both[region, : len(lines), : len(lines)] = shared[np.ix_(lines, lines)]
    spare, apart, slack = _by_sets(off.sum(axis=1), members, cell_home, on_cell)
    poor_ends, poor = ragged(crossing.T & bool(count))
    moved, moved_lines = _moves(symmetries, members, rows, cell_home)
    return key_plan_rules.Regions(
        home=home,
        bit=bit,
        lines=listed,
        off=off.sum(axis=1),
        on_cell=on_cell,
        cell_home=cell_home,
        thread_ptr=np.cumsum([0, *map(len, threads)]).astype(np.int64),
        threads=np.concatenate([np.zeros(0, np.int64), *threads]),
        shared=both,
        spare=spare,
        apart=apart,
        slack=slack,
        poor_ptr=poor_ends,
        poor=poor,
        poor_shared=shared.T[crossing.T & bool(count)],
        poor_in=off @ (cell_home[:, None] == np.arange(count)),
        moved=moved,
        moved_lines=moved_lines,
        limits=_limits(off, crossing) if count else np.zeros(2, np.int64),
    )


def _numbered(members: list[NDArray[np.intp]], lines: int) -> tuple[Longs, Longs]:
    """Return the lines of each region, and the index of each line in its region."""
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


def _by_sets(
    off: Longs,
    members: list[NDArray[np.intp]],
    cell_home: Longs,
    on_cell: Longs,
) -> tuple[Ints, Ints, Ints]:
    """Return f0(A), |A| - X(A) and v(A) for every set A of lines of each region."""
    # Vectorised over all 2^lines sets: cell by cell for the union, line by line for sums, and the
    # maximum over subsets by adding one line at a time (sum-over-subsets dynamic programming).
    size = 1 << max(map(len, members), default=0)
    sets = np.arange(size)
    counts = np.bitwise_count(sets).astype(np.int32)
    spare, apart, slack = (np.zeros((len(members), size), np.int32) for _ in range(3))
    for region, lines in enumerate(members):
        for cell in np.flatnonzero(cell_home == region):
            spare[region] += (sets & on_cell[cell]) != 0
        spare[region] -= 2 * counts
        borne = np.zeros(size, np.int32)
        for at, line in enumerate(lines):
            borne += np.where(sets >> at & 1, off[line] - 2, 0).astype(np.int32)
        # X(A) is the sum of e(l) less f0(A).
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
    members: list[NDArray[np.intp]],
    lines: list[list[int]],
    cell_home: Longs,
) -> tuple[Longs, Ints]:
    """Return the images of the regions and of their sets of lines under each symmetry."""
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


def _limits(off: Longs, crossing: Flags) -> Longs:
    """Return `Regions.limits`: u of the rules, and the least f0 of a crossing pair."""
    poor, rich = np.nonzero(crossing)
    # f0 of a pair is |union| - 4; two pairs have 4 lines, or 3 with a poor line in common.
    united = off[poor] | off[rich]
    size = united.sum(axis=1)
    least = 0
    if len(poor) <= _MOST_PAIRS:
        lines = 4 - (poor[:, None] == poor)
        both = size[:, None] + size - united @ united.T - 2 * lines
        least = both.min(where=rich[:, None] != rich, initial=_NEVER)
    return np.array([least, (size - 4).min(initial=_NEVER)], np.int64)


def hyperplanes(board: Board, rows: list[list[int]], kinds: Longs) -> list[list[int]]:
    """Return the lines in each axis-parallel hyperplane of n^d without a main line."""
    # 2^d has none: its symmetries do not keep them.
    if board.side is None or board.dim is None or board.side < 3:
        return []
    points = np.indices((board.side,) * board.dim).reshape(board.dim, -1)
    found = []
    for axis in points:
        for value in range(board.side):
            own = [at for at, row in enumerate(rows) if (axis[row] == value).all()]
            if own and (kinds[own] != key_plan_rules.MAIN).all():
                found.append(own)
    return found


def blocks_with_tables(
    chosen: list[list[int]], on: Longs, keys: Longs, kinds: Longs, regions: key_plan_rules.Regions
) -> key_plan_rules.Blocks:
    """Return the tables of some blocks."""
    count, number = regions.moved.shape[1], len(chosen)
    off = on.copy()
    off[:, keys] = 0
    inside = np.zeros((number, len(on)), np.int64)
    for block, own in enumerate(chosen):
        inside[block, own] = 1
    poor, rich = inside * (kinds == key_plan_rules.POOR), inside * (kinds == key_plan_rules.RICH)
    # Rows are blocks. Cells with the keys, cells without them, and those of poor lines alone.
    every, cells, poor_cells = inside @ on > 0, (inside @ off > 0) * 1, poor @ off > 0
    apart = poor_cells & ~(rich @ off > 0)
    in_regions = np.zeros((number, count), np.int64)
    for region in range(count):
        own = regions.lines[region][regions.lines[region] >= 0]
        in_regions[:, region] = rich[:, own] @ (1 << regions.bit[own])
    on_set = np.zeros((number, count, regions.spare.shape[1]), np.int64)
    for block, region in np.ndindex(number, count):
        on_set[block, region] = _on_sets(
            regions, region, int(in_regions[block, region]), cells[block]
        )
    return key_plan_rules.Blocks(
        lines=packed(inside > 0),
        size=inside.sum(axis=1),
        keys=packed(every[:, keys])[:, 0],
        spare=every.sum(axis=1) - 2 * inside.sum(axis=1),
        poor=poor_cells.sum(axis=1) - 2 * poor.sum(axis=1),
        away=apart.sum(axis=1),
        rich=in_regions,
        beside=apart @ (regions.cell_home[:, None] == np.arange(count)).astype(np.int64),
        on_line=cells @ off.T,
        on_set=on_set,
        on_block=cells @ cells.T,
    )


def _on_sets(regions: key_plan_rules.Regions, region: int, inner: int, cells: Longs) -> Longs:
    """Return s of R7 for a block and each set of lines of a region."""
    # That is the sum of e(l) over their common lines, and the other cells that both have.
    sets = np.arange(regions.spare.shape[1])
    found = np.zeros(len(sets), np.int64)
    for place in range(MOST_LINES):
        if inner >> place & 1:
            found += (sets >> place & 1) * (regions.off[regions.lines[region, place]] - 2)
    for on in regions.on_cell[(cells > 0) & (regions.cell_home == region)].tolist():
        found += (sets & on != 0) & (sets & on & inner == 0)
    return found


_MOST_SYMMETRIES = 4_096


def usual_keys(game: Game) -> tuple[int, ...]:
    """Return the cells of the space diagonals of n^d, or elsewhere those on the most lines."""
    board = game.board
    if board.side is not None and board.dim is not None:
        last = board.side - 1
        points = enumerate(itertools.product(range(board.side), repeat=board.dim))
        cells = [at for at, point in points if len({min(x, last - x) for x in point}) == 1]
    else:
        cells = np.flatnonzero(board.degrees == board.degrees.max(initial=0)).tolist()
    blocked = set(board.blocked)
    return tuple(cell for cell in cells if cell not in blocked)


def check_keys(position: Position, keys: tuple[int, ...]) -> None:
    """Refuse keys that are too many, too few, or not playable."""
    if not 0 < len(set(keys)) == len(keys) <= MOST_KEYS:
        raise SpecError(f"a plan has 1 to {MOST_KEYS} different key cells, not {len(keys)}")
    for cell in keys:
        if not 0 <= cell < len(position.owners) or position.owners[cell] == BLOCKED:
            raise SpecError(f"key {cell} is not a playable cell of {position.game}")


def plan_board(
    position: Position, keys: tuple[int, ...], maker: int, *, by_lines: bool = False
) -> key_plan_rules.PlanBoard:
    """Return lines, keys and symmetries as arrays, without the lines that are dead off the keys."""
    # 1. A stone of Breaker off the keys takes its lines from Maker for good.
    board = position.game.board
    on_keys = set(keys)
    dead = {
        cell
        for cell, owner in enumerate(position.owners)
        if owner == 3 - maker and cell not in on_keys
    }
    numbers = [at for at in range(board.line_count) if not dead & set(board.line(at).tolist())]
    lines = [board.line(number).tolist() for number in numbers]
    on = np.zeros((len(lines), len(position.owners)), np.int64)
    for at, line in enumerate(lines):
        on[at, line] = 1
    # 2. Main, rich and poor lines, and the pairs of a poor and a rich line that cross.
    cells = np.array(keys, np.int64)
    off, on_cell = on.copy(), np.zeros(len(position.owners), np.int64)
    off[:, cells], on_cell[cells] = 0, -1
    masks = packed(on[:, cells] > 0)[:, 0]
    kinds = np.where(
        masks == 0,
        key_plan_rules.POOR,
        np.where(off.any(axis=1), key_plan_rules.RICH, key_plan_rules.MAIN),
    )
    rich, shared = kinds == key_plan_rules.RICH, off @ off.T
    crossing = (kinds == key_plan_rules.POOR)[:, None] & rich & (shared > 0)
    home = regions_of(rich & by_lines, shared)
    symmetries = _symmetries(position, keys, dead)
    if by_lines and len(symmetries) > _MOST_SYMMETRIES:
        symmetries = np.arange(len(on_cell), dtype=np.int32)[None]
    order = np.argsort(keys)
    moved = order[np.searchsorted(cells[order], symmetries[:, cells])]
    # 3. One symmetry of each kind is enough: by counts those that move the keys alike are the same,
    #    by lines they may move lines differently.
    _, distinct = np.unique(symmetries if by_lines else moved, axis=0, return_index=True)
    regions = regions_with_tables(lines, off, home, crossing, on_cell, symmetries[distinct])
    chosen = hyperplanes(board, lines, kinds) if by_lines else []
    return key_plan_rules.PlanBoard(
        np.array(numbers, np.int64),
        np.cumsum([0, *map(len, lines)]).astype(np.int64),
        np.array([cell for line in lines for cell in line], np.int64),
        kinds,
        masks,
        cells,
        _images(moved[distinct]),
        *ragged(crossing),
        *ragged(on.T > 0),
        packed(on.T > 0),
        regions,
        blocks_with_tables(chosen, on, cells, kinds, regions),
    )


def _longs(*shapes: int | tuple[int, int]) -> Iterator[Longs]:
    return (np.zeros(shape, np.int64) for shape in shapes)


def _sets_for(board: key_plan_rules.PlanBoard, cells: int) -> Sets:
    """Return scratch arrays for the test of R5; small ones if there are no regions."""
    regions = board.regions.moved.shape[1]
    lines, words = len(board.kinds), board.through_bits.shape[1]

    def flow() -> Flow:
        return Flow(
            np.zeros(cells, np.int64),
            np.zeros((lines, words), np.uint64),
            np.zeros(lines, np.int64),
            *np.zeros((3, words), np.uint64),
            *_longs(lines, lines, cells + 1),
        )

    return Sets._make(
        (
            flow(),
            *_longs(MOST_STEPS + 2, (2, MOST_STEPS)),
            np.zeros((MOST_STEPS if regions else 1, words), np.uint64),
            *_longs(lines, cells, cells, (4, regions + 1)),
            np.flatnonzero(board.kinds == key_plan_rules.POOR),
            *np.zeros((2, words), np.uint64),
            flow(),
        )
    )


def scratch_for(board: key_plan_rules.PlanBoard, cells: int) -> PlanScratch:
    """Return the scratch arrays of a thread for a search on a board."""
    lines, keys = len(board.kinds), len(board.keys)
    made = PlanScratch(
        key_plan_rules.Matching._make(
            (
                *_longs(cells, cells, lines, lines, lines, lines),
                np.full(cells, -1, np.int64),
                np.zeros(1, np.uint64),
                np.zeros(1, np.int64),
            )
        ),
        _sets_for(board, cells),
        Stones(*_longs((2, len(board.crossing)), cells)),
        *np.zeros((7, STATE), np.uint64),
        *_longs(keys + 1, keys + 1, MOST_KINDS),
    )
    find_base(board, made.matching, made.sets.base)
    return made


def _symmetries(position: Position, keys: tuple[int, ...], dead: set[int]) -> NDArray[np.int32]:
    """Return the symmetries of the board that keep the keys and the dead cells."""
    rows = np.arange(len(position.owners), dtype=np.int32)[None]
    with suppress(LimitError):
        rows = position.game.board.symmetry.permutations()
    for fixed in (sorted(keys), sorted(dead)):
        rows = rows[(np.sort(rows[:, fixed], axis=1) == fixed).all(axis=1)]
    return rows


def _images(moved: NDArray[np.intp]) -> Words:
    """Return the images of each byte of keys under each symmetry, ``[eights, 256, symmetries]``."""
    count, width = moved.shape
    bits = np.zeros((count, -(-width // 8) * 8), np.uint64)
    bits[:, :width] = np.uint64(1) << moved.astype(np.uint64)
    values = np.arange(256, dtype=np.uint64) >> np.arange(8, dtype=np.uint64)[:, None] & 1
    images = bits.reshape(count, -1, 8) @ values
    return np.ascontiguousarray(images.transpose(1, 2, 0))
