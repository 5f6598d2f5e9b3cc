from __future__ import annotations

import pytest

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo_research.lab.ladder import LADDERS, Rung, climb
from tests.command import answer


def rung(won: int, lost: int, players: int = 2) -> Rung:
    return Rung("3^2", "depth", "a", "b", won + lost, won, lost, 0, players)


def test_a_rung_holds_unless_weaker_beyond_the_interval() -> None:
    assert rung(100, 0).holds
    assert rung(48, 52).holds
    assert not rung(20, 80).holds
    assert rung(30, 70, players=3).holds
    assert not rung(20, 180, players=3).holds
    assert rung(0, 0).holds


def test_every_ladder_names_agents_that_play_its_game() -> None:
    from hyperoxo.agents import agent

    for spec, rows in LADDERS.items():
        for row in rows.values():
            for named in row:
                agent(named).check(Game(spec))


@pytest.mark.more
def test_climbing_three_squared() -> None:
    seen: list[tuple[int, int]] = []
    rungs = list(
        climb(("3^2",), count=60, seed=1, progress=lambda done, all_: seen.append((done, all_)))
    )
    assert seen[-1] == (len(rungs), len(rungs))
    assert all(rung.holds for rung in rungs)
    deeper = next(rung for rung in rungs if rung.stronger == "minimax:depth=2")
    assert deeper.won > deeper.lost
    assert all(rung.won + rung.lost + rung.draws == 60 for rung in rungs)


def test_unknown_games_are_refused() -> None:
    with pytest.raises(SpecError, match="no ladder for 9\\^9"):
        next(climb(("9^9",)))


def test_the_command() -> None:
    found = answer("ladder", "3^2", "--games", "20", "-q")
    assert found["holds"]
    assert {rung["kind"] for rung in found["rungs"]} == {"depth", "simulations", "knowledge"}
