"""Two-valued search of one seat against all others together: forced win, or at least a draw.

The outcome is worth 2 to the seat where it wins, 1 in a draw and 0 where it does not win and
another player does. `force` decides whether the seat can reach a *goal*, 1 or 2, whatever the
others do: positions where the seat moves need one good move, all others need only good ones.

If one full line ends the game (target 1, not misère), these rules apply as well.

- Who can complete a line does so.
- Only lines that a player can still complete with their remaining moves count.
- Without gravity, opening rules and misère, threats decide ahead of the search. A threat of a
  rival whose turn comes after k other moves cannot be left alone as long as enough cells are
  free to keep those k moves away from it: k + 2 with the seat to move. Near the end of a game
  a player may have to fill the cell, and then nothing is concluded.
- The seat cannot win where the sum of q^-(free cells) over the lines free of other stones is
  below 1 with q - 1 moves of the others to come (Beck 1982); with only j of them to come, where
  that sum plus q - 1 - j times the weight of the heaviest cell is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels import state
from hyperoxo.kernels.arrays import Bytes, Floats, Ints, Longs, Words, fill
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.state import cells_of, legal_moves, play, undo
from hyperoxo.kernels.table import find_slot, slot_of
from hyperoxo.kernels.tree import points

# Literature: J. Beck, "Combinatorial Games: Tic-Tac-Toe Theory", Cambridge 2008, for the potential.
# Reading order: this module (a win or a draw of one seat), `coalition_table` (all positions of a
# small game, with max^n and kingmakers), `guide` (one seat follows a fixed agent), `maxn`.
FAILS, SUCCEEDS = 1, 2
"""Results of a search; 0 if a limit ended it."""

SYMMETRY_PLIES = 3
"""Entry of `control` after those of every search: the ply up to which symmetry is used."""

# A sum of weights must be below 1 by more than it can have been rounded.
_MARGIN = 1e-9
_NO_RULES, _LINES_RULE, _THREATS_RULE = range(3)


class Named(NamedTuple):
    """A table of positions by name: codes ``[q+1, N]``, symmetries ``[G, N]``, 2^k entries."""

    codes: Words
    perms: Ints
    keys: Words
    values: Bytes


class Question(NamedTuple):
    """A seat, counted from 0, and its goal; a width of the search, and a result to keep."""

    seat: int
    goal: int
    width: int
    proved: int


class Judgement(NamedTuple):
    """Static evaluation of a position by its line counters."""

    score: Floats
    """``[N]``: orders the moves."""
    threats: Bytes
    """``[q, N]``: marks completing cells."""
    marks: Bytes
    """``[N]``: the cells to which the move must go, if `note` counts any."""
    totals: Floats
    """The potential of the seat, the weight of its heaviest cell, and the number of lines that its
    rivals can still complete."""
    note: Longs


@njit(nogil=True)
def _new_judgement(t: Ints) -> Judgement:
    players, cells = t[state.PLAYERS], t[state.CELLS]
    return Judgement(
        np.empty(cells, np.float64),
        np.empty((players, cells), np.uint8),
        np.zeros(cells, np.uint8),
        np.zeros(3, np.float64),
        np.zeros(1, np.int64),
    )


@njit(**NO_REFCOUNT)
def class_key(t: Ints, s: Ints, codes: Words, perms: Ints, group: int) -> np.uint64:
    """Least key of the first `group` images; codes ``[q+1, N]``, perms ``[G, N]``."""
    best = np.uint64(0xFFFFFFFFFFFFFFFF)
    for g in range(group):
        key = np.uint64(0)
        for i in range(s[state.PLIES]):
            cell = s[t[state.S_HISTORY] + i]
            key += codes[s[t[state.S_OWNER] + cell], perms[g, cell]]
        best = min(best, key)
    return best


@njit(**NO_REFCOUNT)
def _moves_left(t: Ints, s: Ints, player: int) -> int:
    """Return the moves that a player still has if the board is filled."""
    ahead = (player - s[state.PLIES]) % t[state.PLAYERS]
    free = t[state.PLAYABLE] - s[state.PLIES]
    return 0 if free <= ahead else (free - ahead - 1) // t[state.PLAYERS] + 1


@njit(**NO_REFCOUNT)
def _rules_of(t: Ints) -> int:
    if t[state.TARGET] != 1 or t[state.MISERE]:
        return _NO_RULES
    if t[state.LANDINGS] != t[state.PLAYABLE] or t[state.OPENING_MOVES] > 0:
        return _LINES_RULE
    return _THREATS_RULE


@njit(nogil=True)
def _weigh(t: Ints, s: Ints, seat: int, goal: int, lines: Judgement) -> None:
    """Weigh the free cells, and find the cells that complete a line."""
    score, threats, totals = lines.score, lines.threats, lines.totals
    players = t[state.PLAYERS]
    mover = np.int64(s[state.PLIES] % players)
    fill(totals, 0.0)
    base = np.float64(players)
    left = np.empty(players, np.int64)
    for player in range(players):
        left[player] = _moves_left(t, s, player)
    for line in range(t[state.LINES]):
        size = t[t[state.T_SIZES] + line]
        at = t[state.S_COUNT] + line * players
        stones = 0
        for player in range(players):
            stones += s[at + player]
        if stones == size:
            continue
        for player in range(players):
            own = s[at + player]
            # 1. Alive for a player: no stone of another, and moves enough left to complete it. An
            #    empty line is alive for several.
            if own != stones or size - own > left[player]:
                continue
            # 2. The seat's lines make the potential. Those of rivals count in the move order alone,
            #    where the goal is a draw: for the seat, which stops them, and for their owner.
            value = 0.0
            if player == seat:
                potential = base ** (own - size)
                totals[0] += potential
                value = potential if goal == 2 else 0.01 * potential
            else:
                totals[2] += 1.0
                mine = mover in (np.int64(seat), np.int64(player))
                if goal == 1 and mine:
                    value = 4.0 ** (own - size)
            # 3. Cells without weight may still be threats.
            if value == 0.0 and own < size - 1:
                continue
            near = own == size - 1
            for j in cells_of(t, line):
                cell = t[j]
                if s[t[state.S_OWNER] + cell] == 0:
                    score[cell] += value
                    if near:
                        threats[player, cell] = 1
    if goal == 2:
        for cell in range(t[state.CELLS]):
            totals[1] = max(totals[1], score[cell])


@njit(**NO_REFCOUNT)
def _distinct(threats: Bytes, marks: Bytes, free: int, seat: int, mover: int) -> int:
    """Mark the cells where a rival completes a line before the seat moves; count them."""
    # The mover plays now and the coalition can keep away from the cell until then.
    players, cells = threats.shape
    pending = (seat - mover) % players
    found = 0
    for ahead in range(1, players):
        player = (mover + ahead) % players
        if player == seat or (mover != seat and ahead >= pending):
            continue
        # With the seat to move it takes one more free cell, for its own stone.
        if free < ahead + 1:
            continue
        for cell in range(cells):
            if threats[player, cell] and not marks[cell]:
                marks[cell] = 1
                found += 1
    return found


@njit(nogil=True)
def _may_complete(threats: Bytes, seat: int, mover: int) -> bool:
    """Return whether a rival who moves before the seat has a threat."""
    players = len(threats)
    for ahead in range((seat - mover) % players):
        if threats[(mover + ahead) % players].any():
            return True
    return False


@njit(**NO_REFCOUNT)
def _judge(
    t: Ints, s: Ints, seat: int, goal: int, rules: int, legal: Ints, count: int, lines: Judgement
) -> int:
    """Decide a running position by its lines, if they do: FAILS, SUCCEEDS or 0."""
    # The note gets the number of marked cells to which the move must go, or 0.
    score, threats, marks, totals, note = lines
    players = t[state.PLAYERS]
    mover = s[state.PLIES] % players
    note[0] = 0
    fill(score, 0.0)
    fill(threats, 0)
    _weigh(t, s, seat, goal, lines)
    if rules == _NO_RULES:
        return 0
    # 1. The mover completes a line; or no line is left for the win, or for a rival's.
    for i in range(count):
        if threats[mover, legal[i]]:
            return SUCCEEDS if mover == seat else FAILS
    if goal == 2 and totals[0] == 0.0:
        return FAILS
    if goal == 1 and totals[2] == 0.0:
        return SUCCEEDS
    if rules != _THREATS_RULE:
        return 0
    # 2. Beck's bound for one player against q - 1, with `pending` of their moves before the seat's.
    pending = (seat - mover) % players
    if goal == 2 and totals[0] + (players - 1 - pending) * totals[1] < 1.0 - _MARGIN:
        return FAILS
    # 3. Threats of rivals before the seat moves again. The seat, to move, stops one; if the others
    #    are to move, they keep away from the cell.
    fill(marks, 0)
    free = t[state.PLAYABLE] - s[state.PLIES]
    found = _distinct(threats, marks, free, seat, mover)
    if mover == seat:
        note[0] = found
        return FAILS if found > 1 else 0
    if found:
        return FAILS
    # 4. Threats of the seat. Each of the `pending` moves stops one, and no rival can win before: a
    #    stone makes no threat for another player. With no move to spare, all must go there.
    if not _may_complete(threats, seat, mover):
        for cell in range(t[state.CELLS]):
            if threats[seat, cell]:
                marks[cell] = 1
                found += 1
        if found > pending:
            return SUCCEEDS
        if found == pending:
            note[0] = found
    return 0


@njit(**NO_REFCOUNT)
def _order(moves: Ints, count: int, score: Floats, marks: Bytes, marked: int, width: int) -> int:
    """Sort the moves by score, only marked ones if any is; return the number, up to `width`."""
    size = 0
    for i in range(count):
        if not marked or marks[moves[i]]:
            cell = moves[i]
            j = size
            while j > 0 and score[moves[j - 1]] < score[cell]:
                moves[j] = moves[j - 1]
                j -= 1
            moves[j] = cell
            size += 1
    return min(size, width) if width > 0 else size


@njit(nogil=True)
def _order_moves(t: Ints, s: Ints, seat: int, goal: int, width: int, out: Ints) -> int:
    """Write the moves that `force` would try here into `out`, in its order; return their number."""
    # If it would decide the position without a search: all moves, the heaviest first.
    players, cells = t[state.PLAYERS], t[state.CELLS]
    lines = _new_judgement(t)
    score, threats, marks, _, note = lines
    count = legal_moves(t, s, out)
    judged = _judge(t, s, seat, goal, _rules_of(t), out, count, lines)
    if judged:
        # A completing cell comes first, then those that stop the other side; the others leave
        # the completing cells of their partners alone.
        mover = s[state.PLIES] % players
        for player in range(players):
            weight = 1e3 if (player == seat) != (mover == seat) else -1e3
            if player == mover:
                weight = 1e6
            for cell in range(cells):
                score[cell] += weight * threats[player, cell]
        return _order(out, count, score, marks, 0, 0)
    limit = -width if s[state.PLIES] % players == seat else width
    return _order(out, count, score, marks, note[0], limit)


@njit(nogil=True)
def force(t: Ints, s: Ints, asked: Question, table: Named, control: Longs) -> int:
    """Decide whether a seat can force its goal: SUCCEEDS, FAILS or 0."""
    seat, goal, width, _ = asked
    players = t[state.PLAYERS]
    codes, perms, keys, values = table
    depth = t[state.PLAYABLE] - s[state.PLIES] + 1
    rules = _rules_of(t)
    moves = np.empty((depth, max(1, t[state.PLAYABLE])), np.int32)
    counts = np.zeros(depth, np.int64)
    nexts = np.zeros(depth, np.int64)
    own_keys = np.zeros(depth, np.uint64)
    lines = _new_judgement(t)
    level = 0
    entering = True
    found = 0
    while True:
        if entering:
            # 1. A limit: the state goes back as it was, and nothing is concluded.
            found = 0
            if visit(control):
                for _ in range(level):
                    undo(t, s)
                return 0
            # 2. A terminal position, or one that its lines decide, needs no search.
            if s[state.RESULT] != 0:
                found = SUCCEEDS if points(s[state.RESULT], seat) >= goal else FAILS
            else:
                count = legal_moves(t, s, moves[level])
                found = _judge(t, s, seat, goal, rules, moves[level], count, lines)
            if found == 0:
                # 3. A transposition, near the root under symmetries too: there they save most, and
                #    deeper down images cost more than they save. The table keeps solved positions
                #    alone, always the newest.
                group = len(perms) if s[state.PLIES] <= control[SYMMETRY_PLIES] else 1
                key = class_key(t, s, codes, perms, group)
                own_keys[level] = key
                slot = slot_of(keys, key)
                if keys[slot] == key and values[slot]:
                    found = int(values[slot])
                else:
                    # 4. The moves, the heaviest first. A positive width cuts those of the others,
                    #    a negative one those of the seat: what is proved for the side with fewer
                    #    moves stays sound.
                    nexts[level] = 0
                    limit = -width if s[state.PLIES] % players == seat else width
                    counts[level] = _order(
                        moves[level], count, lines.score, lines.marks, lines.note[0], limit
                    )
        elif nexts[level] == counts[level]:
            # 5. Every move was tried, and none gave the mover what they wanted.
            found = FAILS if s[state.PLIES] % players == seat else SUCCEEDS
        # 6. One move deeper, as long as the position is unsolved.
        if found == 0:
            nexts[level] += 1
            play(t, s, moves[level, nexts[level] - 1])
            level += 1
            entering = True
            continue
        # 7. Back up: the result solves the position above if its mover wanted it, or if it was the
        #    last move; it is stored there, and goes up further.
        while True:
            if level == 0:
                return found
            undo(t, s)
            level -= 1
            wanted = SUCCEEDS if s[state.PLIES] % players == seat else FAILS
            if found != wanted and nexts[level] != counts[level]:
                break
            slot = slot_of(keys, own_keys[level])
            keys[slot] = own_keys[level]
            values[slot] = found
        found = 0
        entering = False


@njit(**NO_REFCOUNT)
def proving_move(
    t: Ints, s: Ints, asked: Question, table: Named, control: Longs, moves: Ints
) -> int:
    """Return a move that keeps the result of `force`; -1 if a limit came first."""
    count = _order_moves(t, s, asked.seat, asked.goal, asked.width, moves)
    for i in range(count):
        play(t, s, moves[i])
        result = force(t, s, asked, table, control)
        undo(t, s)
        if result == 0:
            return -1
        if result == asked.proved:
            return int(moves[i])
    return -1


@njit(nogil=True)
def list_moves(
    t: Ints,
    s: Ints,
    asked: Question,
    table: Named,
    listed_forms: Named,
    owners: Bytes,
    cells: Ints,
    control: Longs,
) -> int:
    """List the positions of a proof with the cell played in each."""
    form_codes, form_perms, seen_keys, seen = listed_forms
    players = t[state.PLAYERS]
    depth = t[state.PLAYABLE] - s[state.PLIES] + 1
    moves = np.empty((depth, t[state.PLAYABLE]), np.int32)
    counts = np.zeros(depth, np.int64)
    nexts = np.zeros(depth, np.int64)
    most = len(seen_keys) * 3 // 4
    listed = 0
    visited = 0
    level = 0
    entering = True
    while True:
        if entering:
            # 1. A position that is over, or was met before in any image, has nothing to add. The
            #    table of listed ones is exact up to its 64-bit keys and must not fill up.
            counts[level] = nexts[level] = 0
            key = class_key(t, s, form_codes, form_perms, len(form_perms))
            place = find_slot(seen_keys, seen, key)
            if s[state.RESULT] == 0 and not seen[place]:
                seen[place] = 1
                seen_keys[place] = key
                visited += 1
                if visited > most:
                    return -1
                mine = s[state.PLIES] % players == asked.seat
                if mine == (asked.proved == SUCCEEDS):
                    # 2. The side that proves needs one move, which is listed; it is searched
                    #    again, as the table may have lost it.
                    found = proving_move(t, s, asked, table, control, moves[level])
                    if found < 0 or listed == len(cells):
                        return -1
                    for cell in range(t[state.CELLS]):
                        owners[listed, cell] = s[t[state.S_OWNER] + cell]
                    cells[listed] = found
                    listed += 1
                    moves[level, 0] = found
                    counts[level] = 1
                else:
                    # 3. The other side may do anything.
                    counts[level] = legal_moves(t, s, moves[level])
        # 4. One move deeper, or back up where none is left.
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
