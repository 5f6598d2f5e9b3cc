"""Charts in plain text, for terminals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["text_bars", "text_chart", "text_map"]

_SHADES = " ░▒▓█"


def text_chart(
    at: Sequence[float], values: Sequence[float], *, width: int = 64, height: int = 10
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
    return "\n".join([*lines, f"{'':>{margin}} └{'─' * width}", f"{'':>{margin}}  {axis}"])


def text_map(
    rows: Sequence[float], columns: Sequence[float], values: Sequence[Sequence[float]]
) -> str:
    """Draw a table of values in five shades, the darkest for the greatest."""
    table = np.asarray(values, dtype=np.float64)
    low, high = float(table.min()), float(table.max())
    scale = (len(_SHADES) - 1) / (high - low) if high > low else 0.0
    names = [f"{row:.3g}" for row in rows]
    margin = max(len(name) for name in names)
    lines = [
        f"{name:>{margin}} " + "".join(_SHADES[int((v - low) * scale)] * 2 for v in line)
        for name, line in zip(names, table, strict=True)
    ]
    ends = f"columns {columns[0]:.3g} to {columns[-1]:.3g}; shades from {low:.3g} to {high:.3g}"
    return "\n".join([*lines, f"{'':>{margin}} {ends}"])


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
