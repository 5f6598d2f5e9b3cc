"""Directions in which lines leave cells."""

from __future__ import annotations

from pathlib import Path

from hyperoxo.lab.plots import save
from hyperoxo.lab.study.ising_directions import (
    directions,
    directions_figure,
    leaving,
    typical_cells,
)
from hyperoxo.rules import Game


def test_kinds_of_cells_of_cubes() -> None:
    rows = directions().tables[0].as_data()["rows"]
    assert [(row["lines"], row["directions"]) for row in rows] == [
        (13, 26), (5, 9), (4, 5), (7, 7),
        (7, 14), (4, 7), (4, 5), (7, 7),
    ]  # fmt: skip


def test_a_corner_is_left_inwards_only() -> None:
    game = Game("4^3")
    assert all(min(step) >= 0 for step in leaving(game, typical_cells(game)["corner"]))


def test_figures_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        save(directions_figure(Game("3^3")), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
