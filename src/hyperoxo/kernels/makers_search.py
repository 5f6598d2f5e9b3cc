"""Who wins a Maker-Breaker game: proof numbers, with zones.

Whatever is proved comes with its *zone*, free cells that the proof rests on: the winner wins even
if all other free cells are the other's. So what refutes one move refutes every move outside its
zone, and only moves in the zones of all that was refuted are tried.

- A move that wins: its cell and the zone of what follows.
- All moves refuted: all their zones together.

The proof number of a position says how much is left to prove that the Maker wins, the disproof
number that the Breaker does.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.compiling import njit
from hyperoxo.kernels.arrays import Bytes, Ints, Longs, Words, copy
from hyperoxo.kernels.control import visit
from hyperoxo.kernels.lean import lean
from hyperoxo.kernels.makers import (
    BREAKER,
    CELLS,
    HEAD,
    LINES,
    MAKER,
    PLY,
    leaf,
    mover,
    name,
    put,
    take,
    weight,
)

SYMMETRY_PLIES = 3
"""Entry of `control`: up to which ply names are those of classes under symmetries."""

_MANY = 1 << 30
_PROBES = 4
_BITS = 63
_ONE = np.uint64(1)
_GOLDEN, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(20)


@lean
def _slot(names: Words, key: Words) -> int:
    """Return the first of the entries where a name may be."""
    mask = np.uint64(len(names) - _PROBES)
    return int(np.int64((key[0] * _GOLDEN) >> _SHIFT & mask))


@lean
def _find(names: Words, numbers: Ints, key: Words) -> int:
    """Return the entry of a name, or -1."""
    first = _slot(names, key)
    for place in range(first, first + _PROBES):
        if numbers[place, 2] and names[place, 0] == key[0] and names[place, 1] == key[1]:
            return place
    return -1


@lean
def _store(
    names: Words, numbers: Ints, zones: Words, key: Words, proof: int, disproof: int, work: int,
    zone: Bytes, image: int, perms: Ints,
) -> None:  # fmt: skip
    """Note what is known of a position, in place of what took the least work."""
    place = _find(names, numbers, key)
    if place < 0:
        first = _slot(names, key)
        place = first
        for other in range(first, first + _PROBES):
            if numbers[other, 2] < numbers[place, 2]:
                place = other
    names[place, 0], names[place, 1] = key[0], key[1]
    numbers[place, 0], numbers[place, 1] = proof, disproof
    numbers[place, 2] = min(work, _MANY) + 1
    if proof == 0 or disproof == 0:
        for word in range(zones.shape[1]):
            zones[place, word] = 0
        for cell in range(len(zone)):
            if zone[cell]:
                there = perms[image, cell]
                zones[place, there >> 6] |= _ONE << np.uint64(there & _BITS)


@lean
def _load(zones: Words, place: int, image: int, perms: Ints, zone: Bytes) -> None:
    """Read a zone back, on the cells of this image."""
    for cell in range(len(zone)):
        there = perms[image, cell]
        zone[cell] = (zones[place, there >> 6] >> np.uint64(there & _BITS)) & _ONE


@lean
def _score(r: Longs, s: Ints, by: Ints, through: Ints, cell: int) -> int:
    """Return the weight of a cell: that of the live lines through it."""
    total = 0
    lacking = HEAD + 3 * r[CELLS]
    for i in range(by[cell], by[cell + 1]):
        line = through[i]
        if s[lacking + r[LINES] + line] == 0:
            total += weight(r, s[lacking + line])
    return total


@njit(cache=True, nogil=True)
def prove(
    r: Longs, s: Ints, by: Ints, through: Ints, start: Ints, inside: Ints,
    codes: Words, perms: Ints, names: Words, numbers: Ints, zones: Words,
    control: Longs, zone: Bytes,
) -> int:  # fmt: skip
    """Return who wins, with the zone of the proof; 0 where a limit came first."""
    cells, lines = r[CELLS], r[LINES]
    marks = np.zeros(cells, np.uint8)
    sums = np.zeros(cells, np.int64)
    work = np.zeros(cells + 3 * lines, np.int32)
    listed = np.zeros(cells, np.int32)
    found = leaf(r, s, start, inside, sums, work, zone, marks)
    if found:
        return found
    free = 1
    for cell in range(cells):
        free += s[HEAD + cell] < 0
    # A row for each level: its moves, their numbers, and what is refuted so far.
    moves = np.zeros((free, cells), np.int32)
    counts = np.zeros(free, np.int64)
    proofs = np.zeros((free, cells), np.int64)
    disproofs = np.zeros((free, cells), np.int64)
    refuted = np.zeros((free, cells), np.uint8)
    own = np.zeros((free, 2), np.uint64)
    images = np.zeros(free, np.int64)
    limits = np.zeros((free, 2), np.int64)
    begun = np.zeros(free, np.int64)
    chosen = np.zeros(free, np.int64)
    key = np.zeros(2, np.uint64)
    scores = np.zeros(cells, np.int64)
    now = np.zeros(cells, np.uint8)
    level, entering = 0, True
    limits[0, 0] = limits[0, 1] = _MANY
    while True:
        making = mover(r, s) == 0
        row, first, second = moves[level], proofs[level], disproofs[level]
        if entering:
            begun[level] = control[0]
            if visit(control):
                break
            group = len(perms) if s[PLY] <= control[SYMMETRY_PLIES] else 1
            images[level] = name(r, s, codes, perms, group, listed, own[level])
            # 1. The moves that the threats leave, the heaviest first.
            found = leaf(r, s, start, inside, sums, work, refuted[level], marks)
            count = 0
            for cell in range(cells):
                if marks[cell]:
                    scores[cell] = _score(r, s, by, through, cell)
                    place = count
                    while place > 0 and scores[row[place - 1]] < scores[cell]:
                        row[place] = row[place - 1]
                        place -= 1
                    row[place] = cell
                    count += 1
            # 2. What each of them is known to be.
            place, solved, best = 0, found > 0, found
            if solved:
                copy(now, refuted[level])
            while place < count and not solved:
                cell = row[place]
                put(r, s, cell, by, through, start, inside)
                result = leaf(r, s, start, inside, sums, work, now, marks)
                if result == MAKER:
                    first[place], second[place] = 0, _MANY
                elif result == BREAKER:
                    first[place], second[place] = _MANY, 0
                else:
                    group = len(perms) if s[PLY] <= control[SYMMETRY_PLIES] else 1
                    image = name(r, s, codes, perms, group, listed, key)
                    entry = _find(names, numbers, key)
                    if entry >= 0:
                        first[place], second[place] = numbers[entry, 0], numbers[entry, 1]
                        if first[place] == 0 or second[place] == 0:
                            _load(zones, entry, image, perms, now)
                    else:
                        wide = 0
                        for other in range(cells):
                            wide += marks[other]
                        making_next = mover(r, s) == 0
                        first[place] = 1 if making_next else min(wide, 12)
                        second[place] = min(wide, 12) if making_next else 1
                take(r, s, cell, by, through, start, inside)
                solved = first[place] == 0 if making else second[place] == 0
                if solved:
                    best = MAKER if making else BREAKER
                    now[cell] = 1
                elif first[place] == 0 or second[place] == 0:
                    before = 0
                    for i in range(place):
                        before += now[row[i]]
                    count = _narrowed(row, first, second, place, count, now, refuted[level])
                    place = before
                    continue
                place += 1
            counts[level] = count
            if not solved and count == 0:
                copy(now, refuted[level])
                best = BREAKER if making else MAKER
            entering = False
            found = best
        else:
            found = 0
        if found == 0:
            # 3. The numbers of this position from those of its moves.
            count = counts[level]
            least, next_least, total, at = _MANY, _MANY, 0, 0
            for i in range(count):
                one = first[i] if making else second[i]
                total += second[i] if making else first[i]
                if one < least:
                    least, next_least, at = one, least, i
                elif one < next_least:
                    next_least = one
            total = min(total, _MANY - 1)
            limit_one = limits[level, 0 if making else 1]
            limit_sum = limits[level, 1 if making else 0]
            if least < limit_one and total < limit_sum and level + 1 < free:
                chosen[level] = at
                part = second[at] if making else first[at]
                into = min(limit_one, next_least + 1 + next_least // 4)
                rest = min(_MANY, limit_sum - total + part)
                limits[level + 1, 0] = into if making else rest
                limits[level + 1, 1] = rest if making else into
                put(r, s, row[at], by, through, start, inside)
                level += 1
                entering = True
                continue
            proof, disproof = (least, total) if making else (total, least)
        else:
            proof = 0 if found == MAKER else _MANY
            disproof = 0 if found == BREAKER else _MANY
        # 4. Back up, as far as something is decided.
        while True:
            spent = control[0] - begun[level]
            _store(
                names, numbers, zones, own[level], proof, disproof, spent, now, images[level], perms
            )
            if level == 0:
                copy(zone, now)
                return found
            level -= 1
            cell = moves[level, chosen[level]]
            take(r, s, cell, by, through, start, inside)
            above = mover(r, s) == 0
            proofs[level, chosen[level]], disproofs[level, chosen[level]] = proof, disproof
            if found == 0:
                break
            if (found == MAKER) == above:
                now[cell] = 1
                continue
            counts[level] = _narrowed(
                moves[level], proofs[level], disproofs[level], chosen[level], counts[level], now,
                refuted[level],
            )  # fmt: skip
            if counts[level]:
                found = 0
                break
            copy(now, refuted[level])
    while level:
        level -= 1
        take(r, s, moves[level, chosen[level]], by, through, start, inside)
    return 0


@lean
def _narrowed(
    row: Ints, first: Longs, second: Longs, place: int, count: int, now: Bytes, refuted: Bytes
) -> int:
    """Leave out a refuted move and all moves outside its zone; return how many are left.

    Moves from `place` on that were not looked at yet have no numbers; they keep their order.
    """
    for cell in range(len(now)):
        refuted[cell] |= now[cell]
    kept = 0
    for i in range(count):
        if i != place and now[row[i]]:
            row[kept], first[kept], second[kept] = row[i], first[i], second[i]
            kept += 1
    return kept
