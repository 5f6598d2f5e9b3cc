"""Pairing strategies by bipartite matching, Hall violators, and mirroring.

A pairing gives every line that a rival could complete two free cells of its own.

Mirroring is how a player of misère games keeps from losing by symmetry. On an n^d board with
point-symmetric blocking, two players, target 1, no gravity and no restricted opening: with odd
n >= 3 and a free centre the first player takes the centre and answers every move at the opposite
cell; with even n the second player answers so from the start. A line of the mirroring player's
would have an opposite line, or be its own opposite, with a stone of the other in it; so the other
completes a line first.

References
----------
S. Golomb and A. Hales, "Hypercube tic-tac-toe", More Games of No Chance (2002), 167-182.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import BLOCKED, FREE, Game, Known, Position, Requires, Trait


def open_lines(position: Position, maker: int) -> list[list[int]]:
    """Return the free cells of each line with stones of `maker` only."""
    pointers, cells = open_rows(position, maker)
    return [cells[begin:end].tolist() for begin, end in pairwise(pointers)]


def line_possible(position: Position) -> bool:
    """Return whether any player may still complete a line."""
    seats = range(1, position.game.players + 1)
    return any(len(open_rows(position, seat)[0]) > 1 for seat in seats)


def pairs_of(position: Position, seat: int) -> tuple[tuple[int, int], ...] | None:
    """Find pairs of free cells, one on each line that the rival of a seat could complete."""
    # Two private cells for each line need 2L <= free cells: refuse early what counting excludes.
    pointers, cells = open_rows(position, 3 - seat)
    sizes = np.diff(pointers)
    if (sizes < 2).any() or 2 * len(sizes) > position.game.cells - position.ply:
        return None
    found = _matched(pointers, cells, position.game.board.cell_count)
    if (found < 0).any():
        return None
    pairs = np.sort(found.reshape(-1, 2), axis=1)
    return tuple((one, two) for one, two in pairs.tolist())


def crowded_lines(position: Position, seat: int) -> tuple[list[list[int]], list[int]] | None:
    """Find lines of the rival that have fewer than two free cells each between them."""
    # By Hall's theorem they exist exactly if there is no pairing. Returns the lines as lists of
    # their free cells, and these cells.
    lines = open_lines(position, 3 - seat)
    found = crowded(lines, position.game.board.cell_count)
    return None if found is None else ([lines[line] for line in found[0]], found[1])


def crowded(lines: Sequence[Sequence[int]], cell_count: int) -> tuple[list[int], list[int]] | None:
    """Find the numbers of lines that have too few cells for two each, and their cells."""
    pointers = np.cumsum([0, *map(len, lines)])
    found = _matched(pointers, np.array([c for line in lines for c in line], np.int32), cell_count)
    if (found >= 0).all():
        return None
    # Hall violator: follow alternating paths from an unmatched row (two rows per line) to the rows
    # that hold the cells it could use. As the matching is maximum, every cell reached is taken, and
    # the lines reached have fewer cells than twice their number.
    row_of = {cell: row for row, cell in enumerate(found.tolist()) if cell >= 0}
    reached, cells, ahead = set[int](), set[int](), [int(np.flatnonzero(found < 0)[0])]
    while ahead:
        row = ahead.pop()
        reached.add(row // 2)
        new = set(lines[row // 2]) - cells
        cells |= new
        ahead += (row_of[cell] for cell in new)
    return sorted(reached), sorted(cells)


def open_rows(position: Position, maker: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the free cells of open lines in CSR form: pointers ``[L + 1]`` and cells."""
    board = position.game.board
    owners = np.frombuffer(position.owners, np.uint8)[board.line_cells]
    line_of = np.repeat(np.arange(board.line_count), board.line_sizes)
    closed = np.zeros(board.line_count, dtype=bool)
    closed[line_of[(owners != FREE) & (owners != maker)]] = True
    free = (owners == FREE) & ~closed[line_of]
    sizes = np.bincount(line_of[free], minlength=board.line_count)[~closed]
    return np.concatenate(([0], np.cumsum(sizes))), board.line_cells[free]


def _matched(
    pointers: NDArray[np.int64], cells: NDArray[np.int32], cell_count: int
) -> NDArray[np.int32]:
    """Match two rows per line with cells, maximum; int32 ``[2L]``, -1 for an unmatched row."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if len(pointers) == 1:
        return np.empty(0, np.int32)
    # Each line is two adjacent rows with the same cells: `twice` repeats every slice of `cells`.
    sizes = np.repeat(np.diff(pointers), 2)
    ends = np.cumsum(sizes)
    twice = np.arange(ends[-1]) + np.repeat(np.repeat(pointers[:-1], 2) - ends + sizes, sizes)
    graph = csr_array(
        (np.ones(len(twice), np.int8), cells[twice], np.concatenate(([0], ends))),
        (len(sizes), cell_count),
    )
    found: NDArray[np.int32] = maximum_bipartite_matching(graph, perm_type="column")
    return found


TWO_SIDED = {*Known.BIASES, *Known.STARTS, *Known.TARGETS, *Known.OPENINGS}
"""Rules under which one of two players keeps the other from lines, besides the convention."""

PAIRING = Requires("pairing", {Trait.STRONG, Trait.MAKER_BREAKER, *TWO_SIDED, *Known.ROWS})


def may_pair(game: Game, seat: int) -> bool:
    """True if a seat keeps its rival from any line by pairs, once the opening is free for it."""
    rival = 3 - seat
    return PAIRING.accepts(game) and game.convention.counts(rival) and game.bias[rival - 1] == 1


MIRRORING = Requires("mirroring", {Trait.MISERE})


def mirroring_seat(game: Game) -> int | None:
    """Return the seat that never loses by mirroring, or None."""
    board = game.board
    if not MIRRORING.accepts(game) or board.side is None or board.side < 2:
        return None
    last = board.cell_count - 1
    if {last - cell for cell in board.blocked} != set(board.blocked):
        return None
    if board.side % 2 == 0:
        return 2
    return 1 if last // 2 not in board.blocked else None


def mirroring_move(position: Position) -> int | None:
    """Return the mirroring player's move, as long as all moves so far were mirrored."""
    seat = mirroring_seat(position.game)
    if seat is None or seat != position.to_move:
        return None
    owners, last = position.owners, len(position.owners) - 1
    centre = last // 2 if seat == 1 else None
    if centre is not None and position.ply == 0:
        return centre
    if centre is not None and owners[centre] != seat:
        return None
    # The rival's last move is the only stone whose mirror cell is not of the other colour.
    alone = [
        cell
        for cell, owner in enumerate(owners)
        if cell != centre and owner not in (FREE, BLOCKED) and owners[last - cell] != 3 - owner
    ]
    if len(alone) != 1 or owners[alone[0]] == seat or owners[last - alone[0]] != FREE:
        return None
    return last - alone[0]
