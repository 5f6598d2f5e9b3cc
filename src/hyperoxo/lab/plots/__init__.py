"""Figures of what was measured: by matplotlib, all in one style, and in plain text."""

from hyperoxo.lab.plots.directions import (
    directions_figure,
    directions_svg,
    directions_text,
    shown_cells,
)
from hyperoxo.lab.plots.style import COLOURS, check_figure, new_figure, save, styled, svg_text
from hyperoxo.lab.plots.sweep import sweep_figure
from hyperoxo.lab.plots.text import figure_text, text_bars, text_chart, text_map
from hyperoxo.lab.plots.tournament import tournament_figure

__all__ = [
    "COLOURS",
    "check_figure",
    "directions_figure",
    "directions_svg",
    "directions_text",
    "figure_text",
    "new_figure",
    "save",
    "shown_cells",
    "styled",
    "svg_text",
    "sweep_figure",
    "text_bars",
    "text_chart",
    "text_map",
    "tournament_figure",
]
