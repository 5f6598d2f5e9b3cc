"""One moment of a game, immutable and legal by construction."""

from hyperoxo.position.many import Positions
from hyperoxo.position.position import (
    BLOCKED,
    FREE,
    Outcome,
    Position,
    completing_cells,
    lacking_cells,
    playable_cells,
    read_position,
)
from hyperoxo.position.sentences import Why
from hyperoxo.position.values import Bounds, Reason, Value

__all__ = [
    "BLOCKED",
    "FREE",
    "Bounds",
    "Outcome",
    "Position",
    "Positions",
    "Reason",
    "Value",
    "Why",
    "completing_cells",
    "lacking_cells",
    "playable_cells",
    "read_position",
]
