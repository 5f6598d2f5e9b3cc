"""Results of sweeps, tournaments and exams as figures."""

from __future__ import annotations

from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperoxo.errors import SpecError
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.plots.style import COLOURS, figure_svg, new_figure, points_map, styled
from hyperoxo.lab.sweep import Curve, SweepResult
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.learn.truth import Truth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABELS = {"score": "points, %", "wins": "games won, %", "losses": "games lost, %"}
"""Axis labels of the measures."""

_BARS = 60
_WIDE = 1 / 3
"""Share of the range: with a wider interval no best value is marked."""


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
    # 1. Points with 95 % intervals: Wilson's for a share of games, a normal one for a score, none
    #    where the points are too many.
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
    # 2. The fit and its band.
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
    # 3. The interval of the best value, and that value unless the interval says next to nothing.
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


@styled()
def tournament_figure(result: TournamentResult) -> Figure:
    """Draw the first player's points in every pairing: rows move first, columns second."""
    if any(len(row.places) != 2 for row in result.table):
        raise SpecError("tables are drawn for two players")
    count = len(result.agents)
    scores = np.full((count, count), np.nan)
    figure, axes = new_figure(2.6 + 0.9 * count, 1.6 + 0.7 * count)
    for row in result.table:
        scores[row.places] = 100 * row.tally.score(1)
        games = max(row.tally.games, 1)
        won, lost = (100 * wins / games for wins in row.tally.wins)
        text = f"{won:.0f} / {100 * row.tally.draws / games:.0f} / {lost:.0f}"
        colour = "white" if scores[row.places] > 85 else "black"
        first, second = row.places
        axes.text(second, first, text, ha="center", va="center", color=colour)
    image = axes.imshow(scores, vmin=0, vmax=100, cmap=points_map())
    axes.set_xticks(range(count), result.agents, rotation=20, ha="right")
    axes.set_yticks(range(count), result.agents)
    axes.set(xlabel="moves second", ylabel="moves first")
    axes.set_title(f"{result.game}: % won / drawn / lost by the first player")
    axes.grid(visible=False)
    figure.colorbar(image, ax=axes, label="points of the first player, %")
    return figure


tournament_svg = partial(figure_svg, tournament_figure)
"""Draws a tournament for notebooks."""


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
