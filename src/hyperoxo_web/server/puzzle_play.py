"""Puzzles played out: every move that keeps the forced win is right, not only that of the list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hyperoxo.game import Position
from hyperoxo.solvers.threats.search import ThreatSearch, begun_by, immediate_wins

_NODES = 200_000
_IDLE = "That makes no threat. Try another cell."
_OPEN = "That threat is answered, and no forced win is left. Try another cell."
_LATE = "The other side completes a line first."


@dataclass(frozen=True)
class PuzzleStep:
    """The outcome of a move in a puzzle."""

    verdict: str
    reply: int | None = None
    why: str = ""


def answer(position: Position, cell: int) -> PuzzleStep:
    """Judge the attacker's next move in a puzzle, and answer it."""
    attacker = position.to_move
    after = position.play(cell)
    if after.is_over:
        won = after.outcome is not None and attacker in after.outcome.winners
        return PuzzleStep("solved") if won else PuzzleStep("wrong", why="The board is full.")
    limited = partial(ThreatSearch(position.game).forced_win, node_limit=_NODES)
    found = begun_by(position, cell, limited)
    if found.status == "win":
        return PuzzleStep("right", found.line[1])
    if immediate_wins(after):
        return PuzzleStep("wrong", why=_LATE)
    return PuzzleStep("wrong", why=_OPEN if found.immediate else _IDLE)
