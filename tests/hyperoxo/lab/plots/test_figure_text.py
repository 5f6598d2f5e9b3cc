"""Figures as characters."""

from __future__ import annotations

import numpy as np

from hyperoxo.lab.plots.style import new_figure, styled
from hyperoxo.lab.plots.text import figure_text


def test_curves_have_marks_ends_and_names() -> None:
    with styled():
        figure, axes = new_figure()
        axes.plot([1, 2, 4], [10, 100, 1000], label="one")
        axes.plot([1, 4], [1000, 10], label="other")
        axes.axhline(50)
        axes.set(xlabel="size", ylabel="time", yscale="log", title="Times")
    lines = figure_text(figure, width=13, height=5).splitlines()
    assert lines[0] == "Times"
    assert lines[1].startswith("1e+03 ┤x")
    assert lines[1].endswith("•")
    assert lines[5].startswith("   10 ┤•")
    assert lines[3].count("•") == 1
    assert [line.strip() for line in lines[-3:]] == [
        "1           4", "size · time", "• one   x other",
    ]  # fmt: skip


def test_bars_and_maps() -> None:
    with styled():
        figure, axes = new_figure()
        axes.bar(["a", "bb"], [1, 2], label="counts")
    rows = figure_text(figure, width=20).splitlines()
    assert rows == ["counts", " a ████ 1", "bb ████████ 2"]
    with styled():
        figure, axes = new_figure()
        image = axes.imshow(np.array([[0.0, 1.0], [np.nan, 0.5]]))
        figure.colorbar(image)
        axes.set_yticks([0, 1], ["one", "two"])
    rows = figure_text(figure).splitlines()
    assert rows[0] == "one   ██"
    assert rows[1] == "two ··▒▒"
    assert "shades from 0 to 1" in rows[2]


def test_figures_without_data_are_empty() -> None:
    with styled():
        figure, _ = new_figure()
    assert figure_text(figure) == ""
