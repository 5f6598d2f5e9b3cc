"""The board widget of the full screen: layers, stones, marks, cursor."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from hyperoxo.game import BLOCKED, FREE, Position
from hyperoxo.game.layout import courses
from hyperoxo.notation.stones import ICONS, corners_of
from hyperoxo.play.analysis.findings import threats_of
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.terminal.tui.layout import SIZES, Layout, fitting
from hyperoxo.terminal.tui.palette import Palette, palette_of

_BIG = 3


@dataclass(frozen=True)
class Mark:
    """A few characters on a free cell."""

    text: str
    tone: str = "dim"
    best: bool = False


@dataclass(frozen=True)
class Picture:
    """Contents of the board widget."""

    position: Position
    style: BoardStyle
    glowing: frozenset[int] = frozenset()
    tinted: frozenset[int] = frozenset()
    marks: dict[int, Mark] = field(default_factory=dict)


class BoardView(ScrollView, can_focus=True):
    """The board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "walk(0, -1)", "Walk from cell to cell, across layers", show=False),
        Binding("down", "walk(0, 1)", "Walk from cell to cell, across layers", show=False),
        Binding("left", "walk(-1, 0)", "Walk from cell to cell, across layers", show=False),
        Binding("right", "walk(1, 0)", "Walk from cell to cell, across layers", show=False),
        Binding("pageup", "jump(True, 1)", "Layer above", show=False),
        Binding("pagedown", "jump(True, -1)", "Layer below", show=False),
        Binding("home", "jump(False, -1)", "Cube to the left", show=False),
        Binding("end", "jump(False, 1)", "Cube to the right", show=False),
        Binding("enter,space", "choose", "Play", tooltip="Play, as a click does"),
    ]

    @dataclass
    class Chosen(Message):
        """A cell was clicked, or Enter was pressed on it."""

        cell: int

    @dataclass
    class Pointed(Message):
        """The cursor has moved."""

        cell: int

    def __init__(self, picture: Picture, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.picture = picture
        self.plan: Layout = fitting(picture.position.game, 0, 0)
        self.cursor = self._first_cell()
        self._origin = (0, 0)

    def _first_cell(self) -> int:
        """Return the cell where the cursor begins: in the middle of the first layer."""
        position = self.picture.position
        middle = len(position.owners) // 2
        if (shape := position.game.board.shape) is not None:
            middle = 0
            for side in shape[-2:]:
                middle = middle * side + (side - 1) // 2
        legal = position.legal_moves
        if not legal:
            return middle
        return min(legal, key=lambda cell: (abs(cell - middle), cell))

    def show(self, picture: Picture) -> None:
        """Show another picture; a new game begins with its own layout and cursor."""
        fresh = picture.position.game != self.picture.position.game
        self.picture = picture
        if fresh:
            self.cursor = self._first_cell()
            self.lay_out()
        self.refresh()

    def lay_out(self) -> None:
        """Choose the largest cells that fit, and keep the cursor in sight."""
        width, height = self.size
        if not width or not height:
            return
        self.plan = fitting(self.picture.position.game, width, height)
        self._origin = (
            max(0, (width - self.plan.width) // 2),
            max(0, (height - self.plan.height) // 2),
        )
        self.virtual_size = Size(self.plan.width, self.plan.height)
        self._reveal()
        self.refresh()

    def on_resize(self, _: events.Resize) -> None:
        """Lay out the board again."""
        self.lay_out()

    def place_of(self, cell: int) -> tuple[int, int]:
        """Return the middle of a cell in coordinates of the scrolled widget."""
        place, size = self.plan.places[cell], self.plan.size
        return (
            place.x + size.width // 2 + self._origin[0] - self.scroll_offset.x,
            place.y + size.height // 2 + self._origin[1] - self.scroll_offset.y,
        )

    def point_at(self, cell: int, *, announce: bool = True) -> None:
        """Put the cursor on a cell."""
        self.cursor = cell
        self._reveal()
        self.refresh()
        if announce:
            self.post_message(self.Pointed(cell))

    def _reveal(self) -> None:
        place, size = self.plan.places[self.cursor], self.plan.size
        region = Region(place.x, place.y, size.width, size.height)
        self.scroll_to_region(region, animate=False, force=True)

    def action_walk(self, dx: int, dy: int) -> None:
        """Go to the next cell in a direction, across layers."""
        self.point_at(self.plan.neighbour(self.cursor, dx, dy))

    def action_jump(self, upright: bool, step: int) -> None:
        """Go from layer to layer, upwards or across, if the board has such an axis."""
        game = self.picture.position.game
        shape = game.board.shape or ()
        for axis in (one[0] for one in courses(shape, game.gravity) if one[1:] == (upright, 1)):
            coordinates = list(game.board.coordinates(self.cursor))
            coordinates[axis] = max(0, min(shape[axis] - 1, coordinates[axis] + step))
            self.point_at(game.board.cell(coordinates))

    def action_choose(self) -> None:
        """Choose the cell under the cursor."""
        self.post_message(self.Chosen(self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Choose the cell that was clicked."""
        cell = self.plan.cell_at(
            event.x + self.scroll_offset.x - self._origin[0],
            event.y + self.scroll_offset.y - self._origin[1],
        )
        if cell is not None:
            self.point_at(cell, announce=False)
            self.post_message(self.Chosen(cell))

    def render_line(self, y: int) -> Strip:
        """Draw one row of characters."""
        palette = palette_of(self.app)
        ground = Style(bgcolor=palette.ground)
        row = y + self.scroll_offset.y - self._origin[1]
        segments: list[Segment] = []
        x = 0
        for cell in self.plan.rows.get(row, ()):
            place = self.plan.places[cell]
            if place.x > x:
                segments.append(Segment(" " * (place.x - x), ground))
            segments += self._cell_row(cell, row - place.y, palette)
            x = place.x + self.plan.size.width
        # No row has both: labels are in the gaps above the layers.
        for at, label in self.plan.labels.get(row, ()):
            segments.append(Segment(" " * (at - x), ground))
            segments.append(Segment(label, ground + Style(color=palette.dim)))
            x = at + len(label)
        start = self.scroll_offset.x - self._origin[0]
        strip = Strip([Segment(" " * max(0, -start), ground), *segments])
        first = max(0, start)
        return strip.extend_cell_length(first + self.size.width, ground).crop(
            first, first + self.size.width
        )

    def _cell_row(self, cell: int, row: int, palette: Palette) -> Iterable[Segment]:
        """One row of one cell: ground, stone or mark, and the signs at its sides."""
        width, height = self.plan.size.width, self.plan.size.height
        middle = row == height // 2
        owner = self.picture.position.owners[cell]
        style = Style(bgcolor=self._ground(cell, owner, palette))
        left, right = self._sides(cell) if middle else (" ", " ")
        inner = width - 2
        if owner == BLOCKED:
            return [Segment("░" * width, style + Style(color=palette.dim))]
        if owner != FREE:
            stone = style + Style(color=palette.stones[owner - 1], bold=True)
            content = self._stone_row(owner, row, inner, middle=middle)
            sign = style + Style(color=palette.text, bold=True)
            return [Segment(left, sign), Segment(content, stone), Segment(right, sign)]
        mark = self.picture.marks.get(cell)
        if mark is None or not middle:
            free = self.picture.style.free if middle else " "
            text = left + free.center(inner) + right
            return [Segment(text, style + Style(color=palette.dim))]
        return [Segment(*self._marked(mark, left, right, palette, style))]

    def _stone_row(self, owner: int, row: int, inner: int, *, middle: bool) -> str:
        style, height = self.picture.style, self.plan.size.height
        icon = style.icon(owner)
        if height >= _BIG and owner <= len(ICONS) and icon == ICONS[owner - 1]:
            return big_stone(owner, inner, height)[row]
        if not middle:
            return " " * inner
        spare = inner - cell_len(icon)
        return " " * (spare // 2) + icon + " " * (spare - spare // 2)

    def _marked(
        self, mark: Mark, left: str, right: str, palette: Palette, style: Style
    ) -> tuple[str, Style]:
        """Write a mark; narrow cells show as much of it as they can."""
        width = self.plan.size.width
        text = mark.text
        if len(text) > width - 2:
            text = text.replace(" ", "").replace("%", "")
        if len(text) > width:
            text = text.replace("≤", "")
        if len(text) > width - 2:
            text = text[:width].center(width)
        else:
            text = left + text.center(width - 2) + right
        colour = palette.tone(mark.tone)
        return text, style + Style(color=colour, bold=mark.best, underline=mark.best)

    def _ground(self, cell: int, owner: int, palette: Palette) -> str:
        last = self.picture.position.last_move
        alternate = self.plan.size == SIZES[-1] and self.plan.places[cell].dark
        mark = None if owner else self.picture.marks.get(cell)
        grounds = (
            (cell == self.cursor and self.has_focus, palette.cursor),
            (cell in self.picture.glowing, palette.glow),
            (cell in self.picture.tinted, palette.tint),
            (cell == last, palette.last),
            (mark is not None and mark.best, palette.tint),
            (owner == BLOCKED, palette.hatched),
            (alternate, palette.other_tile),
        )
        return next((colour for holds, colour in grounds if holds), palette.tile)

    def _sides(self, cell: int) -> tuple[str, str]:
        """Signs beside the content, so that nothing depends on colour alone."""
        if cell == self.cursor and self.has_focus:
            return "[", "]"
        if cell in self.picture.glowing:
            return "*", "*"
        if cell == self.picture.position.last_move:
            return "‹", "›"
        return " ", " "


def landing(position: Position, cell: int) -> int:
    """Return the landing cell of a stone dropped over a cell; the cell itself without gravity."""
    below, owners = position.game.below, position.owners
    if below is None or owners[cell] != FREE:
        return cell
    while below[cell] >= 0 and owners[below[cell]] == FREE:
        cell = int(below[cell])
    return cell


def pointed_lines(position: Position, cell: int) -> tuple[int, ...]:
    """Return the open lines through a cell: those with stones of at most one player."""
    owners, board = position.owners, position.game.board
    if owners[cell] == BLOCKED:
        return ()
    found = []
    for line in board.lines_through(cell).tolist():
        holders = {owners[c] for c in board.line(line).tolist()} - {FREE}
        if len(holders) <= 1:
            found.append(line)
    return tuple(found)


def threat_marks(position: Position, style: BoardStyle) -> dict[int, Mark]:
    """Mark the cells where a player would complete a line: ``+X``, or ``+XO`` for two players."""
    marks: dict[int, Mark] = {}
    for threats in threats_of(position):
        icon, player = style.icon(threats.player), str(threats.player)
        for cell in threats.cells:
            before = marks.get(cell)
            text = f"+{icon}" if before is None else before.text + icon
            marks[cell] = Mark(text, player if before is None else "text", best=True)
        for cell in threats.later:
            before = marks.get(cell)
            text = f"({icon})" if before is None else f"{before.text[:-1]}{icon})"
            marks[cell] = Mark(text, player if before is None else "text")
    return marks


# Bits of the dots of a Unicode braille sign, four rows of two.
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BRAILLE = 0x2800
_PEN = 0.85
_CIRCLE = 48

Stroke = tuple[tuple[float, float], tuple[float, float]]


def _strokes(player: int) -> list[Stroke]:
    """Return the strokes of the stone of a player, which fills a square of side 2."""
    if player == 1:
        return [((-0.85, -0.85), (0.85, 0.85)), ((-0.85, 0.85), (0.85, -0.85))]
    if player == 2:
        angles = [2 * math.pi * number / _CIRCLE for number in range(_CIRCLE)]
        corners = [(math.cos(angle), math.sin(angle)) for angle in angles]
    else:
        points = np.array(corners_of(player))
        low, high = points.min(axis=0), points.max(axis=0)
        corners = (2 * (points - low) / (high - low) - 1).tolist()
    return list(pairwise([*corners, corners[0]]))


@lru_cache(maxsize=64)
def big_stone(player: int, width: int, height: int) -> tuple[str, ...]:
    """Return the stone of a player as rows of braille characters, eight dots in each."""
    across, down = 2 * width, 4 * height
    radius = (min(across, down) - 1) / 2
    y, x = np.indices((down, across))
    dots = np.stack([x - (across - 1) / 2, y - (down - 1) / 2], axis=-1)
    strokes = (radius * np.array(stroke) for stroke in _strokes(player))
    near = np.min([_distances(dots, *ends) for ends in strokes], axis=0) <= _PEN
    # ``[height, 4, width, 2]``: dots by rows and columns of signs, each of four by two.
    signs = (near.reshape(height, 4, width, 2) * _DOTS[:, None]).sum(axis=(1, 3))
    return tuple("".join(chr(_BRAILLE + sign) for sign in row) for row in signs.tolist())


def _distances(
    dots: NDArray[np.float64], first: NDArray[np.float64], last: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distances of dots from a stroke between two points."""
    along = (dots - first) @ (last - first) / ((last - first) ** 2).sum()
    nearest = first + np.clip(along, 0, 1)[..., None] * (last - first)
    distances: NDArray[np.float64] = np.linalg.norm(dots - nearest, axis=-1)
    return distances
