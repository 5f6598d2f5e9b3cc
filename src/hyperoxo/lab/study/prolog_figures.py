"""Figures of the study of minimax of fixed depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hyperoxo.lab.plots.style import COLOURS, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["states_figure"]


def states_figure(rows: Sequence[tuple[Any, ...]]) -> Figure:
    """Draw positions visited by depth, a colour a board, with `maxstates` as crosses."""
    with styled():
        figure, axes = new_figure()
        games = dict.fromkeys(str(row[0]) for row in rows)
        for colour, game in zip(COLOURS.values(), games, strict=False):
            own = [row for row in rows if row[0] == game]
            depths = [float(row[1]) for row in own]
            axes.plot(depths, [float(row[4]) for row in own], "o-", color=colour, label=game)
            axes.plot(depths, [float(row[2]) for row in own], "x", color=colour, markersize=8)
            axes.plot(depths, [float(row[6]) for row in own], "o:", color=colour, markersize=3)
        axes.plot([], [], "x", color="black", label="maxstates")
        axes.plot([], [], ":", color="black", label="with pruning")
        axes.set(xlabel="depth, plies", ylabel="positions a game", yscale="log")
        axes.set_xticks(range(1, 1 + max(int(row[1]) for row in rows)))
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
