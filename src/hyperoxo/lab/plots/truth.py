"""How often agents keep the value of a position, by the number of stones, as curves."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from hyperoxo.lab.plots.style import COLOURS, new_figure, styled
from hyperoxo.learn.truth import Truth

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def truth_figure(result: Truth) -> Figure:
    """Draw one curve for each agent, with the interval of each point where there is one."""
    figure, axes = new_figure()
    colours = cycle(COLOURS.values())
    for mark, colour in zip(result.marks, colours, strict=False):
        plies = [share.ply for share in mark.by_ply]
        shares = [100 * share.kept for share in mark.by_ply]
        axes.plot(plies, shares, "o-", markersize=3, color=colour, label=mark.agent)
        spans = [share.interval for share in mark.by_ply if share.interval is not None]
        if spans:
            low, high = ([100 * end for end in ends] for ends in zip(*spans, strict=True))
            axes.fill_between(plies, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="stones on the board", ylabel="value kept, % of positions", ylim=(None, 101))
    axes.set_title(str(result.game))
    axes.legend()
    return figure
