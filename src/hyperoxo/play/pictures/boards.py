"""A board as text.

The last two axes make a grid of rows and columns. Grids stand in the order of all pictures,
`hyperoxo.game.plan`, so that 3^4 is three cubes side by side with layer 1 of each at the bottom.
Rows that stand for the axis of gravity have the floor at the bottom. Above the columns stands the
name of the layer. A game on 3^3, the last move in brackets::

       1          2          3
       a  b  c    a  b  c    a  b  c
    3  ·  ·  ·    ·  ·  ·    ·  ·  ·
    2  ·  ·  ·    ·  X  ·    · [O] ·
    1  ·  ·  ·    ·  ·  ·    ·  ·  ·
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from hyperoxo.display import number_of
from hyperoxo.errors import displayed
from hyperoxo.game import BLOCKED, FREE, Position, cells_of_lines
from hyperoxo.game.names import cell_name, column_name, layer_name, row_name
from hyperoxo.play.look import Look


@dataclass(frozen=True)
class Block:
    """Lines of text and the columns they take."""

    lines: tuple[Text, ...]
    width: int

    @classmethod
    def of(cls, lines: Sequence[str | Text]) -> Block:
        """Make a block; its width is that of its longest line."""
        texts = tuple(Text(line) if isinstance(line, str) else line for line in lines)
        return cls(texts, max((text.cell_len for text in texts), default=0))

    def text(self) -> Text:
        """Join the lines, without blanks at their ends."""
        lines = [line.copy() for line in self.lines]
        for line in lines:
            line.rstrip()
        return Text("\n").join(lines)


def beside(blocks: Sequence[Block], gap: int) -> Block:
    r"""Set blocks side by side, their tops level."""
    height = max(len(block.lines) for block in blocks)
    lines = []
    for row in range(height):
        line = Text()
        for number, block in enumerate(blocks):
            part = block.lines[row] if row < len(block.lines) else Text()
            line.append_text(part)
            if number < len(blocks) - 1:
                line.append(" " * (block.width - part.cell_len + gap))
        lines.append(line)
    return Block(tuple(lines), sum(block.width for block in blocks) + gap * (len(blocks) - 1))


def below(blocks: Sequence[Block], gap: int) -> Block:
    r"""Set blocks one below the other, with `gap` empty lines between."""
    lines: list[Text] = []
    for number, block in enumerate(blocks):
        lines += [Text()] * (gap if number else 0)
        lines += block.lines
    return Block(tuple(lines), max(block.width for block in blocks))


def flow(blocks: Sequence[Block], gap: int, width: int, edge: Block | None = None) -> Block:
    r"""Set blocks side by side, going on above where the width is used up."""
    rows: list[Block] = []
    row: list[Block] = []
    margin = edge.width if edge else 0

    def finish() -> None:
        body = beside(row, gap)
        rows.append(beside([edge, body], 0) if edge else body)

    for block in blocks:
        used = margin + sum(other.width + gap for other in row) + block.width
        if row and used > width:
            finish()
            row = []
        row.append(block)
    finish()
    return below(rows[::-1], 1)


MAX_DRAWN = 4000
"""Boards with more cells are described in words."""

_MAX_TOLD = 200
_MAX_LINES_TOLD = 40
_GAP = 2


def draw_board(
    position: Position,
    look: Look | None = None,
    *,
    marked: Collection[int] | None = None,
    chosen: Collection[int] | None = None,
    labels: Mapping[int, str] | None = None,
) -> Text:
    """Draw a position."""
    look = look or Look.of(position.game.players)
    if marked is None:
        marked = cells_of_lines(position, position.winning_lines)
    if chosen is None:
        chosen = position.history[-1:]
    drawer = _Drawer(position, look, frozenset(marked), frozenset(chosen), dict(labels or {}))
    board = position.game.board
    if board.cell_count > MAX_DRAWN:
        return _summary(position, look)
    if board.shape is None:
        return drawer.list_cells().text()
    return drawer.block((), look.width).text()


def board_text(position: Position, labels: Mapping[int, str] | None = None) -> str:
    """Draw a position for `print`."""
    return draw_board(position, labels=labels).plain


def to_ansi(text: Text, *, colour: bool) -> str:
    """Write styled text as a string, with the escape sequences this terminal knows or without."""
    if not colour:
        return displayed(text.plain)
    import io

    from rich.console import Console

    console = Console(file=io.StringIO(), force_terminal=True, highlight=False, emoji=False)
    with console.capture() as written:
        parts = ((displayed(one.text), one.style or "") for one in text.render(console))
        console.print(Text.assemble(*parts, style=text.style), end="", soft_wrap=True)
    return written.get()


@dataclass(frozen=True)
class _Drawer:
    """What all parts of one drawing share."""

    position: Position
    look: Look
    marked: frozenset[int]
    chosen: frozenset[int]
    labels: Mapping[int, str]

    def block(self, prefix: tuple[int, ...], width: int) -> Block:
        """Draw all cells whose coordinates begin with `prefix`."""
        shape = self._shape()
        left, axis = len(shape) - len(prefix), len(prefix)
        if left <= 2:
            return self._bands(prefix, width)
        if left % 2:
            rows = [[(*prefix, index) for index in range(shape[axis])]]
        else:
            falls = self.position.game.gravity == axis  # then it runs down in place of its partner
            down, across = (axis, axis + 1) if falls else (axis + 1, axis)
            rows = [
                [(*prefix, *((i, j) if falls else (j, i))) for j in range(shape[across])]
                for i in self._order(down)
            ]
        if left <= 4:
            return below([self._layers(row, width) for row in rows], 1)
        blocks = ([self.block(part, width) for part in row] for row in rows)
        return below([flow(row, 3 * _GAP, width) for row in blocks], 2)

    def _layers(self, prefixes: list[tuple[int, ...]], width: int) -> Block:
        columns = range(self._shape()[-1])
        edge = self._row_labels(title=True)
        if edge.width + self._field * len(columns) > width:
            return below([self._bands(prefix, width) for prefix in reversed(prefixes)], 1)
        grids = [self._grid(prefix, columns) for prefix in prefixes]
        return flow(grids, _GAP, width, edge)

    def _bands(self, prefix: tuple[int, ...], width: int) -> Block:
        """Draw one grid with its row labels, in bands of columns where it is too wide."""
        length = self._shape()[-1]
        edge = self._row_labels(title=bool(prefix))
        fitting = max(1, (width - edge.width) // self._field)
        bands = [range(a, min(a + fitting, length)) for a in range(0, length, fitting)]
        return below([beside([edge, self._grid(prefix, band)], 0) for band in bands], 1)

    def _grid(self, prefix: tuple[int, ...], columns: range) -> Block:
        lines = []
        if prefix:
            first = self._row_starts(prefix)[0]
            lines.append(Text(f" {layer_name(self.position.game, first)}", style="dim"))
        labels = "".join(f"{column_name(column):>{self._field - 1}} " for column in columns)
        lines.append(Text(labels, style="dim"))
        lines += [self._row(start, columns) for start in self._row_starts(prefix)]
        return Block(tuple(lines), max(self._field * len(columns), lines[0].cell_len))

    def _row(self, start: int, columns: range) -> Text:
        line = Text()
        for column in columns:
            line.append_text(self.cell(start + column))
        return line

    def _row_starts(self, prefix: tuple[int, ...]) -> list[int]:
        shape = self._shape()
        base = 0
        for length, index in zip(shape, prefix, strict=False):
            base = base * length + index
        if len(shape) == 1:
            return [0]
        return [(base * shape[-2] + row) * shape[-1] for row in self._order(len(shape) - 2)]

    def _row_labels(self, *, title: bool) -> Block:
        shape = self._shape()
        if len(shape) == 1:
            return Block.of([])
        lines = [""] * (2 if title else 1)
        names = [row_name(self.position.game, row) for row in self._order(len(shape) - 2)]
        lines += [f"{name:>{len(str(shape[-2]))}} " for name in names]
        return Block.of([Text(line, style="dim") for line in lines])

    def _order(self, axis: int) -> list[int]:
        """Order in which the values of an upright axis are drawn, from the top."""
        shape = self._shape()
        rising = axis < len(shape) - 2 or axis == self.position.game.gravity
        return list(range(shape[axis]))[:: -1 if rising else 1]

    def _shape(self) -> tuple[int, ...]:
        shape = self.position.game.board.shape
        assert shape is not None
        return shape

    @property
    def _field(self) -> int:
        return self._content_width + 2

    @property
    def _content_width(self) -> int:
        labels = max(map(cell_len, self.labels.values()), default=0)
        return max(_content_width(self.position, self.look), labels)

    def cell(self, cell: int) -> Text:
        """Write one cell with the marks around it."""
        owner = self.position.owners[cell]
        content, style = self._content(cell, owner)
        opening, closing = " ", " "
        if cell in self.chosen:
            opening, closing = "[", "]"
        elif cell in self.marked:
            opening, closing = "*", "*"
        if cell in self.marked:
            style += " bold reverse" if owner not in (FREE, BLOCKED) else " bold"
            style = style.replace("dim", "")
        text = Text(" " * (self._content_width - cell_len(content)) + opening)
        text.append(content, style=style.strip())
        text.append(closing)
        return text

    def _content(self, cell: int, owner: int) -> tuple[str, str]:
        if cell in self.labels:
            return self.labels[cell], "bold"
        if owner == FREE:
            return (str(cell) if self.look.numbers else self.look.free), "dim"
        if owner == BLOCKED:
            return self.look.blocked, "dim"
        return self.look.icon(owner), self.look.colour(owner)

    def list_cells(self) -> Block:
        """List the cells of a free hypergraph, and its lines where they are few."""
        game = self.position.game
        board = game.board
        widest = max(cell_len(cell_name(game, cell)) for cell in range(board.cell_count))
        entries = []
        for cell in range(board.cell_count):
            name = cell_name(game, cell)
            entry = Text(" " * (widest - cell_len(name)) + name + " ", style="dim")
            entries.append(Block((entry + self.cell(cell),), widest + 1 + self._field))
        per_row = max(1, (self.look.width + 1) // (entries[0].width + 1))
        rows = [
            beside(entries[start : start + per_row], 1) for start in range(0, len(entries), per_row)
        ]
        parts = [below(rows, 0)]
        if board.line_count <= _MAX_LINES_TOLD:
            parts.append(Block.of([self._line_text(line) for line in range(board.line_count)]))
        return below(parts, 1)

    def _line_text(self, line: int) -> Text:
        game = self.position.game
        text = Text(f"line {line:>{len(str(game.board.line_count - 1))}}:", style="dim")
        for cell in game.board.line(line).tolist():
            owner = self.position.owners[cell]
            if owner == FREE:
                text.append(f" {cell_name(game, cell)}", style="not dim")
            else:
                text.append(f" {self.look.icon(owner)}", style=f"not dim {self.look.colour(owner)}")
        return text


def _content_width(position: Position, look: Look) -> int:
    icons = max(cell_len(icon) for icon in look.icons)
    return max(icons, len(str(len(position.owners) - 1)) if look.numbers else 1)


def _summary(position: Position, look: Look) -> Text:
    """Say what stands on a board that is too large to draw."""
    game = position.game
    sentence = f"The board has {number_of(game.board.cell_count, 'cell')}, too many to draw."
    lines = [Text(sentence)]
    if position.last_move is not None:
        lines.append(Text(f"Last move: {cell_name(game, position.last_move)}."))
    for player in range(1, game.players + 1):
        cells = [cell for cell, owner in enumerate(position.owners) if owner == player]
        names = ", ".join(cell_name(game, cell) for cell in cells[:_MAX_TOLD])
        more = f" and {len(cells) - _MAX_TOLD:,} more" if len(cells) > _MAX_TOLD else ""
        head = f"{look.icon(player)}  "
        body = textwrap.fill(
            (names or "none") + more,
            width=look.width,
            initial_indent=head,
            subsequent_indent=" " * cell_len(head),
            break_on_hyphens=False,
        )
        lines.append(Text(body, style=look.colour(player)))
    return Text("\n").join(lines)
