"""A message-passing network on free cells and open lines: policy logits and a value.

An open line has a free cell and stones of at most one player; it is of one of these kinds, by its
free cells (1 to DISTANCES, or more): empty, the mover's, a rival's; and so that three or more
players have separate kinds, a rival's who does not move next. All other lines are dead.

The weights are one array, float32 ``[rows, CHANNELS]``, the blocks of `block_sizes`
stacked; so the same weights judge positions of every board. In steps:

1. A free cell counts the lines through it by kind, and sums rows of the first block: one block for
   the counts over the root of their number, one for "is there any", one for "are there two".
2. In each round a line adds up its free cells, and a free cell its open lines, each over the root
   of their number; under gravity a cell also receives the free cell above it.
3. The pool joins the mean and the maximum of the cells that are on lines, the mean of the lines
   and the features of the rules. From it come the value, within -1 and 1 to the mover, and
   together with each cell the logit of the move there.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Floats, Ints, Singles, copy, fill
from hyperoxo.kernels.elementary import tanh
from hyperoxo.kernels.state import cells_of, legal_moves, lines_of, load

CHANNELS = 32
"""Length of the embedding of a cell or a line."""

DISTANCES = 5
EMPTY, OWN, RIVAL, LATER, DEAD, KINDS = 0, 5, 10, 15, 20, 21
"""Kinds of lines, each but DEAD the first of DISTANCES."""

RULES = 8
"""Features of the rules and of the whole board; `rule_features` writes them."""

_ROUND = KINDS + 4 * CHANNELS + 1
_HEADS = 5 * CHANNELS + RULES + 5


def block_sizes(rounds: int) -> dict[str, int]:
    """Return the blocks of the weights in order, with their rows."""
    sizes = {"cell.lines": 3 * KINDS, "cell.rules": RULES + 2}
    for number in range(rounds):
        sizes |= {
            f"round{number}.kinds": KINDS,
            f"round{number}.to_line": CHANNELS,
            f"round{number}.stay": CHANNELS,
            f"round{number}.to_cell": CHANNELS,
            f"round{number}.above": CHANNELS,
            f"round{number}.bias": 1,
        }
    return sizes | {
        "pool": 3 * CHANNELS + RULES + 1,
        "policy": 2 * CHANNELS + 1,
        "move": 1,
        "value": 2,
    }


@njit(nogil=True)
def workspace(t: Ints) -> tuple[Singles, Ints]:
    """Allocate the scratch arrays of `judge`: embeddings, and numbers of cells and lines."""
    # Five parts of `block` rows; the last rows of the last block hold vectors of the whole board.
    block = max(t[state.CELLS], t[state.LINES]) + 3
    return np.empty((5 * block, CHANNELS), np.float32), np.empty(5 * block, np.int32)


@njit(**NO_REFCOUNT)
def line_kind(t: Ints, s: Ints, line: int, mover: int) -> int:
    """Return the kind of a line; LATER is for rivals who do not move next."""
    players = t[state.PLAYERS]
    at = t[state.S_COUNT] + line * players
    owner = -1
    free = t[t[state.T_SIZES] + line]
    for player in range(players):
        stones = s[at + player]
        if stones:
            if owner >= 0:
                return DEAD
            owner = player
            free -= stones
    if free == 0:
        return DEAD
    nearest = min(free, DISTANCES) - 1
    if owner < 0:
        return int(EMPTY + nearest)
    if owner == mover:
        return int(OWN + nearest)
    return int((RIVAL if owner == (mover + 1) % players else LATER) + nearest)


@njit(**NO_REFCOUNT)
def rule_features(t: Ints, s: Ints, mover: int, out: Singles) -> None:
    """Write the features of the rules and of the whole board, RULES numbers."""
    # All within 0 and 1: misère, gravity, players, target, own and rivals' progress to the target,
    # share of cells taken, parity of the cells left.
    rivals = 0
    for player in range(t[state.PLAYERS]):
        if player != mover:
            rivals = max(rivals, s[t[state.S_OWNED] + player])
    gravity = 0
    for cell in range(t[state.CELLS]):
        gravity |= t[t[state.T_ABOVE] + cell] >= 0
    out[0] = t[state.MISERE]
    out[1] = gravity
    out[2] = 1 - 2 / t[state.PLAYERS]
    out[3] = 1 - 1 / t[state.TARGET]
    out[4] = s[t[state.S_OWNED] + mover] / t[state.TARGET]
    out[5] = rivals / t[state.TARGET]
    out[6] = s[state.PLIES] / t[state.PLAYABLE]
    out[7] = (t[state.PLAYABLE] - s[state.PLIES]) % 2


@njit(**NO_REFCOUNT)
def _add_row(row: Singles, factor: float, out: Singles) -> None:
    scale = np.float32(factor)
    for h in range(CHANNELS):
        out[h] += scale * row[h]


@njit(**NO_REFCOUNT)
def _survey(t: Ints, s: Ints, mover: int, free: Ints, place: Ints, kinds: Ints) -> int:
    """List the free cells, the index of each in the list, and the kinds of all lines."""
    count = 0
    for cell in range(t[state.CELLS]):
        place[cell] = -1
        if s[t[state.S_OWNER] + cell] == 0:
            place[cell] = count
            free[count] = cell
            count += 1
    for line in range(t[state.LINES]):
        kinds[line] = line_kind(t, s, line, mover)
    return count


@njit(nogil=True)
def _first_cells(
    t: Ints, w: Singles, kinds: Ints, free: Ints, common: Singles, out: Singles
) -> None:
    """Embed the free cells by the kinds of the lines through them (step 1)."""
    seen = np.empty(KINDS, np.int64)
    for i in range(len(free)):
        lines = lines_of(t, free[i])
        copy(out[i], common)
        fill(seen, 0)
        for j in lines:
            seen[kinds[t[j]]] += 1
        for kind in range(KINDS):
            if seen[kind]:
                _add_row(w[kind], seen[kind] / np.sqrt(len(lines)), out[i])
                _add_row(w[KINDS + kind], 1.0, out[i])
                if seen[kind] > 1:
                    _add_row(w[2 * KINDS + kind], 1.0, out[i])


@njit(**NO_REFCOUNT)
def _gather_lines(
    t: Ints, kinds: Ints, place: Ints, cells: Singles, lists: Ints, out: Singles
) -> int:
    """Sum the free cells of each open line; list those lines, and return their number."""
    # Divided by the root of the number, so that sums over lines of any length have one scale.
    count = 0
    for line in range(t[state.LINES]):
        if kinds[line] == DEAD:
            continue
        lists[count] = line
        fill(out[count], 0)
        free = 0
        for j in cells_of(t, line):
            at = place[t[j]]
            if at >= 0:
                free += 1
                _add_row(cells[at], 1.0, out[count])
        scale = np.float32(1 / np.sqrt(free))
        for h in range(CHANNELS):
            out[count, h] *= scale
        count += 1
    return count


@njit(**NO_REFCOUNT)
def _gather_cells(
    t: Ints, kinds: Ints, free: Ints, where: Ints, lines: Singles, out: Singles
) -> None:
    """Sum the open lines through each free cell; `where` has the row of each line."""
    for i in range(len(free)):
        through = lines_of(t, free[i])
        fill(out[i], 0)
        for j in through:
            if kinds[t[j]] != DEAD:
                _add_row(lines[where[t[j]]], 1.0, out[i])
        scale = np.float32(1 / np.sqrt(max(len(through), 1)))
        for h in range(CHANNELS):
            out[i, h] *= scale


@njit(**NO_REFCOUNT)
def _pool(t: Ints, free: Ints, cells: Singles, lines: Singles, out: Singles) -> None:
    """Write mean and maximum of the free cells on lines, and mean of the open lines (step 3)."""
    fill(out[: 3 * CHANNELS], 0)
    counted = 0
    for i in range(len(free)):
        if len(lines_of(t, free[i])):
            counted += 1
            for h in range(CHANNELS):
                out[h] += cells[i, h]
                out[CHANNELS + h] = max(out[CHANNELS + h], cells[i, h])
    for i in range(len(lines)):
        for h in range(CHANNELS):
            out[2 * CHANNELS + h] += lines[i, h]
    for h in range(CHANNELS):
        out[h] /= max(counted, 1)
        out[2 * CHANNELS + h] /= max(len(lines), 1)


@njit(**NO_REFCOUNT)
def _dense(row: Singles, w: Singles, first: int, out: Singles) -> None:
    """Write a row times a matrix, whose rows begin at `first`, plus the row after it."""
    copy(out, w[first + len(row)])
    for k in range(len(row)):
        _add_row(w[first + k], row[k], out)


@njit(**NO_REFCOUNT)
def _multiply(rows: Singles, count: int, w: Singles, first: int, out: Singles) -> None:
    """Write the product of the first `count` rows and the square matrix at row `first` of `w`."""
    # The terms of a sum are added in their order, so its bits are the same on every processor;
    # those of a linear algebra library depend on the registers. Four at a time spare loads and
    # stores.
    for i in range(count):
        fill(out[i], 0)
        for k in range(0, CHANNELS, 4):
            one, two, three, four = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
            at = first + k
            for h in range(CHANNELS):
                total = out[i, h] + one * w[at, h] + two * w[at + 1, h]
                out[i, h] = total + three * w[at + 2, h] + four * w[at + 3, h]


@njit(nogil=True)
def judge(
    t: Ints, s: Ints, w: Singles, work: tuple[Singles, Ints], moves: Ints, logits: Singles
) -> tuple[int, float]:
    """Write the legal moves of a game that is not over, and their logits.

    Return how many, and the value to the player to move. `work` is what `workspace` gives.
    """
    # Embeddings, float32 ``[.., CHANNELS]``: `cells` and `lines` are the present ones, `got` and
    # `heard` sums of neighbours, `change` a product. `place` leads from cells to rows of `cells`,
    # or is -1; `listed` and `where` lead from rows of `lines` to lines and back.
    mover = t[t[state.T_MOVERS] + s[state.PLIES]]
    rows, numbers = work
    block = len(numbers) // 5
    free, place, kinds = numbers[:block], numbers[block : 2 * block], numbers[2 * block : 3 * block]
    listed, where = numbers[3 * block : 4 * block], numbers[4 * block :]
    count = _survey(t, s, mover, free, place, kinds)
    free = free[:count]
    cells, lines = rows[:count], rows[block : 2 * block]
    got, change, heard = rows[2 * block : 3 * block], rows[3 * block : 4 * block], rows[4 * block :]
    features = np.empty(3 * CHANNELS + RULES, np.float32)
    rules = features[3 * CHANNELS :]
    rule_features(t, s, mover, rules)
    # 1. Embed the free cells; `at` and `base` are rows of the weights. Legal moves have a separate
    #    row, and what depends on the rules alone is computed once.
    base = 3 * KINDS
    common = heard[block - 1]
    copy(common, w[base + RULES + 1])
    for k in range(RULES):
        _add_row(w[base + k], rules[k], common)
    _first_cells(t, w, kinds, free, common, cells)
    total = legal_moves(t, s, moves)
    for i in range(total):
        _add_row(w[base + RULES], 1.0, cells[place[moves[i]]])
    for i in range(count):
        for h in range(CHANNELS):
            cells[i, h] = max(cells[i, h], np.float32(0))
    # 2. Rounds of message passing: lines from their free cells, then cells from their open lines
    #    and from the cell above, with a residual connection. The number of rounds follows from
    #    the length of the weights.
    at = base + RULES + 2
    living = 0
    for _ in range((len(w) - at - _HEADS) // _ROUND):
        square = at + KINDS
        living = _gather_lines(t, kinds, place, cells, listed, got)
        _multiply(got, living, w, square, lines)
        for i in range(living):
            where[listed[i]] = i
            _add_row(w[at + kinds[listed[i]]], 1.0, lines[i])
            for h in range(CHANNELS):
                lines[i, h] = max(lines[i, h], np.float32(0))
        square += CHANNELS
        _multiply(cells, count, w, square, change)
        square += CHANNELS
        _gather_cells(t, kinds, free, where, lines, got)
        _multiply(got, count, w, square, heard)
        square += CHANNELS
        for i in range(count):
            above = t[t[state.T_ABOVE] + free[i]]
            if above >= 0:
                for k in range(CHANNELS):
                    _add_row(w[square + k], cells[place[above], k], change[i])
        for i in range(count):
            for h in range(CHANNELS):
                one = change[i, h] + heard[i, h] + w[square + CHANNELS, h]
                cells[i, h] += max(one, np.float32(0))
        at += _ROUND
    # 3. Pool, logits and value. The part of the policy layer that multiplies the pool is the same
    #    for all moves.
    _pool(t, free, cells, lines[:living], features)
    pooled = heard[block - 1]
    _dense(features, w, at, pooled)
    for h in range(CHANNELS):
        pooled[h] = max(pooled[h], np.float32(0))
    at += len(features) + 1
    common = heard[block - 2]
    _dense(pooled, w, at + CHANNELS, common)
    _multiply(cells, count, w, at, change)
    move, value = at + 2 * CHANNELS + 1, at + 2 * CHANNELS + 2
    for i in range(total):
        row = change[place[moves[i]]]
        one = np.float32(0)
        for h in range(CHANNELS):
            one += max(row[h] + common[h], np.float32(0)) * w[move, h]
        logits[i] = one
    one = w[value + 1, 0]
    for h in range(CHANNELS):
        one += pooled[h] * w[value, h]
    return total, tanh(one)


@njit(nogil=True)
def judge_boards(t: Ints, w: Singles, owners: Bytes, logits: Singles, values: Floats) -> None:
    """Evaluate positions uint8 ``[B, N]``: logits float32 ``[B, N]``, -inf on illegal cells.

    A game that is over has no logits and the value NaN.
    """
    s = np.empty(t[state.STATE_SIZE], np.int32)
    moves = np.empty(t[state.CELLS], np.int32)
    found = np.empty(t[state.CELLS], np.float32)
    work = workspace(t)
    fill(logits, -np.inf)
    fill(values, np.nan)
    for row in range(len(owners)):
        load(t, s, owners[row])
        if s[state.RESULT]:
            continue
        count, values[row] = judge(t, s, w, work, moves, found)
        for i in range(count):
            logits[row, moves[i]] = found[i]
