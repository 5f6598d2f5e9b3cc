"""Tournaments: every seating once, the same whatever the workers, gone on with, and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.errors import AgentError, LimitError, SpecError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.plots.style import save, svg_text
from hyperoxo.lab.plots.tournament import tournament_figure
from hyperoxo.lab.results import result_rows
from hyperoxo.lab.runs import RunInterrupted

AGENTS = ["random", "ising", "greedy"]


def test_every_ordered_seating_is_played() -> None:
    result = ox.tournament("3^2", AGENTS, games=50, seed=1)
    assert [row.places for row in result.table] == [(i, j) for i in range(3) for j in range(3)]
    assert all(row.agents == tuple(AGENTS[i] for i in row.places) for row in result.table)
    assert all(row.tally.games == 50 for row in result.table)
    assert len({row.seed for row in result.table}) == 9
    assert sum(total["games"] for total in result.totals()) == 2 * 9 * 50
    for total in result.totals():
        assert total["wins"] + total["draws"] + total["losses"] == total["games"]
    distinct = ox.tournament("3^2", AGENTS, games=5, distinct=True)
    assert len(distinct.table) == 6


def test_three_players() -> None:
    result = ox.tournament("3^2:players=3", AGENTS, games=20, distinct=True)
    assert len(result.table) == 6
    assert {len(row.interval) for row in result.table} == {3}
    misere = ox.tournament("3^2:players=3,misere", AGENTS, games=20, distinct=True)
    assert misere.shared
    assert len(misere.model.ratings) == 3


def test_a_seating_is_the_match_of_the_same_seed() -> None:
    row = ox.tournament("3^2", AGENTS, games=40, seed=3).table[1]
    assert row.agents == ("random", "ising")
    result = ox.match("3^2", row.agents, games=40, seed=3)
    assert (row.tally.wins, row.tally.draws) == (result.wins, result.draws)


def test_results_do_not_depend_on_workers_nor_on_an_interrupt(tmp_path: Path) -> None:
    whole = ox.tournament("3^2", AGENTS, games=3000, seed=2)

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(RunInterrupted):
            ox.tournament("3^2", AGENTS, games=3000, seed=2, store=store, progress=stop)
        again = ox.tournament("3^2", AGENTS, games=3000, seed=2, store=store, workers=2)
        assert len(result_rows(store)) == 9
    assert [r.tally.wins for r in again.table] == [r.tally.wins for r in whole.table]
    assert again.model.ratings == whole.model.ratings


@pytest.mark.parametrize(
    ("game", "agents", "error", "line"),
    [
        ("3^2", ["random"], SpecError, "two agents or more"),
        ("3^2", ["random", "ising", "random"], SpecError, "random is named twice"),
        ("3^2", ["random", "nobody"], SpecError, "unknown agent 'nobody'"),
        ("3^2", ["random", "human"], AgentError, "human"),
        ("3^2:players=8", ["random", "ising", "greedy", "mcts"], LimitError, "65,536 seatings"),
    ],
)
def test_wrong_tournaments_are_refused(
    game: str, agents: list[str], error: type[Exception], line: str
) -> None:
    with pytest.raises(error, match=line):
        ox.tournament(game, agents, games=1)


def test_more_wrong_tournaments_are_refused() -> None:
    with pytest.raises(SpecError, match="3 seats take 3 different agents"):
        ox.tournament("3^2:players=3", ["random", "ising"], distinct=True)
    with pytest.raises(SpecError, match="number of games"):
        ox.tournament("3^2", AGENTS, games=0)
    with pytest.raises(SpecError, match="must not be negative"):
        ox.tournament("3^2", AGENTS, seed=-1)


@pytest.mark.more
def test_figures_are_the_same_for_the_same_results(tmp_path: Path) -> None:
    result = ox.tournament("3^2", AGENTS, games=20, seed=1)
    for ending in ("svg", "png", "pdf"):
        one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
        save(tournament_figure(result), one)
        save(tournament_figure(result), two)
        assert one.read_bytes() == two.read_bytes()
    assert svg_text(tournament_figure(result)).startswith("<svg")
    with pytest.raises(SpecError, match="must end in"):
        save(tournament_figure(result), tmp_path / "table.gif")
    three = ox.tournament("3^2:players=3", ["random", "ising"], games=2)
    with pytest.raises(SpecError, match="two players"):
        tournament_figure(three)
