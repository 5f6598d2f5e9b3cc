"""Games of a seating, counted: played range by range, the same wherever they are played."""

from hyperoxo.lab.games.ranges import play_range
from hyperoxo.lab.games.seating import (
    Entrant,
    OwnSeating,
    Seating,
    entrants,
    seating_of,
)
from hyperoxo.lab.games.tally import Tally

__all__ = [
    "Entrant",
    "OwnSeating",
    "Seating",
    "Tally",
    "entrants",
    "play_range",
    "seating_of",
]
