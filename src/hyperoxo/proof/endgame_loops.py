"""Exhaustive endgame search, compiled: the checker's own negamax on bitboards.

A position is two words, the stones of the player to move and of the other, bit c for cell c. Each
player has a *goal*: the seat of a claim wants a win, or at least a draw, and the other wants to
prevent that. So every position is decided, for the player to move, as reached or not.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import Game
from hyperoxo.proof.tables import Words, loop

MOST_CELLS = 64
OUT_OF_NODES = -1
_TABLE_BITS = 20
_ONE, _ZERO = np.uint64(1), np.uint64(0)
_MIX, _TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Masks(NamedTuple):
    """Bitboards of a board: lines, playable cells, gravity."""

    lines: Words
    """The cells of each line, ``[L]``."""
    cells: Words
    """Single cells, those on most lines first, ``[N]``."""
    field: np.uint64
    """All cells but the blocked ones."""
    floor: np.uint64
    """Cells that may be filled at once; without gravity all."""
    rise: int
    """From the number of a cell to that of the one that rests on it; 0 without gravity."""


class Memory(NamedTuple):
    """Positions decided so far, and the stack; rows of both are positions, two words each."""

    keys: Words
    """``[2^k, 2]``."""
    found: NDArray[np.int8]
    """1 where the player to move reaches their goal, 0 where not, ``[2^k]``."""
    stack: Words
    """``[N + 1, 2]``."""
    rest: Words
    """Moves not tried yet, ``[N]``."""


def masks_of(game: Game) -> Masks:
    """Return the words of a game's board."""
    board = game.board
    degrees = board.degrees
    cells = sorted(board.playable.tolist(), key=lambda cell: -int(degrees[cell]))
    floor, rise = board.playable, 0
    if game.gravity is not None:
        assert board.shape is not None
        floor, rise = game.first_landing_cells, math.prod(board.shape[game.gravity + 1 :])
    return Masks(
        np.array([_word(board.line(line)) for line in range(board.line_count)], np.uint64),
        np.array([1 << cell for cell in cells], np.uint64),
        np.uint64(_word(board.playable)),
        np.uint64(_word(floor)),
        rise,
    )


def memory_of(game: Game) -> Memory:
    """Return an empty memory."""
    return Memory(
        np.zeros((1 << _TABLE_BITS, 2), np.uint64),
        np.zeros(1 << _TABLE_BITS, np.int8),
        np.zeros((game.cells + 1, 2), np.uint64),
        np.zeros(game.cells, np.uint64),
    )


def _word(cells: NDArray[np.integer]) -> int:
    return sum(1 << int(cell) for cell in cells)


@loop
def _completes(m: Masks, own: np.uint64) -> np.uint64:
    """Return the completing cells of a player; some may be taken."""
    found = _ZERO
    for at in range(len(m.lines)):
        left = m.lines[at] & ~own
        if not left & (left - _ONE):
            found |= left
    return found


@loop
def _has_open_line(m: Masks, other: np.uint64) -> bool:
    """Return whether some line holds no stone of `other`."""
    found = False
    for at in range(len(m.lines)):
        found |= not m.lines[at] & other
    return found


@loop
def _enter(m: Masks, own: np.uint64, other: np.uint64, needs: bool, rest: Words, level: int) -> int:
    """Decide a position by its next two moves, or list its moves and return -1."""
    # `needs` tells that the player to move has to complete a line; else the other has to.
    taken = own | other
    free = m.field & ~taken
    rise = np.uint64(m.rise)
    # Cells that rest on a stone, or on the floor. A shift past the top of a column meets the floor
    # of another, which is listed anyway, or a blocked cell, which `free` leaves out.
    landing = free & (m.floor | taken << rise)
    # 1. A line is completed now: a win for the player who needs one, prevention for the other.
    if landing & _completes(m, own):
        return 1
    # 2. The player who needs a line has none without a stone of the other, as on every full board.
    if not _has_open_line(m, other if needs else own):
        return 0 if needs else 1
    # 3. The other completes a line next, unless its cell is taken: two such cells lose, one leaves
    # a single move. No move may go right below such a cell, which would become playable.
    theirs = _completes(m, other)
    moves = landing & theirs
    if moves & (moves - _ONE):
        return 0
    if not moves:
        moves = landing
    moves &= ~((theirs & ~m.floor) >> rise)
    if not moves:
        return 0
    rest[level] = moves
    return -1


@loop
def _slot(own: np.uint64, other: np.uint64, size: int) -> np.uint64:
    """Return the slot of a position in the table, by a hash of its words."""
    return ((own * _MIX) ^ ((own ^ other) >> _TURN) ^ other) & np.uint64(size - 1)


@loop
def reaches_goal(
    m: Masks, memory: Memory, own: np.uint64, other: np.uint64, needs: bool, most: int
) -> int:
    """Return 1 if the player to move reaches their goal, 0 if not, `OUT_OF_NODES` at a limit.

    No line is complete in the position. The player who `needs` one wants to complete it first;
    the other wants that this does not happen.
    """
    # `found` is -1 at a position whose moves are being tried. The stones determine the player to
    # move and, with seat and claim fixed, `needs`; so the two words are the whole key. The empty
    # board would match an unused slot, but only positions after a move are looked up.
    level, nodes = 0, 0
    size = len(memory.found)
    found = _enter(m, own, other, needs, memory.rest, 0)
    memory.stack[0, 0], memory.stack[0, 1] = own, other
    while True:
        # 1. Return a decided value to the parent: reached there if a child is not (negamax), or
        # not reached once every child is.
        if found >= 0:
            if level == 0:
                return found
            level -= 1
            own, other = memory.stack[level, 0], memory.stack[level, 1]
            needs = not needs
            if found == 0 or not memory.rest[level]:
                found = 1 - found
                slot = _slot(own, other, size)
                memory.keys[slot, 0], memory.keys[slot, 1] = own, other
                memory.found[slot] = found
                continue
        # 2. Play the next move, cells on most lines first: they decide soonest.
        nodes += 1
        if nodes > most:
            return OUT_OF_NODES
        move = _ZERO
        for at in range(len(m.cells)):
            move = m.cells[at] & memory.rest[level]
            if move:
                break
        memory.rest[level] ^= move
        own, other = other, own | move
        level, needs = level + 1, not needs
        memory.stack[level, 0], memory.stack[level, 1] = own, other
        # 3. Probe the transposition table, which compares both words, so that no collision can
        # make the proof unsound; else list the moves.
        slot = _slot(own, other, size)
        if memory.keys[slot, 0] == own and memory.keys[slot, 1] == other:
            found = memory.found[slot]
        else:
            found = _enter(m, own, other, needs, memory.rest, level)
