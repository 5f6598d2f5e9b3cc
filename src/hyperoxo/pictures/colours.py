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
THEMES = {"light": LIGHT, "dark": DARK}
