from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hyperoxo.agents import agent
from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.learn.learner import LEARNERS, learner_names
from hyperoxo.learn.rating import against
from hyperoxo.learn.td import TdLearner
from hyperoxo_research.lab import league as module
from hyperoxo_research.lab.league import (
    ENTRIES,
    FIXED,
    LEAGUE_GAMES,
    Entry,
    league,
    league_table,
    ratings,
)
from tests.command import answer, oxo

OPTIONS = module._options("td", Game("3^2"))


def entry(player: str, minutes: float, seed: int, kept: int, *results: list[int]) -> Entry:
    """Make an entry with the results against `random`, one row for each seat."""
    options = OPTIONS if minutes else {}
    games = {"random": [*results]} if results else {}
    return Entry("3^2", player, minutes, seed, options, minutes, 40, kept, games)


RANDOM = entry("random", 0, 0, 20)
WEAK, STRONG = (
    entry("td", 1, 0, 30, [10, 8, 2], [10, 8, 2]),
    entry("td", 10, 0, 40, [19, 0, 1], [0, 18, 2]),
)


def test_files_read_back(tmp_path: Path) -> None:
    path = tmp_path / "league.json"
    ENTRIES.write(path, (STRONG, WEAK, RANDOM))
    assert ENTRIES.read(path.read_text("utf-8")) == (RANDOM, WEAK, STRONG)
    with pytest.raises(NotationError, match="not entries of the league"):
        ENTRIES.read('[{"game": 3}]')


def test_the_table_takes_runs_of_other_seeds_together() -> None:
    again = replace(WEAK, seed=1, kept=34, spent=2.0)
    head, rows = league_table((RANDOM, WEAK, again, STRONG))
    assert head == ["game", "player", "minutes (spent)", "runs", "error, %", "rating"]
    assert [row[:4] for row in rows] == [
        ["3^2", "random", "", ""],
        ["3^2", "td", "1 (1.50)", "2"],
        ["3^2", "td", "10 (10.00)", "1"],
    ]
    low, high = wilson_interval(16, 80)
    assert rows[1][4] == f"20.0 ({100 * low:.1f} to {100 * high:.1f})"
    assert rows[2][4].startswith("0.0 (0.0 to ")
    unknown = replace(STRONG, positions=0, kept=0)
    assert (unknown.error, STRONG.error) == (None, 0.0)
    assert league_table((RANDOM, unknown))[1][1][4] == ""


def test_ratings_follow_the_games_of_both_seats() -> None:
    found = ratings((RANDOM, WEAK, STRONG))
    random, weak, strong = found.values()
    assert list(found) == [("random", 0), ("td", 1), ("td", 10)]
    assert random.value + weak.value + strong.value == pytest.approx(0, abs=1e-6)
    # Who sits first wins as often as the other does there: equal strength, but for the prior.
    assert weak.value == pytest.approx(random.value, abs=10)
    assert strong.low > weak.high


@pytest.mark.more
def test_entries_of_the_same_options_are_not_measured_again(
    core_alone: None, tmp_path: Path
) -> None:
    path = tmp_path / "league.json"
    known = [entry(player, 0, 0, 1) for player in FIXED]
    known += [entry("td", 1, 5, 2), entry("alphazero", 1, 5, 3)]
    known[-1] = replace(known[-1], options=module._options("alphazero", Game("3^2")))
    ENTRIES.write(path, known)
    assert league(("3^2",), minutes=(1,), seeds=1, seed=5, out=path) == known
    assert WEAK.current
    assert not replace(WEAK, options={**OPTIONS, "rate": 0.2}).current
    assert not replace(WEAK, games={"mcts:simulations=7": []}).current


@pytest.mark.more
def test_players_are_measured_by_values_and_games(
    declare: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Mine(TdLearner):
        known = ("tune",)

    monkeypatch.setattr(module, "Mine", Mine, raising=False)
    declare(f"[hyperoxo.learners]\nmine = {module.__name__}:Mine\n")
    monkeypatch.delitem(LEARNERS, "alphazero")
    path = tmp_path / "league.json"
    found = league(("3^2",), minutes=(0.002,), seeds=1, count=3, positions=60, out=path)
    assert [one.player for one in found] == [*FIXED, "td", "mine"]
    assert found[-1].options == found[-2].options
    assert [*ENTRIES.read(path.read_text("utf-8"))] == found
    by_name = {one.player: one for one in found}
    assert by_name["expert:simulations=1000"].error == 0
    assert by_name["random"].kept < 0.8 * by_name["random"].positions
    assert by_name["greedy"].games.keys() == {"random"}
    td = by_name["td"]
    assert td.spent >= 0.002
    assert td.games.keys() == {*FIXED}
    assert [sum(row) for rows in td.games.values() for row in rows] == [3] * 8
    assert td.games["random"][0][0] + td.games["random"][1][1] >= 4
    assert td.kept > by_name["random"].kept


@pytest.mark.slow
def test_maskable_ppo_learns() -> None:
    pytest.importorskip("sb3_contrib")
    # It learns to win; the share of values that it keeps goes up and down.
    player, spent = module._learned("ppo", Game("3^2"), 0.5, 0)
    assert spent > 0.4
    assert against(Game("3^2"), player, agent("random"), 100).score > 0.55


@pytest.mark.more
def test_the_entries_that_come_with_the_package_are_current() -> None:
    """After a change run `oxo study league --out src/hyperoxo_research/data/league.json`."""
    found = ENTRIES.stored
    assert {one.player for one in found} == {*FIXED, *learner_names()}
    assert {one.game for one in found} <= {*LEAGUE_GAMES}
    for one in found:
        assert one.player == "ppo" or one.current, one.key
        assert one.minutes <= one.spent or one.player == "td" or not one.minutes, one.key


def test_a_learner_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    module._options.cache_clear()
    monkeypatch.setattr(module, "learner_names", lambda: ("ppo",))
    path = tmp_path / "league.json"
    ENTRIES.write(path, [entry(player, 0, 0, 1) for player in FIXED])
    words = "study", "league", "3^2", "--out", str(path)
    done = oxo(*words)
    needed = "ppo needs sb3-contrib: pip install sb3-contrib"
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, needed)
    assert done.stdout.splitlines()[-1].split() == ["ppo", "not", "installed"]
    found = answer(*words, "-q")
    assert found["missing"] == {"ppo": needed}
    assert [one["error"] for one in found["entries"]] == [0.975] * 4


def test_a_learner_that_refuses_a_game_is_not_missing(
    declare: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other(TdLearner):
        def __init__(self, game: Game, seed: int) -> None:
            super().__init__(Game(f"{game}:bias=2+1"), seed)

    monkeypatch.setattr(module, "Mine", Other, raising=False)
    declare(f"[hyperoxo.learners]\nother = {module.__name__}:Mine\n")
    assert module.refusal("other", Game("3^2"))
    assert "other" not in module.missing()
