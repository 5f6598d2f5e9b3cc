"""The lines, keys, regions and symmetries of a search for a plan of Breaker's, as arrays."""

from __future__ import annotations

import itertools
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.breaker import MOST_KEYS
from hyperoxo.kernels.breaker_counts import MOST_REGIONS
from hyperoxo.kernels.breaker_flow import Flow
from hyperoxo.kernels.breaker_regions import MOST_STEPS, Sets
from hyperoxo.kernels.breaker_rules import MAIN, POOR, RICH, Matching, PlanBoard
from hyperoxo.kernels.breaker_table import Leaves
from hyperoxo.position import BLOCKED, Position
from hyperoxo.rules import Game

_MOST_PAIRS = 2_000
MOST_NOTES = 1 << 24


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
    """Refuse keys that are too many, too few, or no cells to play on."""
    if not 0 < len(set(keys)) == len(keys) <= MOST_KEYS:
        raise SpecError(f"a plan has 1 to {MOST_KEYS} different key cells, not {len(keys)}")
    for cell in keys:
        if not 0 <= cell < len(position.owners) or position.owners[cell] == BLOCKED:
            raise SpecError(f"key {cell} is not a cell of {position.game} that can be played on")


def plan_board(
    position: Position, keys: tuple[int, ...], maker: int, *, by_regions: bool = False
) -> PlanBoard:
    """Return lines, keys and symmetries as arrays, without the lines that are dead off the keys."""
    board = position.game.board
    on_keys = set(keys)
    dead = {
        cell
        for cell, owner in enumerate(position.owners)
        if owner == 3 - maker and cell not in on_keys
    }
    lines = [board.line(number).tolist() for number in range(board.line_count)]
    lines = [line for line in lines if not dead & set(line)]
    place_of = {cell: place for place, cell in enumerate(keys)}
    masks = [sum(1 << place_of[cell] for cell in line if cell in place_of) for line in lines]
    kinds = [
        POOR if not mask else MAIN if mask.bit_count() == len(line) else RICH
        for mask, line in zip(masks, lines, strict=True)
    ]
    rich = [(number, set(lines[number])) for number, kind in enumerate(kinds) if kind == RICH]
    crossing = [
        [number for number, cells in rich if kind == POOR and cells & set(line)]
        for kind, line in zip(kinds, lines, strict=True)
    ]
    through: list[list[int]] = [[] for _ in position.owners]
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
    off = [set(line) - on_keys for line in lines]
    home = _regions(
        [cells if kind == RICH else set() for cells, kind in zip(off, kinds, strict=True)]
    )
    count = max(home, default=-1) + 1
    if not by_regions:
        home, count = [-1] * len(lines), 0
    if count > MOST_REGIONS:
        raise SpecError(f"stones are counted in at most {MOST_REGIONS} regions, not in {count}")
    region_of = [-1 if cell in on_keys else count for cell in range(len(position.owners))]
    for cells, region in zip(off, home, strict=True):
        for cell in cells if region >= 0 else ():
            region_of[cell] = region
    moved, carried = _key_symmetries(position, keys, dead, region_of, count)
    return PlanBoard(
        *_ragged(lines),
        np.array(kinds, np.int64),
        np.array(masks, np.uint64),
        np.array(keys, np.int64),
        _images(moved),
        *_ragged(crossing),
        *_ragged(through),
        _line_sets(through, len(lines)),
        np.array(home, np.int64),
        np.array(region_of, np.int64),
        carried,
        _unions(off, crossing, count),
    )


def _regions(rows: list[set[int]]) -> list[int]:
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


def _unions(
    off: list[set[int]],
    crossing: list[list[int]],
    regions: int,
) -> Longs:
    """Return what `PlanBoard.unions` holds; zeros where regions are not told apart."""
    if not regions:
        return np.zeros(3, np.int64)
    pairs = [(poor, rich) for poor, row in enumerate(crossing) for rich in row]
    words = [sum(1 << cell for cell in cells) for cells in off]
    united = [(words[poor] | words[rich], poor, rich) for poor, rich in pairs]
    least = 255
    if len(pairs) > _MOST_PAIRS:
        least = 0
    else:
        for (one, poor, rich), (two, other, another) in itertools.combinations(united, 2):
            lines = 4 - (poor == other) - (rich == another)
            least = min(least, (one | two).bit_count() - 2 * lines)
    alone = min((word.bit_count() - 4 for word, _, _ in united), default=255)
    shared = max((len(off[poor] & off[rich]) for poor, rich in pairs), default=0)
    return np.array([least, alone, shared], np.int64)


def room_for(board: PlanBoard, cells: int) -> Matching:
    """Return room for matchings on a board."""
    lines = len(board.kinds)
    return Matching(
        *(np.zeros(cells, np.int64), np.zeros(cells, np.int64)),
        *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
        *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
        np.full(cells, -1, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int64),
    )


def sets_for(board: PlanBoard, cells: int) -> Sets:
    """Return room for the search for sets of lines; none where regions are not told apart."""
    regions = board.moved.shape[1]
    lines, words = len(board.kinds), board.through_bits.shape[1]
    steps = MOST_STEPS if regions else 1
    flow = Flow(
        np.zeros(cells, np.int64),
        np.zeros((lines, words), np.uint64),
        np.zeros(lines, np.int64),
        *(np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.uint64)),
        *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
        np.zeros(cells + 1, np.int64),
    )
    return Sets(
        flow,
        np.zeros(MOST_STEPS + 2, np.int64),
        np.zeros((2, MOST_STEPS + 1), np.int64),
        np.zeros((steps, words), np.uint64),
        np.zeros(lines, np.int64),
        *(np.zeros(cells, np.int64), np.zeros(cells, np.int64)),
        *(np.zeros((2, regions + 1), np.int64), np.zeros((2, regions + 1), np.int64)),
        np.zeros((2, len(board.crossing)), np.int64),
        np.zeros(words, np.uint64),
    )


def leaves_for(board: PlanBoard) -> Leaves:
    """Return room for what is found of leaves; none where regions are not told apart."""
    length = MOST_NOTES if board.moved.shape[1] else 1
    return Leaves(
        np.zeros(length, np.uint64), np.zeros(length, np.uint8), np.zeros(length, np.int32)
    )


def _ragged(rows: list[list[int]]) -> tuple[Longs, Longs]:
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return ends, np.array([one for row in rows for one in row], np.int64)


def _key_symmetries(
    position: Position, keys: tuple[int, ...], dead: set[int], region_of: list[int], regions: int
) -> tuple[NDArray[np.intp], Longs]:
    """Where symmetries of the board that keep the keys move them and the regions, by places."""
    rows = np.arange(len(position.owners), dtype=np.int32)[None]
    with suppress(LimitError):
        rows = position.game.board.symmetry.permutations()
    for kept in (sorted(keys), sorted(dead)):
        rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
    order = np.argsort(keys)
    moved = order[np.searchsorted(np.array(keys)[order], rows[:, list(keys)])]
    # Lines that hang together are moved to such, so that one cell tells.
    firsts = [region_of.index(region) for region in range(regions)]
    carried = np.array(region_of, np.int64)[rows[:, firsts]]
    both = np.unique(np.column_stack([moved, carried]), axis=0)
    return both[:, : len(keys)], np.ascontiguousarray(both[:, len(keys) :]).astype(np.int64)


def _line_sets(through: list[list[int]], lines: int) -> Words:
    """Return the lines through each cell as bits of words."""
    found = np.zeros((len(through), -(-lines // 64)), np.uint64)
    for cell, row in enumerate(through):
        for line in row:
            found[cell, line // 64] |= np.uint64(1 << line % 64)
    return found


def _images(moved: NDArray[np.intp]) -> Words:
    """Images of every eight keys under each symmetry."""
    count, width = moved.shape
    eights = -(-width // 8)
    bits = np.zeros((count, 8 * eights), np.uint64)
    bits[:, :width] = np.uint64(1) << moved.astype(np.uint64)
    images = np.zeros((count, eights, 256), np.uint64)
    for value in range(256):
        for bit in range(8):
            if value >> bit & 1:
                images[:, :, value] |= bits[:, bit::8]
    return np.ascontiguousarray(images.transpose(1, 2, 0))
