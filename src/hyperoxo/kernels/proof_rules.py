"""What may be played in the proof search: the rules, the opening, and the limit on quiet moves."""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.bits import popcount, signed, trailing_zeros
from hyperoxo.kernels.cell_sets import CellSet, get, lowest, nothing, words_in
from hyperoxo.kernels.proof_moves import (
    ABORTED,
    LOST,
    OPEN,
    WON,
    promising_moves,
    surviving_replies,
)
from hyperoxo.kernels.threat_bits import FOREVER, STOPPED, completions, find_win_bits

__all__ = ["OPENER_ATTACKS", "OPENING_MOVES", "PLAYABLE", "moves_of", "replies_of", "threats_only"]

OPENING_MOVES, OPENER_ATTACKS, PLAYABLE = range(3)
"""Entries of `rules`; the set of opening cells follows that of the playable ones."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def threats_only(board: Words, own: CellSet, other: CellSet, moves: CellSet) -> CellSet:
    """Return the moves that are not quiet."""
    if completions(board, other, own):
        return moves
    kept = nothing(own)
    while moves:
        cell = lowest(moves)
        moves ^= cell
        if completions(board, own | cell, other):
            kept |= cell
    return kept


@njit(cache=True, nogil=True)
def _bound(rules: Words, own: CellSet, other: CellSet, moves: int) -> tuple[bool, bool]:
    """Whether the opening bears on a move of the attacker, and of the defender.

    That is the next move of either; with `moves` 1 the one that he made last.
    """
    if rules[OPENING_MOVES] == _ZERO:
        return False, False
    attacks = rules[OPENER_ATTACKS] != _ZERO
    made = signed(popcount(own if attacks else other)) - moves
    bound = 0 <= made < signed(rules[OPENING_MOVES])
    return bound and attacks, bound and not attacks


@njit(cache=True, nogil=True)
def _legal(rules: Words, own: CellSet, other: CellSet, bound: bool) -> CellSet:
    """Return the cells that may be played; a player is free where no opening cell is left."""
    free = get(rules, PLAYABLE, own) & ~(own | other)
    if not bound:
        return free
    return free & get(rules, PLAYABLE + words_in(own), own) or free


@njit(cache=True, nogil=True)
def moves_of(
    board: Words,
    work: Words,
    control: Longs,
    rules: Words,
    own: CellSet,
    other: CellSet,
    is_root: bool,
    line: Ints,
) -> tuple[int, CellSet]:
    """Return the attacker's moves worth searching.

    Forced wins were looked for when the defender's last move was chosen, but not at the root and
    not if his move was a restricted one. The one found here begins with ``line[0]``.
    """
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
        found = find_win_bits(board, work, control, own, other, FOREVER, line)
        if found > 0:
            return WON, nothing(own)
        if found == STOPPED:
            return ABORTED, nothing(own)
    if yours:
        # What the defender could do freely he may not do yet.
        return OPEN if legal else LOST, legal
    return promising_moves(board, work, control, own, other, get(rules, PLAYABLE, own), line)


@njit(cache=True, nogil=True)
def replies_of(
    board: Words,
    work: Words,
    control: Longs,
    rules: Words,
    own: CellSet,
    other: CellSet,
    line: Ints,
) -> tuple[int, CellSet]:
    """Return the defender's replies worth searching; in the opening, all that are legal."""
    mine, yours = _bound(rules, own, other, 0)
    legal = _legal(rules, own, other, yours)
    if not legal or completions(board, other, own) & legal:
        return LOST, nothing(own)
    if mine or yours:
        return OPEN, legal
    return surviving_replies(board, work, control, own, other, get(rules, PLAYABLE, own), line)
