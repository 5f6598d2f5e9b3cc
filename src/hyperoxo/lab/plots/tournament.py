"""The table of a tournament of two players as a picture."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.errors import SpecError
from hyperoxo.lab.plots.style import figure_svg, new_figure, points_map, styled
from hyperoxo.lab.tournament import TournamentResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def tournament_figure(result: TournamentResult) -> Figure:
    """Draw the first player's points in every pairing: rows move first, columns second."""
    if any(len(row.places) != 2 for row in result.table):
        raise SpecError("tables are drawn for two players")
    count = len(result.agents)
    scores = np.full((count, count), np.nan)
    figure, axes = new_figure(2.6 + 0.9 * count, 1.6 + 0.7 * count)
    for row in result.table:
        scores[row.places] = 100 * row.tally.score(1)
        games = max(row.tally.games, 1)
        won, lost = (100 * wins / games for wins in row.tally.wins)
        text = f"{won:.0f} / {100 * row.tally.draws / games:.0f} / {lost:.0f}"
        colour = "white" if scores[row.places] > 85 else "black"
        first, second = row.places
        axes.text(second, first, text, ha="center", va="center", color=colour)
    image = axes.imshow(scores, vmin=0, vmax=100, cmap=points_map())
    axes.set_xticks(range(count), result.agents, rotation=20, ha="right")
    axes.set_yticks(range(count), result.agents)
    axes.set(xlabel="moves second", ylabel="moves first")
    axes.set_title(f"{result.game}: % won / drawn / lost by the first player")
    axes.grid(visible=False)
    figure.colorbar(image, ax=axes, label="points of the first player, %")
    return figure


tournament_svg = partial(figure_svg, tournament_figure)
"""Draws a tournament for notebooks."""
