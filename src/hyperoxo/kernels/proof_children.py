"""The children of a position in the proof search: ranked, canonical, one of each class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Floats, Longs, Words
from hyperoxo.kernels.canonical import Canonicalizer, walk_down
from hyperoxo.kernels.cell_sets import (
    CellSet,
    get,
    lowest,
    nothing,
    popcount,
    signed,
    single,
    trailing_zeros,
    word_of,
    words_in,
)
from hyperoxo.kernels.proof_moves import Field
from hyperoxo.kernels.proof_table import NO_MOVE
from hyperoxo.kernels.threat_bits import board_line, completions

OR, AND = 0, 1
"""Kinds of positions: the attacker moves, or the defender."""

FIRST_CHILD = 3
"""Offset of the children's sets among those of a level: own, other, moves, then two each."""

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Images(NamedTuple):
    """Scratch arrays for canonical forms of N positions."""

    owners: Bytes
    forms: Bytes
    places: Longs
    stabiliser: Longs


class Search(NamedTuple):
    """A proof search: the game and its threats, symmetries, the shared table, and options."""

    field: Field
    plan: Canonicalizer
    table: Words
    weights: Floats
    """Weights of lines in the order of moves, for `rank_moves`."""
    width: int
    """Moves of the attacker that are searched, the best ones."""
    epsilon: float


def new_images(cells: int) -> Images:
    """Allocate room for as many positions as there are cells."""
    owners, places = np.zeros((cells, cells), np.uint8), np.zeros(cells, np.int64)
    return Images(owners, owners.copy(), places, places.copy())


@njit(**NO_REFCOUNT)
def canonical_words(plan: Canonicalizer, images: Images, count: int) -> None:
    """Find canonical forms of the first positions, given and returned as rows of owners."""
    owners = images.owners[:count]
    walk_down(owners, plan, images.forms, images.places, images.stabiliser)


@njit(**NO_REFCOUNT)
def rank_moves(
    board: Words,
    own: CellSet,
    other: CellSet,
    weights: Floats,
    moves: CellSet,
    scores: Floats,
) -> None:
    """Score cells by the lines through them that one side alone holds.

    `weights` ``[2, n + 1]``: the value of a line with k stones of the mover, and of the other.
    """
    lines_at = signed(board[1])
    width = signed(board[2])
    rest = moves
    while rest:
        cell = trailing_zeros(rest)
        rest ^= lowest(rest)
        # Rows of lines through a cell are filled up with empty sets, which end the loop.
        score = 0.0
        for j in range(width):
            mask = board_line(board, lines_at + cell * width + j, own)
            if not mask:
                break
            if not mask & other:
                score += weights[0, signed(popcount(mask & own))]
            elif not mask & own:
                score += weights[1, signed(popcount(mask & other))]
        scores[cell] = score


@njit(**NO_REFCOUNT)
def _unpack(own: CellSet, other: CellSet, cells: int, row: Bytes) -> None:
    # Owners as in positions: 0 free, 1 the attacker, 2 the defender.
    for i in range(words_in(own)):
        first, second = word_of(own, i), word_of(other, i)
        begin = 64 * i
        for c in range(begin, min(begin + 64, cells)):
            shift = np.uint64(c - begin)
            row[c] = np.uint8(((first >> shift) & _ONE) + ((second >> shift) & _ONE) * np.uint64(2))


@njit(**NO_REFCOUNT)
def _pack_row(row: Bytes, cells: int, keys: Words, at: int, like: CellSet) -> None:
    """Write both sets of a row of owners."""
    size = words_in(like)
    for i in range(size):
        first = _ZERO
        second = _ZERO
        begin = 64 * i
        for c in range(begin, min(begin + 64, cells)):
            shift = np.uint64(c - begin)
            stone = np.uint64(row[c])
            first |= (stone & _ONE) << shift
            second |= (stone >> _ONE) << shift
        keys[at + i] = first
        keys[at + size + i] = second


@njit(**NO_REFCOUNT)
def _same(keys: Words, one: int, two: int, like: CellSet) -> bool:
    """Return whether two pairs of sets are equal."""
    size = words_in(like)
    if get(keys, one, like) != get(keys, two, like):
        return False
    return bool(get(keys, one + size, like) == get(keys, two + size, like))


@njit(**NO_REFCOUNT)
def expand(
    search: Search,
    images: Images,
    scores: Floats,
    keys: Words,
    at: int,
    own: CellSet,
    other: CellSet,
    numbers: Longs,
    kind: int,
    moves: CellSet,
    quiet: int,
    hint: int,
) -> int:
    """List the children of a node, best first, one of each class; return their number.

    ``keys``: both sets of each child, from `at` on; ``numbers``: proof, disproof, cell and quiet
    moves left of each child. The move `hint` comes first.
    """
    board = search.field.board
    cells = signed(board[0])
    size = words_in(own)
    index = images.places
    # 1. The moves by score (insertion sort, best first); at an OR node with a limit on quiet moves,
    #    also the cells that must be blocked. `places` is free until step 3 and holds the order.
    forced = nothing(own)
    if kind == OR:
        rank_moves(board, own, other, search.weights, moves, scores)
        if hint != NO_MOVE:
            scores[hint] = np.inf
        if quiet >= 0:
            forced = completions(board, other, own)
    else:
        rank_moves(board, other, own, search.weights, moves, scores)
    count = 0
    rest = moves
    while rest:
        cell = trailing_zeros(rest)
        rest ^= lowest(rest)
        place = count
        while place > 0 and scores[index[place - 1]] < scores[cell]:
            index[place] = index[place - 1]
            place -= 1
        index[place] = cell
        count += 1
    # 2. The position after each. A move is quiet if it neither blocks nor makes a threat.
    for i in range(count):
        cell = index[i]
        numbers[4 * i + 2] = cell
        bit = single(cell, own)
        numbers[4 * i + 3] = quiet
        if kind == OR:
            if quiet >= 0 and not forced and not completions(board, own | bit, other):
                numbers[4 * i + 3] = quiet - 1
            _unpack(own | bit, other, cells, images.owners[i])
        else:
            _unpack(own, other | bit, cells, images.owners[i])
    # 3. One of each class, the first in this order. The width cuts the attacker's moves only, after
    #    equivalent ones are merged: a proof with fewer moves of the attacker is still a proof.
    canonical_words(search.plan, images, count)
    most = search.width if kind == OR else count
    distinct = 0
    for i in range(count):
        here = at + 2 * size * distinct
        _pack_row(images.forms[i], cells, keys, here, own)
        # Few children are left, so a comparison with each is quicker than a hash table.
        known = False
        for j in range(distinct):
            known = known or _same(keys, at + 2 * size * j, here, own)
        if known:
            continue
        numbers[4 * distinct + 2] = numbers[4 * i + 2]
        numbers[4 * distinct + 3] = numbers[4 * i + 3]
        distinct += 1
        if distinct == most:
            break
    return distinct
