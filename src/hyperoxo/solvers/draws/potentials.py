"""Weights of a maker's lines, in whole numbers: where a breaker keeps the maker from any line.

The maker takes a cells a turn and the breaker b. A line without a stone of the breaker's and with
f free cells weighs (1 + b)^-(f/a). Where the weights, after what the maker does in the turn at
hand, are below 1, the breaker takes the heaviest cells, and no line is ever completed (P. Erdős and
J. Selfridge 1973; J. Beck 1982).

With a = 1 a stone of the maker's on x adds b w(x), where w(x) is what the lines through x weigh,
and a stone of the breaker's there takes w(x) away. A breaker with l cells left of the turn takes
the heaviest, so that each of the l weighs at least as much as the x that the maker takes next: all
in all at most b - l times the largest w(x) is added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from hyperoxo.position import Position
from hyperoxo.solvers.draws.pairing import open_rows

_PART = 1 << 64


def after_one_cell(position: Position, maker: int, breakers: int, left: int) -> Fraction:
    """Return what a maker of one cell a turn has at most when the breakers' next turn begins.

    The breakers take `breakers` cells a turn, and have `left` cells of the turn at hand to take, 0
    if the maker is to move.
    """
    pointers, cells = open_rows(position, maker)
    sizes = np.diff(pointers)
    lengths, kind = np.unique(sizes, return_inverse=True)
    if not len(lengths):
        return Fraction(0)
    longest, base = int(lengths[-1]), 1 + breakers
    weights = [base ** (longest - length) for length in lengths.tolist()]
    count = position.game.board.cell_count
    total = _sum(np.bincount(kind, minlength=len(lengths)).tolist(), weights)
    if left < breakers:
        of_cell = np.repeat(kind, sizes)
        on_cell = np.zeros((count, len(lengths)), np.int64)
        for at in range(len(lengths)):
            on_cell[:, at] = np.bincount(cells[of_cell == at], minlength=count)
        if not left:
            on_cell = on_cell[list(position.legal_moves)]
        rows = np.unique(on_cell, axis=0).tolist()
        total += (breakers - left) * max(_sum(row, weights) for row in rows)
    return Fraction(total, base**longest)


def _sum(counts: list[int], weights: list[int]) -> int:
    return sum(count * weight for count, weight in zip(counts, weights, strict=True))


def exponents(position: Position, maker: int, left: int) -> dict[int, int]:
    """Count the lines of a maker by their free cells, less those left of the turn at hand."""
    sizes = np.diff(open_rows(position, maker)[0]) - left
    found, counts = np.unique(sizes, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def is_light(lines: Mapping[int, int], base: int, root: int) -> bool:
    """Tell whether the sum of base^(-k/root) is below 1, over lines given by how many have each k.

    The whole powers make a fraction. Once the root is as small as it can be, the others sum up to
    none, so that in fine enough parts their sum is seen to be above or below what is left.
    """
    if any(k < 0 for k in lines):
        return False
    most = max(
        power
        for power in range(1, root + 1)
        if root % power == 0 and round(base ** (1 / power)) ** power == base
    )
    base, root = round(base ** (1 / most)), root // most
    whole = sum(Fraction(count, base ** (k // root)) for k, count in lines.items() if k % root == 0)
    rest = {k: count for k, count in lines.items() if k % root}
    part = _PART
    while True:
        above = sum(count * root_above(part, root, base, k) for k, count in rest.items())
        if above < (1 - whole) * part:
            return True
        if above - sum(rest.values()) >= (1 - whole) * part:
            return False
        part *= _PART


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
    """Return about the sum of base^(-k/root), to be shown."""
    return math.fsum(count * (base ** (1 / root)) ** -k for k, count in lines.items())
