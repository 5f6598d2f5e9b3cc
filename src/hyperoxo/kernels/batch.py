"""Batched games: steps, observations, legal masks and rewards, into arrays of the caller.

Boards of up to 64 cells (*small*) are a few uint64 each, one board after the other in `boards`:
the number of stones, 1 once the game is over, the set of taken cells, for each player the set of
theirs, and for each player the number of lines they own. Those beyond (*large*) are states of line
counters, rows of `states`; see `kernels.state`. Both know all rules and differ in speed alone.

The other data of small boards are in `sets` (uint64): the playable cells, the cells where
a stone lands whatever lies below, how many cells further on the cell above is, the words of a row
of `lines`, half of the smallest power of two that is no less than the number of cells, and for each
ply the cells that the opening allows, none where it allows all. `lines` has a row for each cell:
the sets of the lines through it, empty ones as far as that of the busiest cell, and their number.

Fixed lengths and unsigned numbers let the processor run ahead. Functions that are called for
every board take arrays only where they have no branches, since references to an array are counted.

Arrays without entries are not written.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Singles, Words, fill
from hyperoxo.kernels.cell_sets import popcount, trailing_zeros
from hyperoxo.kernels.rng import advance, below, mix, stream
from hyperoxo.kernels.state import full_board_result, legal_moves, play, reset, undo
from hyperoxo.kernels.step import ILLEGAL, allowed, step

Unsigned: TypeAlias = Any
"""A uint64."""

PLY, OVER, TAKEN, STONES = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
OPENS, MOVES = np.uint64(0), np.uint64(1)
S_PLAYABLE, S_FLOOR, S_ABOVE, S_WIDTH, S_HALF, S_OPENINGS = range(6)

NOWHERE = -1
"""The action of a random player on a board whose game is over."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Opening(NamedTuple):
    """Openings: at least `least` and at most `most` random plies."""

    random: Words
    """``[B, 2]``: streams of each board, for openings and for random moves."""
    least: int
    most: int
    again: bool
    """True if a game that ends is followed by another."""


class Seen(NamedTuple):
    """Observations: whose turn it is on each board, planes of stones, and legal moves."""

    seats: Ints
    observations: Bytes
    masks: Bytes


@njit(**NO_REFCOUNT)
def seed_boards(seeds: Words, numbers: Longs, random: Words) -> None:
    """Set the random streams of each board to those of its seed and number."""
    for board in range(len(seeds)):
        first = stream(seeds[board], numbers[board])
        random[board, OPENS] = stream(first, 0)
        random[board, MOVES] = stream(first, 1)


@njit(**NO_REFCOUNT)
def _legal(sets: Words, taken: Unsigned, ply: Unsigned) -> Unsigned:
    """Return the legal moves on a small board whose game is not over, as a set."""
    free = sets[S_PLAYABLE] & ~taken & (sets[S_FLOOR] | taken << sets[S_ABOVE])
    inside = free & sets[np.uint64(S_OPENINGS) + ply]
    return inside or free


@njit(**NO_REFCOUNT)
def _put(
    sets: Words, lines: Words, boards: Words, base: Unsigned, own: Unsigned, cell: Unsigned
) -> Unsigned:
    """Play a legal move on a small board; return the number of lines it completes."""
    stone = _ONE << cell
    stones = boards[own] | stone
    boards[own] = stones
    boards[base + TAKEN] |= stone
    boards[base + PLY] += _ONE
    row, last = cell * sets[S_WIDTH], (cell + _ONE) * sets[S_WIDTH] - _ONE
    completed = _ZERO
    for place in range(row, last):
        completed += np.uint64(lines[place] & stones == lines[place])
    return completed - lines[last]


@njit(**NO_REFCOUNT)
def _result(t: Ints, boards: Words, base: Unsigned, mover: Unsigned, completed: Unsigned) -> int:
    """Count completed lines on a small board; return the result, as `kernels.state` has it."""
    owned = base + STONES + np.uint64(t[state.PLAYERS]) + mover
    boards[owned] += completed
    if (
        completed
        and boards[owned] >= np.uint64(t[state.TARGET])
        and not (mover and t[state.MAKER_ONLY])
    ):
        player = int(np.int64(mover)) + 1
        return -player if t[state.MISERE] else player
    if boards[base + PLY] < np.uint64(t[state.PLAYABLE]):
        return 0
    return full_board_result(t, boards, int(np.int64(owned - mover)))


@njit(**NO_REFCOUNT)
def _one_of(cells: Unsigned, word: Unsigned, half: Unsigned) -> Unsigned:
    """Return one cell of a set by a random word: halves are skipped, without a branch."""
    # The cell with `left` cells of the set below it, by bisection: if the lower half has no more
    # than `left` cells, it is skipped and these are deducted. `half` is a power of two.
    left = below(word, popcount(cells))
    cell = _ZERO
    while half:
        here = popcount(cells & ((_ONE << half) - _ONE))
        skipped = half if left >= here else _ZERO
        left -= here if left >= here else _ZERO
        cells >>= skipped
        cell += skipped
        half >>= _ONE
    return cell


@njit(**NO_REFCOUNT)
def _plies(opening: Opening, board: Unsigned) -> int:
    """Draw the number of random plies with which the next game of a board begins."""
    random, least, most, _ = opening
    if most == 0:
        return 0
    random[board, OPENS] = advance(random[board, OPENS])
    return least + int(np.int64(below(mix(random[board, OPENS]), most - least + 1)))


@njit(**NO_REFCOUNT)
def _begin(
    t: Ints, sets: Words, lines: Words, boards: Words, opening: Opening, board: Unsigned
) -> None:
    """Start a game on a small board; of its random plies, those before one that would end it."""
    random = opening.random
    players, turns = np.uint64(t[state.PLAYERS]), np.uint64(t[state.T_MOVERS])
    size = STONES + players + players
    base = board * size
    for place in range(base, base + size):
        boards[place] = _ZERO
    for _ in range(_plies(opening, board)):
        taken, ply = boards[base + TAKEN], boards[base + PLY]
        mover = np.uint64(t[turns + ply])
        own = base + STONES + mover
        stones, owned = boards[own], boards[own + players]
        random[board, OPENS] = advance(random[board, OPENS])
        cell = _one_of(_legal(sets, taken, ply), mix(random[board, OPENS]), sets[S_HALF])
        completed = _put(sets, lines, boards, base, own, cell)
        # A ply that ends the game is taken back: these four words are all that it changed.
        if _result(t, boards, base, mover, completed):
            boards[own], boards[own + players] = stones, owned
            boards[base + TAKEN], boards[base + PLY] = taken, ply
            break


@njit(**NO_REFCOUNT)
def _begin_large(t: Ints, s: Ints, opening: Opening, board: Unsigned, scratch: Ints) -> None:
    """Start a game on a large board, as `_begin` does."""
    random = opening.random
    reset(t, s)
    for _ in range(_plies(opening, board)):
        random[board, OPENS] = advance(random[board, OPENS])
        play(t, s, scratch[below(mix(random[board, OPENS]), legal_moves(t, s, scratch))])
        if s[state.RESULT]:
            undo(t, s)
            break


@njit(**NO_REFCOUNT)
def _pay(rewards: Singles, board: Unsigned, players: Unsigned, result: int) -> None:
    """Write each player's reward at the end of a game over zeros."""
    # They sum to zero: 1 or -1 to the player who decides it, the negative shared by the others.
    if result == state.DRAW:
        return
    sign = np.float32(1 if result > 0 else -1)
    for place in range(board * players, (board + _ONE) * players):
        rewards[place] = -sign / np.float32(players - _ONE)
    rewards[board * players + np.uint64(abs(result) - 1)] = sign


@njit(**NO_REFCOUNT)
def _show(stones: Unsigned, first: Unsigned, players: Unsigned, observations: Bytes) -> None:
    """Write a plane of a small board: a 1 for each cell of a set, from index `first` on."""
    while stones:
        observations[first + trailing_zeros(stones) * players] = 1
        stones &= stones - _ONE


@njit(**NO_REFCOUNT)
def _allow(legal: Unsigned, first: Unsigned, cells: Unsigned, masks: Bytes) -> None:
    """Write the mask of a small board, from index `first` on."""
    for cell in range(cells):
        masks[first + cell] = legal >> cell & _ONE


@njit(**NO_REFCOUNT)
def _see(t: Ints, sets: Words, boards: Words, seen: Seen) -> None:
    """Write seat to move, observation and legal mask of every small board."""
    # Observations ``[B, N, q]``, flat: plane 0 of the player to move, then of those after them.
    seats, observations, masks = seen
    players, cells = np.uint64(t[state.PLAYERS]), np.uint64(t[state.CELLS])
    turns = np.uint64(t[state.T_MOVERS])
    fill(observations, 0)
    for board in range(np.uint64(len(seats))):
        base = board * (STONES + players + players)
        player = np.uint64(t[turns + boards[base + PLY]])
        seats[board] = player
        if len(observations):
            for plane in range(players):
                first = board * cells * players + plane
                _show(boards[base + STONES + player], first, players, observations)
                player = player + _ONE if player + _ONE < players else _ZERO
        if len(masks):
            legal = _legal(sets, boards[base + TAKEN], boards[base + PLY])
            _allow(_ZERO if boards[base + OVER] else legal, board * cells, cells, masks)


@njit(**NO_REFCOUNT)
def _see_large(t: Ints, s: Ints, board: Unsigned, seen: Seen, scratch: Ints) -> None:
    """Write seat to move, observation and legal mask of a large board."""
    seats, observations, masks = seen
    players, cells = t[state.PLAYERS], np.int64(t[state.CELLS])
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    seats[board] = mover
    if len(observations):
        row = np.int64(board) * cells * players
        for place in range(t[state.S_HISTORY], t[state.S_HISTORY] + s[state.PLIES]):
            plane = s[t[state.S_OWNER] + s[place]] - 1 - mover
            observations[row + s[place] * players + (plane + players if plane < 0 else plane)] = 1
    if len(masks):
        row = np.int64(board) * cells
        fill(masks[row : row + cells], 0)
        if s[state.RESULT] == 0:
            for place in range(legal_moves(t, s, scratch)):
                masks[row + scratch[place]] = 1


@njit(**NO_REFCOUNT)
def begin_small(
    t: Ints, sets: Words, boards: Words, lines: Words, opening: Opening, seen: Seen
) -> None:
    """Start all games on small boards."""
    for board in range(np.uint64(len(seen.seats))):
        _begin(t, sets, lines, boards, opening, board)
    _see(t, sets, boards, seen)


@njit(**NO_REFCOUNT)
def begin_large(t: Ints, states: Ints, scratch: Ints, opening: Opening, seen: Seen) -> None:
    """Start all games on large boards."""
    fill(seen.observations, 0)
    for board in range(np.uint64(len(seen.seats))):
        _begin_large(t, states[board], opening, board, scratch)
        _see_large(t, states[board], board, seen, scratch)


@njit(**NO_REFCOUNT)
def step_small(
    t: Ints,
    sets: Words,
    boards: Words,
    lines: Words,
    opening: Opening,
    actions: Longs,
    rewards: Singles,
    done: Bytes,
    seen: Seen,
) -> None:
    """Play an action on each small board; an illegal one ends the game for its player.

    Nothing happens on boards whose game is over, unless another one follows.
    """
    players, cells = np.uint64(t[state.PLAYERS]), np.uint64(t[state.CELLS])
    turns, full = np.uint64(t[state.T_MOVERS]), np.uint64(t[state.PLAYABLE])
    fill(rewards, 0)
    for board in range(np.uint64(len(seen.seats))):
        base = board * (STONES + players + players)
        # 1. The action: a move and its result, or a loss if it is illegal. An unsigned cell makes a
        #    negative one too large.
        if not boards[base + OVER]:
            cell, ply = np.uint64(actions[board]), boards[base + PLY]
            mover = np.uint64(t[turns + ply])
            result = 0
            if cell < cells and _legal(sets, boards[base + TAKEN], ply) >> cell & _ONE:
                completed = _put(sets, lines, boards, base, base + STONES + mover, cell)
                if completed or ply + _ONE == full:
                    result = _result(t, boards, base, mover, completed)
            else:
                result = -1 - int(np.int64(mover))
            if result:
                _pay(rewards, board, players, result)
                boards[base + OVER] = _ONE
        # 2. With `again` the next game begins at once: `done` is that of the old game, the
        #    observation that of the new one.
        done[board] = boards[base + OVER]
        if boards[base + OVER] and opening.again:
            _begin(t, sets, lines, boards, opening, board)
    _see(t, sets, boards, seen)


@njit(**NO_REFCOUNT)
def step_large(
    t: Ints,
    states: Ints,
    scratch: Ints,
    opening: Opening,
    actions: Longs,
    rewards: Singles,
    done: Bytes,
    seen: Seen,
) -> None:
    """Play an action on each large board, as `step_small` does."""
    players = np.uint64(t[state.PLAYERS])
    fill(rewards, 0)
    fill(seen.observations, 0)
    for board in range(np.uint64(len(seen.seats))):
        s = states[board]
        if s[state.RESULT] == 0:
            if step(t, s, actions[board]) == ILLEGAL:
                s[state.RESULT] = -(t[t[state.T_MOVERS] + s[state.PLIES]] + 1)
            if s[state.RESULT]:
                _pay(rewards, board, players, s[state.RESULT])
        done[board] = s[state.RESULT] != 0
        if s[state.RESULT] and opening.again:
            _begin_large(t, s, opening, board, scratch)
        _see_large(t, s, board, seen, scratch)


@njit(**NO_REFCOUNT)
def illegal_small(t: Ints, sets: Words, boards: Words, actions: Longs) -> int:
    """Return the first small board with an illegal action, or -1."""
    size, cells = STONES + np.uint64(2 * t[state.PLAYERS]), np.uint64(t[state.CELLS])
    for board in range(np.uint64(len(actions))):
        base, cell = board * size, np.uint64(actions[board])
        legal = _legal(sets, boards[base + TAKEN], boards[base + PLY])
        if not (boards[base + OVER] or (cell < cells and legal >> cell & _ONE)):
            return int(board)
    return -1


@njit(**NO_REFCOUNT)
def illegal_large(t: Ints, states: Ints, _: Ints, actions: Longs) -> int:
    """Return the first large board with an illegal action, or -1."""
    for board in range(len(actions)):
        if states[board, state.RESULT] == 0 and not allowed(t, states[board], actions[board]):
            return board
    return -1


@njit(**NO_REFCOUNT)
def sample_small(t: Ints, sets: Words, boards: Words, random: Words, actions: Longs) -> None:
    """Choose a legal move at random on each small board."""
    size = STONES + np.uint64(2 * t[state.PLAYERS])
    for board in range(np.uint64(len(actions))):
        base = board * size
        random[board, MOVES] = advance(random[board, MOVES])
        word = mix(random[board, MOVES])
        legal = _legal(sets, boards[base + TAKEN], boards[base + PLY])
        chosen = _one_of(legal, word, sets[S_HALF])
        actions[board] = NOWHERE if boards[base + OVER] else np.int64(chosen)


@njit(**NO_REFCOUNT)
def sample_large(t: Ints, states: Ints, scratch: Ints, random: Words, actions: Longs) -> None:
    """Choose a legal move at random on each large board."""
    for board in range(len(actions)):
        random[board, MOVES] = advance(random[board, MOVES])
        moves = 0 if states[board, state.RESULT] else legal_moves(t, states[board], scratch)
        chosen = below(mix(random[board, MOVES]), moves)
        actions[board] = scratch[chosen] if moves else NOWHERE


SMALL: tuple[Any, ...] = (begin_small, step_small, illegal_small, sample_small)
LARGE: tuple[Any, ...] = (begin_large, step_large, illegal_large, sample_large)
