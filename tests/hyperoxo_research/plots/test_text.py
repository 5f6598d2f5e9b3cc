"""Figures as characters."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.lab.plots.style import new_figure, styled
from hyperoxo_research.plots.text import figure_text


def test_curves_have_marks_ends_and_names() -> None:
    with styled():
        figure, axes = new_figure()
        axes.plot([1, 2, 4], [10, 100, 1000], label="one")
        axes.plot([1, 4], [1000, 10], label="other")
        axes.axhline(50)
        axes.set(xlabel="size", ylabel="time", yscale="log", title="Times")
    lines = figure_text(figure, width=40, height=12).splitlines()
    assert lines[0] == "Times"
    assert lines[2].startswith("1000")
    assert lines[2].endswith("•│")
    assert sum("• one" in line or "x other" in line for line in lines) == 2
    assert lines[-1].split() == ["time", "size"]
    assert all(len(line) <= 40 for line in lines)


@pytest.mark.more
def test_bars_and_maps() -> None:
    with styled():
        figure, axes = new_figure()
        axes.bar(["a", "bb"], [1, 2], label="counts")
    title, _, first, second, *_ = figure_text(figure, width=25).splitlines()
    assert title == "counts"
    assert first.startswith(" a┤█")
    assert second.startswith("bb┤█")
    assert 2 * first.count("█") == pytest.approx(second.count("█"), abs=2)
    with styled():
        figure, axes = new_figure()
        image = axes.imshow(np.array([[0.0, 1.0], [np.nan, 0.5]]))
        figure.colorbar(image)
        axes.set_yticks([0, 1], ["one", "two"])
    rows = figure_text(figure).splitlines()
    assert rows[0] == "one   ██"
    assert rows[1] == "two ··▒▒"
    assert "shades from 0 to 1" in rows[3]


def test_figures_without_data_are_empty() -> None:
    with styled():
        figure, _ = new_figure()
    assert figure_text(figure) == ""
