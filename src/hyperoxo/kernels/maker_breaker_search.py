"""Proof-number search (df-pn) of Maker-Breaker games with winning zones.

The winner of a position needs some of its free cells only, its *zone*: the player still wins if all
other free cells are given to the rival. If the rival's move is answered by a win with some zone,
the same answer wins against every move outside this zone, so only the moves in the intersection of
all zones found so far are left to try (the must-play region of Hex programs). Zones combine:

- The player to move wins by a move: its cell, and the zone after it.
- All moves of the rival are answered: the union of the zones after them. A move that was left out
  because another is at least as good adds the cell of that other (`dominated`).

The proof number of a position estimates the work left to show that the Maker wins, the disproof
number that the Breaker does.
"""

# Literature: L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-number search",
# Artificial Intelligence 66, 1994; R. Hayward, Y. Bjornsson, M. Johanson, M. Kan, N. Po and
# J. van Rijswijck, "Solving 7x7 Hex with domination, virtual connections, and game-state
# reduction", Theoretical Computer Science 349, 2005.
# Reading order: `makers` (positions and leaves), then this module.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, copy
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.maker_breaker import (
    BREAKER,
    MAKER,
    PART,
    MakerBoard,
    MakerScratch,
    MakerState,
    completes,
    leaf,
    moves_to_try,
    name,
    put,
    take,
)
from hyperoxo.kernels.table import slot_of

PROOF, DISPROOF, CONTROL = range(3, 6)
"""Entries of `control` after the common ones: the numbers of the root; the number of entries."""

WORK = 2
"""Column of the table's numbers: 0 in a free entry, otherwise how much work is in it."""

_MANY = 1 << 30
_PROBES = 4
_BITS = 63
_ONE = np.uint64(1)


class MakerTable(NamedTuple):
    """The transposition table: 2^k entries in buckets of `_PROBES`."""

    names: Words
    numbers: Ints
    """Proof number, disproof number, and the work in them, 0 in a free entry."""
    zones: Words
    """A bit for each cell."""


class MakerTree(NamedTuple):
    """The stack of a search, a row for each level."""

    # Untried moves ``[levels, N]``, the first `counts` of each row, and their proof numbers.
    moves: Ints
    counts: Longs
    proofs: Longs
    disproofs: Longs
    # Union of the zones of refuted moves, as marks of cells: the zone if all are refuted.
    refuted: Bytes
    # Name ``[levels, 2]`` and the symmetry that leads to it.
    names: Words
    images: Longs
    # Thresholds of the proof and the disproof number ``[levels, 2]``.
    limits: Longs
    # Nodes visited before this level was entered, and the place of the move being searched.
    begun: Longs
    chosen: Longs


@njit(**NO_REFCOUNT)
def _slot(names: Words, key: Words) -> int:
    """Return the first entry of a name's bucket."""
    return int(np.int64(slot_of(names, key[0]) & ~np.uint64(_PROBES - 1)))


@njit(**NO_REFCOUNT)
def _find(names: Words, numbers: Ints, key: Words) -> int:
    """Return the entry of a name, or -1."""
    first = _slot(names, key)
    for place in range(first, first + _PROBES):
        if numbers[place, WORK] and names[place, 0] == key[0] and names[place, 1] == key[1]:
            return place
    return -1


@njit(**NO_REFCOUNT)
def _entry_for(names: Words, numbers: Ints, key: Words) -> int:
    """Return the entry of a name, or the one of least work in its bucket."""
    place = _find(names, numbers, key)
    if place < 0:
        place = first = _slot(names, key)
        for other in range(first, first + _PROBES):
            if numbers[other, WORK] < numbers[place, WORK]:
                place = other
    return place


@njit(**NO_REFCOUNT)
def _store(
    table: MakerTable, key: Words, proof: int, disproof: int, work: int, zone: Bytes, image: int,
    perms: Ints,
) -> None:  # fmt: skip
    """Store a position in place of itself or of the least work in its bucket."""
    names, numbers, zones = table.names, table.numbers, table.zones
    place = _entry_for(names, numbers, key)
    names[place, 0], names[place, 1] = key[0], key[1]
    numbers[place, 0], numbers[place, 1] = proof, disproof
    numbers[place, WORK] = min(work, _MANY) + 1
    # A zone is stored on the cells of the canonical image. If several symmetries lead to it, their
    # zones differ by a symmetry of the position, so each is a zone and any of them will do.
    if proof == 0 or disproof == 0:
        for word in range(zones.shape[1]):
            zones[place, word] = 0
        for cell in range(len(zone)):
            if zone[cell]:
                there = perms[image, cell]
                zones[place, there >> 6] |= _ONE << np.uint64(there & _BITS)


@njit(**NO_REFCOUNT)
def _load(zones: Words, place: int, image: int, perms: Ints, zone: Bytes) -> None:
    """Read a zone back, on the cells of this image."""
    for cell in range(len(zone)):
        there = perms[image, cell]
        zone[cell] = (zones[place, there >> 6] >> np.uint64(there & _BITS)) & _ONE


@njit(nogil=True)
def take_over(names: Words, numbers: Ints, zones: Words, table: MakerTable) -> None:
    """Copy the entries of another table, in place of those that took less work."""
    for old in range(len(names)):
        place = _entry_for(table.names, table.numbers, names[old])
        if table.numbers[place, WORK] <= numbers[old, WORK]:
            copy(table.names[place], names[old])
            copy(table.numbers[place], numbers[old])
            copy(table.zones[place], zones[old])


@njit(**NO_REFCOUNT)
def _guess(
    board: MakerBoard, state: MakerState, above: bool, first: Longs, second: Longs, place: int
) -> None:
    """Initialise the numbers of a new leaf by the weights of its lines and its mobility."""
    heaviest, free = 0, 0
    for cell in range(len(state.owner)):
        if state.owner[cell] < 0 and state.lives[cell] > 0:
            heaviest = max(heaviest, state.sums[1 + cell])
            free += 1
    making = completes(board, state)
    total = state.sums[0]
    if making:
        total += board.breaker_cells * heaviest
    # The potential over the bound below which the Breaker surely wins, in quarters (5 at the bound
    # itself): the further it is exceeded, the nearer is a win of the Maker.
    over = min(256, 1 + 4 * total // (board.target * PART))
    # The player to move above needs one good move: later ones in the order count as harder.
    rank = 1 + place * place
    first[place] = max(1, 16 // over) * (1 if making else free) * (rank if above else 1)
    second[place] = max(1, over * over * free // 4) * (1 if above else rank)


@njit(**NO_REFCOUNT)
def _expand(
    board: MakerBoard, state: MakerState, scratch: MakerScratch, table: MakerTable, tree: MakerTree,
    level: int, now: Bytes, key: Words,
) -> int:  # fmt: skip
    """List the moves of a position with their numbers; return the winner, `now` as its zone."""
    making = completes(board, state)
    row, first, second = tree.moves[level], tree.proofs[level], tree.disproofs[level]
    refuted = tree.refuted[level]
    # 1. A leaf, or the moves that threats leave and no other move dominates: the heaviest first
    #    or, where lines are avoided, the lightest. `refuted` begins with the zone that refutes the
    #    moves left out.
    found = leaf(board, state, scratch, now, True)
    if found:
        return found
    moves_to_try(board, state, scratch, refuted)
    count, sums = 0, state.sums
    sign = -1 if board.avoids else 1
    for cell in range(len(now)):
        if scratch.marks[cell]:
            place = count
            while place > 0 and sign * sums[1 + row[place - 1]] < sign * sums[1 + cell]:
                row[place] = row[place - 1]
                place -= 1
            row[place] = cell
            count += 1
    # 2. The numbers of each: from the leaf test, without the costly pairs; from the table; or a
    #    first guess.
    place = 0
    while place < count:
        cell = row[place]
        put(board, state, cell)
        result = leaf(board, state, scratch, now, False)
        if result == MAKER:
            first[place], second[place] = 0, _MANY
        elif result == BREAKER:
            first[place], second[place] = _MANY, 0
        else:
            image = name(board, state, key)
            entry = _find(table.names, table.numbers, key)
            if entry < 0:
                _guess(board, state, making, first, second, place)
            else:
                first[place], second[place] = table.numbers[entry, 0], table.numbers[entry, 1]
                if first[place] == 0 or second[place] == 0:
                    _load(table.zones, entry, image, board.perms, now)
        take(board, state, cell)
        # 3. A move that wins solves the position: its cell joins the zone.
        if (first[place] if making else second[place]) == 0:
            now[cell] = 1
            return MAKER if making else BREAKER
        # 4. A refuted move takes all moves outside its zone with it. Those before it that are in
        #    the zone stay, in their order; the next one follows them.
        if first[place] == 0 or second[place] == 0:
            before = 0
            for i in range(place):
                before += now[row[i]]
            count = _narrowed(row, first, second, place, count, now, refuted)
            place = before
        else:
            place += 1
    # 5. No move left: the rival wins, and needs what refuted them all.
    tree.counts[level] = count
    if count == 0:
        copy(now, refuted)
        return BREAKER if making else MAKER
    return 0


@njit(nogil=True)
def prove(
    board: MakerBoard, state: MakerState, scratch: MakerScratch, table: MakerTable, tree: MakerTree,
    control: Longs, now: Bytes,
) -> int:  # fmt: skip
    """Return the winner, with `now` as the zone of the proof; 0 if a limit came first."""
    key = np.zeros(2, np.uint64)
    depth = len(tree.counts)
    # `found` is the winner of the position just left, or 0; `now` is then its zone.
    level, entering, found = 0, True, 0
    tree.limits[0, 0] = tree.limits[0, 1] = _MANY
    while True:
        making = completes(board, state)
        row, first, second = tree.moves[level], tree.proofs[level], tree.disproofs[level]
        # 1. A new position: leaf, or moves with numbers. One met on the way up has its moves, less
        #    those that step 5 took away.
        if entering:
            tree.begun[level] = control[0]
            if visit(control):
                break
            tree.images[level] = name(board, state, tree.names[level])
            found = _expand(board, state, scratch, table, tree, level, now, key)
            entering = False
        else:
            found = 0
        if found == 0:
            # 2. The numbers of this position: the minimum over its moves, and the maximum plus
            #    their count less 1. Of moves that must all be refuted the hardest counts, not the
            #    sum: a refutation of it mostly refutes others too, by its zone.
            least, next_least, total, at = _MANY, _MANY, 0, 0
            for i in range(tree.counts[level]):
                one = first[i] if making else second[i]
                total = max(total, second[i] if making else first[i])
                if one < least:
                    least, next_least, at = one, least, i
                elif one < next_least:
                    next_least = one
            total = min(total + tree.counts[level] - 1, _MANY - 1)
            if level == 0:
                control[PROOF], control[DISPROOF] = (least, total) if making else (total, least)
            # 3. Below both thresholds: down to the best move. It gets its own until it is a quarter
            #    worse than the second best (1 + epsilon), and of the other number what makes
            #    maximum plus count less 1 reach this position's threshold.
            limit_one = tree.limits[level, 0 if making else 1]
            limit_sum = tree.limits[level, 1 if making else 0]
            if least < limit_one and total < limit_sum and level + 1 < depth:
                tree.chosen[level] = at
                into = min(limit_one, next_least + 1 + next_least // 4)
                rest = min(_MANY, limit_sum - tree.counts[level] + 1)
                tree.limits[level + 1, 0] = into if making else rest
                tree.limits[level + 1, 1] = rest if making else into
                put(board, state, row[at])
                level += 1
                entering = True
                continue
            proof, disproof = (least, total) if making else (total, least)
        else:
            proof = 0 if found == MAKER else _MANY
            disproof = 0 if found == BREAKER else _MANY
        # 4. Store, and back up as long as positions are solved.
        while True:
            spent = control[0] - tree.begun[level]
            _store(
                table, tree.names[level], proof, disproof, spent, now, tree.images[level],
                board.perms,
            )  # fmt: skip
            if level == 0:
                return found
            level -= 1
            cell = tree.moves[level, tree.chosen[level]]
            take(board, state, cell)
            at = tree.chosen[level]
            tree.proofs[level, at], tree.disproofs[level, at] = proof, disproof
            if found == 0:
                break
            # 5. The move wins for the player who made it, or it is refuted. Then the moves outside
            #    its zone are refuted too; if none is left, all are, and the position is solved for
            #    the same winner, with the union of the zones.
            above = completes(board, state)
            if (found == MAKER) == above:
                now[cell] = 1
                continue
            tree.counts[level] = _narrowed(
                tree.moves[level], tree.proofs[level], tree.disproofs[level], at,
                tree.counts[level], now, tree.refuted[level],
            )  # fmt: skip
            if tree.counts[level]:
                found = 0
                break
            copy(now, tree.refuted[level])
    # 6. A limit: the position goes back as it was.
    while level:
        level -= 1
        take(board, state, tree.moves[level, tree.chosen[level]])
    return 0


@njit(**NO_REFCOUNT)
def _narrowed(
    row: Ints, first: Longs, second: Longs, place: int, count: int, now: Bytes, refuted: Bytes
) -> int:
    """Remove a refuted move and all moves outside its zone; return the number left, in order."""
    # Moves after `place` may have no numbers yet.
    for cell in range(len(now)):
        refuted[cell] |= now[cell]
    size = 0
    for i in range(count):
        if i != place and now[row[i]]:
            row[size], first[size], second[size] = row[i], first[i], second[i]
            size += 1
    return size
