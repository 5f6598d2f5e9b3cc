"""Axes of figures on growth."""

from __future__ import annotations

from hyperoxo.lab.plots.style import new_figure, styled
from hyperoxo_research.plots.growth import logarithmic


def ticks(low: float, high: float) -> list[str]:
    with styled():
        figure, axes = new_figure()
        axes.plot([low, high], [low, high])
        logarithmic(axes.yaxis, low, high)
        figure.canvas.draw()
    bottom, top = axes.get_ylim()
    return [
        label.get_text()
        for label, at in zip(axes.get_yticklabels(), axes.get_yticks(), strict=True)
        if bottom <= at <= top
    ]


def test_logarithmic_axes_have_plain_numbers() -> None:
    assert ticks(0.002, 4000) == ["0.001", "0.01", "0.1", "1", "10", "100", "1,000"]
    assert ticks(300, 9000) == ["500", "1,000", "2,000", "5,000", "10,000"]
