"""Colours of the terminal application: a light and a dark ground, stones apart on both."""

from __future__ import annotations

import os
from dataclasses import dataclass

from textual.app import App
from textual.theme import Theme


@dataclass(frozen=True)
class Palette:
    """Colours of the board, as ``#rrggbb``."""

    ground: str
    tile: str
    other_tile: str
    hatched: str
    text: str
    dim: str
    cursor: str
    last: str
    glow: str
    tint: str
    good: str
    bad: str
    stones: tuple[str, ...]

    def tone(self, name: str) -> str:
        """Return a colour by its name, or that of a player by number."""
        colour: str = self.stones[int(name) - 1] if name.isdigit() else getattr(self, name)
        return colour


LIGHT = Palette(
    ground="#f6f4ee",
    tile="#ffffff",
    other_tile="#ece8dc",
    hatched="#d8d3c4",
    text="#22252b",
    dim="#8a8575",
    cursor="#b9d6f2",
    last="#ddd6c1",
    glow="#ffdc7d",
    tint="#fbeec4",
    good="#0a6e4e",
    bad="#b3261e",
    stones=(
        "#1663ad", "#c4471a", "#0c7a58", "#7d5a0a", "#96438a", "#1b7f96", "#5b626d", "#8d7600",
    ),
)  # fmt: skip

DARK = Palette(
    ground="#15171b",
    tile="#343a45",
    other_tile="#3e4552",
    hatched="#22262d",
    text="#eceae3",
    dim="#a0a6b2",
    cursor="#2f5583",
    last="#5a6272",
    glow="#77580d",
    tint="#453a1c",
    good="#56cf9f",
    bad="#ff8a7f",
    stones=(
        "#6db6f5", "#ff8a5c", "#46cb9f", "#e3b54a", "#df9ad2", "#6fd0de", "#b4bac4", "#e8d24a",
    ),
)  # fmt: skip


def _theme(name: str, palette: Palette, surface: str, panel: str) -> Theme:
    return Theme(
        name=name,
        primary=palette.stones[0],
        secondary=palette.dim,
        accent=palette.stones[1],
        foreground=palette.text,
        background=palette.ground,
        surface=surface,
        panel=panel,
        success=palette.good,
        error=palette.bad,
        warning=palette.stones[7],
        dark=palette is DARK,
    )


THEMES = (
    _theme("paper", LIGHT, "#fffefa", "#ece8dc"),
    _theme("night", DARK, "#1c1f25", "#262a32"),
)
"""The same for the rest of the screen."""


def palette_of(app: App[None]) -> Palette:
    """Return the colours that match the theme of an application."""
    return DARK if app.current_theme.dark else LIGHT


_LIGHT_GROUNDS = ("7", "15")


def preferred_theme(chosen: str | None = None) -> str:
    """Return ``"paper"`` or ``"night"``: as chosen, else as the terminal says, else night."""
    if chosen is not None:
        return "paper" if chosen == "light" else "night"
    # "foreground;background" by number, as rxvt began it; 7 and 15 are whites.
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "paper" if ground in _LIGHT_GROUNDS else "night"
