"""The sequential test: its error rates, by simulation, and how matches end by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import SpecError
from hyperoxo.lab import ResultStore, SequentialTest
from hyperoxo.lab.games import Tally
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.sequential import judge, log_ratio, looks


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
        for each in looks(3000, len(odds)):
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
    assert clear.test is not None
    assert clear.test.verdict == "yes"
    assert clear.games < 200
    turned = ox.match(
        "3^2", ["ising", "random"], 10_000, seed=1, swap=True,
        until=SequentialTest("random>ising"),
    )  # fmt: skip
    assert turned.test is not None
    assert turned.test.verdict == "no"
    even = ox.match("3^2", ["minimax", "minimax"], 101, seed=1, until=test)
    assert even.test is not None
    assert (even.test.verdict, even.games, even.draws) == ("undecided", 101, 101)


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
        (SequentialTest("A>C"), "'C' is none of the agents A, B"),
        (SequentialTest("random>ising"), "'random' is none"),
        (SequentialTest("A>B", alpha=0.5), "alpha must lie between"),
        (SequentialTest("A>B", beta=0), "beta must lie between"),
        (SequentialTest("A>B", effect=0.5), "effect must lie between"),
    ],
)
def test_wrong_tests_are_refused(test: SequentialTest, line: str) -> None:
    with pytest.raises(SpecError, match=line):
        ox.match("3^2", ["random", "random"], until=test)
