"""One moment of a game, immutable and legal by construction."""

from hyperoxo.position.outcome import Outcome
from hyperoxo.position.position import BLOCKED, FREE, Position
from hyperoxo.position.text import read_position

__all__ = ["BLOCKED", "FREE", "Outcome", "Position", "read_position"]
