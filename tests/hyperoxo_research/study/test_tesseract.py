"""The study of the tesseract game."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.agents import agent
from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.task import Task
from hyperoxo_research.draws.filling import few_lines
from hyperoxo_research.study import Bench, study
from hyperoxo_research.study import tesseract as lines
from hyperoxo_research.study import tesseract as module


def test_every_filling_has_more_than_twice_eight_lines() -> None:
    bound = lines.fewest_lines()
    assert bound == Fraction(122, 7)
    assert bound > 2 * (module.TARGET - 1)


@pytest.mark.parametrize("off", lines.WEIGHTS)
def test_no_weight_can_be_less(monkeypatch: pytest.MonkeyPatch, off: int) -> None:
    less = lines.WEIGHTS[off] - Fraction(1, 1000)
    monkeypatch.setattr(lines, "WEIGHTS", {**lines.WEIGHTS, off: less})
    with pytest.raises(CheckFailedError):
        lines.fewest_lines()


def test_fillings_that_are_looked_for_are_above_the_bound() -> None:
    board = Game(lines.GAME).board
    assert 18 <= few_lines(board, 300) < 30
    assert few_lines(board, 50, 1) == few_lines(board, 50, 1)


def test_random_fillings_are_counted_as_defined() -> None:
    """Means by the chance that three cells of a line have one owner."""
    for players, stones in ((2, (40, 40)), (3, (27, 27, 26)), (4, (20,) * 4)):
        counts = lines.random_fillings(players, 4001)
        assert counts.shape == (4001, players)
        for count, mean in zip(stones, counts.mean(axis=0), strict=True):
            chance = count * (count - 1) * (count - 2) / (80 * 79 * 78)
            assert mean == pytest.approx(232 * chance, rel=0.05)
    assert lines.random_fillings(2, 4001).sum(axis=1).min() >= 18


def test_games_end_with_nine_lines_or_a_full_board() -> None:
    game = Game(f"{lines.GAME},players=4")
    told: list[tuple[int, int]] = []
    counts = lines.final_lines(
        game, [agent("random")] * 4, 20, 3, Task(lambda *done: told.append(done))
    )  # fmt: skip
    assert told[-1] == (20, 20)
    assert (np.sort(counts, axis=1)[:, :3] < 9).all()
    two = lines.final_lines(Game(lines.GAME), [agent("greedy")] * 2, 5)
    assert (two.max(axis=1) >= 9).all()
    assert (two.min(axis=1) < 9).all()


@pytest.mark.more
def test_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With fast agents and few games."""
    monkeypatch.setattr(Bench, "size", lambda _self, reduced, _full: min(reduced, 2000))
    monkeypatch.setattr(module, "_GAMES", {"random": ((2000, 0),) * 3, "greedy": ((50, 0),) * 3})
    monkeypatch.setattr(module, "_PAIRS", (("greedy", "random", 20, 0),))
    monkeypatch.setattr(module, "_CENTRE", ("random", "greedy"))
    monkeypatch.setattr(module, "_SAMPLES", {"random": (20, 0), "greedy": (5, 0)})
    report = study("tesseract", tmp_path)
    tables = {table.name: table.as_data()["rows"] for table in report.tables}
    assert all(row["agrees"] in (True, None) for row in tables["counts"])
    assert sum(row["cells"] for row in tables["certificate"]) == 80
    passing = sum(row["cells"] * row["lines through each"] for row in tables["certificate"])
    assert passing == 3 * 232
    filled = {row["players"]: row for row in tables["fillings"]}
    assert filled[2]["no player has nine, %"] == 0
    for row in tables["games"]:
        wins = sum(row[f"{seat} wins, %"] or 0 for seat in (1, 2, 3, 4))
        assert wins + row["drawn, %"] == pytest.approx(100)
        if row["players"] == 2:
            assert row["drawn, %"] == 0
        if row["agent"] == "random":
            drawn = filled[row["players"]]["of these tied: draws, %"]
            assert drawn == pytest.approx(row["drawn, %"], abs=4.5)
    assert tables["games"][0]["first-move advantage"] == "yes"
    assert [row["ours"] for row in tables["strength"]] == [100, 100]
    first, second = tables["centre-verdict"]
    assert (first["agrees"], second["agrees"]) == (True, False)
    assert first["low"] < first["ours"] < first["high"]
    assert {row["agrees"] for row in tables["export"]} == {True}
    assert [row["moves played"] for row in tables["export-readings"]] == [47] * 4 + [48] * 4
    assert (tmp_path / "files" / "example.svg").read_text("utf-8").count('href="#board"') == 4
    assert (tmp_path / "figures" / "lines.svg").stat().st_size > 1000
    assert "at least 18 lines" in (tmp_path / "index.html").read_text("utf-8")


def test_a_lead_is_one_where_chance_cannot_make_it() -> None:
    assert module._lead("a", (600, 1000), (500, 1000)).agrees is True
    assert module._lead("a", (500, 1000), (600, 1000)).agrees is False
    found = module._lead("a", (30, 60), (28, 60))
    assert found.agrees is None
    assert found.ours == pytest.approx(3.3)
    assert found.interval is not None
    assert found.interval[0] < 0 < found.interval[1]
