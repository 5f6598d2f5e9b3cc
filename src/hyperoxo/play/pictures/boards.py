"""A board as text.

The last two axes make a grid of rows and columns. Grids are in the order of all pictures,
`hyperoxo.game.layout`, so that 3^4 is three cubes side by side with layer 1 of each at the bottom.
Rows that stand for the axis of gravity have the floor at the bottom. The name of the layer
is above the columns. A game on 3^3, the last move in brackets::

       1          2          3
       a  b  c    a  b  c    a  b  c
    3  ·  ·  ·    ·  ·  ·    ·  ·  ·
    2  ·  ·  ·    ·  X  ·    · [O] ·
    1  ·  ·  ·    ·  ·  ·    ·  ·  ·
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from rich.cells import cell_len
from rich.text import Text

from hyperoxo.display import number_of
from hyperoxo.errors import displayed
from hyperoxo.game import BLOCKED, FREE, Position, cells_of_lines
from hyperoxo.game.names import cell_name, column_name, layer_name, row_name
from hyperoxo.play.board_style import BoardStyle

Block = list[Text]
"""Lines of text, all as wide as the longest."""


def block_of(lines: Iterable[Text]) -> Block:
    """Fill lines up with blanks to the width of the longest."""
    block = [line.copy() for line in lines]
    width = max((line.cell_len for line in block), default=0)
    for line in block:
        line.pad_right(width - line.cell_len)
    return block


def width_of(block: Block) -> int:
    """Return the width of a block in columns."""
    return block[0].cell_len if block else 0


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """Set blocks side by side, their tops level."""
    missing = [Text(" " * width_of(block)) for block in blocks]
    return [
        Text(" " * gap).join(part or blank for part, blank in zip(row, missing, strict=True))
        for row in zip_longest(*blocks)
    ]


def below(blocks: Iterable[Block], gap: int) -> Block:
    """Set blocks one below the other, with `gap` empty lines between."""
    lines = chain.from_iterable([Text()] * gap + block for block in blocks)
    return block_of(islice(lines, gap, None))


def flow(blocks: Sequence[Block], gap: int, width: int, edge: Block) -> Block:
    """Set blocks side by side behind an edge; rows that do not fit continue above."""
    rows: list[list[Block]] = []
    # As if a row were full, so that the first block begins one.
    used = width
    for block in blocks:
        used += gap + width_of(block)
        if used > width:
            rows.append([])
            used = width_of(edge) + width_of(block)
        rows[-1].append(block)
    return below([beside([edge, beside(row, gap)], 0) for row in reversed(rows)], 1)


MAX_DRAWN = 4000
"""Boards with more cells are described in words."""

_MAX_TOLD = 200
_MAX_LINES_TOLD = 40
_GAP = 2


def draw_board(
    position: Position,
    style: BoardStyle | None = None,
    *,
    marked: Collection[int] | None = None,
    chosen: Collection[int] | None = None,
    labels: Mapping[int, str] | None = None,
) -> Text:
    """Draw a position."""
    style = style or BoardStyle.of(position.game.players)
    if marked is None:
        marked = cells_of_lines(position, position.winning_lines)
    if chosen is None:
        chosen = position.history[-1:]
    board = position.game.board
    if board.cell_count > MAX_DRAWN:
        return _summary(position, style)
    drawer = _Drawer(position, style, marked, chosen, labels or {})
    lines = drawer.list_cells() if board.shape is None else drawer.block((), style.width)
    for line in lines:
        line.rstrip()
    return Text("\n").join(lines)


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


@dataclass
class _Drawer:
    """Position, look and marks of one drawing."""

    position: Position
    style: BoardStyle
    marked: Collection[int]
    chosen: Collection[int]
    labels: Mapping[int, str]

    def __post_init__(self) -> None:
        self.game, self.shape = self.position.game, self.position.game.board.shape or ()
        widths = [cell_len(text) for text in (*self.style.icons, *self.labels.values())]
        digits = len(str(len(self.position.owners) - 1)) if self.style.numbers else 1
        self.content_width = max(*widths, digits)
        self.field = self.content_width + 2

    def block(self, prefix: tuple[int, ...], width: int) -> Block:
        """Draw all cells whose coordinates begin with `prefix`."""
        left, axis = len(self.shape) - len(prefix), len(prefix)
        if left <= 2:
            return self._bands(prefix, width)
        # An axis without a partner: its blocks are side by side. Of two axes one runs down.
        if left % 2:
            rows = [[(*prefix, index) for index in range(self.shape[axis])]]
        else:
            falls = self.game.gravity == axis  # then it runs down in place of its partner
            down, across = (axis, axis + 1) if falls else (axis + 1, axis)
            rows = [
                [(*prefix, *((i, j) if falls else (j, i))) for j in range(self.shape[across])]
                for i in self._order(down)
            ]
        if left <= 4:
            return below([self._layers(row, width) for row in rows], 1)
        blocks = ([self.block(part, width) for part in row] for row in rows)
        return below([flow(row, 3 * _GAP, width, []) for row in blocks], 2)

    def _layers(self, prefixes: list[tuple[int, ...]], width: int) -> Block:
        columns = range(self.shape[-1])
        edge = self._row_labels(title=True)
        if width_of(edge) + self.field * len(columns) > width:
            return below([self._bands(prefix, width) for prefix in reversed(prefixes)], 1)
        grids = [self._grid(prefix, columns) for prefix in prefixes]
        return flow(grids, _GAP, width, edge)

    def _bands(self, prefix: tuple[int, ...], width: int) -> Block:
        """Draw one grid with its row labels, in bands of columns where it is too wide."""
        length = self.shape[-1]
        edge = self._row_labels(title=bool(prefix))
        fitting = max(1, (width - width_of(edge)) // self.field)
        bands = [range(a, min(a + fitting, length)) for a in range(0, length, fitting)]
        return below([beside([edge, self._grid(prefix, band)], 0) for band in bands], 1)

    def _grid(self, prefix: tuple[int, ...], columns: range) -> Block:
        starts = self._row_starts(prefix)
        lines = [Text(f" {layer_name(self.game, starts[0])}", style="dim")] if prefix else []
        labels = "".join(f"{column_name(column):>{self.field - 1}} " for column in columns)
        lines.append(Text(labels, style="dim"))
        lines += [Text().join(self.cell(start + at) for at in columns) for start in starts]
        return block_of(lines)

    def _row_starts(self, prefix: tuple[int, ...]) -> list[int]:
        """Return the first cells of the rows of a grid, from the top."""
        if len(self.shape) == 1:
            return [0]
        cells = ((*prefix, row, 0) for row in self._order(len(self.shape) - 2))
        return [self.game.board.cell(cell) for cell in cells]

    def _row_labels(self, *, title: bool) -> Block:
        if len(self.shape) == 1:
            return []
        rows = self.shape[-2]
        names = [row_name(self.game, row) for row in self._order(len(self.shape) - 2)]
        lines = [*[""] * (1 + title), *(f"{name:>{len(str(rows))}} " for name in names)]
        return block_of(Text(line, style="dim") for line in lines)

    def _order(self, axis: int) -> list[int]:
        """Order in which the values of an upright axis are drawn, from the top."""
        rising = axis < len(self.shape) - 2 or axis == self.game.gravity
        return list(range(self.shape[axis]))[:: -1 if rising else 1]

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
        text = Text(" " * (self.content_width - cell_len(content)) + opening)
        text.append(content, style=style.strip())
        text.append(closing)
        return text

    def _content(self, cell: int, owner: int) -> tuple[str, str]:
        if cell in self.labels:
            return self.labels[cell], "bold"
        if owner == FREE:
            return (str(cell) if self.style.numbers else self.style.free), "dim"
        if owner == BLOCKED:
            return self.style.blocked, "dim"
        return self.style.icon(owner), self.style.colour(owner)

    def list_cells(self) -> Block:
        """List the cells of a free hypergraph, and its lines where they are few."""
        board = self.game.board
        names = [cell_name(self.game, cell) for cell in range(board.cell_count)]
        widest = max(map(cell_len, names))
        labels = (Text(f"{' ' * (widest - cell_len(name))}{name} ", "dim") for name in names)
        entries = [[label + self.cell(cell)] for cell, label in enumerate(labels)]
        per_row = max(1, (self.style.width + 1) // (width_of(entries[0]) + 1))
        rows = [
            beside(entries[start : start + per_row], 1) for start in range(0, len(entries), per_row)
        ]
        parts = [below(rows, 0)]
        if board.line_count <= _MAX_LINES_TOLD:
            parts.append(block_of(self._line_text(line) for line in range(board.line_count)))
        return below(parts, 1)

    def _line_text(self, line: int) -> Text:
        board = self.game.board
        row = Text(f"line {line:>{len(str(board.line_count - 1))}}:", style="dim")
        for cell in board.line(line).tolist():
            by = self.position.owners[cell]
            if by == FREE:
                row.append(f" {cell_name(self.game, cell)}", style="not dim")
            else:
                row.append(f" {self.style.icon(by)}", style=f"not dim {self.style.colour(by)}")
        return row


def _summary(position: Position, style: BoardStyle) -> Text:
    """Describe the stones on a board that is too large to draw."""
    game = position.game
    sentence = f"The board has {number_of(game.board.cell_count, 'cell')}, too many to draw."
    lines = [Text(sentence)]
    if position.last_move is not None:
        lines.append(Text(f"Last move: {cell_name(game, position.last_move)}."))
    for player in range(1, game.players + 1):
        cells = [cell for cell, owner in enumerate(position.owners) if owner == player]
        names = ", ".join(cell_name(game, cell) for cell in cells[:_MAX_TOLD])
        more = f" and {len(cells) - _MAX_TOLD:,} more" if len(cells) > _MAX_TOLD else ""
        head = f"{style.icon(player)}  "
        body = textwrap.fill(
            (names or "none") + more,
            width=style.width,
            initial_indent=head,
            subsequent_indent=" " * cell_len(head),
            break_on_hyphens=False,
        )
        lines.append(Text(body, style=style.colour(player)))
    return Text("\n").join(lines)
