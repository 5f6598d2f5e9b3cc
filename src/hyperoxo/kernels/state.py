"""The line-counter state of a game: two flat arrays, play and undo.

``tables`` (int32) holds the constants of a game, ``state`` (int32) one position of it;
one array each, because passing a dozen arrays to every call costs more than the calls.
Cells, lines and players are counted from 0 in here; the owner of a cell alone is 1..q,
with 0 for a free cell, as in positions.

``tables`` begins with the numbers named below, then come the parts whose offsets the
``T_`` entries give, for N cells, M of them playable, L lines and q players:

============  ==========  ==============================================================
T_CELL_PTR    ``[N+1]``   where the lines through each cell begin, as `lines_of` has them
T_LINE_PTR    ``[L+1]``   where the cells of each line begin, as `cells_of` has them
T_SIZES       ``[L]``     cells on each line
T_LANDING     ``[K]``     cells that may be played on the empty board, K = LANDINGS
T_ABOVE       ``[N]``     cell that can be played once this one is taken, or -1
T_OPENING     ``[N]``     1 on the cells of the opening restriction
T_MOVERS      ``[M+1]``   player who moves at each ply
T_BEYOND      ``[L*2]``   cells by which a line could be longer, or -1; where EXACT is set
============  ==========  ==============================================================

``state`` begins with PLIES, LEGAL (number of landing cells) and RESULT; its parts:

============  ===========  =============================================================
S_OWNER       ``[N]``      0 free, 1..q
S_COUNT       ``[L*q]``    stones of player p on line l at l * q + p
S_OWNED       ``[q]``      full lines of each player that count
S_LEGAL       ``[M]``      landing cells, the first LEGAL entries count
S_WHERE       ``[N]``      the index of each landing cell in S_LEGAL
S_HISTORY     ``[M]``      cells played, for undo
S_BEFORE      ``[M]``      full lines of the mover before each ply that completed one, for undo
============  ===========  =============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, fill

PLAYERS, TARGET, MISERE, OPENING_MOVES, PLAYABLE, CELLS, LINES, LANDINGS = range(8)
T_CELL_PTR, T_LINE_PTR, T_SIZES, T_LANDING, T_ABOVE, T_OPENING, T_MOVERS, T_BEYOND = range(8, 16)
S_OWNER, S_COUNT, S_OWNED, S_LEGAL, S_WHERE, S_HISTORY, S_BEFORE, STATE_SIZE = range(16, 24)
OPENING_PLIES, MAKER_ONLY, FULL_BOARD, CLASSIC, EXACT = range(24, 29)
HEADER = 29
"""OPENING_PLIES: the plies among which the opening restricts moves of the player who starts.
MISERE: reaching the target loses. MAKER_ONLY: lines of player 1 alone count. FULL_BOARD: who wins
on a full board, 0 for most lines, -1 for fewest. CLASSIC: normal or misère play, a cell a turn,
player 1 first. EXACT: a line does not count while its owner has a stone beyond it."""

PLIES, LEGAL, RESULT = range(3)

DRAW = 99
"""RESULT of a drawn game; p+1 where player p wins alone, -(p+1) where p alone loses,
0 while the game goes on."""


def build_tables(
    numbers: Sequence[int],
    cell_ptr: Longs,
    cell_lines: Ints,
    line_ptr: Longs,
    line_cells: Ints,
    landing: Ints,
    above: Ints,
    opening: Bytes,
    movers: Ints,
    beyond: Ints,
    rules: Sequence[int],
) -> Ints:
    """Lay out the tables of a game; `rules` are the entries from OPENING_PLIES on."""
    cells, lines = len(cell_ptr) - 1, len(line_ptr) - 1
    players, playable = int(numbers[0]), int(numbers[4])
    # Pointers are indices in the tables; the data follows them.
    cells_at = HEADER + len(cell_ptr)
    lines_at = cells_at + len(cell_lines) + len(line_ptr)
    parts: list[NDArray[np.integer[Any]]] = [
        np.append(cell_ptr + cells_at, cell_lines),
        np.append(line_ptr + lines_at, line_cells),
        np.diff(line_ptr),
        landing,
        above,
        opening,
        movers,
        beyond,
    ]
    tables = np.empty(HEADER + sum(len(part) for part in parts), np.int32)
    tables[: LANDINGS + 1] = [*numbers, cells, lines, len(landing)]
    tables[OPENING_PLIES:HEADER] = rules
    at = HEADER
    for name, part in enumerate(parts, start=T_CELL_PTR):
        tables[name] = at
        tables[at : at + len(part)] = part
        at += len(part)
    at = 3
    for name, size in enumerate(
        (cells, lines * players, players, playable, cells, playable, playable), start=S_OWNER
    ):
        tables[name] = at
        at += size
    tables[STATE_SIZE] = at
    return tables


@njit(**NO_REFCOUNT)
def lines_of(t: Ints, cell: int) -> range:
    """Return the indices in the tables of the lines through a cell."""
    return range(np.int64(t[t[T_CELL_PTR] + cell]), t[t[T_CELL_PTR] + cell + 1])


@njit(**NO_REFCOUNT)
def cells_of(t: Ints, line: int) -> range:
    """Return the indices in the tables of the cells of a line."""
    return range(np.int64(t[t[T_LINE_PTR] + line]), t[t[T_LINE_PTR] + line + 1])


@njit(**NO_REFCOUNT)
def place_of_result(result: int, players: int) -> int:
    """Return p where player p wins alone, q + p where p loses alone, and 2q for a draw."""
    if result == DRAW:
        return 2 * players
    return result - 1 if result > 0 else players - result - 1


@njit(nogil=True)
def new_state(t: Ints) -> Ints:
    """Allocate the state of the empty board."""
    s = np.empty(t[STATE_SIZE], np.int32)
    reset(t, s)
    return s


@njit(**NO_REFCOUNT)
def reset(t: Ints, s: Ints) -> None:
    """Set a state to the empty board."""
    fill(s[: t[S_LEGAL]], 0)
    fill(s[t[S_WHERE] : t[S_HISTORY]], -1)
    for place in range(t[LANDINGS]):
        cell = t[t[T_LANDING] + place]
        s[t[S_LEGAL] + place] = cell
        s[t[S_WHERE] + cell] = place
    s[LEGAL] = t[LANDINGS]


@njit(**NO_REFCOUNT)
def full_board_result(t: Ints, owned: NDArray[Any], at: int) -> int:
    """Return the result on a full board, by the numbers of lines of each player from `at` on."""
    if t[FULL_BOARD] > 0:
        return int(t[FULL_BOARD])
    best, winner = owned[at], 0
    for player in range(1, t[PLAYERS]):
        lines = owned[at + player]
        if lines == best:
            winner = -1
        elif (lines < best) if t[MISERE] else (lines > best):
            best, winner = lines, player
    return DRAW if winner < 0 else winner + 1


@njit(**NO_REFCOUNT)
def _counts_with(t: Ints, s: Ints, line: int, player: int, cell: int) -> bool:
    """True if no stone of a player, with one on a cell, makes a line longer where it must not."""
    for j in range(t[T_BEYOND] + 2 * line, t[T_BEYOND] + 2 * (line + t[EXACT])):
        if t[j] >= 0 and (s[t[S_OWNER] + t[j]] == player + 1 or t[j] == cell):
            return False
    return True


@njit(**NO_REFCOUNT)
def _exact_lines(t: Ints, s: Ints, player: int, cell: int) -> int:
    """Count the lines of a player that no stone of theirs makes longer, with a stone on a cell."""
    lines = 0
    for line in range(t[LINES]):
        lacking = t[t[T_SIZES] + line] - s[t[S_COUNT] + line * t[PLAYERS] + player]
        if lacking == 1:
            for j in cells_of(t, line):
                lacking -= t[j] == cell
        lines += lacking == 0 and _counts_with(t, s, line, player, cell)
    return lines


@njit(**NO_REFCOUNT)
def play(t: Ints, s: Ints, cell: int) -> None:
    """Put a stone of the player to move on a landing cell."""
    players = t[PLAYERS]
    mover = t[t[T_MOVERS] + s[PLIES]]
    s[t[S_OWNER] + cell] = mover + 1
    s[t[S_HISTORY] + s[PLIES]] = cell
    s[PLIES] += 1
    completed = 0
    counts = t[S_COUNT] + mover
    for j in lines_of(t, cell):
        line = t[j]
        stones = s[counts + line * players] + 1
        s[counts + line * players] = stones
        completed += stones == t[t[T_SIZES] + line]
    place = s[t[S_WHERE] + cell]
    above = t[t[T_ABOVE] + cell]
    if above < 0:
        s[LEGAL] -= 1
        above = s[t[S_LEGAL] + s[LEGAL]]
    s[t[S_LEGAL] + place] = above
    s[t[S_WHERE] + above] = place
    # A stone that makes a line longer completes the next one.
    if completed:
        s[t[S_BEFORE] + s[PLIES] - 1] = s[t[S_OWNED] + mover]
        s[t[S_OWNED] + mover] += completed
        if t[EXACT]:
            s[t[S_OWNED] + mover] = _exact_lines(t, s, mover, -1)
        if s[t[S_OWNED] + mover] >= t[TARGET] and not (mover and t[MAKER_ONLY]):
            s[RESULT] = -(mover + 1) if t[MISERE] else mover + 1
            return
    if s[PLIES] == t[PLAYABLE]:
        s[RESULT] = full_board_result(t, s, t[S_OWNED])


@njit(**NO_REFCOUNT)
def undo(t: Ints, s: Ints) -> None:
    """Take the last stone back."""
    players = t[PLAYERS]
    s[PLIES] -= 1
    cell = s[t[S_HISTORY] + s[PLIES]]
    mover = t[t[T_MOVERS] + s[PLIES]]
    s[t[S_OWNER] + cell] = 0
    s[RESULT] = 0
    counts = t[S_COUNT] + mover
    for j in lines_of(t, cell):
        line = t[j]
        stones = s[counts + line * players]
        s[counts + line * players] = stones - 1
        if stones == t[t[T_SIZES] + line]:
            s[t[S_OWNED] + mover] = s[t[S_BEFORE] + s[PLIES]]
    place = s[t[S_WHERE] + cell]
    if t[t[T_ABOVE] + cell] < 0:
        # The cell kept its old place in S_WHERE, so the swap is undone exactly.
        moved = s[t[S_LEGAL] + place]
        s[t[S_LEGAL] + s[LEGAL]] = moved
        s[t[S_WHERE] + moved] = s[LEGAL]
        s[LEGAL] += 1
    s[t[S_LEGAL] + place] = cell
    s[t[S_WHERE] + cell] = place


@njit(**NO_REFCOUNT)
def load(t: Ints, s: Ints, owners: Bytes) -> None:
    """Set a state to given owners, uint8 ``[N]``; anything above q means blocked.

    The order of the moves is not known, so `undo` must not go back beyond this point.
    """
    reset(t, s)
    players = t[PLAYERS]
    for cell in range(t[CELLS]):
        owner = np.int64(owners[cell])
        if owner == 0 or owner > players:
            continue
        s[t[S_OWNER] + cell] = owner
        s[t[S_HISTORY] + s[PLIES]] = cell
        s[PLIES] += 1
        for j in lines_of(t, cell):
            at = t[S_COUNT] + t[j] * players + owner - 1
            s[at] += 1
            s[t[S_OWNED] + owner - 1] += s[at] == t[t[T_SIZES] + t[j]]
    _load_landing(t, s)
    for player in range(players if t[EXACT] else 0):
        s[t[S_OWNED] + player] = _exact_lines(t, s, player, -1)
    for player in range(1 if t[MAKER_ONLY] else players):
        if s[t[S_OWNED] + player] >= t[TARGET]:
            s[RESULT] = -(player + 1) if t[MISERE] else player + 1
            return
    if s[PLIES] == t[PLAYABLE]:
        s[RESULT] = full_board_result(t, s, t[S_OWNED])


@njit(**NO_REFCOUNT)
def _load_landing(t: Ints, s: Ints) -> None:
    fill(s[t[S_WHERE] : t[S_HISTORY]], -1)
    s[LEGAL] = 0
    for place in range(t[LANDINGS]):
        cell = t[t[T_LANDING] + place]
        while cell >= 0 and s[t[S_OWNER] + cell]:
            cell = t[t[T_ABOVE] + cell]
        if cell >= 0:
            s[t[S_LEGAL] + s[LEGAL]] = cell
            s[t[S_WHERE] + cell] = s[LEGAL]
            s[LEGAL] += 1


@njit(**NO_REFCOUNT)
def opening_restricts(t: Ints, ply: int) -> bool:
    """True if the opening restricts the move after `ply` plies."""
    return bool(ply < t[OPENING_PLIES] and t[t[T_MOVERS] + ply] == t[t[T_MOVERS]])


@njit(**NO_REFCOUNT)
def lands(t: Ints, s: Ints, cell: int) -> bool:
    """True if a stone on a free cell would not fall."""
    place = s[t[S_WHERE] + cell]
    return bool(0 <= place < s[LEGAL] and s[t[S_LEGAL] + place] == cell)


@njit(**NO_REFCOUNT)
def may_play(t: Ints, s: Ints, cell: int, ahead: int) -> bool:
    """True if a free cell is a legal move now (`ahead` 0), or surely is in the next ply (1).

    In the next ply only opening cells surely are, unless taken: this move may uncover another
    opening cell.
    """
    if not lands(t, s, cell):
        return False
    if not opening_restricts(t, s[PLIES] + ahead) or t[t[T_OPENING] + cell]:
        return True
    if ahead:
        return False
    inside = 0
    for place in range(s[LEGAL]):
        inside += t[t[T_OPENING] + s[t[S_LEGAL] + place]]
    return bool(inside == 0)


@njit(**NO_REFCOUNT)
def near_lines(t: Ints, s: Ints, player: int) -> int:
    """Return how many lines a player (from 0) lacks one stone on, even if rivals block them."""
    near = 0
    for line in range(t[LINES]):
        stones = s[t[S_COUNT] + line * t[PLAYERS] + player] + 1
        near += stones == t[t[T_SIZES] + line]
    return near


@njit(**NO_REFCOUNT)
def lines_completed(t: Ints, s: Ints, cell: int, player: int) -> int:
    """Return the number of lines that a player (from 0) gains by a stone on a free cell."""
    players = t[PLAYERS]
    counts = t[S_COUNT] + player
    completed = 0
    for j in lines_of(t, cell):
        completed += s[counts + t[j] * players] == t[t[T_SIZES] + t[j]] - 1
    if completed and t[EXACT]:
        return int(_exact_lines(t, s, player, cell) - s[t[S_OWNED] + player])
    return completed


@njit(**NO_REFCOUNT)
def completing_cell(t: Ints, s: Ints, line: int, player: int, ahead: int) -> int:
    """Return the free cell where a player (from 0) may complete a line short of one stone, or -1.

    `ahead` is that of `may_play`.
    """
    for j in cells_of(t, line):
        cell = t[j]
        if s[t[S_OWNER] + cell] == 0:
            if may_play(t, s, cell, ahead) and _counts_with(t, s, line, player, cell):
                return int(cell)
            return -1
    return -1


@njit(**NO_REFCOUNT)
def legal_moves(t: Ints, s: Ints, out: Ints) -> int:
    """Write the legal moves of a game that is not over into `out`; return how many.

    If the opening restricts the move but none of its cells can be played, every
    landing cell is legal.
    """
    count = 0
    if opening_restricts(t, s[PLIES]):
        for place in range(s[LEGAL]):
            cell = s[t[S_LEGAL] + place]
            if t[t[T_OPENING] + cell]:
                out[count] = cell
                count += 1
    if count == 0:
        count = s[LEGAL]
        for place in range(count):
            out[place] = s[t[S_LEGAL] + place]
    return count
