"""Tournaments: every seating once, however it is played; and ratings that find the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import hyperoxo as ox
from hyperoxo.errors import AgentError, LimitError, SpecError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.games import Tally
from hyperoxo.lab.plots.figures import tournament_figure
from hyperoxo.lab.plots.style import save, svg_text
from hyperoxo.lab.results import result_rows
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.tournament import POINTS, rate, skills

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
    assert len(ox.tournament("3^2", AGENTS, games=5, distinct=True).table) == 6


def test_three_players() -> None:
    result = ox.tournament("3^2:players=3", AGENTS, games=20, distinct=True)
    assert len(result.table) == 6
    assert {len(row.tally.interval) for row in result.table} == {3}
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
    ("asked", "error", "line"),
    [
        ({"agents": ["random"]}, SpecError, "two agents or more"),
        ({"agents": ["random", "ising", "random"]}, SpecError, "random is named twice"),
        ({"agents": ["random", "nobody"]}, SpecError, "unknown agent 'nobody'"),
        ({"agents": ["random", "human"]}, AgentError, "human"),
        ({"game": "3^2:players=8", "agents": [*AGENTS, "mcts"]}, LimitError, "65,536 seatings"),
        ({"game": "3^2:players=4", "distinct": True}, SpecError, "4 seats take 4 different"),
        ({"games": 0}, SpecError, "number of games"),
        ({"seed": -1}, SpecError, "must be at least 0"),
    ],
)
def test_wrong_tournaments_are_refused(
    asked: dict[str, Any], error: type[Exception], line: str
) -> None:
    with pytest.raises(error, match=line):
        ox.tournament(**{"game": "3^2", "agents": AGENTS, "games": 1, **asked})


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


Results = list[tuple[tuple[int, ...], Tally]]


def drawn(points: list[float], seats: list[float], draws: float, games: int, seed: int) -> Results:
    """Games of a world in which the model holds."""
    rng = np.random.default_rng(seed)
    players = len(seats)
    found: Results = []
    for seated in np.ndindex(*[len(points)] * players):
        logs = np.array([points[a] + seats[s] for s, a in enumerate(seated)]) / POINTS
        weights = np.exp([*logs, draws + logs.mean()])
        counts = rng.multinomial(games, weights / weights.sum())
        found.append((seated, Tally(games, tuple(map(int, counts[:-1])), int(counts[-1]), 0)))
    return found


@pytest.mark.parametrize(
    ("points", "seats", "draws"),
    [
        ([-100.0, 0.0, 100.0], [50.0, -50.0], 0.3),
        ([-150.0, 150.0], [0.0, 0.0], -2.0),
        ([-200.0, 50.0, 150.0], [60.0, 0.0, -60.0], 0.5),
    ],
)
def test_the_truth_is_found_again(points: list[float], seats: list[float], draws: float) -> None:
    model = rate(len(points), drawn(points, seats, draws, 20_000, seed=1))
    assert [rating.value for rating in model.ratings] == pytest.approx(points, abs=6)
    assert [seat.value for seat in model.seats] == pytest.approx(seats, abs=6)
    assert model.draws.value == pytest.approx(draws, abs=0.05)
    assert model.deviance < 3 * model.degrees + 10
    rest = seats[1:]
    assert model.first_move == pytest.approx(seats[0] - sum(rest) / len(rest), abs=10)


@pytest.mark.more
def test_intervals_cover_the_truth_nineteen_times_in_twenty() -> None:
    points = [-80.0, 10.0, 70.0]
    covered = 0
    for seed in range(200):
        model = rate(3, drawn(points, [40.0, -40.0], 0.2, 60, seed))
        covered += sum(
            rating.low <= truth <= rating.high
            for rating, truth in zip(model.ratings, points, strict=True)
        )
    # 600 intervals; the three of one tournament depend on each other.
    assert 0.91 < covered / 600 < 0.98


def test_the_maximum_agrees_with_that_of_a_general_search() -> None:
    results = drawn([-100.0, 0.0, 100.0], [30.0, -30.0], 0.3, 50, seed=3)
    model = rate(3, results)

    def shortfall(at: np.ndarray) -> float:
        strength = [at[0], at[1], -at[0] - at[1]]
        total = 0.0
        for (first, second), tally in results:
            a, b = np.exp(strength[first] + at[2]), np.exp(strength[second] - at[2])
            tie = np.exp(at[3]) * np.sqrt(a * b)
            shares = np.array([a, b, tie]) / (a + b + tie)
            total -= float(np.array([*tally.wins, tally.draws]) @ np.log(shares))
        return total

    best = minimize(shortfall, np.zeros(4), method="Nelder-Mead", options={"maxiter": 4000}).x
    ours = [model.ratings[0].value, model.ratings[1].value, model.seats[0].value]
    assert ours == pytest.approx(list(best[:3] * POINTS), abs=1.0)  # the prior pulls a little
    assert model.draws.value == pytest.approx(best[3], abs=0.01)


def test_who_never_loses_has_a_finite_rating() -> None:
    results: Results = [((0, 1), Tally(100, (100, 0), 0, 0)), ((1, 0), Tally(100, (0, 100), 0, 0))]
    best, worst = rate(2, results).ratings
    assert 300 < best.value < 3000
    assert best.value == pytest.approx(-worst.value)
    assert best.low < best.value < best.high


def test_seatings_without_games_say_nothing() -> None:
    results: Results = [((0, 1), Tally(10, (7, 3), 0, 0))]
    more: Results = [*results, ((1, 0), Tally.none(2))]
    assert rate(2, results) == rate(2, more)


def test_shared_wins_rate_the_losers() -> None:
    """Agent 2 always loses, so the two others share the wins."""
    results: Results = [
        ((0, 1, 2), Tally(10, (10, 10, 0), 0, 0)),
        ((2, 0, 1), Tally(10, (0, 10, 10), 0, 0)),
    ]
    ratings = [rating.value for rating in rate(3, results, shared=True).ratings]
    assert ratings[2] < min(ratings[:2])
    ranked = [skill.mu for skill in skills(3, results, shared=True)]
    assert ranked[2] < min(ranked[:2])


def test_openskill_ranks_as_the_results_do() -> None:
    results = drawn([-200.0, 0.0, 200.0], [0.0, 0.0, 0.0], -1.0, 20, seed=1)
    found = skills(3, results, seed=1)
    assert found[0].mu < found[1].mu < found[2].mu
    assert found == skills(3, results, seed=1)
    assert all(skill.ordinal == pytest.approx(skill.mu - 3 * skill.sigma) for skill in found)


def test_openskill_looks_at_different_agents_only() -> None:
    found = skills(2, [((0, 0), Tally(50, (50, 0), 0, 0))])
    assert [skill.mu for skill in found] == [25.0, 25.0]
