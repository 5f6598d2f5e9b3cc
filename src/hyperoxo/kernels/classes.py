"""Breadth-first enumeration of positions up to symmetry, as packed keys, one ply at a time.

A key is W words. Each playable cell has a digit of b bits, 0 free or 1..q; the first cell is
in the highest digit of the first word, so that keys sort as positions do when read in cell
order. Two bits per cell hold 3^2 like this, from the high end of 18 bits on::

    X . O         01 00 10  00 01 00  00 00 00
    . X .    ->
    . . .

The canonical form is the greatest image, as in :mod:`hyperoxo.kernels.canonical`; here all
images are made together, stone by stone, since the compiler vectorises the loop over them.

Playable cells are numbered without the blocked ones. Numbers of games are uint64 words, lowest
first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, copy, fill

# Reading order: `canonical` (forms of single positions), this module (all classes, forwards from
# the empty board), `retrograde` (their values, backwards).
PLAYERS, TARGET, MISERE, OPENING_PLIES, BITS, MAKER_ONLY, FULL_BOARD, MOVERS = range(8)
DRAW = 99
"""Result of a drawn game; p wins alone, -p loses alone, 0 while the game goes on."""


class Code(NamedTuple):
    """A game of N playable cells, L lines and G symmetries, as functions of keys take it."""

    rules: Longs
    """The entries named above, and from MOVERS on the player 1..q who moves at each ply."""
    cells: Longs
    """``[N]``: the playable cells among all."""
    where: Longs
    shift: Words
    """``[N]``: word and place of each cell's digit."""
    below: Longs
    """``[N]``: the cell underneath, or -1."""
    opening: Bytes
    """``[N]``: 1 on the opening cells."""
    ones: Words
    """``[L, W]``: 1 in every digit of a line."""
    beyond: Longs
    """``[L, 2]``: cells by which a line could be longer, or -1; ``[L, 0]`` if longer rows count."""
    images: Words
    """``[N, W, G]``: 1 in the digit that each symmetry takes the cell to."""


@njit(**NO_REFCOUNT)
def owner_at(key: Words, where: Longs, shift: Words, bits: int, cell: int) -> np.int64:
    """Return the owner of a cell, 0 if it is free."""
    return np.int64((key[where[cell]] >> shift[cell]) & np.uint64((1 << bits) - 1))


@njit(**NO_REFCOUNT)
def full_lines(key: Words, code: Code, player: int) -> int:
    """Count the lines that `player` owns."""
    ones, bits = code.ones, code.rules[BITS]
    digit = np.uint64((1 << bits) - 1)
    own = np.uint64(player)
    count = 0
    for line in range(len(ones)):
        whole = True
        for w in range(len(key)):
            if key[w] & (ones[line, w] * digit) != ones[line, w] * own:
                whole = False
                break
        for end in range(code.beyond.shape[1] if whole else 0):
            cell = code.beyond[line, end]
            if cell >= 0 and owner_at(key, code.where, code.shift, bits, cell) == player:
                whole = False
        count += whole
    return count


@njit(**NO_REFCOUNT)
def canonical(key: Words, images: Words, where: Longs, shift: Words, bits: int, row: Words) -> int:
    """Turn a key into its canonical form; return the order of its stabiliser.

    `row` uint64 ``[W, G]`` is scratch.
    """
    # 1. All images side by side: the owner's bits in the digit where each symmetry takes the cell.
    order = images.shape[2]
    if order == 1:
        return 1
    fill(row, 0)
    for cell in range(len(where)):
        owner = owner_at(key, where, shift, bits, cell)
        if owner == 0:
            continue
        for w in range(len(key)):
            for bit in range(bits):
                if owner >> bit & 1:
                    for g in range(order):
                        row[w, g] |= images[cell, w, g] << np.uint64(bit)
    # 2. The greatest, and its multiplicity, which is the order of the stabiliser. Two passes over
    #    one word vectorise; several words are compared one by one.
    if len(key) == 1:
        best = row[0, 0]
        for g in range(order):
            best = max(best, row[0, g])
        key[0] = best
        same = 0
        for g in range(order):
            same += row[0, g] == best
        return same
    chosen = 0
    same = 1
    for g in range(1, order):
        w = 0
        while w < len(key) and row[w, g] == row[w, chosen]:
            w += 1
        if w == len(key):
            same += 1
        elif row[w, g] > row[w, chosen]:
            chosen = g
            same = 1
    for w in range(len(key)):
        key[w] = row[w, chosen]
    return same


@njit(nogil=True)
def canonical_keys(keys: Words, code: Code, same: Longs) -> None:
    """Turn keys uint64 ``[K, W]`` into canonical forms; `same` ``[K]`` as in `canonical`."""
    bits, where, shift, images = code.rules[BITS], code.where, code.shift, code.images
    row = np.empty(images.shape[1:], np.uint64)
    for i in range(len(keys)):
        same[i] = canonical(keys[i], images, where, shift, bits, row)


@njit(**NO_REFCOUNT)
def legal_cells(key: Words, code: Code, ply: int, out: Ints) -> int:
    """Write the legal moves of a position that is not over, ascending; return how many."""
    rules, where, shift, below = code.rules, code.where, code.shift, code.below
    opening, bits = code.opening, rules[BITS]
    restricted = ply < rules[OPENING_PLIES] and rules[MOVERS + ply] == rules[MOVERS]
    # A cell is legal if it is free and the one underneath is not; on restricted plies an opening
    # cell, as long as one is legal.
    count = 0
    inside = 0
    for cell in range(len(where)):
        if owner_at(key, where, shift, bits, cell):
            continue
        under = below[cell]
        if under >= 0 and owner_at(key, where, shift, bits, under) == 0:
            continue
        out[count] = cell
        count += 1
        inside += opening[cell]
    if not restricted or inside == 0:
        return count
    size = 0
    for place in range(count):
        if opening[out[place]]:
            out[size] = out[place]
            size += 1
    return size


@njit(**NO_REFCOUNT)
def results_of(keys: Words, code: Code, ply: int, out: Ints) -> None:
    """Write the result of each position of one layer."""
    rules, cells = code.rules, len(code.cells)
    last = rules[MOVERS + ply - 1] if ply else 0
    # Only the last mover can have reached the target, for the game went on until then.
    scores = ply > 0 and not (last > 1 and rules[MAKER_ONLY])
    for i in range(len(keys)):
        out[i] = 0
        if scores and full_lines(keys[i], code, last) >= rules[TARGET]:
            out[i] = -last if rules[MISERE] else last
        elif ply == cells and rules[FULL_BOARD] > 0:
            out[i] = rules[FULL_BOARD]
        elif ply == cells:
            best = full_lines(keys[i], code, 1)
            winner = 1
            for player in range(2, rules[PLAYERS] + 1):
                lines = full_lines(keys[i], code, player)
                if lines == best:
                    winner = DRAW
                elif (lines < best) if rules[MISERE] else (lines > best):
                    best = lines
                    winner = player
            out[i] = winner


@njit(**NO_REFCOUNT)
def slot_of(key: Words, found: Words, slots: Ints) -> np.int64:
    """Return the slot of a key, or the free one where it belongs (linear probing)."""
    mixed = np.uint64(0)
    for w in range(len(key)):
        mixed = (mixed ^ key[w]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mask = len(slots) - 1
    slot = np.int64(mixed & np.uint64(mask))
    while True:
        index = slots[slot]
        if index < 0:
            return slot
        w = 0
        while w < len(key) and found[index, w] == key[w]:
            w += 1
        if w == len(key):
            return slot
        slot = (slot + 1) & mask


@njit(**NO_REFCOUNT)
def rehash(found: Words, count: int, slots: Ints) -> None:
    """Enter the first `count` keys into a hash table, int32, with 2^k slots."""
    fill(slots, -1)
    for index in range(count):
        slots[slot_of(found[index], found, slots)] = index


@njit(**NO_REFCOUNT)
def add_to(total: Words, part: Words) -> None:
    """Add one number of games to another."""
    # Words wrap around: a sum smaller than a term has a carry, and so has one that the carry below
    # makes wrap.
    carry = np.uint64(0)
    for w in range(len(total)):
        before = total[w]
        half = before + part[w]
        total[w] = half + carry
        carry = np.uint64((half < before) | (total[w] < half))


@njit(**NO_REFCOUNT)
def child_of(key: Words, code: Code, ply: int, cell: int, row: Words, child: Words) -> int:
    """Write the canonical key after a move; return the order of its stabiliser."""
    rules, where, shift = code.rules, code.where, code.shift
    for w in range(len(child)):
        child[w] = key[w]
    child[where[cell]] |= np.uint64(rules[MOVERS + ply]) << shift[cell]
    return canonical(child, code.images, where, shift, rules[BITS], row)


class Found(NamedTuple):
    """Positions of the next layer, numbers of games that lead there, of images; a hash table."""

    keys: Words
    games: Words
    orbit: Longs
    slots: Ints


@njit(nogil=True)
def expand(
    code: Code,
    keys: Words,
    games: Words,
    results: Ints,
    ply: int,
    first: int,
    last: int,
    into: Found,
    count: int,
) -> tuple[int, int]:
    """Make the children of the positions `first` to `last` of one layer.

    New ones are appended to `into`, whose first `count` places are taken. Returns the first
    position not expanded, because there might not be room for its children, and the new count.
    """
    found, found_games, found_orbit, slots = into
    cells, order = len(code.cells), code.images.shape[2]
    row = np.empty(code.images.shape[1:], np.uint64)
    child = np.empty(keys.shape[1], np.uint64)
    moves = np.empty(cells, np.int32)
    for i in range(first, last):
        # 1. Room for all children of one position, or the caller makes more and calls again.
        if count + cells > len(found):
            return i, count
        if results[i]:
            continue
        for place in range(legal_cells(keys[i], code, ply, moves)):
            # 2. The child's key, and the order of its stabiliser.
            same = child_of(keys[i], code, ply, moves[place], row, child)
            slot = slot_of(child, found, slots)
            # 3. A new class is appended; its orbit has the order of the group by the stabiliser's.
            index = slots[slot]
            if index < 0:
                index = count
                slots[slot] = index
                copy(found[index], child)
                fill(found_games[index], 0)
                found_orbit[index] = order // same
                count += 1
            # 4. Every game that leads to the position leads on to the child, once for each move.
            add_to(found_games[index], games[i])
    return last, count
