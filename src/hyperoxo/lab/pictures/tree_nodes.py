"""Nodes of a drawn tree: a child is its parent and one stone more.

A pruned tree shows one position of each class of equivalent ones; a whole tree shows every sequence
of moves; a line shows the positions of one game.

Nodes go to rows downwards, lines of play across, or rings around the root. On rings, branches get
sectors by the number of nodes on them. Each ring then moves its nodes apart as little as possible,
in the order of the branches, and takes two or more rows where one would be too long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hyperoxo.errors import LimitError
from hyperoxo.game import Bounds, Game, Position
from hyperoxo.notation.stones import ICONS, NAMES
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.states.tables import table_of

MOST_NODES = 200
"""Nodes in a picture whose depth is not given."""

_LIMIT = 6000
_MOST_IMAGES = 2000
_GAP = 7.0
_STEP = 2.0
_ROW = 1.25
_MOST_ROWS = 6
_ROUNDS = 6
_SHEET = math.sqrt(2)


@dataclass(eq=False)
class Place:
    """A position on its way to the page; of all that may lead there, `parent` does here."""

    position: Position
    parent: Place | None = None
    children: list[Place] = field(default_factory=list)
    others: list[Place] = field(default_factory=list)  # other positions that lead to the class
    equal: Place | None = None  # an equivalent position shown before
    games: int = 1
    means: str = ""  # what the last move does, in a proof
    number: int = 0
    size: float = 0.0
    angle: float = 0.0
    radius: float = 0.0
    below: int = 1
    x: float = 0.0
    y: float = 0.0

    @property
    def ply(self) -> int:
        """Number of stones."""
        return self.position.ply

    @property
    def last(self) -> int | None:
        """The cell of the last stone, None on the first board."""
        return None if self.parent is None else self.position.history[-1]

    @property
    def mover(self) -> str:
        """Name of the player of the last stone."""
        assert self.last is not None
        return NAMES[ICONS[self.position.owners[self.last] - 1]]

    @cached_property
    def value(self) -> tuple[int, int | None] | None:
        """Winner under best play (0 in a draw) and number of plies; None if unknown."""
        outcome = self.position.outcome
        if outcome is not None and (outcome.draw or len(outcome.winners) == 1):
            return (0 if outcome.draw else outcome.winners[0]), None
        table = table_of(self.position.game) if self.position.game.players == 2 else None
        found = None if table is None or outcome is not None else table.lookup(self.position)
        if found is None:
            return None
        winner = Bounds.exactly(found[0]).winner(self.position.to_move, 2) or 0
        return winner, found[1]

    @property
    def winner(self) -> int:
        """Winner under best play; 0 in a draw, or if unknown."""
        return 0 if self.value is None else self.value[0]

    def walk(self) -> Iterator[Place]:
        """Go through this place and all below, each before its children."""
        stack = [self]
        while stack:
            place = stack.pop()
            yield place
            stack += reversed(place.children)


class Classes:
    """Names that equivalent positions of a game share; the position itself without symmetry."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.merged = True
        self._rows = None
        try:
            if game.opening is None:
                game.symmetry.canonical(game.start().owners)
            else:
                self._rows = symmetries_of(game, _MOST_IMAGES)
                self.merged = game.symmetry.order <= _MOST_IMAGES
        except LimitError:
            self.merged = False

    def names(self, positions: Sequence[Position]) -> list[bytes]:
        """Name positions."""
        owners = [position.owners for position in positions]
        if not self.merged or not owners:
            return owners
        stack = np.frombuffer(bytearray(b"".join(owners)), np.uint8).reshape(len(owners), -1)
        if self._rows is not None:
            return [max(image.tobytes() for image in one[self._rows]) for one in stack]
        return [form.tobytes() for form in self._game.symmetry.canonical(stack)]


def find_values(game: Game) -> None:
    """Build the table of values where it can be built, so that the nodes can be coloured."""
    if game.players == 2 and table_of(game) is None:
        with suppress(LimitError):
            table_of(game, build=True)


def tree_of(game: Game, plies: int | None = None, *, whole: bool = False) -> tuple[Place, Classes]:
    """Grow the pruned or the whole tree of a game, ply by ply, and number its places."""
    find_values(game)
    classes = Classes(game)
    what = "boards" if whole else "positions"
    root = grow(
        Place(game.start()),
        lambda layer, limit: _whole_layer(layer) if whole else _pruned_layer(layer, classes, limit),
        plies,
        (MOST_NODES, _LIMIT),
        lambda depth: (
            f"{game} has more than {_LIMIT:,} {what} of up to {depth} stones, too many "
            "to draw; ask for fewer plies"
        ),
    )
    for place in root.walk():
        place.children.sort(key=lambda child: (child.winner, -child.games))
    numbered(root)
    return root, classes


def grow(
    root: Place,
    follow: Callable[[list[Place], int], list[Place]],
    plies: int | None,
    most: tuple[int, int],
    refusal: Callable[[int], str],
) -> Place:
    """Grow a tree ply by ply, to the requested depth or as far as it fits.

    `follow` returns the places after a layer, and may stop once they exceed the room it is given.
    `most` are the limits without and with a requested depth (or for the first ply); beyond the
    second, `refusal` gives the message.
    """
    layer, count, depth = [root], 1, 0
    while layer and (plies is None or depth < plies):
        # The first ply has the larger limit too, so that a tree has at least one.
        limit = most[plies is not None or not depth] - count
        grown = follow(layer, limit)
        if len(grown) > limit:
            if plies is None and depth:
                break
            raise LimitError(refusal(depth + 1))
        for place in grown:
            assert place.parent is not None
            place.parent.children.append(place)
        layer = [place for place in grown if place.equal is None]
        count, depth = count + len(grown), depth + 1
    return root


def _whole_layer(layer: list[Place]) -> list[Place]:
    return [
        Place(place.position.play(cell), place)
        for place in layer
        for cell in place.position.legal_moves
    ]


def _pruned_layer(layer: list[Place], classes: Classes, limit: int) -> list[Place]:
    """One place of each class, below the parent of most games; stops beyond the room."""
    # `ways[name]` lists (games, parent, position) of each transposition into a class; games add up
    # over parents, and within one parent over equivalent moves.
    ways: dict[bytes, list[tuple[int, Place, Position]]] = {}
    for place in layer:
        children = [place.position.play(cell) for cell in place.position.legal_moves]
        here: dict[bytes, tuple[int, Position]] = {}
        for name, child in zip(classes.names(children), children, strict=True):
            moves, first = here.get(name, (0, child))
            here[name] = moves + 1, first
        for name, (moves, child) in here.items():
            ways.setdefault(name, []).append((place.games * moves, place, child))
        if len(ways) > limit:
            break
    grown = []
    for coming in ways.values():
        coming.sort(key=lambda way: -way[0])
        _, parent, position = coming[0]
        others = [place for _, place, _ in coming[1:]]
        games = sum(way[0] for way in coming)
        grown.append(Place(position, parent, others=others, games=games))
    return grown


def line_of(start: Position, cells: Sequence[int]) -> Place:
    """Make the places of one line of play."""
    find_values(start.game)
    root = place = Place(start)
    for cell in cells:
        child = Place(place.position.play(cell), place)
        place.children.append(child)
        place = child
    numbered(root)
    return root


def numbered(root: Place) -> None:
    """Number the places of a tree, each before its children."""
    for number, place in enumerate(root.walk(), start=1):
        place.number = number


def downwards(root: Place, across: float, down: float) -> tuple[float, float]:
    """Lay plies out downwards, a parent above the middle of its children; return the size."""
    leaves = 0
    # From the last place back, so that children come before their parents. Leaves get 0, -1, -2,
    # ... from the right, and the second loop shifts all.
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
    """Lay plies out side by side and lines of play below each other, in strips."""
    # A board is beside its first child. If a strip begins in the middle of a tree, the ancestors
    # are shown again: they are returned with their coordinates.
    places = list(root.walk())
    rows = sum(not place.children for place in places)
    wide = across * (1 + max(place.ply for place in places) - root.ply)
    # Height over width is rows * down / (strips^2 * (wide + gap)): this makes it that of paper, √2.
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
    """Compute radii and angles of the rings."""
    # 1. Each place has a sector in proportion to its subtree, and would sit in its middle.
    _share_sectors(rings)
    reach, outer = 0.0, rings[0][0].size
    for ring in rings[1:]:
        largest = max(place.size for place in ring)
        near = reach + _STEP * (outer + largest) / 2
        # 2. A ring that is too full gets several rows, or a larger radius.
        length = sum(_width(place) for place in ring)
        rows = min(max(1, math.ceil(length / (2 * math.pi * near))), _MOST_ROWS, len(ring))
        radius = max(near, 1.03 * length / rows / (2 * math.pi))
        # 3. Move places apart along the ring, as little as possible.
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
    """Length along the ring of an upright square, with its gap."""
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
    """Move angles apart until each has its width, by isotonic regression (least squares)."""
    from scipy.optimize import isotonic_regression

    # Neighbours are apart if centres less `offsets` do not decrease, so the least squared shifts
    # are an isotonic regression. The circle is cut at angle 0.
    ends = np.cumsum(widths)
    offsets = ends - np.array(widths) / 2
    starts = isotonic_regression(np.array(wanted) - offsets).x
    moved: list[float] = (starts.clip(0.0, max(2 * math.pi - ends[-1], 0.0)) + offsets).tolist()
    return moved
