"""Figures of the study of the tesseract game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperoxo.lab.plots.style import COLOURS, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["lines_figure"]


def lines_figure(counts: Mapping[str, NDArray[np.int64]]) -> Figure:
    """Draw how often how many lines were made, a colour an agent."""
    with styled():
        figure, axes = new_figure()
        width = 0.8 / len(counts)
        most = max(int(lines.max()) for lines in counts.values())
        for number, ((name, lines), colour) in enumerate(
            zip(counts.items(), COLOURS.values(), strict=False)
        ):
            shares = 100 * np.bincount(lines, minlength=most + 1) / len(lines)
            at = np.arange(most + 1) + (number - (len(counts) - 1) / 2) * width
            axes.bar(at, shares, width, color=colour, label=name)
        axes.set(xlabel="lines", ylabel="games, %")
        axes.set_xticks(range(most + 1))
        axes.legend()
    return figure
