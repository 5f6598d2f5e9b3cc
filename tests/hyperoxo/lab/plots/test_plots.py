"""Axes and colours of figures, and charts as characters."""

from __future__ import annotations

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.lab.plots import figures
from hyperoxo.lab.plots.style import points_map
from hyperoxo.lab.plots.text import text_intervals
from hyperoxo_research.study.ising_figures import ProgramSweep, program_sweeps_figure
from tests.expect import require


def test_the_middle_of_the_scale_of_points_is_neither_colour() -> None:
    colours = points_map()
    assert min(colours(0.5)[:3]) > 0.9
    assert colours(0.0) != colours(1.0)


@pytest.mark.parametrize(("wide", "words"), [(0.0, "best anywhere from"), (1.0, "best 0.")])
def test_a_plateau_has_no_best_value(
    wide: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "_WIDE", wide)
    result = ox.sweep("3^2", "ising", "bias=0:1:0.1", "random", 2, 100, measure="losses")
    legend = require(figures.sweep_figure(result).axes[0].get_legend())
    labels = [text.get_text() for text in legend.get_texts()]
    assert any(label.startswith(words) for label in labels)


def test_fits_are_not_drawn_below_nothing_lost() -> None:
    lost = np.array([90, 20, 0, 0, 0, 0, 30])
    swept = ProgramSweep("4^2", np.linspace(0, 1, 7), lost, 1000, 2, 0)
    assert np.polyval(np.polyfit(swept.at, lost, 2), 0.6) < 0
    (axes,) = program_sweeps_figure([swept], {"4^2": 0.64}).axes
    assert axes.get_ylim()[0] == 0
    legend = require(axes.get_legend())
    assert "printed minimum 0.64" in [text.get_text() for text in legend.get_texts()]


def test_intervals_have_a_line_each_however_low_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "50")
    names = [f"agent {number}" for number in range(30)]
    spans = [(number - 1.0, number + 1.0) for number in range(30)]
    chart = text_intervals(names, range(30), spans, [None] * 29 + [0.0]).splitlines()
    rows = [line for line in chart if "agent" in line]
    assert [row.split("┤")[0].strip() for row in rows] == names
    assert all("─●─" in row for row in rows[1:-1])
    assert "x" in rows[-1]
    assert "\x1b" not in "".join(chart)
    assert max(map(len, chart)) <= 50
