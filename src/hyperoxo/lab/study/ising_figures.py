"""Figures of the study of the Ising agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperoxo.lab.plots.style import COLOURS, new_figure, styled
from hyperoxo.lab.tournament import TournamentResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["pairings_figure"]


def pairings_figure(result: TournamentResult, names: Sequence[str]) -> Figure:
    """Draw each pairing as a bar of wins, draws and losses of the first player."""
    with styled():
        figure, axes = new_figure(6.4, 0.9 + 0.36 * len(result.table))
        labels = [" – ".join(names[place] for place in row.places) for row in result.table]
        left = [0.0] * len(labels)
        counted = {
            "won": ("blue", [row.tally.wins[0] for row in result.table]),
            "drawn": ("yellow", [row.tally.draws for row in result.table]),
            "lost": ("red", [row.tally.losses(1) for row in result.table]),
        }
        for what, (colour, counts) in counted.items():
            shares = [
                100 * n / row.tally.games for n, row in zip(counts, result.table, strict=True)
            ]
            axes.barh(labels, shares, left=left, color=COLOURS[colour], label=what)
            left = [a + b for a, b in zip(left, shares, strict=True)]
        axes.invert_yaxis()
        axes.set(xlabel="games of the first player, %", xlim=(0, 100))
        axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure
