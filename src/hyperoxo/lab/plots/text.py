"""Charts in plain text, for terminals: curves by plotext, maps of numbers in shades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np

Series = tuple[str, Sequence[float], Sequence[float]]
"""The name of a curve, which may be empty, and its points."""

_MARKS = "•x+o*#%@"
_SHADES = " ░▒▓█"


def text_chart(
    series: Sequence[Series],
    names: tuple[str, str] = ("", ""),
    *,
    scales: tuple[str, str] = ("linear", "linear"),
    width: int = 72,
    height: int = 16,
) -> str:
    """Draw curves as marks; `names` and `scales` are those of the axes, across and up."""
    chart = _chart(width, height)
    for (name, x, y), mark in zip(series, cycle(_MARKS), strict=False):
        curve = chart.signal([*x], [*y], marker=mark)
        if name:
            curve.label(name)
        chart.draw(curve)
    data = {"x": [v for _, x, _ in series for v in x], "y": [v for _, _, y in series for v in y]}
    for axis, name, scale in zip("xy", names, scales, strict=True):
        chart.label(name, axis)
        chart.ruler(axis).scale(scale)
        if scale == "linear":
            number_axis(chart, axis, data[axis])
    return plain(chart)


def text_intervals(
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[tuple[float, float] | None],
    marks: Sequence[float | None] = (),
    *,
    width: int = 72,
) -> str:
    """Draw values as dots on one scale, a line each, with intervals and a second value."""
    chart, places = chart_of_rows(names, width), _places(names)
    for place, interval in zip(places, intervals, strict=True):
        if interval is not None:
            ends = np.linspace(*interval, width).tolist()
            chart.draw(chart.signal(ends, [place] * width, marker="─"))
    for found, mark in ((marks, "x"), (values, "●")):
        at = [(one, place) for one, place in zip(found, places, strict=False) if one is not None]
        if at:
            chart.draw(chart.signal(*map(list, zip(*at, strict=True)), marker=mark))
    ends = [end for interval in intervals if interval is not None for end in interval]
    number_axis(chart, "x", [*ends, *values, *(one for one in marks if one is not None)])
    return plain(chart)


def text_map(
    rows: Sequence[str], columns: Sequence[str], values: Any, names: tuple[str, str]
) -> str:
    """Draw a table of numbers in five shades, the darkest for the greatest; `names` of the axes."""
    table = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
    low, high = float(np.nanmin(table)), float(np.nanmax(table))
    steps = (len(_SHADES) - 1) / ((high - low) or 1.0)
    margin = max(map(len, rows))
    lines = [
        f"{name:>{margin}} "
        + "".join(2 * ("·" if np.isnan(v) else _SHADES[int((v - low) * steps)]) for v in line)
        for name, line in zip(rows, table, strict=True)
    ]
    left, right = columns[0], columns[-1]
    ends = left + right.rjust(max(2 * len(columns) - len(left), len(right) + 1))
    about = f"down: {names[0]}, across: {names[1]}; shades from {low:.3g} to {high:.3g}"
    return "\n".join([*lines, f"{'':>{margin}} {ends}", f"{'':>{margin}} {about}"])


def _chart(width: int, height: int) -> Any:
    """Return plotext's figure, empty, without colours, and no wider than the terminal."""
    import plotext

    plotext.terminal.limit(True, False)
    chart = plotext.figure
    chart.clear()
    chart.theme("colorless")
    return chart.plot_size(width, height)


def number_axis(chart: Any, axis: str, values: Sequence[float]) -> None:
    """Number a linear axis at round places, which plotext would write as 1.0e3."""
    low, high = min(values), max(values)
    if high > low:
        # The smallest of 1, 2 and 5 times a power of ten that makes at most six steps.
        power = 10.0 ** math.floor(math.log10((high - low) / 6))
        step = power * next(one for one in (1, 2, 5, 10) if (high - low) / one <= 6 * power)
        places = step * np.arange(math.ceil(low / step), math.floor(high / step) + 1)
        chart.ruler(axis).ticks(places.tolist(), [f"{place:.6g}" for place in places])


def chart_of_rows(names: Sequence[str], width: int) -> Any:
    """Return a chart with a line for each name, the first on top."""
    chart = _chart(width, len(names) + 3)
    chart.ruler("y").lim(1, max(len(names), 2))
    chart.ruler("y").ticks(_places(names), [*names])
    return chart


def _places(names: Sequence[str]) -> list[int]:
    return [*range(len(names), 0, -1)]


def plain(chart: Any) -> str:
    """Return a chart of plotext as text without colours."""
    import plotext

    lines = plotext.uncolorize(str(chart.build())).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
