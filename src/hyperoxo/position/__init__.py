"""One moment of a game, immutable and legal by construction."""

from hyperoxo.position.completing import completing_cells, landing_cells, playable_cells
from hyperoxo.position.outcome import Outcome
from hyperoxo.position.position import BLOCKED, FREE, Position
from hyperoxo.position.text import read_position

__all__ = [
    "BLOCKED",
    "FREE",
    "Outcome",
    "Position",
    "completing_cells",
    "landing_cells",
    "playable_cells",
    "read_position",
]
