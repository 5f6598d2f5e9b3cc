"""Move filters of the proof search: null-move threats leave few relevant moves to either side.

In the opening, all legal moves are relevant. Elsewhere let the defender pass. If the
attacker then has no forced win, every reply is relevant, for one more stone of the defender never
helps the attacker. If there is one, only the replies that break it are: it is played again with
the reply on the board, and searched again where it breaks. The attacker's own moves are filtered in
the same way against a forced win of the defender; threats stay, for they leave the defender no
time.

A search of one forced win may be limited (``control[EACH]``): what is not found in time counts as
none. So fewer positions are decided here, and more of them by the search below.

Boards are those of `threat_bits`, sets of cells those of `cell_sets`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.cell_sets import (
    CellSet,
    get,
    lowest,
    nothing,
    popcount,
    signed,
    single,
    trailing_zeros,
    words_in,
)
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.threat_bits import (
    FOREVER,
    NONE,
    STOPPED,
    board_line,
    completions,
    find_win_bits,
)

OPEN, WON, LOST, ABORTED = 0, 1, 2, 3
"""Status of a node for the attacker; ABORTED if a limit ended the search."""

EACH, CONTROL = 3, 4
"""Entry of ``control`` after those that all have: most positions of the search of one forced win,
or 0; and the length of ``control``."""

OPENING_MOVES, OPENER_ATTACKS, PLAYABLE = range(3)
"""Entries of `rules`; the set of opening cells follows that of the playable ones."""

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)

# A winning line is a list of cells: attack, answer, attack, answer, ..., last stone. `line` has
# room for two: the forced win against the null move in its first half, the one found against a
# reply in its second half.


class Field(NamedTuple):
    """Input of the filters: a board with its rules, and one thread's threat search."""

    board: Words
    work: Words
    control: Longs
    rules: Words
    """The number of opening moves of player 1, 1 if player 1 is the attacker, the playable cells as
    a set, and the cells allowed in those moves."""
    line: Ints
    """Scratch for two lines, int32 ``[2 (N + 2)]``."""


@njit(**NO_REFCOUNT)
def _find_win(field: Field, own: CellSet, other: CellSet, at: int) -> int:
    """Search a forced win of the owner of `own`, who is to move, within ``control[EACH]``."""
    # It is written from `line[at]` on.
    control = field.control
    most, each = control[NODE_LIMIT], control[EACH]
    if each:
        own_limit = control[NODES] + each
        control[NODE_LIMIT] = min(most, own_limit) if most else own_limit
    line = field.line[at:]
    found = find_win_bits(field.board, field.work, control, own, other, FOREVER, line)
    control[NODE_LIMIT] = most
    ended = control[STOP] or (most and control[NODES] >= most)
    return NONE if found == STOPPED and not ended else found


@njit(**NO_REFCOUNT)
def is_still_won(
    board: Words, own: CellSet, other: CellSet, line: Ints, start: int, length: int
) -> bool:
    """Return whether a forced win found without some stones of `other` survives them."""
    # Stricter than needed: a False only costs a search, so the line must go exactly as it was
    # found, without a detour.
    taken = own | other
    if length == 1:
        return bool(completions(board, own, other) & (single(line[start], own)))
    for i in range(0, length, 2):
        attack = single(line[start + i], own)
        if attack & taken:
            return False
        # New stones of the defender may threaten: then the attack must block as it threatens.
        danger = completions(board, other, own)
        if danger & ~attack:
            return False
        own |= attack
        threats = completions(board, own, other)
        if popcount(threats) > _ONE:
            return True
        if not threats or i + 1 >= length:
            return False
        if threats != single(line[start + i + 1], own):
            return False
        other |= threats
        taken = own | other
    return False


@njit(**NO_REFCOUNT)
def _touched(
    board: Words, own: CellSet, other: CellSet, line: Ints, start: int, length: int
) -> CellSet:
    """Return the cells where a stone of the defender might break a line; all others are safe."""
    # These are the cells of the line, and those that make a threat of the defender possible with
    # the answers: on a line without a stone of the attacker that misses one cell, or two of which
    # one is the cell itself.
    # Only the stones before the line count as the attacker's, but all answers as the defender's:
    # at every point of the line the defender has fewer threats than this allows.
    cells = nothing(own)
    answers = other
    for i in range(length):
        bit = single(line[start + i], own)
        cells |= bit
        if i & 1:
            answers |= bit
    for i in range(signed(board[1])):
        mask = board_line(board, i, own)
        if mask & own:
            continue
        rest = mask & ~answers
        if popcount(rest) <= _TWO:
            cells |= mask
    return cells


@njit(**NO_REFCOUNT)
def surviving_replies(field: Field, own: CellSet, other: CellSet) -> tuple[int, CellSet]:
    """Return the replies of the defender that leave the attacker without a forced win."""
    board, line = field.board, field.line
    free = get(field.rules, PLAYABLE, own) & ~(own | other)
    none = nothing(own)
    if not free or completions(board, other, own):
        return LOST, none
    # 1. A double threat cannot be answered; a single one leaves one reply.
    half = len(line) // 2
    threats = completions(board, own, other)
    if popcount(threats) > _ONE:
        return WON, none
    tried = free
    length = 0
    if threats:
        tried = threats
    else:
        # 2. The defender passes. A forced win leaves the replies that may break its line.
        length = _find_win(field, own, other, 0)
        if length == STOPPED:
            return ABORTED, none
        if length > 0:
            tried = free & _touched(board, own, other, line, 0, length)
    survivors = none
    while tried:
        # 3. Each of them: the line is played again, and where it breaks another is searched,
        #    to which other replies that broke the first line often fall.
        cell = lowest(tried)
        tried ^= cell
        after = other | cell
        if length > 0 and is_still_won(board, own, after, line, 0, length):
            continue
        if threats or length > 0:
            found = _find_win(field, own, after, half)
            if found == STOPPED:
                return ABORTED, none
            if found > 0:
                if length > 0:
                    tried = _not_met(field, own, other, tried, found)
                continue
        # 4. A reply with a double threat refutes the attacker's last move: the attacker has no
        #    line to complete now, or a forced win of one stone would have been found.
        if popcount(completions(board, after, own)) > _ONE:
            return LOST, none
        survivors |= cell
    return (OPEN if survivors else WON), survivors


@njit(**NO_REFCOUNT)
def _not_met(field: Field, own: CellSet, other: CellSet, tried: CellSet, length: int) -> CellSet:
    """Return the cells where a stone of `other` breaks the second line of the owner of `own`."""
    # The line was found against another reply, so `is_still_won` replays it from before that.
    half = len(field.line) // 2
    rest = tried
    while rest:
        cell = lowest(rest)
        rest ^= cell
        if is_still_won(field.board, own, other | cell, field.line, half, length):
            tried ^= cell
    return tried


@njit(**NO_REFCOUNT)
def threats_only(board: Words, own: CellSet, other: CellSet, moves: CellSet) -> CellSet:
    """Return the moves that are not quiet."""
    if completions(board, other, own):
        return moves
    chosen = nothing(own)
    while moves:
        cell = lowest(moves)
        moves ^= cell
        if completions(board, own | cell, other):
            chosen |= cell
    return chosen


@njit(**NO_REFCOUNT)
def promising_moves(field: Field, own: CellSet, other: CellSet) -> tuple[int, CellSet]:
    """Return the attacker's moves that are not refuted by a forced win of the defender."""
    board, line = field.board, field.line
    free = get(field.rules, PLAYABLE, own) & ~(own | other)
    danger = completions(board, other, own)
    none = nothing(own)
    if popcount(danger) > _ONE or not free:
        return LOST, none
    if danger:
        return OPEN, danger
    # 1. The attacker passes. Without a forced win of the defender search all moves.
    length = _find_win(field, other, own, 0)
    if length == STOPPED:
        return ABORTED, none
    if length <= 0:
        return OPEN, free
    # 2. Threats stay, wherever they are, since the defender must answer before playing the forced
    #    win; of the quiet moves, those that may break it.
    moves = threats_only(board, own, other, free)
    tried = free & _touched(board, other, own, line, 0, length) & ~moves
    while tried:
        # 3. Each of these, as in `surviving_replies` with the sides exchanged.
        cell = lowest(tried)
        tried ^= cell
        after = own | cell
        if is_still_won(board, other, after, line, 0, length):
            continue
        found = _find_win(field, other, after, len(line) // 2)
        if found == STOPPED:
            return ABORTED, none
        if found <= 0:
            moves |= cell
            continue
        tried = _not_met(field, other, own, tried, found)
    return (OPEN if moves else LOST), moves


@njit(**NO_REFCOUNT)
def _bound(rules: Words, own: CellSet, other: CellSet, moves: int) -> tuple[bool, bool]:
    """Return whether the opening restricts a move of the attacker, and of the defender."""
    # That is the next move of either; with `moves` 1 the one made last.
    # The restriction is on the first moves of player 1, who has made as many as they have stones.
    if rules[OPENING_MOVES] == _ZERO:
        return False, False
    attacks = rules[OPENER_ATTACKS] != _ZERO
    made = signed(popcount(own if attacks else other)) - moves
    bound = 0 <= made < signed(rules[OPENING_MOVES])
    return bound and attacks, bound and not attacks


@njit(**NO_REFCOUNT)
def _legal(rules: Words, own: CellSet, other: CellSet, bound: bool) -> CellSet:
    """Return the legal cells; a restricted player without a free opening cell may play any."""
    free = get(rules, PLAYABLE, own) & ~(own | other)
    if not bound:
        return free
    return free & get(rules, PLAYABLE + words_in(own), own) or free


@njit(**NO_REFCOUNT)
def moves_of(field: Field, own: CellSet, other: CellSet, is_root: bool) -> tuple[int, CellSet]:
    """Return the attacker's moves worth searching.

    The filter of the defender's last move has searched forced wins already, except at the root
    and after a restricted move. The one found here begins with ``line[0]``.
    """
    board, rules, line = field.board, field.rules, field.line
    mine, yours = _bound(rules, own, other, 0)
    legal = _legal(rules, own, other, mine)
    if mine:
        at_once = completions(board, own, other) & legal
        if at_once:
            line[0] = trailing_zeros(at_once)
            return WON, nothing(own)
        return OPEN if legal else LOST, legal
    _, was_yours = _bound(rules, own, other, 1)
    if is_root or was_yours:
        found = find_win_bits(board, field.work, field.control, own, other, FOREVER, line)
        if found > 0:
            return WON, nothing(own)
        if found == STOPPED:
            return ABORTED, nothing(own)
    if yours:
        # The forced win that `promising_moves` lets the defender play is not legal yet.
        return OPEN if legal else LOST, legal
    return promising_moves(field, own, other)


@njit(**NO_REFCOUNT)
def replies_of(field: Field, own: CellSet, other: CellSet) -> tuple[int, CellSet]:
    """Return the defender's replies worth searching; in the opening, all that are legal."""
    mine, yours = _bound(field.rules, own, other, 0)
    legal = _legal(field.rules, own, other, yours)
    if not legal or completions(field.board, other, own) & legal:
        return LOST, nothing(own)
    if mine or yours:
        return OPEN, legal
    return surviving_replies(field, own, other)
