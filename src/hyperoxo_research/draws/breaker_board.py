"""The lines, keys, regions and symmetries of a search for a plan of Breaker's, as arrays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import BLOCKED, Game, Position
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo_research.draws.breaker_regions import (
    blocks_told,
    hyperplanes,
    packed,
    ragged,
    regions_of,
    regions_told,
)
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
    on = np.zeros((len(lines), len(position.owners)), np.int64)
    for at, line in enumerate(lines):
        on[at, line] = 1
    cells = np.array(keys, np.int64)
    off, on_cell = on.copy(), np.zeros(len(position.owners), np.int64)
    off[:, cells], on_cell[cells] = 0, -1
    masks = packed(on[:, cells] > 0)[:, 0]
    kinds = np.where(masks == 0, POOR, np.where(off.any(axis=1), RICH, MAIN))
    rich, shared = kinds == RICH, off @ off.T
    crossing = (kinds == POOR)[:, None] & rich & (shared > 0)
    home = regions_of(rich & by_lines, shared)
    symmetries = _symmetries(position, keys, dead)
    if by_lines and len(symmetries) > _MOST_SYMMETRIES:
        symmetries = np.arange(len(on_cell), dtype=np.int32)[None]
    order = np.argsort(keys)
    moved = order[np.searchsorted(cells[order], symmetries[:, cells])]
    # By lines, those that move keys alike may move lines differently.
    _, kept = np.unique(symmetries if by_lines else moved, axis=0, return_index=True)
    regions = regions_told(lines, off, home, crossing, on_cell, symmetries[kept])
    chosen = hyperplanes(board, lines, kinds) if by_lines else []
    return PlanBoard(
        np.array(numbers, np.int64),
        np.cumsum([0, *map(len, lines)]).astype(np.int64),
        np.array([cell for line in lines for cell in line], np.int64),
        kinds,
        masks,
        cells,
        _images(moved[kept]),
        *ragged(crossing),
        *ragged(on.T > 0),
        packed(on.T > 0),
        regions,
        blocks_told(chosen, on, cells, kinds, regions),
    )


def _longs(*shapes: int | tuple[int, int]) -> Iterator[Longs]:
    return (np.zeros(shape, np.int64) for shape in shapes)


def _sets_for(board: PlanBoard, cells: int) -> Sets:
    """Return room for the search for sets of lines; little where regions are not told apart."""
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
            np.flatnonzero(board.kinds == POOR),
            *np.zeros((2, words), np.uint64),
            flow(),
        )
    )


def room_for(board: PlanBoard, cells: int) -> PlanRoom:
    """Return room for a search on a board."""
    lines, keys = len(board.kinds), len(board.keys)
    made = PlanRoom(
        Matching._make(
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
    for kept in (sorted(keys), sorted(dead)):
        rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
    return rows


def _images(moved: NDArray[np.intp]) -> Words:
    """Images of every eight keys under each symmetry."""
    count, width = moved.shape
    bits = np.zeros((count, -(-width // 8) * 8), np.uint64)
    bits[:, :width] = np.uint64(1) << moved.astype(np.uint64)
    values = np.arange(256, dtype=np.uint64) >> np.arange(8, dtype=np.uint64)[:, None] & 1
    images = bits.reshape(count, -1, 8) @ values
    return np.ascontiguousarray(images.transpose(1, 2, 0))
