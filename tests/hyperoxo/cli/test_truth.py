"""`oxo truth` as a command; what it measures is tested where it is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import oxo


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
    found = json.loads(oxo(*words, "--format", "json").stdout)
    assert found["sample"] is True
    assert found["split"] == "test"
    assert found["positions"] + found["left_out"] == 40
    low, high = found["agents"][0]["interval"]
    assert low <= found["agents"][0]["kept"] <= high
    assert " to " in oxo(*words).stdout
    again = json.loads(oxo(*words, "--seed", "9", "--format", "json").stdout)
    assert again["seed"] == 9
    assert again["agents"] != found["agents"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("3^2",), "Missing argument 'AGENT...'"),
        (("4^3", "greedy"), "a number of positions gives a sample of them"),
        (("3^2", "nobody"), "unknown agent 'nobody'"),
        (("3^2:bias=2+1", "greedy"), "it needs one cell a turn"),
        (("3^2", "greedy", "--out", "nowhere/a.json"), "there is no folder nowhere"),
        (("3^2", "greedy", "--figure", "a.xyz"), ".svg"),
        (("3^2", "greedy", "--positions", "0"), "--positions"),
    ],
)
def test_bad_input(words: tuple[str, ...], message: str) -> None:
    answer = oxo("truth", *words)
    assert answer.exit_code == 2
    assert message in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
