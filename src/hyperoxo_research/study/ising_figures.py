"""Figures of the nine pairings: as the report draws them, and in a form that reads better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.plots.style import COLOURS, empty_figure, logarithmic, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OF_PLAYER = ("yellow", "blue", "red")
"""The report's colours: random yellow, MiniMax blue, Ising red."""
_MARKS = ("o", "s", "^")


@dataclass(frozen=True)
class Pairing:
    """One ordered pairing, counted as the report counts."""

    printed: tuple[int, int, int]
    counts: tuple[int, int, int]
    seconds: float
    published_seconds: float | None = None

    @property
    def games(self) -> int:
        """Games we played."""
        return sum(self.counts)

    @property
    def shares(self) -> tuple[float, ...]:
        """Our wins, draws and losses in 100 games."""
        return tuple(100 * count / self.games for count in self.counts)


Pairings = Mapping[tuple[int, int], Pairing]


@styled()
def polar_figure(pairings: Pairings, names: Sequence[str]) -> Figure:
    """Draw the pairings as the report does: a circle a first player, a figure a second one."""
    figure = empty_figure(9, 6.6)
    for row, first in product(range(2), range(3)):
        axes = figure.add_subplot(2, 3, 3 * row + first + 1, projection="polar")
        for second in range(3):
            one = pairings[first, second]
            if row == 0:
                values = [*one.printed, one.published_seconds or 0.0]
            else:
                values = [*one.shares, one.seconds]
            _ring(axes, values, second, names[second])
        axes.set_xticks(np.linspace(0, 2 * np.pi, 4, endpoint=False))
        axes.set_xticklabels(["won", "drawn", "lost", "s a game"])
        axes.set(rlim=(0, 100), rticks=[25, 50, 75, 100])
        axes.tick_params(labelsize=7)
        axes.set_title(f"{'published' if row == 0 else 'ours'}: {names[first]} first", pad=14)
        if row == 0 and first == 1:
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, fontsize=8)
    return figure


def _ring(axes: Axes, values: Sequence[float], second: int, name: str) -> None:
    angles = np.linspace(0, 2 * np.pi, 4, endpoint=False)
    closed = np.append(angles, 0.0)
    radii = np.append(values, values[0])
    colour = COLOURS[_OF_PLAYER[second]]
    axes.plot(
        closed, radii, marker=_MARKS[second], color=colour, markersize=4, label=f"against {name}",
        markeredgecolor="#444444", markeredgewidth=0.4, clip_on=False,
    )  # fmt: skip
    axes.fill(closed, radii, color=colour, alpha=0.2)


@styled()
def pairings_figure(pairings: Pairings, names: Sequence[str]) -> Figure:
    """Draw each result of each pairing as ours with its interval, and the published mark."""
    figure = empty_figure(9, 3.3)
    keys = sorted(pairings)
    labels = [f"{names[first]} – {names[second]}" for first, second in keys]
    for panel, (what, colour) in enumerate((("won", "blue"), ("drawn", "orange"), ("lost", "red"))):
        axes = figure.add_subplot(1, 3, panel + 1)
        for row, key in enumerate(keys):
            one = pairings[key]
            low, high = wilson_interval(one.counts[panel], one.games)
            axes.barh(row, one.shares[panel], color=COLOURS[colour], alpha=0.35, height=0.7)
            axes.plot([100 * low, 100 * high], [row, row], color=COLOURS[colour], linewidth=2)
            possible = sum(one.printed) == 100 or panel < 2
            axes.plot(
                one.printed[panel], row, "D" if possible else "x", color="#1a1a1a",
                markersize=5, markerfacecolor="none" if possible else "#1a1a1a", clip_on=False,
            )  # fmt: skip
        axes.set_yticks(range(len(keys)), labels if panel == 0 else [""] * len(keys))
        axes.invert_yaxis()
        axes.set(xlim=(0, 100), xlabel=f"{what} by the first player, %")
    axes.plot([], [], "D", color="#1a1a1a", markerfacecolor="none", label="published")
    axes.plot([], [], "x", color="#1a1a1a", label="published, cannot be right")
    axes.plot([], [], color=COLOURS["red"], linewidth=2, label="ours, 95 %")
    axes.legend(loc="lower right", fontsize=7)
    return figure


@styled()
def times_figure(pairings: Pairings, names: Sequence[str]) -> Figure:
    """Draw the times of a game on a logarithmic scale."""
    figure, axes = new_figure(6.4, 3.2)
    keys = sorted(pairings)
    ours = [1000 * pairings[key].seconds for key in keys]
    axes.plot(ours, range(len(keys)), "o", color=COLOURS["blue"], label="ours")
    for row, key in enumerate(keys):
        printed = pairings[key].published_seconds
        if printed is not None:
            axes.plot(1000 * printed, row, "D", color="#1a1a1a", markerfacecolor="none")
    axes.plot([], [], "D", color="#1a1a1a", markerfacecolor="none", label="published")
    axes.set_yticks(range(len(keys)), [f"{names[a]} – {names[b]}" for a, b in keys])
    axes.invert_yaxis()
    printed_ms = [1000 * (pairings[key].published_seconds or 0.0) for key in keys]
    logarithmic(axes.xaxis, min(ours), max(ours + printed_ms))
    axes.set(xlabel="milliseconds a game")
    axes.legend()
    return figure
