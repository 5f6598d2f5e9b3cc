"""Charts in plain text, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHADES = " ░▒▓█"


def text_chart(
    at: Sequence[float],
    values: Sequence[float],
    *,
    names: tuple[str, str] | None = None,
    width: int = 64,
    height: int = 10,
) -> str:
    """Draw values as dots; each column shows the mean of what falls into it."""
    x, y = np.asarray(at, dtype=np.float64), np.asarray(values, dtype=np.float64)
    spread = x.max() - x.min()
    columns = np.zeros(len(x), dtype=int)
    if spread > 0:
        columns = np.rint((x - x.min()) / spread * (width - 1)).astype(int)
    means = {int(c): float(y[columns == c].mean()) for c in np.unique(columns)}
    low, high = min(means.values()), max(means.values())
    picture = [[" "] * width for _ in range(height)]
    for column, mean in means.items():
        level = round((mean - low) / (high - low) * (height - 1)) if high > low else 0
        picture[height - 1 - level][column] = "•"
    labels = {0: f"{high:.3g}", height - 1: f"{low:.3g}"}
    margin = max(3, *(len(label) for label in labels.values()))
    lines = [
        f"{labels.get(row, ''):>{margin}} {'┤' if row in labels else '│'}{''.join(dots)}".rstrip()
        for row, dots in enumerate(picture)
    ]
    left, right = f"{x.min():.3g}", f"{x.max():.3g}"
    axis = left + right.rjust(width - len(left)) if spread > 0 else left
    about = [f"{'':>{margin}}  across: {names[0]}, up: {names[1]}"] if names else []
    return "\n".join([*lines, f"{'':>{margin}} └{'─' * width}", f"{'':>{margin}}  {axis}", *about])


def text_map(
    rows: Sequence[float],
    columns: Sequence[float],
    values: Sequence[Sequence[float]],
    names: tuple[str, str] = ("rows", "columns"),
) -> str:
    """Draw a table of values in five shades, the darkest for the greatest; `names` of the axes."""
    table = np.asarray(values, dtype=np.float64)
    low, high = float(table.min()), float(table.max())
    scale = (len(_SHADES) - 1) / (high - low) if high > low else 0.0
    labels = [f"{row:.3g}" for row in rows]
    margin = max(len(label) for label in labels)
    lines = [
        f"{name:>{margin}} " + "".join(_SHADES[int((v - low) * scale)] * 2 for v in line)
        for name, line in zip(labels, table, strict=True)
    ]
    left, right = f"{columns[0]:.3g}", f"{columns[-1]:.3g}"
    ends = left + right.rjust(max(2 * len(columns) - len(left), len(right) + 1))
    about = f"down: {names[0]}, across: {names[1]}; shades from {low:.3g} to {high:.3g}"
    return "\n".join([*lines, f"{'':>{margin}} {ends}", f"{'':>{margin}} {about}"])


def text_bars(
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[tuple[float, float] | None] | None = None,
    marks: Sequence[float | None] | None = None,
    *,
    width: int = 50,
) -> str:
    """Draw values as dots on one scale, a line each, with intervals and a second value."""
    spans = intervals or [None] * len(values)
    others = marks or [None] * len(values)
    every = [*values, *(end for span in spans if span for end in span)]
    every += [other for other in others if other is not None]
    low, high = min(every), max(every)
    scale = (width - 1) / ((high - low) or 1.0)
    margin = max(len(name) for name in names)
    lines = []
    for name, value, span, other in zip(names, values, spans, others, strict=True):
        dots = [" "] * width
        if span is not None:
            first, last = (round((end - low) * scale) for end in span)
            dots[first : last + 1] = "─" * (last + 1 - first)
        if other is not None:
            dots[round((other - low) * scale)] = "x"
        dots[round((value - low) * scale)] = "●"
        lines.append(f"{name:<{margin}} {''.join(dots)}".rstrip())
    left, right = f"{low:.4g}", f"{high:.4g}"
    return "\n".join([*lines, f"{'':<{margin}} {left}{right.rjust(width - len(left))}"])


_MARKS = "•x+o*#%@"
_GREYS = " ░▒▓█"
_MOST_CELLS = 400


def figure_text(figure: Figure, *, width: int = 64, height: int = 12) -> str:
    """Draw what a figure shows with characters: curves and points, bars, and maps of numbers."""
    charts = [_axes_text(axes, width, height) for axes in figure.axes]
    return "\n\n".join(chart for chart in charts if chart)


def _axes_text(axes: Axes, width: int, height: int) -> str:
    if axes.get_label() == "<colorbar>":
        return ""
    title = axes.get_title()
    body = _map_text(axes) or _bars_text(axes, width) or _lines_text(axes, width, height)
    if not body:
        return ""
    return f"{title}\n{body}" if title else body


def _lines_text(axes: Axes, width: int, height: int) -> str:
    series = []
    for line in axes.get_lines():
        x, y = (np.atleast_1d(np.asarray(data, dtype=np.float64)) for data in line.get_data())
        if line.get_transform() == axes.transData and len(x) > 1 and len(x) == len(y):
            name = str(line.get_label())
            series.append((name, _scaled(x, axes.get_xscale()), _scaled(y, axes.get_yscale())))
    series = [(name, x[good], y[good]) for name, x, y in series
              for good in [np.isfinite(x) & np.isfinite(y)] if good.any()]  # fmt: skip
    if not series:
        return ""
    left, right = _ends([x for _, x, _ in series])
    low, high = _ends([y for _, _, y in series])
    picture = [[" "] * width for _ in range(height)]
    for mark, (_, x, y) in zip(_cycled(len(series)), series, strict=True):
        columns = np.rint((x - left) / ((right - left) or 1.0) * (width - 1)).astype(int)
        rows = np.rint((y - low) / ((high - low) or 1.0) * (height - 1)).astype(int)
        for column, row in zip(columns, rows, strict=True):
            picture[height - 1 - row][column] = mark
    labels = {0: _written(high, axes.get_yscale()), height - 1: _written(low, axes.get_yscale())}
    margin = max(len(label) for label in labels.values())
    lines = [
        f"{labels.get(row, ''):>{margin}} {'┤' if row in labels else '│'}{''.join(dots)}".rstrip()
        for row, dots in enumerate(picture)
    ]
    start, end = (_written(value, axes.get_xscale()) for value in (left, right))
    below = start + end.rjust(width - len(start))
    names = [
        f"{mark} {name}"
        for mark, (name, _, _) in zip(_cycled(len(series)), series, strict=True)
        if not name.startswith("_")
    ]
    about = " · ".join(part for part in (axes.get_xlabel(), axes.get_ylabel()) if part)
    more = [f"{'':>{margin}}  {text}" for text in (about, "   ".join(names)) if text]
    return "\n".join([*lines, f"{'':>{margin}} └{'─' * width}", f"{'':>{margin}}  {below}", *more])


def _bars_text(axes: Axes, width: int) -> str:
    rows: list[str] = []
    for container in axes.containers:
        bars = [bar for bar in getattr(container, "patches", ()) if hasattr(bar, "get_height")]
        if len(bars) < 2:
            continue
        upright = getattr(container, "orientation", "vertical") == "vertical"
        values = [float(bar.get_height() if upright else bar.get_width()) for bar in bars]
        middles = [
            float(bar.get_x() + bar.get_width() / 2 if upright else bar.get_y()) for bar in bars
        ]
        most = max([abs(value) for value in values if np.isfinite(value)], default=0.0)
        if len(bars) > _MOST_CELLS or not most:
            continue
        named = str(container.get_label())
        rows += [] if named.startswith("_") else [named]
        names = _tick_names(axes, middles, upright=upright)
        margin = max(len(name) for name in names)
        for name, value in zip(names, values, strict=True):
            length = 0 if not np.isfinite(value) else round(abs(value) / most * (width - 12))
            rows.append(f"{name:>{margin}} {'█' * length} {value:.4g}")
    return "\n".join(rows)


def _tick_names(axes: Axes, places: Sequence[float], *, upright: bool) -> list[str]:
    axis = axes.xaxis if upright else axes.yaxis
    ticks = {
        round(float(place), 6): label.get_text()
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
    }
    return [ticks.get(round(place, 6)) or f"{place:.4g}" for place in places]


def _map_text(axes: Axes) -> str:
    shown: list[Any] = [*axes.get_images(), *axes.collections]
    for image in shown:
        values = image.get_array() if hasattr(image, "get_array") else None
        if values is None or np.ndim(values) != 2 or np.size(values) > _MOST_CELLS:
            continue
        table = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
        if not np.isfinite(table).any():
            continue
        low, high = float(np.nanmin(table)), float(np.nanmax(table))
        steps = (len(_GREYS) - 1) / ((high - low) or 1.0)
        names = _tick_names(axes, list(range(len(table))), upright=False)
        margin = max(len(name) for name in names)
        lines = [
            f"{name:>{margin}} "
            + "".join(("·" if np.isnan(v) else _GREYS[int((v - low) * steps)]) * 2 for v in line)
            for name, line in zip(names, table, strict=True)
        ]
        about = " · ".join(part for part in (axes.get_xlabel(), axes.get_ylabel()) if part)
        return "\n".join([*lines, f"{'':>{margin}} shades from {low:.3g} to {high:.3g}; {about}"])
    return ""


def _cycled(count: int) -> str:
    return (_MARKS * (count // len(_MARKS) + 1))[:count]


def _scaled(values: Any, scale: str) -> Any:
    if scale != "log":
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values)


def _written(value: float, scale: str) -> str:
    return f"{10**value if scale == 'log' else value:.3g}"


def _ends(parts: Sequence[Any]) -> tuple[float, float]:
    whole = np.concatenate(parts)
    return float(whole.min()), float(whole.max())
