"""Sweeps as pictures: points with their intervals and a curve, or a heat map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.plots.style import COLOURS, figure_svg, new_figure, styled
from hyperoxo.lab.sweep import Curve, SweepResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABELS = {"score": "points, %", "wins": "games won, %", "losses": "games lost, %"}
"""What the axis of each measure is called."""

_BARS = 60
_WIDE = 1 / 3
"""An interval of the best value that takes more of the range is no best value."""


@styled()
def sweep_figure(result: SweepResult) -> Figure:
    """Draw a sweep."""
    return _line(result) if len(result.names) == 1 else _map(result)


sweep_svg = partial(figure_svg, sweep_figure)
"""Draws a sweep for notebooks."""


def _title(result: SweepResult) -> str:
    rivals = ", ".join(dict.fromkeys(result.versus))
    return f"{result.game}: {result.agent} on seat {result.seat} against {rivals}"


def _line(result: SweepResult) -> Figure:
    figure, axes = new_figure()
    samples, fit = result.samples, result.fit
    assert isinstance(fit, Curve)
    at, shares = samples.at[:, 0], 100 * samples.shares
    if len(at) <= _BARS and result.measure != "score":
        counted = [
            wilson_interval(p.wins if result.measure == "wins" else p.losses, p.games)
            for p in result.points
        ]
        ends = 100 * np.array(counted).T
        errors: Any = np.abs(ends - shares)
    else:
        errors = None if len(at) > _BARS else 196 * np.sqrt(samples.variances)
    axes.errorbar(
        at, shares, errors, fmt="o", markersize=3 if len(at) <= _BARS else 1.5,
        color=COLOURS["blue"], elinewidth=0.8, label="measured", alpha=0.8,
    )  # fmt: skip
    name = "smoothing spline" if fit.kind == "spline" else f"polynomial of degree {fit.degree}"
    axes.plot(fit.values, 100 * fit.shares, color=COLOURS["red"], label=name)
    axes.fill_between(
        fit.values,
        100 * fit.low.clip(0, 1),
        100 * fit.high.clip(0, 1),
        color=COLOURS["red"],
        alpha=0.2,
        linewidth=0,
    )
    if fit.optimum is not None:
        low, high = fit.optimum.interval
        wide = high - low > _WIDE * (at.max() - at.min())
        span = f"{low:.3g} to {high:.3g}"
        axes.axvspan(
            low, high, color=COLOURS["green"], alpha=0.12, linewidth=0,
            label=f"best anywhere from {span}" if wide else None,
        )  # fmt: skip
        if not wide:
            axes.axvline(
                fit.optimum.value, color=COLOURS["green"], linestyle="--", linewidth=1,
                label=f"best {fit.optimum.value:.3g} ({span})",
            )  # fmt: skip
    axes.set(xlabel=result.names[0], ylabel=LABELS[result.measure])
    axes.set_title(_title(result))
    axes.legend()
    return figure


def _map(result: SweepResult) -> Figure:
    figure, axes = new_figure(5.6, 4.4)
    first, second = (sorted({point.values[i] for point in result.points}) for i in range(2))
    shares = 100 * result.samples.shares.reshape(len(first), len(second))
    image = axes.pcolormesh(second, first, shares, shading="nearest")
    figure.colorbar(image, ax=axes, label=LABELS[result.measure])
    if (best := result.fit.optimum) is not None:
        (y, x), ((y_low, y_high), (x_low, x_high)) = best.value, best.interval
        axes.errorbar(
            [x], [y], [[max(y - y_low, 0)], [max(y_high - y, 0)]],
            [[max(x - x_low, 0)], [max(x_high - x, 0)]],
            fmt="x", color="white", label="best by the fit",
        )  # fmt: skip
        axes.legend(labelcolor="white")
    axes.grid(visible=False)
    axes.set(xlabel=result.names[1], ylabel=result.names[0])
    axes.set_title(_title(result))
    return figure
