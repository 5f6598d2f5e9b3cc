"""Where the nodes of a tree go: rows downwards, lines of play across, or rings around the root.

On rings, branches get sectors by the number of nodes on them. Each ring then moves its nodes apart
as little as possible, in the order of the branches, and takes two or more rows where one would be
too long.
"""

from __future__ import annotations

import math

import numpy as np

from hyperoxo.lab.pictures.tree_nodes import Place

_GAP = 7.0
_STEP = 2.0
_ROW = 1.25
_MOST_ROWS = 6
_ROUNDS = 6
_SHEET = math.sqrt(2)


def downwards(root: Place, across: float, down: float) -> tuple[float, float]:
    """Put plies below each other, a parent above the middle of its children; return the size."""
    leaves = 0
    for place in reversed(list(root.walk())):
        place.y = down * (place.ply - root.ply)
        if place.children:
            place.x = (place.children[0].x + place.children[-1].x) / 2
        else:
            place.x = -across * leaves
            leaves += 1
    for place in root.walk():
        place.x += across * (leaves - 1)
    return across * leaves, down * (1 + max(place.ply for place in root.walk()) - root.ply)


def in_lines(
    root: Place, across: float, down: float, gap: float
) -> tuple[float, float, list[tuple[Place, float, float]]]:
    """Put plies side by side and lines of play below each other, in strips that fill a sheet.

    A board stands beside the first of those that follow it. Where a strip begins in the middle of
    a tree, the boards on the way there are shown again: they are returned with their places.
    """
    places = list(root.walk())
    rows = sum(not place.children for place in places)
    wide = across * (1 + max(place.ply for place in places) - root.ply)
    strips = max(1, round(math.sqrt(rows * down / ((wide + gap) * _SHEET))))
    most = math.ceil(rows / strips)
    again = []
    row, fresh = -1, True
    for place in places:
        if fresh:
            row += 1
        strip, at = divmod(row, most)
        left = strip * (wide + gap)
        place.x, place.y = left + across * (place.ply - root.ply), down * at
        if fresh and strip and at == 0:
            before = place.parent
            while before is not None:
                again.append((before, left + across * (before.ply - root.ply), 0.0))
                before = before.parent
        fresh = not place.children
    return strips * (wide + gap) - gap, down * min(rows, most), again


def arrange(rings: list[list[Place]]) -> None:
    """Find radii and angles."""
    _share_sectors(rings)
    reach, outer = 0.0, rings[0][0].size
    for ring in rings[1:]:
        largest = max(place.size for place in ring)
        near = reach + _STEP * (outer + largest) / 2
        length = sum(_width(place) for place in ring)
        rows = min(max(1, math.ceil(length / (2 * math.pi * near))), _MOST_ROWS, len(ring))
        radius = max(near, 1.03 * length / rows / (2 * math.pi))
        wanted = [place.angle for place in ring]
        for _ in range(_ROUNDS):
            # Upright squares need more room where the ring runs aslant, so once is not enough.
            widths = [_width(place) / (radius * rows) for place in ring]
            for place, angle in zip(ring, moved_apart(wanted, widths), strict=True):
                place.angle = angle
            radius *= max(1.0, 1.01 * sum(widths) / (2 * math.pi))
        for number, place in enumerate(ring):
            place.radius = radius + number % rows * _ROW * largest
            place.x = place.radius * math.sin(place.angle)
            place.y = -place.radius * math.cos(place.angle)
        reach, outer = radius + (rows - 1) * _ROW * largest, largest


def _width(place: Place) -> float:
    """Length of the ring that an upright square takes up between others."""
    slant = max(abs(math.cos(place.angle)), abs(math.sin(place.angle)))
    return (place.size + _GAP) / slant


def _share_sectors(rings: list[list[Place]]) -> None:
    for ring in reversed(rings):
        for place in ring:
            place.below = 1 + sum(child.below for child in place.children)
    starts = {id(rings[0][0]): (0.0, 2 * math.pi)}
    for ring in rings:
        for place in ring:
            start, width = starts[id(place)]
            place.angle = start + width / 2
            for child in place.children:
                share = width * child.below / max(place.below - 1, 1)
                starts[id(child)] = (start, share)
                start += share


def moved_apart(wanted: list[float], widths: list[float]) -> list[float]:
    """Move angles apart until each has its width, with least squares of the movements."""
    from scipy.optimize import isotonic_regression

    ends = np.cumsum(widths)
    offsets = ends - np.array(widths) / 2
    starts = isotonic_regression(np.array(wanted) - offsets).x
    moved: list[float] = (starts.clip(0.0, max(2 * math.pi - ends[-1], 0.0)) + offsets).tolist()
    return moved
