"""The study of minimax of fixed depth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.game import Game
from hyperoxo.solvers.exact.minimax import maxstates
from hyperoxo.task import Task
from hyperoxo_research.study import Bench, study
from hyperoxo_research.study import prolog as module
from hyperoxo_research.study.display import verdicts
from hyperoxo_research.study.prolog import READINGS, ReadSearch, five_games, most_visited, visited


def plain(depth: int, heuristic: str = "lines") -> MinimaxAgent:
    return MinimaxAgent(depth=depth, heuristic=heuristic, prune="off")


def count(position, depth: int) -> int:  # type: ignore[no-untyped-def]
    """Count positions below, by the definition."""
    if depth == 0 or position.is_over:
        return 0
    return sum(1 + count(position.play(cell), depth - 1) for cell in position.legal_moves)


@pytest.mark.parametrize("game", ["3^2", "3^3:gravity"])
def test_all_positions_below_the_root_are_counted(game: str) -> None:
    """The same games by hand: every search visits what there is to visit, and no more."""
    players = plain(2), plain(3)
    expected = [0, 0]
    rng = np.random.default_rng([7, 0])
    position = Game(game).start()
    while not position.is_over:
        seat = position.to_move - 1
        expected[seat] += count(position, seat + 2)
        position = position.play(players[seat].choose(position, rng))
    assert visited(Game(game), players, 1, 7).tolist() == [expected]


def test_published_counts_that_chance_has_no_part_in_are_met() -> None:
    game = Game("3^2")
    assert (5 * visited(game, (plain(2), plain(2)), 3)).tolist() == [[825, 600]] * 3
    assert (5 * visited(game, (plain(1), plain(2)), 3)).tolist() == [[105, 565]] * 3


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_the_bound_counts_positions_on_the_way(depth: int) -> None:
    by_hand = 0
    for free in range(9, 0, -2):
        for plies in range(1, min(depth, free) + 1):
            by_hand += math.prod(range(free, free - plies, -1))
    assert most_visited(9, depth) == by_hand
    seen = visited(Game("3^2"), (plain(depth), plain(depth)), 3)
    assert (seen[:, 0] <= by_hand).all()
    assert (seen[:, 1] <= most_visited(9, depth, seat=2)).all()


def test_maxstates_is_no_upper_bound_of_the_published_count() -> None:
    assert maxstates(9, 2) == 140 < 825 / 5 == most_visited(9, 2)


def test_totals_of_five_games_are_compared_by_those_of_ours() -> None:
    spread = np.arange(100)
    assert five_games("x", 5 * 50, spread).agrees
    assert not five_games("x", 5 * 98, spread).agrees
    alone = five_games("x", None, spread)
    assert (alone.agrees, alone.ours) == (None, 247.5)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    visited(Game("3^2"), (plain(1), plain(1)), 2, task=Task(lambda *done: told.append(done)))
    assert told == [(1, 2), (2, 2)]


def test_the_published_table_is_complete() -> None:
    assert len(module.TABLE) == 14
    assert all(sum(row.results) == 5 for row in module.TABLE)


@pytest.mark.more
def test_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With few games, and without the boards that take long."""
    monkeypatch.setattr(Bench, "size", lambda _self, reduced, _full: min(reduced, 5))
    monkeypatch.setattr(module, "_BOARDS", {"3^2": 2, "3^3:gravity": 1})
    monkeypatch.setattr(module, "_COUNTED", (("3^2", 3), ("3^3", 1)))
    report = study("prolog", tmp_path)
    tables = {table.name: table.as_data()["rows"] for table in report.tables}
    assert len(tables["results"]) == 3 * len(module.TABLE)
    states = {row["quantity"]: row for row in tables["states"]}
    wrong = [name for name, row in states.items() if "Cannot be right" in row["remark"]]
    assert wrong == ["4^3, 1/0 - 2/0: states of O"]
    assert states["4^2, 2/0 - 3/0: states of X"]["agrees"] is None
    assert all(states[f"3^2, 2/1 - 2/1: states of {player}"]["agrees"] for player in "OX")
    equal = {(row["board"], row["depth"]): row for row in tables["equal"]}
    assert equal["3^2", 2]["the report's rule"] == "holds in every game"
    assert equal["3^2", 1]["the report's rule"] == "does not hold"
    over = [(row["board"], row["depth"]) for row in tables["maxstates"]
            if row["more than maxstates"]]  # fmt: skip
    assert over == [("3^2", 2), ("3^2", 3)]
    assert all(row["visited"] <= row["with those on the way"] for row in tables["maxstates"])
    for row in tables["heuristics"]:
        shares = row["one wins, %"] + row["other wins, %"] + row["drawn, %"]
        assert shares == pytest.approx(100)
    assert (tmp_path / "figures" / "maxstates.svg").stat().st_size > 1000


def test_the_usual_reading_is_that_of_the_agent() -> None:
    usual, *_ = READINGS
    for spec, most in (("3^2", 5), ("3^3:gravity", 2)):
        search = ReadSearch(Game(spec), (2, 2), usual)
        games = [search.play(np.random.default_rng([0, number])) for number in range(most)]
        assert len(games) == most
        if spec == "3^2":
            assert {seen for _, seen in games} == {(165, 120)}
            assert {winner for winner, _ in games} == {0}
        else:
            assert {winner for winner, _ in games} == {1}


def test_readings_differ_in_what_they_visit() -> None:
    seen = {}
    for reading in READINGS:
        search = ReadSearch(Game("3^3:gravity"), (2, 2), reading)
        games = [search.play(np.random.default_rng([0, number])) for number in range(6)]
        seen[reading.last, reading.stops] = np.mean([sum(visited) for _, visited in games])
    assert seen[False, True] < seen[False, False] < seen[True, False]
    assert seen[True, True] < seen[True, False]


def test_a_reading_explains_the_rows_in_three_dimensions(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row for row in module.TABLE if row.game == "3^3:gravity"]
    monkeypatch.setattr(module, "TABLE", rows[:1])
    monkeypatch.setattr(module, "_READ", ("3^3:gravity",))
    section = module._readings(Bench())
    counted = {row[1]: row[2:] for row in section.tables[0].rows}
    assert counted["the square moved to; every move"] == (3, 0)
    assert counted["own squares less the rival's; every move"] == (1, 2)
    assert not verdicts([section])
