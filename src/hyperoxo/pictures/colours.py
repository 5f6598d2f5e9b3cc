"""The colours of pictures, on paper and in the dark."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.notation.stones import INKS


@dataclass(frozen=True)
class Colours:
    """The colours of a picture, each ``#rrggbb``; those of stones by player."""

    ground: str
    card: str
    ink: str
    soft: str
    rule: str
    glow: str
    stones: tuple[str, ...]


LIGHT = Colours("#f6f3ec", "#ffffff", "#23262b", "#6d6f73", "#938c7b", "#ffe28a", INKS)
DARK = Colours(
    "#15181c", "#242a31", "#eceae4", "#9aa0a6", "#707a86", "#7a6420",
    ("#6db5ff", "#ff9a6b", "#4fd6a8", "#f0bd4f", "#d79ad8", "#63c6dc", "#aab0b8", "#d8c24a"),
)  # fmt: skip
VALUE_COLOURS = {"W": "#12a06f", "=": "#e0b000", "L": "#e0503c"}
VALUE_STEPS = (0.62, 0.5, 0.4, 0.3, 0.2)
"""Colour of a win, a draw and a loss, and its opacity by plies to the end, two plies a step."""
THEMES = {"light": LIGHT, "dark": DARK}
