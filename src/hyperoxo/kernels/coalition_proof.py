"""The moves that prove what a seat can force, or what the others can, as a list of positions."""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words
from hyperoxo.kernels.coalition import SUCCEEDS, class_key, force, order_moves
from hyperoxo.kernels.state import (
    CELLS,
    PLAYABLE,
    PLAYERS,
    PLIES,
    RESULT,
    S_OWNER,
    legal_moves,
    play,
    undo,
)

__all__ = ["list_moves", "proving_move"]


@njit(cache=True, nogil=True)
def _seen(keys: Words, used: Bytes, key: np.uint64) -> bool:
    """Whether a key is in the set; it is put in."""
    mask = np.uint64(len(keys) - 1)
    place = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask
    while used[place]:
        if keys[place] == key:
            return True
        place = (place + np.uint64(1)) & mask
    used[place] = 1
    keys[place] = key
    return False


@njit(cache=True, nogil=True)
def proving_move(
    t: Ints,
    s: Ints,
    seat: int,
    goal: int,
    width: int,
    proved: int,
    codes: Words,
    perms: Ints,
    keys: Words,
    values: Bytes,
    control: Longs,
    moves: Ints,
) -> int:
    """Return a move that keeps what `force` has found here; -1 where a limit came first."""
    count = order_moves(t, s, seat, goal, width, moves)
    for i in range(count):
        play(t, s, moves[i])
        result = force(t, s, seat, goal, width, codes, perms, keys, values, control)
        undo(t, s)
        if result == 0:
            return -1
        if result == proved:
            return int(moves[i])
    return -1


@njit(cache=True, nogil=True)
def list_moves(
    t: Ints,
    s: Ints,
    seat: int,
    goal: int,
    width: int,
    proved: int,
    codes: Words,
    perms: Ints,
    keys: Words,
    values: Bytes,
    form_codes: Words,
    form_perms: Ints,
    seen_keys: Words,
    seen: Bytes,
    owners: Bytes,
    cells: Ints,
    control: Longs,
) -> int:
    """List the positions of a proof with the cell played in each."""
    players = t[PLAYERS]
    depth = t[PLAYABLE] - s[PLIES] + 1
    moves = np.empty((depth, t[PLAYABLE]), np.int32)
    counts = np.zeros(depth, np.int64)
    nexts = np.zeros(depth, np.int64)
    most = len(seen_keys) * 3 // 4
    listed = 0
    visited = 0
    level = 0
    entering = True
    while True:
        if entering:
            counts[level] = nexts[level] = 0
            key = class_key(t, s, form_codes, form_perms, len(form_perms))
            if s[RESULT] == 0 and not _seen(seen_keys, seen, key):
                visited += 1
                if visited > most:
                    return -1
                mine = s[PLIES] % players == seat
                if mine == (proved == SUCCEEDS):
                    found = proving_move(
                        t, s, seat, goal, width, proved,
                        codes, perms, keys, values, control, moves[level],
                    )  # fmt: skip
                    if found < 0 or listed == len(cells):
                        return -1
                    for cell in range(t[CELLS]):
                        owners[listed, cell] = s[t[S_OWNER] + cell]
                    cells[listed] = found
                    listed += 1
                    moves[level, 0] = found
                    counts[level] = 1
                else:
                    counts[level] = legal_moves(t, s, moves[level])
        if nexts[level] < counts[level]:
            nexts[level] += 1
            play(t, s, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        if level == 0:
            return listed
        undo(t, s)
        level -= 1
        entering = False
