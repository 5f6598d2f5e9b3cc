"""Forced wins as SVG: a board a step, and puzzles with their solutions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from hyperoxo.display import number_of
from hyperoxo.game import FREE, Position, completing_cells, layout_of
from hyperoxo.lab.puzzle import Puzzle
from hyperoxo.pictures.alt_text import name_of
from hyperoxo.pictures.svg import board_svg, sheet, text_svg

_CELL = 20.0
_SMALLEST = 6.0
_WIDTH = 1200.0
_MARGIN = 28.0
_GAP = 36.0
_HEAD = 64.0
_CAPTION = 24.0


@dataclass(frozen=True)
class _Panel:
    """One board with a line of text below it."""

    position: Position
    caption: str
    glowing: Collection[int] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)


def draw_steps(position: Position, line: Sequence[int]) -> str:
    """Draw a forced win step by step: a threat and its answer on each board."""
    mover = name_of(position.to_move)
    panels = [_Panel(position, f"{mover} to move")]
    at = position
    for step in range(0, len(line), 2):
        pair = line[step : step + 2]
        attacker = at.to_move
        after = at.play(pair[0])
        threatened = completing_cells(after, attacker)
        # The lines that the stone has completed, or that it threatens to complete.
        glowing: set[int] = set()
        for number in after.game.board.lines_through(pair[0]):
            cells = [int(cell) for cell in after.game.board.line(number)]
            missing = [cell for cell in cells if after.owners[cell] != attacker]
            if not missing or (len(missing) == 1 and missing[0] in threatened):
                glowing.update(cells)
        does = f" threatens {' and '.join(map(str, threatened))}" if threatened else ""
        caption = f"{pair[0]}{' completes a line' if after.is_over else does}"
        numbers = {cell: step + 1 + offset for offset, cell in enumerate(pair)}
        at = after.play(pair[1]) if len(pair) == 2 and not after.is_over else after
        panels.append(_Panel(at, caption, sorted(glowing), numbers))
    heading = f"{position.game}: {mover} wins by force"
    return _page(panels, heading, "Each board shows a threat and the answer that it forces.")


def draw_puzzles(puzzles: Sequence[Puzzle], *, solutions: bool = False) -> str:
    """Draw puzzles of one game side by side."""
    panels = []
    for number, puzzle in enumerate(puzzles, start=1):
        threats = number_of(puzzle.length, "threat")
        caption = f"{number}. {name_of(puzzle.position.to_move)} wins with {threats}"
        position = puzzle.position
        shown = puzzle.solution if solutions else ()
        numbers = {cell: index for index, cell in enumerate(shown, start=1)}
        for cell in shown:
            position = position.play(cell)
        panels.append(_Panel(position, caption, (), numbers))
    heading = f"{puzzles[0].game}: find the forced win"
    return _page(panels, heading, "One first move begins it; every threat has one answer.")


def _page(panels: Sequence[_Panel], title: str, remark: str) -> str:
    game = panels[0].position.game
    plan = layout_of(game)
    cell = min(_CELL, max(_SMALLEST, (_WIDTH - 2 * _MARGIN) / plan.width))
    wide, high = plan.width * cell + _GAP, plan.height * cell + _CAPTION + _GAP
    columns = max(1, min(len(panels), int((_WIDTH - 2 * _MARGIN + _GAP) // wide)))
    rows = -(-len(panels) // columns)
    parts = [
        text_svg(_MARGIN, 32, 22, title, 'font-weight="650"'),
        text_svg(_MARGIN, 52, 13, remark, 'class="soft"'),
    ]
    for number, panel in enumerate(panels):
        left = _MARGIN + number % columns * wide
        top = _HEAD + 8 + number // columns * high
        parts.append(board_svg(panel.position, (left, top, cell), glowing=panel.glowing))
        for place, index in panel.numbers.items():
            if panel.position.owners[place] != FREE:
                x, y = plan.corners[place]
                at = left + (x + 0.06) * cell, top + (y + 0.36) * cell
                parts.append(text_svg(*at, 0.38 * cell, str(index)))
        parts.append(text_svg(left, top + plan.height * cell + 18, 14, panel.caption))
    width = max(2 * _MARGIN + columns * wide - _GAP, 520)
    return sheet(game, width, _HEAD + rows * high, title, parts)
