"""The game tree as a picture: classes of positions on rings around the empty board.

A class that can be reached in several ways hangs on the branch by which most games come; the other
ways are thin lines. Colours and signs tell who wins under best play. Branches get sectors by the
number of nodes on them. Each ring then moves its nodes apart as little as possible, in the order of
the branches, and takes two or more rows where one would be too long.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field

from hyperoxo.errors import LimitError
from hyperoxo.play.look import ICONS, NAMES
from hyperoxo.play.pictures.thumbnails import board_svg, plan_of, sheet, text_svg
from hyperoxo.position import Bounds
from hyperoxo.rules import Game
from hyperoxo.solvers.states.graph import Node, StateGraph
from hyperoxo.solvers.states.tables import table_of

_GAP = 7.0
_STEP = 2.0
_ROW = 1.25
_MOST_ROWS = 6
_ROUNDS = 6


@dataclass
class Place:
    """A node on its way to the page."""

    node: Node
    size: float
    parent: Place | None = None
    children: list[Place] = field(default_factory=list)
    others: list[Place] = field(default_factory=list)
    angle: float = 0.0
    radius: float = 0.0
    below: int = 1

    @property
    def x(self) -> float:
        """Distance to the right of the root."""
        return self.radius * math.sin(self.angle)

    @property
    def y(self) -> float:
        """Distance below the root."""
        return -self.radius * math.cos(self.angle)


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
    offsets, total = [], 0.0
    for width in widths:
        offsets.append(total + width / 2)
        total += width
    blocks: list[tuple[float, int]] = []
    for angle, offset in zip(wanted, offsets, strict=True):
        mean, count = angle - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, size = blocks.pop()
            mean = (mean * count + before * size) / (count + size)
            count += size
        blocks.append((mean, count))
    room = max(2 * math.pi - total, 0.0)
    starts = [min(max(mean, 0.0), room) for mean, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


MOST_NODES = 200
"""Nodes in a picture whose depth is not given."""

_LIMIT = 6000
_CELL = 8.5
_GROWTH = 0.75
_INNER = 1.1
_MARGIN = 70.0


def draw_tree(game: Game, plies: int | None = None) -> str:
    """Draw the game tree up to symmetry."""
    graph = _graph_for(game, plies)
    rings = _tree_of(graph)
    arrange(rings)
    places = [place for ring in rings for place in ring]
    reach = max(place.radius + place.size for place in places)
    half = reach + _MARGIN / 2
    top = half + _MARGIN / 2
    parts = [f'<g transform="translate({half:.1f} {top:.1f})">']
    parts += [_twig(other, place) for place in places for other in place.others]
    parts += [_branch(place) for place in places if place.parent is not None]
    parts += [_card(game, place) for place in places]
    parts += [_tag(game, place) for place in places if _sign(place.node)]
    parts.append("</g>")
    parts += _legend(graph, len(places), max(14.0, half / 50))
    title = f"Game tree of {game}, the first {len(rings) - 1} moves"
    return sheet(game, 2 * half, half + top, title, parts)


def _graph_for(game: Game, plies: int | None) -> StateGraph:
    _find_values(game)
    symmetry = True
    try:
        graph = StateGraph(game, max_plies=0)
    except LimitError:
        symmetry = False
        graph = StateGraph(game, symmetry=False, max_plies=0)
    for ply in range(1, game.cells + 1 if plies is None else min(plies, game.cells) + 1):
        deeper = StateGraph(game, symmetry=symmetry, max_plies=ply)
        if plies is None and len(deeper) > MOST_NODES and ply > 1:
            break
        if len(deeper) > _LIMIT:
            raise LimitError(
                f"{game} has {len(deeper):,} positions of up to {ply} stones, too many to draw "
                f"(over {_LIMIT:,}); ask for fewer plies"
            )
        graph = deeper
    return graph


def _find_values(game: Game) -> None:
    """Build the table of values where it can be built, so that the nodes can be coloured."""
    if game.players == 2 and table_of(game) is None:
        with suppress(LimitError):
            table_of(game, build=True)


def _tree_of(graph: StateGraph) -> list[list[Place]]:
    """Give every node its parent; return the rings."""
    plan = plan_of(graph.game)
    nodes = list(graph.nodes())
    depth = max(nodes[-1].ply, 1)
    most = [1] * (depth + 1)
    for node in nodes:
        most[node.ply] = max(most[node.ply], node.games)
    places = []
    for node in nodes:
        inner = 1 + _INNER * (1 - node.ply / depth)
        share = 1 + _GROWTH * math.sqrt(node.games / most[node.ply])
        places.append(Place(node, _CELL * max(plan.width, plan.height) * inner * share))
    comings: dict[int, list[tuple[int, int]]] = {}
    for source, target, _, moves in graph.edges():
        comings.setdefault(target, []).append((nodes[source].games * moves, source))
    for target, ways in comings.items():
        ways.sort(key=lambda way: (-way[0], way[1]))
        parent = places[ways[0][1]]
        places[target].parent = parent
        parent.children.append(places[target])
        places[target].others = [places[source] for _, source in ways[1:]]
    for place in places:
        place.children.sort(key=lambda child: (_winner(child.node), -child.node.games))
    rings: list[list[Place]] = [[] for _ in range(nodes[-1].ply + 1)]
    stack = [places[0]]
    while stack:
        place = stack.pop()
        rings[place.node.ply].append(place)
        stack += reversed(place.children)
    return rings


def _winner(node: Node) -> int:
    """Who wins under best play; 0 in a draw, and where it is not known."""
    if node.result.isdigit():
        return int(node.result)
    if node.value is None:
        return 0
    return Bounds.exactly(node.value).winner(node.turn, 2) or 0


def _branch(place: Place) -> str:
    parent = place.parent
    assert parent is not None
    middle = (parent.radius + place.radius) / 2
    winner = _winner(place.node)
    width = 1.2 + 1.6 * (winner == _winner(parent.node))
    bends = (parent.angle if parent.radius else place.angle, place.angle)
    controls = [f"{middle * math.sin(bend):.1f} {-middle * math.cos(bend):.1f}" for bend in bends]
    return (
        f'<path class="edge e{winner}" stroke-width="{width:.1f}" stroke-opacity=".55" '
        f'd="M{parent.x:.1f} {parent.y:.1f}C{" ".join(controls)} {place.x:.1f} {place.y:.1f}"/>'
    )


def _twig(parent: Place, place: Place) -> str:
    return (
        f'<path class="edge" stroke-width=".7" stroke-opacity=".22" '
        f'd="M{parent.x:.1f} {parent.y:.1f}L{place.x:.1f} {place.y:.1f}"/>'
    )


def _frame(game: Game, place: Place) -> tuple[float, float, float, float]:
    """Return width and height of a board, the width of a cell, and that of the rim around it."""
    plan = plan_of(game)
    cell = 0.9 * place.size / max(plan.width, plan.height)
    width, height = cell * plan.width, cell * plan.height
    return width, height, cell, 0.055 * min(width, height) + 1.2


def _card(game: Game, place: Place) -> str:
    node = place.node
    width, height, cell, rim = _frame(game, place)
    left, top = place.x - width / 2, place.y - height / 2
    winner = _winner(node)
    position = game.position(node.text) if node.ply else game.start()
    lit = {int(c) for line in position.winning_lines for c in game.board.line(line)}
    frame = (
        f'x="{left - rim:.1f}" y="{top - rim:.1f}" width="{width + 2 * rim:.1f}" '
        f'height="{height + 2 * rim:.1f}" rx="{1.6 * rim:.1f}"/>'
    )
    ring = f'<rect class="e{winner} f{winner}" fill-opacity=".16" stroke-width="{rim / 1.6:.1f}" '
    parts = (
        f"<g><title>{_value_words(node)}</title>",
        f'<rect class="card" {frame}',
        ring + frame,
        board_svg(game, position.owners, (left, top, cell), glowing=sorted(lit)),
        "</g>",
    )
    return "".join(parts)


def _tag(game: Game, place: Place) -> str:
    """Write the value on the upper right corner of a card."""
    width, height, _, rim = _frame(game, place)
    said = _sign(place.node)
    size = max(8.5, 0.2 * place.size)
    wide = size * (0.62 * len(said) + 0.5)
    x, y = place.x + width / 2 + rim, place.y - height / 2 - rim
    middle = 'text-anchor="middle" font-weight="650" class="card"'
    return (
        f'<rect class="f{_winner(place.node)}" x="{x - wide * 0.7:.1f}" y="{y - size * 0.65:.1f}" '
        f'width="{wide:.1f}" height="{size * 1.2:.1f}" rx="{size * 0.4:.1f}"/>'
        + text_svg(x - wide * 0.2, y + size * 0.31, round(size, 1), said, middle)
    )


def _sign(node: Node) -> str:
    """Return the value of a node as a sign: the winner and the plies left."""
    if node.value is None:
        return "=" if node.result == "=" else ""
    winner = _winner(node)
    if winner == 0:
        return "="
    return f"{'XO'[winner - 1]}{node.remoteness or ''}"


def _value_words(node: Node) -> str:
    words = f"{node.text}: {node.games:,} games lead here"
    if node.value is None:
        return words
    winner = _winner(node)
    if winner == 0:
        return f"{words}; a draw"
    return f"{words}; {NAMES[ICONS[winner - 1]]} wins in {node.remoteness}"


def _legend(graph: StateGraph, count: int, size: float) -> list[str]:
    game = graph.game
    what = "positions up to symmetry" if graph.symmetry else "positions"
    plies = len(graph.layers) - 1
    lines = [f"{count:,} {what}, first {plies} moves", "larger: more games lead there"]
    if graph.values is not None:
        lines += ["X5: Cross wins in 5 moves", "O4: Ring wins in 4", "=: a draw"]
    lines.append("thin lines: other ways to a position")
    parts = [text_svg(1.4 * size, 2.4 * size, 1.7 * size, str(game), 'font-weight="650"')]
    parts += [
        text_svg(1.4 * size, (4 + 1.4 * number) * size, size, line, 'class="soft"')
        for number, line in enumerate(lines)
    ]
    return parts
