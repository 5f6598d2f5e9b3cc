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
    values: tuple[str, ...]
    """Of `TONES`; the pages have the same in ``board.css``."""


TONES = (*(f"{kind}{step}" for kind in ("win", "loss") for step in range(1, 6)), "draw")
"""Tones of values: green and red in five steps of distance, yellow."""

_NEAR = (2, 6, 12, 24)  # the most plies to the end for steps 5 to 2

LIGHT = Colours(
    "#f6f3ec", "#ffffff", "#23262b", "#6d6f73", "#938c7b", "#ffe28a", INKS,
    ("#d3f9df", "#a9e0bb", "#81ca9b", "#56b57c", "#1ba260", "#feece9",
     "#fdc7c0", "#fda398", "#f48377", "#e96459", "#fedd5c"),
)  # fmt: skip
DARK = Colours(
    "#15181c", "#242a31", "#eceae4", "#9aa0a6", "#707a86", "#7a6420",
    ("#6db5ff", "#ff9a6b", "#4fd6a8", "#f0bd4f", "#d79ad8", "#63c6dc", "#aab0b8", "#d8c24a"),
    ("#023119", "#044324", "#07552f", "#066639", "#067844", "#4e1713",
     "#6a211d", "#852925", "#a0322c", "#bc3a34", "#695807"),
)  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}


def tone_of(note: str) -> str:
    """Return the tone of a value in a few characters, ``W 5`` or ``56 %``; "" for other notes."""
    figures = "".join(sign for sign in note if sign.isdigit())
    if note.endswith("%") and figures:
        off = int(figures) - 50
        step = min(5, -(-abs(off) // 10))
        return "draw" if abs(off) < 3 else f"{'win' if off > 0 else 'loss'}{step}"
    step = 5 - sum(int(figures) > most for most in _NEAR) if figures else 3
    return {"W": f"win{step}", "L": f"loss{step}", "=": "draw"}.get(note[:1], "")
