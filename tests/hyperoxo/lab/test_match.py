"""Matches: counted by seat or by agent, from any opening, and ended by a sequential test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.base import Agent, Randomness
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Position
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab import ResultStore, SequentialTest
from hyperoxo.lab.games import Tally
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.sequential import interim_counts, judge, log_ratio
from tests.expect import message_of, require


class Last(Agent):
    """Plays the last legal cell; has no compiled form."""

    spec = "last"

    def choose(self, position: Position, rng: Randomness = None) -> int:
        return position.legal_moves[-1]


class Rogue(Last):
    spec = "rogue"

    def choose(self, position: Position, rng: Randomness = None) -> int:
        return -1 if position.ply else 0


def test_the_ising_player_beats_chance_from_both_seats() -> None:
    first = ox.match("3^2", ["ising", "random"], games=4000, seed=1)
    assert first.wins[0] > 3900
    assert first.compiled
    second = ox.match("3^2", ["random", "ising"], games=4000, seed=1)
    assert 0.84 < second.wins[1] / 4000 < 0.91  # published: 85.77 % of 10,000
    assert second.wins[0] < 50  # published: 0.42 %


def test_plain_and_compiled_matches_agree() -> None:
    class Plain(Last):
        spec = "plain"

        def choose(self, position: Position, rng: Randomness = None) -> int:
            return ox.agent("ising").choose(position, rng)

    plain = ox.match("3^2", [Plain(), "random"], games=300, seed=0)
    compiled = ox.match("3^2", ["ising", "random"], games=3000, seed=0)
    assert not plain.compiled
    assert abs(plain.wins[0] / 300 - compiled.wins[0] / 3000) < 0.04


def test_swapped_seats_are_counted_by_agent() -> None:
    result = ox.match("3^2", ["random", "ising"], games=2001, seed=4, swap=True)
    assert result.wins[1] > 10 * result.wins[0]
    assert sum(result.wins) + result.draws == 2001
    plain = ox.match("3^2", [Last(), "ising"], games=51, seed=4, swap=True)
    assert sum(plain.wins) + plain.draws == 51
    assert plain.wins[1] > plain.wins[0]


def test_rotated_seats_of_equal_agents_are_different_games() -> None:
    result = ox.match("3^2", ["random", "random"], games=400, seed=3, swap=True)
    once = ox.match("3^2", ["random", "random"], games=200, seed=3)
    assert result.wins != tuple(2 * won for won in once.wins)


@pytest.mark.parametrize("game", ["3^2", "3^2:players=3", "3^2:misere"])
@pytest.mark.parametrize("kind", [Last, lambda: "ising:ties=lowest"], ids=["plain", "compiled"])
def test_every_seating_plays_the_same_random_openings(
    game: str, kind: Callable[[], Agent | str]
) -> None:
    agents = [kind() for _ in range(ox.Game(game).players)]
    found = [ox.match(game, agents, 30 * n, random_plies=3, swap=n > 1) for n in (1, len(agents))]
    # The agents do not draw, so that the games of all rotations are the same.
    assert found[1].draws == len(agents) * found[0].draws
    assert found[1].plies == found[0].plies
    assert sum(found[1].wins) == len(agents) * sum(found[0].wins)
    assert len(set(found[1].wins)) == 1
    assert found[0].plies > 3
    assert found[0].plies % 1 or found[0].draws  # not one game over and over


def test_openings_leave_the_game_open() -> None:
    for other in Last(), "ising":
        assert ox.match("3^2", ["random", other], games=200, random_plies=8).plies == 9
    with pytest.raises(SpecError, match="random plies must be 0 to 8"):
        ox.match("3^2", ["random", "random"], random_plies=9)
    with pytest.raises(SpecError, match="goes on after 3 random plies"):
        ox.match("2^2", ["random", "random"], random_plies=3)


def test_a_win_on_the_last_cell_counts_as_a_draw_where_asked() -> None:
    by_rules = ox.match("3^2", ["random", "random"], games=20_000, seed=3)
    by_report = ox.match("3^2", ["random", "random"], games=20_000, seed=3, scoring="report")
    assert abs(by_rules.draws / 20_000 - 8 / 63) < 0.01
    # All games of nine moves: 8/63 drawn and 71/315 won by the last move.
    assert abs(by_report.draws / 20_000 - (8 / 63 + 71 / 315)) < 0.015
    assert abs(by_report.wins[1] / 20_000 - 121 / 420) < 0.015
    plain = ox.match("3^2", [Last(), "random"], games=100, seed=3, scoring="report")
    assert plain.draws >= ox.match("3^2", [Last(), "random"], games=100, seed=3).draws
    with pytest.raises(SpecError, match="scoring must be"):
        ox.match("3^2", ["random", "random"], scoring="mine")


def test_agents_without_a_spec_play_alone_and_unstored(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="plays with one worker only"):
        ox.match("3^2", [Last(), "random"], games=5, workers=2)
    with ResultStore(tmp_path / "r.sqlite") as store:
        refused = message_of(SpecError, ox.match, "3^2", [Last(), "random"], games=5, store=store)
    assert "cannot be stored" in refused


def test_shared_wins_are_counted_for_all() -> None:
    result = ox.match("3^2:players=3,misere", ["random"] * 3, games=2000, seed=0)
    assert sum(result.wins) == 2 * (2000 - result.draws)


def test_progress_and_figures() -> None:
    seen: list[int] = []

    def note(done: int, _: int) -> None:
        seen.append(done)

    result = ox.match("3^2", [Last(), "random"], games=5, progress=note)
    assert seen == sorted(seen)
    assert seen[-1] == 5
    assert result.games_per_second > 0
    assert len(result.interval) == 2
    assert 5 <= result.plies <= 9
    seen.clear()
    ox.match("3^2", ["random", "random"], games=5, swap=True, progress=note)
    assert seen == [3, 5]


@pytest.mark.parametrize(
    ("agents", "games", "error"),
    [
        (["random"], 5, SpecError),
        (["random"] * 2, 0, SpecError),
        (["nobody", "random"], 5, SpecError),
        (["human", "random"], 5, AgentError),
        ("random", 5, SpecError),
        (["random", 5], 5, SpecError),
    ],
)
def test_wrong_requests_are_refused(agents: Any, games: int, error: type) -> None:
    assert message_of(error, ox.match, "3^2", agents, games=games)


def test_an_illegal_choice_ends_the_match() -> None:
    assert "rogue chose -1" in message_of(AgentError, ox.match, "3^2", ["random", Rogue()], games=1)


def test_wilson_interval_against_scipy() -> None:
    from scipy.stats import binomtest

    for won, games in [(0, 10), (1, 10), (5, 10), (10, 10), (123, 4567)]:
        theirs = binomtest(won, games).proportion_ci(method="wilson")
        assert np.allclose(wilson_interval(won, games), (theirs.low, theirs.high))
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert message_of(SpecError, wilson_interval, 3, 2)
    assert message_of(SpecError, wilson_interval, 1, 2, 1.0)


class Urn:
    """Games of two seats with given odds of win and loss for the first agent, from a seed."""

    def __init__(self, odds: list[tuple[float, float]], seed: int) -> None:
        self.odds = odds
        self.rng = np.random.default_rng(seed)
        self.drawn: list[np.ndarray] = [self.rng.random(0) for _ in odds]

    def play(self, each: int) -> list[Tally]:
        found = []
        for seat, (win, loss) in enumerate(self.odds):
            more = self.rng.random(max(0, each - len(self.drawn[seat])))
            self.drawn[seat] = np.concatenate([self.drawn[seat], more])
            draws = self.drawn[seat]
            won = int((draws < win).sum())
            lost = int((draws >= 1 - loss).sum())
            found.append(Tally(len(draws), (won, lost), len(draws) - won - lost, 0))
        return found


def share_of_yes(odds: list[tuple[float, float]], test: SequentialTest, trials: int) -> float:
    verdicts = []
    for seed in range(trials):
        urn = Urn(odds, seed)
        for each in interim_counts(3000, len(odds)):
            found = judge(test, ["A", "B"], sum(urn.play(each), Tally.none(2)))
            if found.verdict != "undecided":
                break
        verdicts.append(found.verdict)
    return verdicts.count("yes") / trials


TEST = SequentialTest("A>B", alpha=0.1, beta=0.1, effect=0.65)


@pytest.mark.parametrize(
    "odds",
    [
        [(0.5, 0.5)],
        [(0.2, 0.2)],
        [(0.9, 0.1), (0.1, 0.9)],  # the first move decides, and the agents are equal
        [(0.6, 0.1), (0.05, 0.55)],
        [(0.2, 0.3)],
    ],
)
def test_equal_agents_are_told_apart_seldom(odds: list[tuple[float, float]]) -> None:
    # 600 trials: a rate of 0.1 shows more than 0.14 once in a thousand times.
    assert share_of_yes(odds, TEST, 600) < 0.14


@pytest.mark.parametrize("odds", [[(0.65, 0.35)], [(0.26, 0.14)], [(0.9, 0.1), (0.4, 0.6)]])
def test_an_effect_is_found_mostly(odds: list[tuple[float, float]]) -> None:
    assert share_of_yes(odds, TEST, 600) > 0.86


def test_the_ratio_is_that_of_the_likelihoods() -> None:
    p = 0.6
    direct = 30 * np.log(p / 0.5) + 20 * np.log((1 - p) / 0.5)
    assert log_ratio(30, 20, p) == pytest.approx(direct)


def test_a_match_ends_when_it_is_clear() -> None:
    test = SequentialTest("A>B")
    clear = ox.match("3^2", ["ising", "random"], 10_000, seed=1, swap=True, until=test)
    assert require(clear.test).verdict == "yes"
    assert clear.games < 200
    turned = ox.match(
        "3^2", ["ising", "random"], 10_000, seed=1, swap=True,
        until=SequentialTest("random>ising"),
    )  # fmt: skip
    assert require(turned.test).verdict == "no"
    even = ox.match("3^2", ["minimax", "minimax"], 101, seed=1, until=test)
    assert (require(even.test).verdict, even.games, even.draws) == ("undecided", 101, 101)


def test_with_three_players_two_are_compared() -> None:
    found = ox.match(
        "3^2:players=3", ["random", "ising", "random"], 3000, seed=1, swap=True,
        until=SequentialTest("B>C"),
    )  # fmt: skip
    assert found.test is not None
    assert found.test.verdict == "yes"
    assert (found.test.won, found.test.lost) == (found.wins[1], found.wins[2])


def test_in_misere_of_three_losses_are_compared() -> None:
    found = ox.match(
        "3^2:players=3,misere", ["random", "random", "random"], 300, seed=1, swap=True,
        until=SequentialTest("A>B"),
    )  # fmt: skip
    assert found.test is not None
    decided = found.games - found.draws
    assert found.test.won == decided - found.wins[1]
    assert found.test.lost == decided - found.wins[0]


@pytest.mark.more
def test_an_interrupted_test_ends_as_it_would_have(tmp_path: Path) -> None:
    test = SequentialTest("A>B", effect=0.52)
    agents = ["ising:bias=0.7", "ising:bias=0.3"]
    whole = ox.match("3^2", agents, 4000, seed=1, swap=True, until=test)

    def stop(done: int, total: int) -> None:
        if done > whole.games // 3:
            raise KeyboardInterrupt

    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(RunInterrupted):
            ox.match("3^2", agents, 4000, seed=1, swap=True, until=test, store=store, progress=stop)
        again = ox.match("3^2", agents, 4000, seed=1, swap=True, until=test, store=store)
    assert (again.games, again.wins, again.test) == (whole.games, whole.wins, whole.test)


@pytest.mark.parametrize(
    ("test", "line"),
    [
        (SequentialTest("A"), "write A>B"),
        (SequentialTest("A>A"), "both sides are the same"),
        (SequentialTest("A>C"), "'C' is not one of the agents A, B"),
        (SequentialTest("random>ising"), "'random' is not one"),
        (SequentialTest("A>B", alpha=0.5), "alpha must lie between"),
        (SequentialTest("A>B", beta=0), "beta must lie between"),
        (SequentialTest("A>B", effect=0.5), "effect must lie between"),
    ],
)
def test_wrong_tests_are_refused(test: SequentialTest, line: str) -> None:
    with pytest.raises(SpecError, match=line):
        ox.match("3^2", ["random", "random"], until=test)
