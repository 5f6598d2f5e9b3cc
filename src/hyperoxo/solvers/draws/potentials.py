"""Erdős-Selfridge and Beck potentials of Maker's lines, in exact arithmetic.

The maker takes a cells a turn and the breaker b. A line without a stone of the breaker's and with f
free cells weighs r^-f, r^a = 1 + b. If the weights, after the maker's moves of this turn, are below
1, the breaker takes the heaviest cells, and no line is ever completed (P. Erdős and J. Selfridge
1973; J. Beck 1982).

Let w(x) be what the lines through a cell x weigh. A maker with m cells left of the turn adds at
most r^m - 1 times the largest w(x): a line that gets s of the cells gains r^s - 1 times its weight,
at most s/m of r^m - 1 times it, for r^s - 1 is convex in s; so all lines gain at most the mean of w
over the m cells, times r^m - 1. With a whole turn that is b times the largest w(x).

A breaker with l cells left of the turn takes the heaviest in order, and each takes its
w(x) away, at least as much as any x weighs afterwards. So at the end of the maker's next turn the
weights are at most what they are now, and b - l times the largest w(x).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hyperoxo.game import Position
from hyperoxo.solvers.draws.pairing import open_rows

_PART = 1 << 64


def after_the_turn(
    position: Position, maker: int, breakers: int, left: int, *, making: bool
) -> list[dict[int, int]]:
    """Return upper bounds of the potential after Maker's next turn, as {exponent: lines}."""
    # The breakers take `breakers` cells a turn; `left` are those left of the turn at hand, Maker's
    # if `making`. There is one case for each cell that may be the heaviest; all must be light.
    pointers, cells = open_rows(position, maker)
    sizes = np.diff(pointers)
    lengths, kind = np.unique(sizes, return_inverse=True)
    counts = dict(zip(lengths.tolist(), np.bincount(kind).tolist(), strict=True))
    times = breakers - left
    if not making and not times:
        return [counts]
    count = position.game.board.cell_count
    # 1. For each cell, the lines through it by number of free cells: ``[N, lengths]``. Cells with
    # equal rows give equal cases.
    of_cell = np.repeat(kind, sizes)
    on_cell = np.zeros((count, len(lengths)), np.int64)
    for at in range(len(lengths)):
        on_cell[:, at] = np.bincount(cells[of_cell == at], minlength=count)
    if making and left == 1:
        on_cell = on_cell[list(position.legal_moves)]
    # 2. Add the gain w(x) (r^left - 1) of Maker, or (b - left) w(x), for every x. Exponents below 0
    # are lines that Maker completes within the turn; `is_light` refuses them.
    cases = []
    for row in sorted({*map(tuple, on_cell.tolist())}):
        case = Counter(counts)
        for length, lines in zip(counts, row, strict=True):
            if making:
                case[length] -= lines
                case[length - left] += lines
            else:
                case[length] += times * lines
        cases.append({length: lines for length, lines in case.items() if lines})
    return cases


def exponents(position: Position, maker: int, left: int) -> dict[int, int]:
    """Count the lines of a maker by their free cells, less those left of the turn at hand."""
    sizes = np.diff(open_rows(position, maker)[0]) - left
    found, counts = np.unique(sizes, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def is_light(lines: Mapping[int, int], base: int, root: int) -> bool:
    """Return whether the sum of base^(-k/root) is below 1, for `lines` as {k: count}."""
    # Integer powers sum to a fraction. With the root reduced, the others sum to an irrational
    # number, so that a fine enough approximation decides.
    if any(k < 0 for k in lines):
        return False
    # 1. Reduce base = c^most to c, and the root with it.
    most = max(
        power
        for power in range(1, root + 1)
        if root % power == 0 and round(base ** (1 / power)) ** power == base
    )
    base, root = round(base ** (1 / most)), root // most
    whole = sum(Fraction(count, base ** (k // root)) for k, count in lines.items() if k % root == 0)
    rest = {k: count for k, count in lines.items() if k % root}
    # 2. Each term is rounded up by less than one part: compare the sum, and the sum less one part a
    # line, with what the fraction leaves; refine until one of them decides.
    part = _PART
    while True:
        above = sum(count * root_above(part, root, base, k) for k, count in rest.items())
        if above < (1 - whole) * part:
            return True
        if above - sum(rest.values()) >= (1 - whole) * part:
            return False
        part *= _PART


@lru_cache(maxsize=4096)
def root_above(part: int, root: int, base: int, k: int) -> int:
    """Return the least whole number that is at least part * base^(-k/root)."""
    low, high = 1, part
    while low < high:
        middle = (low + high) // 2
        if middle**root * base**k >= part**root:
            high = middle
        else:
            low = middle + 1
    return low


def sum_of(lines: Mapping[int, int], base: int, root: int) -> float:
    """Approximate the sum of base^(-k/root), for display."""
    return math.fsum(count * (base ** (1 / root)) ** -k for k, count in lines.items())
