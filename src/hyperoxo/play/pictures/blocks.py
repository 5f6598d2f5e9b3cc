"""Blocks of text set beside and below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text


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
    r"""Set blocks side by side, going on below where the width is used up."""
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
    return below(rows, 1)
