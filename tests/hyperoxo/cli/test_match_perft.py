"""`oxo match` and `oxo perft` as commands; what they count is tested where it is counted."""

from __future__ import annotations

import json

import pytest

import hyperoxo.solvers
from hyperoxo.cli.progress import Progress
from hyperoxo.solvers import PerftResult
from tests.command import answer, oxo


def test_match() -> None:
    words = "match", "3^2", "random", "greedy", "--games", "200", "--seed", "1"
    found = answer(*words)
    assert found["games"] == 200
    assert sum(found["wins"]) + found["draws"] == 200
    assert found["wins"][1] > found["wins"][0]
    assert found["agents"] == ["random", "greedy"]
    assert found["seed"] == 1
    assert len(found["interval"]) == 2
    assert all(
        low <= won / 200 <= high
        for won, (low, high) in zip(found["wins"], found["interval"], strict=True)
    )
    assert found["seconds"] > 0
    assert found["games_per_second"] > 0
    again = answer(*words, "--threads", "2")
    assert again["wins"] == found["wins"]


def test_match_by_agent() -> None:
    words = ("match", "3^2", "random", "greedy", "--games", "200", "--swap", "--seed", "1")
    text = oxo(*words).stdout
    assert text.startswith("agent ")
    assert "seed 1" in text
    found = answer(*words)
    assert found["swap"] is True
    assert found["wins"][1] > 100


def test_match_draws_a_seed_and_tells_it() -> None:
    words = ("match", "3^2", "random", "random", "--games", "10")
    first, second = (answer(*words)["seed"] for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["3^2", "random"], "3^2 has 2 seats, one agent each; 1 named"),
        (["3^2", "random", "nobody"], "unknown agent 'nobody'"),
        (["3^2", "random", "random", "--games", "0"], "--games: 0 is not in the range at least 1"),
        (["3^2", "human", "random", "--games", "1"], "'human' plays only where"),
    ],
)
def test_match_usage(words: list[str], line: str) -> None:
    done = oxo("match", *words)
    assert done.exit_code in (1, 2)
    assert done.stderr.startswith(f"oxo match: {line}")
    assert done.stdout == ""


def test_perft() -> None:
    found = answer("perft", "3^2", "--plies", "5")
    assert found["sequences_by_ply"] == [1, 9, 72, 504, 3024, 15120]
    assert found["games_by_ply"] == [0, 0, 0, 0, 0, 1440]
    assert (found["wins"], found["draws"], found["complete"]) == ([1440, 0], 0, True)


def test_perft_from_a_position() -> None:
    found = answer("perft", "3^2", "--plies", "2", "--position", "moves:4,0,3,1")
    assert found["sequences_by_ply"] == [1, 5, 16]


def test_shared_wins_are_not_summed_up() -> None:
    assert "games_by_ply" not in answer("perft", "3^2:misere,players=3", "--plies", "7")


def test_perft_in_text() -> None:
    text = oxo("perft", "3^2", "--plies", "2").stdout
    assert [row.split()[:2] for row in text.splitlines()[:4]] == [
        ["ply", "sequences"], ["0", "1"], ["1", "9"], ["2", "72"],
    ]  # fmt: skip


def test_an_interrupted_count_is_given_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    part = PerftResult((1, 9), ((0, 0), (0, 0)), (0, 0), complete=False)
    monkeypatch.setattr(hyperoxo.solvers, "perft", lambda *_, **__: part)
    done = oxo("perft", "3^2", "--plies", "9", "--format", "json")
    assert done.exit_code == 130
    assert json.loads(done.stdout)["complete"] is False
    assert done.stderr == "interrupted; the counts are incomplete\n"


def test_progress_shows_nothing_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("counting") as progress:
        progress(1, 2)
    assert capsys.readouterr().err == ""
