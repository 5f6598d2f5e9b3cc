"""One moment of a game, immutable and legal by construction."""

from hyperoxo.position.drawn import LETTERS, SHAPES, Drawing, draw, is_drawn
from hyperoxo.position.drawn import parse as parse_drawing
from hyperoxo.position.many import Positions
from hyperoxo.position.position import (
    BLOCKED,
    FREE,
    Outcome,
    Position,
    completing_cells,
    lacking_cells,
    owners_of,
    playable_cells,
    read_position,
)
from hyperoxo.position.sentences import Why
from hyperoxo.position.values import Bounds, Reason, Value, propagate

__all__ = [
    "BLOCKED",
    "FREE",
    "LETTERS",
    "SHAPES",
    "Bounds",
    "Drawing",
    "Outcome",
    "Position",
    "Positions",
    "Reason",
    "Value",
    "Why",
    "completing_cells",
    "draw",
    "is_drawn",
    "lacking_cells",
    "owners_of",
    "parse_drawing",
    "playable_cells",
    "propagate",
    "read_position",
]
