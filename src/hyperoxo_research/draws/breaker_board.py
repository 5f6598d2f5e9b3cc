"""The lines, keys, regions and symmetries of a search for a plan of Breaker's, as arrays."""

from __future__ import annotations

import itertools
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import BLOCKED, Game, Position
from hyperoxo.kernels.arrays import Words
from hyperoxo_research.draws.breaker_blocks import blocks_told, hyperplanes
from hyperoxo_research.draws.breaker_regions import ragged, regions_of, regions_told
from hyperoxo_research.kernels.breaker_flow import Flow
from hyperoxo_research.kernels.breaker_lines import MOST_STEPS, Sets, find_base
from hyperoxo_research.kernels.breaker_look import MOST_KEYS, PlanRoom
from hyperoxo_research.kernels.breaker_rules import MAIN, POOR, RICH, Matching, PlanBoard
from hyperoxo_research.kernels.breaker_states import STATE
from hyperoxo_research.kernels.breaker_stones import MOST_KINDS, Stones

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
    """Refuse keys that are too many, too few, or no cells to play on."""
    if not 0 < len(set(keys)) == len(keys) <= MOST_KEYS:
        raise SpecError(f"a plan has 1 to {MOST_KEYS} different key cells, not {len(keys)}")
    for cell in keys:
        if not 0 <= cell < len(position.owners) or position.owners[cell] == BLOCKED:
            raise SpecError(f"key {cell} is not a cell of {position.game} that can be played on")


def plan_board(
    position: Position, keys: tuple[int, ...], maker: int, *, by_lines: bool = False
) -> PlanBoard:
    """Return lines, keys and symmetries as arrays, without the lines that are dead off the keys."""
    board = position.game.board
    on_keys = set(keys)
    dead = {
        cell
        for cell, owner in enumerate(position.owners)
        if owner == 3 - maker and cell not in on_keys
    }
    numbers = [at for at in range(board.line_count) if not dead & set(board.line(at).tolist())]
    lines = [board.line(number).tolist() for number in numbers]
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
    home = [-1] * len(lines)
    if by_lines:
        home = regions_of(
            [cells if kind == RICH else set() for cells, kind in zip(off, kinds, strict=True)]
        )
    on_cell = np.zeros(len(position.owners), np.int64)
    on_cell[list(keys)] = -1
    symmetries = _symmetries(position, keys, dead)
    if by_lines and len(symmetries) > _MOST_SYMMETRIES:
        symmetries = np.arange(len(on_cell), dtype=np.int32)[None]
    order = np.argsort(keys)
    moved = order[np.searchsorted(np.array(keys)[order], symmetries[:, list(keys)])]
    # By lines, those that move keys alike may move lines differently.
    _, kept = np.unique(symmetries if by_lines else moved, axis=0, return_index=True)
    regions = regions_told(lines, off, home, crossing, on_cell, symmetries[kept])
    line_sets = _line_sets(through, len(lines))
    chosen = hyperplanes(board, lines, kinds) if by_lines else []
    blocks = blocks_told(chosen, lines, kinds, masks, off, regions, line_sets.shape[1])
    return PlanBoard(
        np.array(numbers, np.int64),
        *ragged(lines),
        np.array(kinds, np.int64),
        np.array(masks, np.uint64),
        np.array(keys, np.int64),
        _images(moved[kept]),
        *ragged(crossing),
        *ragged(through),
        line_sets,
        regions,
        blocks,
    )


def _matching_for(board: PlanBoard, cells: int) -> Matching:
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


def _sets_for(board: PlanBoard, cells: int) -> Sets:
    """Return room for the search for sets of lines; little where regions are not told apart."""
    regions = board.regions.moved.shape[1]
    lines, words = len(board.kinds), board.through_bits.shape[1]
    steps = MOST_STEPS if regions else 1

    def flow() -> Flow:
        return Flow(
            np.zeros(cells, np.int64),
            np.zeros((lines, words), np.uint64),
            np.zeros(lines, np.int64),
            *(np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.uint64)),
            *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
            np.zeros(cells + 1, np.int64),
        )

    return Sets(
        flow(),
        np.zeros(MOST_STEPS + 2, np.int64),
        np.zeros((2, MOST_STEPS), np.int64),
        np.zeros((steps, words), np.uint64),
        np.zeros(lines, np.int64),
        *(np.zeros(cells, np.int64), np.zeros(cells, np.int64)),
        np.zeros((4, regions + 1), np.int64),
        np.flatnonzero(board.kinds == POOR),
        *(np.zeros(words, np.uint64), np.zeros(words, np.uint64)),
        flow(),
    )


def room_for(board: PlanBoard, cells: int) -> PlanRoom:
    """Return room for a search on a board."""
    child, other, easy, wide, parent, general, trial = np.zeros((7, STATE), np.uint64)
    made = PlanRoom(
        _matching_for(board, cells),
        _sets_for(board, cells),
        Stones(np.zeros((2, len(board.crossing)), np.int64), np.zeros(cells, np.int64)),
        *(child, other, easy, wide, parent, general, trial),
        np.zeros(len(board.keys) + 1, np.int64),
        np.zeros(len(board.keys) + 1, np.int64),
        np.zeros(MOST_KINDS, np.int64),
    )
    find_base(board, made.matching, made.sets.base)
    return made


def _symmetries(position: Position, keys: tuple[int, ...], dead: set[int]) -> NDArray[np.int32]:
    """Return the symmetries of the board that keep the keys and the dead cells."""
    rows = np.arange(len(position.owners), dtype=np.int32)[None]
    with suppress(LimitError):
        rows = position.game.board.symmetry.permutations()
    for kept in (sorted(keys), sorted(dead)):
        rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
    return rows


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
