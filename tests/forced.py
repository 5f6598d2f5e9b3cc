"""Forced wins of single positions, each searched with a memory of its own."""

from __future__ import annotations

from typing import Any

from hyperoxo.game import Position
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.search import ThreatResult, ThreatSearch


def find_forced_win(position: Position, **limits: Any) -> ThreatResult:
    return ThreatSearch(position.game).forced_win(position, **limits)


def winning_threat_moves(position: Position) -> tuple[int, ...]:
    return tuple(move.cell for move in forced_wins(position).moves)
