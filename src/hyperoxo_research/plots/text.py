"""Figures of matplotlib in plain text, for terminals: curves, bars and maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.lab.plots.text import Series, chart_of_rows, number_axis, plain, text_chart, text_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_CELLS = 400


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
        names = _tick_names(axes, middles, upright=upright)
        # Bars from 0, a line each.
        chart = chart_of_rows(names, width)
        chart.draw(chart.bar(names[::-1], values[::-1], orientation="h", marker="█"))
        chart.ruler("x").lim(min(0.0, *values), max(0.0, *values))
        number_axis(chart, "x", [0.0, *values])
        charts.append(plain(chart))
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
