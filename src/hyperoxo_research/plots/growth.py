"""Growth of time on logarithmic scales beside the expected slope."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hyperoxo.errors import SpecError
from hyperoxo.lab.plots.style import COLOURS, Figure, empty_figure, logarithmic, styled
from hyperoxo_research.bench.rows import Row

_COLUMNS = 3


@styled()
def growth_figure(rows: Sequence[Row]) -> Figure:
    """Draw the rows on growth."""
    drawn = [(row, row.growth) for row in rows if row.growth is not None]
    if not drawn:
        raise SpecError("only growth is drawn: add the case growth")
    height = math.ceil(len(drawn) / _COLUMNS)
    figure = empty_figure(3.1 * _COLUMNS, 2.7 * height)
    for number, (row, growth) in enumerate(drawn, 1):
        axes = figure.add_subplot(height, _COLUMNS, number)
        at = [point.at for point in growth.points]
        times = [1000 * point.seconds for point in growth.points]
        # The expected curve is known up to a factor: scale it to the same middle.
        ratios = [math.log(t / p.touched) for t, p in zip(times, growth.points, strict=True)]
        factor = math.exp(sum(ratios) / len(ratios))
        expected = [factor * point.touched for point in growth.points]
        logarithmic(axes.xaxis, min(at), max(at))
        axes.set_xticks(at, [f"{size:,.0f}" for size in at], fontsize=8)
        logarithmic(axes.yaxis, min(times + expected), max(times + expected))
        slope = "" if row.peer is None else f" {row.peer:.2f}"
        axes.plot(at, expected, "--", color=COLOURS["grey"], label=f"expected{slope}")
        found = f"found {row.ours:.2f}"
        axes.plot(at, times, "o", color=COLOURS["blue"], markersize=4, label=found)
        axes.set(xlabel=growth.axis, ylabel="ms")
        axes.set_title(row.name)
        axes.legend(fontsize=8)
    return figure
