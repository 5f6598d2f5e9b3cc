"""Charts in plain text, for terminals: curves and bars by plotext, maps of numbers in shades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Series = tuple[str, Sequence[float], Sequence[float]]
"""The name of a curve, which may be empty, and its points."""

_MARKS = "•x+o*#%@"
_SHADES = " ░▒▓█"
_MOST_CELLS = 400


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
            _number(chart, axis, data[axis])
    return _text(chart)


def text_bars(names: Sequence[str], values: Sequence[float], *, width: int = 72) -> str:
    """Draw values as bars from 0, a line each."""
    chart = _rows(names, width)
    chart.draw(chart.bar([*names][::-1], [*values][::-1], orientation="h", marker="█"))
    chart.ruler("x").lim(min(0.0, *values), max(0.0, *values))
    _number(chart, "x", [0.0, *values])
    return _text(chart)


def text_intervals(
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[tuple[float, float] | None],
    marks: Sequence[float | None] = (),
    *,
    width: int = 72,
) -> str:
    """Draw values as dots on one scale, a line each, with intervals and a second value."""
    chart, places = _rows(names, width), _places(names)
    for place, interval in zip(places, intervals, strict=True):
        if interval is not None:
            ends = np.linspace(*interval, width).tolist()
            chart.draw(chart.signal(ends, [place] * width, marker="─"))
    for found, mark in ((marks, "x"), (values, "●")):
        at = [(one, place) for one, place in zip(found, places, strict=False) if one is not None]
        if at:
            chart.draw(chart.signal(*map(list, zip(*at, strict=True)), marker=mark))
    ends = [end for interval in intervals if interval is not None for end in interval]
    _number(chart, "x", [*ends, *values, *(one for one in marks if one is not None)])
    return _text(chart)


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


def figure_text(figure: Figure, *, width: int = 72, height: int = 16) -> str:
    """Draw the content of a figure with characters: curves and points, bars, and maps."""
    charts = []
    for axes in figure.axes:
        if axes.get_label() == "<colorbar>":
            continue
        body = _map_text(axes) or _bars_text(axes, width) or _lines_text(axes, width, height)
        charts.append("\n".join(filter(None, [axes.get_title(), body])) if body else "")
    return "\n\n".join(filter(None, charts))


def _lines_text(axes: Axes, width: int, height: int) -> str:
    series: list[Series] = []
    scales = axes.get_xscale(), axes.get_yscale()
    for line in axes.get_lines():
        x, y = (np.atleast_1d(np.asarray(data, dtype=np.float64)) for data in line.get_data())
        if line.get_transform() != axes.transData or len(x) < 2 or len(x) != len(y):
            continue
        good = np.isfinite(x) & np.isfinite(y)
        for data, scale in zip((x, y), scales, strict=True):
            good &= (scale != "log") | (data > 0)
        if good.any():
            name = str(line.get_label())
            named = "" if name.startswith("_") else name
            series.append((named, x[good].tolist(), y[good].tolist()))
    names = axes.get_xlabel(), axes.get_ylabel()
    return text_chart(series, names, scales=scales, width=width, height=height) if series else ""


def _bars_text(axes: Axes, width: int) -> str:
    charts: list[str] = []
    for container in axes.containers:
        bars = [bar for bar in getattr(container, "patches", ()) if hasattr(bar, "get_height")]
        upright = getattr(container, "orientation", "vertical") == "vertical"
        sizes = [float(bar.get_height() if upright else bar.get_width()) for bar in bars]
        values = [size if np.isfinite(size) else 0.0 for size in sizes]
        if not 2 <= len(bars) <= _MOST_CELLS or not any(values):
            continue
        named = str(container.get_label())
        charts += [] if named.startswith("_") else [named]
        middles = [
            float(bar.get_x() + bar.get_width() / 2 if upright else bar.get_y()) for bar in bars
        ]
        charts.append(text_bars(_tick_names(axes, middles, upright=upright), values, width=width))
    return "\n".join(charts)


def _map_text(axes: Axes) -> str:
    for image in (*axes.get_images(), *axes.collections):
        values = image.get_array()
        if values is None or np.ndim(values) != 2 or np.size(values) > _MOST_CELLS:
            continue
        if np.isfinite(np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)).any():
            rows, columns = (
                _tick_names(axes, list(range(count)), upright=upright)
                for count, upright in zip(np.shape(values), (False, True), strict=True)
            )
            return text_map(rows, columns, values, (axes.get_ylabel(), axes.get_xlabel()))
    return ""


def _tick_names(axes: Axes, places: Sequence[float], *, upright: bool) -> list[str]:
    axis = axes.xaxis if upright else axes.yaxis
    ticks = {
        round(float(place), 6): label.get_text()
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
    }
    return [ticks.get(round(place, 6)) or f"{place:.4g}" for place in places]


def _chart(width: int, height: int) -> Any:
    """Return plotext's figure, empty, without colours, and no wider than the terminal."""
    import plotext

    plotext.terminal.limit(True, False)
    chart = plotext.figure
    chart.clear()
    chart.theme("colorless")
    return chart.plot_size(width, height)


def _number(chart: Any, axis: str, values: Sequence[float]) -> None:
    """Number a linear axis at round places, which plotext would write as 1.0e3."""
    low, high = min(values), max(values)
    if high > low:
        power = 10.0 ** math.floor(math.log10((high - low) / 6))
        step = power * next(one for one in (1, 2, 5, 10) if (high - low) / one <= 6 * power)
        places = step * np.arange(math.ceil(low / step), math.floor(high / step) + 1)
        chart.ruler(axis).ticks(places.tolist(), [f"{place:.6g}" for place in places])


def _rows(names: Sequence[str], width: int) -> Any:
    """Return a chart with a line for each name, the first on top."""
    chart = _chart(width, len(names) + 3)
    chart.ruler("y").lim(1, max(len(names), 2))
    chart.ruler("y").ticks(_places(names), [*names])
    return chart


def _places(names: Sequence[str]) -> list[int]:
    return [*range(len(names), 0, -1)]


def _text(chart: Any) -> str:
    import plotext

    lines = plotext.uncolorize(str(chart.build())).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
