"""`oxo truth` as a command; what it measures is tested where it is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hyperoxo as ox
from tests.command import answer, oxo, refusal


def test_json_text_and_figure(tmp_path: Path) -> None:
    out, figure = tmp_path / "truth.json", tmp_path / "truth.svg"
    answer = oxo("truth", "3^2", "ising", "minimax", "--out", str(out), "--figure", str(figure))
    assert answer.exit_code == 0
    ising, minimax = (line.split() for line in answer.stdout.splitlines()[1:3])
    assert ising[0] == "ising"
    assert minimax[:3] == ["minimax", "100.00", "100.00"]
    assert "3,191 positions, 431 classes; 1,329 left out" in answer.stdout
    found = json.loads(out.read_text())
    assert found["agents"][0]["kept"] == pytest.approx(float(ising[1]) / 100, abs=1e-4)
    assert found["positions"] == 3191
    assert figure.read_text().count("<path") > 10


@pytest.mark.more
def test_sample() -> None:
    words = ("truth", "3^2:players=3", "greedy", "--positions", "40", "--split", "test")
    found = answer(*words)
    assert found["sample"] is True
    assert found["split"] == "test"
    assert found["positions"] + found["left_out"] == 40
    low, high = found["agents"][0]["interval"]
    assert low <= found["agents"][0]["kept"] <= high
    assert " to " in oxo(*words).stdout
    again = answer(*words, "--seed", "9")
    assert again["seed"] == 9
    assert again["agents"] != found["agents"]


DRAWN = "23163416124767223154467471272416755633"
LATE = "7422341735647741166133573473242566"
SET = f"# the last score is 1\n2252576253462244111563365343671351441 -1\n\n{DRAWN} 0\n{LATE} 3\n"


def test_a_set_of_scored_positions(tmp_path: Path) -> None:
    (tmp_path / "set").write_text(SET)
    words = ("truth", "--set", str(tmp_path / "set"), "7,6,4:gravity")
    alone = oxo(*words)
    assert alone.exit_code == 1
    assert alone.stdout.splitlines()[0] == "3 scores compared, 1 wrong"
    line, place, *scores = alone.stdout.splitlines()[2].split()
    game = ox.Game("7,6,4:gravity")
    assert (line, *scores) == ("5", "3", "1")
    assert game.position(place) == game.position("columns:" + LATE)
    wrong = [{"line": 5, "position": place, "score": 3, "exact": 1}]
    found = answer(*words, "minimax:depth=2", "--out", str(tmp_path / "out.json"), code=1)
    assert found["scores"] == {"game": "7,6,4:gravity", "compared": 3, "wrong": wrong}
    assert (found["positions"] + found["left_out"], found["agents"][0]["kept"]) == (3, 1.0)
    assert json.loads((tmp_path / "out.json").read_text())["scores"] == found["scores"]
    measured = oxo(*words, "random")
    assert "2 positions; 1 left out" in measured.stdout
    assert "3 scores compared, 1 wrong" in measured.stdout


def test_a_set_without_scores() -> None:
    words = ("truth", "--set", "-", "3^2")
    found = answer(*words, "greedy", data="3^2 moves:4\n3^2 moves:4,0,8\n")
    assert (found["positions"] + found["left_out"], "scores" in found) == (2, False)
    right = oxo("truth", "--set", "-", "7,6,4:gravity", data="4455 18\n")
    assert (right.exit_code, right.stdout.split("\n")[0]) == (0, "1 score compared, 0 wrong")


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("3^2", "3^2 moves:4", "- has no scores; name an AGENT to measure"),
        ("3^2", "3^2:misere moves:4", "- has a position of 3^2:misere, not of 3^2"),
        ("7,6,4:gravity", "4455 18\n4458 1", "line 2: move 4: '8' is not a column"),
        ("7,6,4:gravity", "4455 18\n1212121 1", "line 2: the game is over, and so has no score"),
        ("7,6,4:gravity,misere", "4455 18", "a score by stones left is not supported for"),
    ],
)
def test_a_set_that_makes_no_sense(game: str, text: str, message: str) -> None:
    assert message in refusal(oxo("truth", "--set", "-", game, data=text))
