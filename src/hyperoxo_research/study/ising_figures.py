"""Figures of the Ising study: the nine pairings, and the bias in sweeps, exactly and by board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.intervals import wilson_interval
from hyperoxo.kernels.arrays import Floats, Longs
from hyperoxo.lab.plots.style import COLOURS, Figure, empty_figure, new_figure, styled
from hyperoxo_research.plots.growth import logarithmic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
            # If a pairing does not sum to 100, the losses are misprinted; see `ising._IMPOSSIBLE`.
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


_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

PUBLISHED = 0.647
"""The best bias by the report."""


@dataclass(frozen=True, eq=False)
class ProgramSweep:
    """Games that Ising lost in the program's game, by bias."""

    game: str
    at: Floats
    lost: Longs
    games: int
    degree: int
    seed: int

    @property
    def total(self) -> tuple[int, int]:
        """Games lost, and games played, with all values."""
        return int(self.lost.sum()), self.games * len(self.at)


@dataclass(frozen=True, eq=False)
class Steps:
    """An exact share as a function of the bias that is constant between its steps."""

    name: str
    edges: Floats
    shares: Floats


@dataclass(frozen=True)
class Best:
    """The best bias on a board."""

    game: str
    value: float | None
    low: float | None
    high: float | None
    may: tuple[float, ...]
    rates: tuple[float, float, float]


@styled()
def program_sweeps_figure(sweeps: Sequence[ProgramSweep], printed: Mapping[str, float]) -> Figure:
    """Draw games lost by bias, a panel a board, with fits of the published degree."""
    rows = -(-len(sweeps) // 3)
    figure = empty_figure(9, 2.5 * rows)
    for number, one in enumerate(sweeps, 1):
        axes = figure.add_subplot(rows, 3, number)
        shares = 100 * one.lost / one.games
        axes.plot(one.at, shares, ".", color=COLOURS["blue"], markersize=3, label="measured")
        grid = np.linspace(0, 1, 401)
        fit = np.polyval(np.polyfit(one.at, shares, one.degree), grid)
        axes.plot(grid, fit, color=COLOURS["red"], label=f"fit of degree {one.degree}")
        if one.game == "3^2":
            high = np.polyval(np.polyfit(one.at, shares, 11), grid)
            axes.plot(grid, high, "--", color=COLOURS["green"], label="fit of degree 11")
        least = printed.get(one.game)
        axes.axvline(
            PUBLISHED if least is None else least, color=COLOURS["grey"], linestyle=":",
            linewidth=1, label=f"{PUBLISHED}" if least is None else f"printed minimum {least}",
        )  # fmt: skip
        axes.set_title(f"{one.game}, {one.games:,} games a value")
        # A fit may fall below 0; nothing is drawn there.
        axes.set_ylim(0, 1.05 * max(1.0, float(shares.max())))
        if number > len(sweeps) - 3:
            axes.set_xlabel("bias b")
        if number % 3 == 1:
            axes.set_ylabel("games lost, %")
        axes.legend(fontsize=7)
    return figure


@styled()
def exact_figure(steps: Sequence[Steps]) -> Figure:
    """Draw exact shares of lost games as steps, whole and enlarged beyond the fall."""
    figure = empty_figure(9, 3.4)
    for number, top in ((1, None), (2, 1.5)):
        axes = figure.add_subplot(1, 2, number)
        for one, colour in zip(steps, (COLOURS["blue"], COLOURS["red"]), strict=False):
            axes.stairs(
                100 * one.shares, one.edges, baseline=None, color=colour, label=one.name,
                linewidth=1.4,
            )  # fmt: skip
        for bias in (PUBLISHED, 0.8):
            axes.axvline(bias, color=COLOURS["grey"], linestyle=":", linewidth=1)
        axes.set(xlabel="bias b (dotted: 0.647 and 0.8)", xlim=(0, 1), ylim=(0, top))
        if number == 1:
            axes.set_ylabel("games lost, %, exact")
            axes.legend()
        else:
            axes.set_title(f"the same up to {top} %")
    return figure


@styled()
def best_figure(found: Sequence[Best]) -> Figure:
    """Draw the values of b that may be best on each board, and their midpoint."""
    figure, axes = new_figure(6.4, 0.9 + 0.3 * len(found))
    for row, one in enumerate(found):
        axes.plot(one.may, [row] * len(one.may), "s", color=COLOURS["sky"], markersize=5)
        if one.value is not None:
            ends = [one.low or 0.0, one.high or 0.0]
            axes.plot(ends, [row - 0.27] * 2, color=COLOURS["red"], linewidth=1.2)
            axes.plot(one.value, row - 0.27, "o", color=COLOURS["red"], markersize=4)
    axes.plot([], [], "s", color=COLOURS["sky"], label="may be best")
    axes.plot([], [], "o-", color=COLOURS["red"], label="their middle, 95 %")
    axes.axvline(PUBLISHED, color=COLOURS["grey"], linestyle=":", label="0.647")
    axes.set_yticks(range(len(found)), [one.game for one in found])
    axes.invert_yaxis()
    axes.set(xlabel="bias b", xlim=(-0.03, 1.03))
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


@styled()
def rates_figure(found: Sequence[Best]) -> Figure:
    """Draw the middle of the best biases against the results of random play."""
    figure = empty_figure(9, 3)
    for number, what in enumerate(("first player wins", "drawn", "second player wins"), 1):
        axes = figure.add_subplot(1, 3, number, sharey=figure.axes[0] if number > 1 else None)
        ranked = sorted(found, key=lambda one: one.rates[number - 1])
        shown = [one for one in ranked if None not in (one.value, one.low, one.high)]
        rates = [100 * one.rates[number - 1] for one in shown]
        # Names are side by side above the dots, in the same order, each with a line to its own.
        slots = np.linspace(min(rates, default=0), max(rates, default=1), max(len(shown), 2))
        for at, slot, one in zip(rates, slots, shown, strict=False):
            assert one.value is not None
            assert one.low is not None
            assert one.high is not None
            axes.errorbar(
                at, one.value, [[one.value - one.low], [one.high - one.value]], fmt="o",
                color=COLOURS["blue"], markersize=4, elinewidth=0.8,
            )  # fmt: skip
            axes.plot([at, slot], [one.value, 1.1], color=COLOURS["grey"], linewidth=0.4, zorder=0)
            axes.text(slot, 1.12, one.game, rotation=90, ha="center", va="bottom", fontsize=6)
        axes.set(xlabel=f"{what} in random play, %", ylim=(-0.05, 1.45), yticks=_TICKS)
        if number == 1:
            axes.set_ylabel("middle of the best b")
    return figure
