"""The table of values: right, proved, resumed, and never more sure than it may be."""

from __future__ import annotations

import json
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError, NotSupportedError
from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.cli.values import _row
from hyperoxo_research.lab import values
from hyperoxo_research.lab.values import table_of_values
from tests.command import oxo, printed

GAMES = ("3^2", "4,3,3", "4,4,4", "3^2:misere", "3^2:gravity", "2^3", "5,2,3:gravity")


def by_game(folder: Path, *games: str, seconds: float = 20.0) -> dict[str, dict[str, Any]]:
    found = table_of_values(folder, games, seconds=seconds)
    return {one["game"]: one for one in found.entries}


@pytest.mark.more
def test_values_are_right_and_every_file_proves_its_part(tmp_path: Path) -> None:
    from hyperoxo.solvers import solve

    found = by_game(tmp_path, *GAMES)
    assert [*found] == [*GAMES]
    for spec, answer in found.items():
        assert answer["value"] == solve(spec).value, spec
        assert answer["certified"], spec
        assert not answer["by_search_alone"]
        assert answer["agrees"] in (None, True)
        for one in answer["proofs"]:
            verdict = verify(tmp_path / one["file"])
            assert verdict.proved
            assert verdict.claim == one["claim"]
            assert str(Game(spec)) in verdict.claim
    draw = found["3^2:gravity"]
    assert [one["player"] for one in draw["proofs"]] == [1, 2]


@pytest.mark.more
def test_sizes_of_connect_four_agree_with_the_published_table(tmp_path: Path) -> None:
    found = by_game(tmp_path, "4,4,4:gravity", "6,4,4:gravity", "5,5,4:gravity")
    assert [one["plies"] for one in found.values()] == [16, 24, 25]
    assert [one["value"] for one in found.values()] == ["draw", "loss", "draw"]
    for spec, one in found.items():
        assert one["certified"], spec
        assert one["agrees"], spec
        assert one["published_plies"] == values.PLIES[spec]
        assert values._is_done(tmp_path, one, 10**6)
        assert not values._is_done(tmp_path, {**one, "plies": None}, 10**6)
    assert dict.fromkeys(("7,6,4:gravity", "6,7,4:gravity"), 41).items() <= values.PLIES.items()


@pytest.mark.more
def test_what_is_done_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = by_game(tmp_path, "3^2", "4,3,3")
    asked: list[str] = []
    work = values._Work

    def counted(position: Any, *more: Any) -> Any:
        asked.append(str(position.game))
        return work(position, *more)

    monkeypatch.setattr(values, "_Work", counted)
    assert by_game(tmp_path, "3^2", "4,3,3", seconds=40.0) == first
    assert not asked
    (tmp_path / "4,3,3-1.oxo").unlink()
    assert by_game(tmp_path, "3^2", "4,3,3")["4,3,3"]["certified"]
    assert asked == ["4,3,3"]
    (tmp_path / "values.json").write_text("{")
    by_game(tmp_path, "3^2")
    assert asked == ["4,3,3", "3^2"]


def test_what_is_left_open_is_tried_again_with_more_time(tmp_path: Path) -> None:
    tight = by_game(tmp_path, "5,4,4:gravity", seconds=0.0)["5,4,4:gravity"]
    assert (tight["value"], tight["certified"]) == ("unknown", False)
    assert tight["bounds"] == ["loss", "win"]
    assert not tight["proofs"]
    assert _row({**tight, "lasts": 9})["plies"] == "over 9"
    again = by_game(tmp_path, "5,4,4:gravity", seconds=0.0)["5,4,4:gravity"]
    assert again == tight
    more = by_game(tmp_path, "5,4,4:gravity", seconds=0.01)["5,4,4:gravity"]
    assert more["limit"] == 0.01


def test_a_longer_limit_goes_through_all_that_a_shorter_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    def stretches(seconds: float) -> list[tuple[str, float]]:
        tried: list[tuple[str, float]] = []

        def spend(work: Any, task: Task, name: str) -> bool:
            tried.append((name, task.left))
            clock[0] += task.left
            return name != "plans" or len(tried) < 4

        work = values._Work
        monkeypatch.setattr(
            work, "_compiled", lambda self, do, task: spend(self, task, names[do.__name__])
        )
        monkeypatch.setattr(work, "_search_proof", partialmethod(spend, name="proof"))
        by_game(tmp_path / str(seconds), "5,5,4:gravity", seconds=seconds)
        return tried

    names = {"_find_drawing_plan": "plans", "_deepen": "deeper", "_search_to_the_end": "exact"}
    monkeypatch.setattr("hyperoxo.task.working_time", lambda: clock[0])
    long = stretches(60.0)
    assert long[:8] == [
        *(("plans", 1.0), ("proof", 1.0), ("exact", 1.0), ("deeper", 1.0)),
        *(("plans", 2.0), ("proof", 2.0), ("exact", 2.0), ("deeper", 2.0)),
    ]
    assert long[8:] == [
        *(("proof", 4.0), ("exact", 4.0), ("deeper", 4.0)),
        *(("proof", 8.0), ("exact", 8.0), ("deeper", 8.0), ("proof", 12.0)),
    ]
    for seconds in (0.5, 3.0, 11.0, 40.0):
        short = stretches(seconds)
        assert short[:-1] == long[: len(short) - 1]
        assert short[-1][0] == long[len(short) - 1][0]
        assert sum(most for _, most in short) == seconds


def test_half_a_value_is_proved_as_such_and_kept_at_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Task, "run", lambda self, work, flag: False)
    found = table_of_values(tmp_path, ["4^3:misere", "3^2"])
    [answer] = found.entries
    assert (found.interrupted, answer["limit"]) == (True, 0.0)
    assert (answer["value"], answer["bounds"]) == ("unknown", ["loss", "draw"])
    [proof] = answer["proofs"]
    assert (proof["player"], verify(tmp_path / proof["file"]).proved) == (2, True)


@pytest.mark.parametrize("spec", ["3^3:gravity", "4,4,3:gravity", "4,4,3:misere", "5,4,3"])
def test_deepening_alone_ends_where_the_shortest_win_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    for name in ("_take_stored", "_find_drawing_plan", "_search_to_the_end"):
        monkeypatch.setattr(values._Work, name, lambda self: None)
    monkeypatch.setattr(values._Work, "_search_proof", lambda self, task: False)
    found, right = by_game(tmp_path, spec)[spec], ox.solve(spec)
    assert (found["value"], found["lasts"] + 1) == (right.value, right.remoteness)
    assert found["value"] != "draw"


def test_games_that_it_is_not_for(tmp_path: Path) -> None:
    for spec in ("3^2:players=3", "3^2:convention=maker-breaker"):
        with pytest.raises(NotSupportedError, match=r"it needs (two players|normal play)"):
            table_of_values(tmp_path, [spec])
    with pytest.raises(CheckFailedError, match="a worker has no folder"):
        values._answer(Game("3^2").start(), tmp_path / "elsewhere", "", 1.0, Task())


def test_published_values_are_of_games() -> None:
    assert all(str(Game(spec)) == spec for spec in values.GAMES)
    published = [one for one in values.GAMES.values() if one is not None]
    assert {value for value, _ in published} <= {"win", "draw", "loss"}


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "values"
    text = printed(oxo("values", "3^2", "4^3:misere", "--out", str(out), "--seconds", "3"))
    assert "3-2-2.oxo" in text
    assert "loss or draw" in text
    assert "1 of 2 games decided" in text
    data = json.loads(oxo("values", "3^2", "--out", str(out), "--format", "json").stdout)
    assert (data["decided"], data["contradicted"]) == (1, [])
    assert "unknown" in oxo("values", "5^3:gravity", "--out", str(out), "--seconds", "0").stdout
    refused = oxo("values", "3^2:players=3", "--out", str(out))
    assert refused.exit_code == 2
