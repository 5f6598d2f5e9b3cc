"""Well-known games by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A game to begin with."""

    name: str
    spec: str
    about: str
    example: str = ""
    """Moves that lead to the position of its picture; empty for a game without one."""


PRESETS = (
    Preset("Classic", "3^2", "Three in a row on nine cells", example="4,0,2,6,3"),
    Preset(
        *("Qubic", "4^3", "Four in a row in a cube"),
        example="0,26,48,42,60,56,41,3,24,58,10,57,59,15,16,32,20,28,40",
    ),
    Preset(
        *("Connect Four", "7,6,4:gravity", "Drop discs into seven columns"),
        example="3,4,10,1,8,17,24,11,18,5,2,0,25,9,32,39,16",
    ),
    Preset(
        *("Gravity", "4^3:gravity", "Qubic on sixteen rods"),
        example="5,10,6,9,21,22,26,0,25,41,37,38",
    ),
    Preset(
        *("Tesseract", "3^4:blocked=centre,target=9,players=4", "Four players, four dimensions"),
        example="0,1,13,27,80,41,67,39,22,58,31,49,8,20,60,74",
    ),
    Preset("Cube", "3^3", "Three in a row in a cube; no draw exists"),
    Preset("Three players", "3^3:players=3", "Gang up, then fall out"),
    Preset("Misère", "3^3:misere", "Completing a line loses"),
    Preset("Two by two by two", "2^3:players=4", "Four players, eight cells"),
    Preset("Five in a row", "15,15,5", "On fifteen by fifteen"),
)
"""Games by name."""
