"""Lines and cells that the board points out."""

from __future__ import annotations

from collections.abc import Iterable

from hyperoxo.play.analysis.stages import threats_of
from hyperoxo.play.look import Look
from hyperoxo.position import BLOCKED, FREE, Position
from hyperoxo.terminal.tui.board import Mark

__all__ = ["cells_of_lines", "full_lines", "landing", "pointed_lines", "threat_marks"]


def cells_of_lines(position: Position, lines: Iterable[int]) -> frozenset[int]:
    """Return all cells of some lines."""
    board = position.game.board
    return frozenset(int(cell) for line in lines for cell in board.line(line))


def full_lines(position: Position) -> tuple[int, ...]:
    """Return the full lines of all players."""
    return tuple(
        line
        for player, count in enumerate(position.lines_owned, start=1)
        if count
        for line in position.owned_lines(player)
    )


def landing(position: Position, cell: int) -> int:
    """Return where a stone comes to lie that is dropped over a cell; the cell without gravity."""
    below, owners = position.game.below, position.owners
    if below is None or owners[cell] != FREE:
        return cell
    while below[cell] >= 0 and owners[below[cell]] == FREE:
        cell = int(below[cell])
    return cell


def pointed_lines(position: Position, cell: int) -> tuple[int, ...]:
    """Return the lines through a cell that one player could still own, or owns."""
    owners, board = position.owners, position.game.board
    if owners[cell] == BLOCKED:
        return ()
    found = []
    for line in board.lines_through(cell).tolist():
        holders = {owners[c] for c in board.line(line).tolist()} - {FREE}
        if len(holders) <= 1:
            found.append(line)
    return tuple(found)


def threat_marks(position: Position, look: Look) -> dict[int, Mark]:
    """Mark the cells where a player would complete a line: ``+X``, or ``+XO`` for two players."""
    marks: dict[int, Mark] = {}
    for threats in threats_of(position):
        icon, player = look.icon(threats.player), str(threats.player)
        for cell in threats.cells:
            before = marks.get(cell)
            text = f"+{icon}" if before is None else before.text + icon
            marks[cell] = Mark(text, player if before is None else "text", best=True)
        for cell in threats.later:
            before = marks.get(cell)
            text = f"({icon})" if before is None else f"{before.text[:-1]}{icon})"
            marks[cell] = Mark(text, player if before is None else "text")
    return marks
