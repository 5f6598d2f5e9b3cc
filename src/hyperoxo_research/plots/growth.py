"""Growth of time on logarithmic scales beside the expected slope."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperoxo.errors import SpecError
from hyperoxo.lab.plots.style import COLOURS, Figure, empty_figure, styled
from hyperoxo_research.bench.rows import Row

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_COLUMNS = 3


def logarithmic(axis: Axis, low: float, high: float) -> None:
    """Make an axis logarithmic, with ticks at powers of ten, if these are few at 2 and 5 too."""
    # `low` and `high` are the least and greatest value drawn; ticks are written as numbers.
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})  # type: ignore[attr-defined]
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    parts = (1,) if last - first > 3 else (1, 2, 5)
    ticks = [part * 10.0**power for power in range(first, last + 1) for part in parts]
    axis.set_major_locator(FixedLocator([tick for tick in ticks if low / 2 <= tick <= 2 * high]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(
        FuncFormatter(lambda tick, _: f"{tick:,.0f}" if tick >= 1 else f"{tick:g}")
    )


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
