"""Well-known games by name, and the opponents that a new game offers."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.agents import opponents


@dataclass(frozen=True)
class Preset:
    """A game to begin with."""

    name: str
    spec: str
    about: str
    example: str = ""
    """Moves that lead to the position of its picture; empty for a game without one."""


PRESETS = (
    Preset("Classic", "3^2", "three in a row on nine cells", example="4,0,2,6,3"),
    Preset(
        "Qubic",
        "4^3",
        "four in a row in a cube; the first player can force a win",
        example="0,21,63,42,12,3,22,37,25,38,48,26",
    ),
    Preset(
        "Gravity",
        "4^3:gravity",
        "Qubic on sixteen rods: stones fall",
        example="5,10,6,9,21,22,26,0,25,41,37,38",
    ),
    Preset(
        "Tesseract",
        "3^4:blocked=centre,target=9,players=4",
        "four players in four dimensions; nine lines win",
        example="0,1,13,27,80,41,67,39,22,58,31,49,8,20,60,74",
    ),
    Preset("Cube", "3^3", "three in a row in a cube; no draw exists"),
    Preset("Three players", "3^3:players=3", "two against one, and then the other way round"),
    Preset("Four in a row", "7,6,4:gravity", "seven columns of six, four in a row"),
    Preset("Misère", "3^3:misere", "completing a line loses"),
    Preset("Two by two by two", "2^3:players=4", "four players, eight cells"),
    Preset("Five in a row", "15,15,5", "on fifteen by fifteen"),
)
"""Games by name."""

OPPONENTS = (("Person", "human"), *opponents())
"""Who may sit at a seat: what it is called, and its agent spec."""
