"""`oxo tournament` as a command."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.command import answer, oxo

WORDS = ("tournament", "3^2", "random", "ising", "greedy", "--games", "60", "--seed", "1")


def test_json() -> None:
    found = answer(*WORDS)
    assert len(found["table"]) == 9
    row = found["table"][1]
    assert row["agents"] == ["random", "ising"]
    assert sum(row["wins"]) + row["draws"] == row["games"] == 60
    assert len(row["interval"]) == 2
    assert [r["rating"] for r in found["ratings"]] == sorted(
        (r["rating"] for r in found["ratings"]), reverse=True
    )
    assert found["ratings"][-1]["agent"] == "random"
    assert found["model"]["first_move"] > 0


def test_text_and_figure(tmp_path: Path) -> None:
    figure = tmp_path / "table.svg"
    answer = oxo(*WORDS, "--figure", str(figure), "--show")
    assert answer.exit_code == 0
    assert answer.stdout.startswith("seat 1")
    assert "first move +" in answer.stdout
    assert answer.stdout.count("●") == 3
    assert f"wrote {figure}" in answer.stderr
    assert "<svg" in figure.read_text("utf-8")


def test_openskill() -> None:
    words = ("tournament", "3^2:players=3", "random", "ising", "greedy", "--games", "5")
    found = answer(*words, "--distinct", "--openskill")
    assert {"mu", "sigma", "ordinal"} == found["ratings"][0]["openskill"].keys()
    assert "openskill" in oxo(*words, "--distinct", "--openskill").stdout.splitlines()[8]


@pytest.mark.parametrize(
    ("words", "line", "code"),
    [
        (["3^2", "random"], "two agents or more", 2),
        (["3^2", "random", "ising", "--figure", "x.gif"], "must end in", 2),
        (["3^2:players=3", "random", "ising", "--figure", "x.svg"], "two players", 2),
        (["3^2:players=3", "random", "ising", "--distinct"], "3 different agents", 2),
    ],
)
def test_usage(words: list[str], line: str, code: int) -> None:
    answer = oxo("tournament", *words, "--games", "1")
    assert (answer.exit_code, answer.stdout) == (code, "")
    assert line in answer.stderr


@pytest.mark.parametrize(
    ("option", "package", "extra"),
    [
        (["--openskill"], "openskill.models", "ratings"),
        (["--figure", "x.svg"], "matplotlib", "plot"),
    ],
)
def test_missing_extras(
    option: list[str], package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    importlib.import_module("openskill.models")
    monkeypatch.setitem(sys.modules, package, None)
    answer = oxo(*WORDS, *option)
    assert answer.exit_code == 1
    assert f'needs the extra "{extra}"' in answer.stderr
    assert answer.stdout == ""
