from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.agents import agent
from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.lab.match import MatchResult, match
from hyperoxo_research.lab.experts import BOUTS, EXPERT_GAMES, RIVALS, Bout, bouts, bouts_table
from tests.command import answer, oxo, refusal


def verdict_of(bout: Bout) -> str:
    """Decide the sequential test of a rival that wins 60 % by its own formula."""
    ratio = bout.lost * math.log(1.2) + bout.won * math.log(0.8)
    return "yes" if ratio >= math.log(20) else "no" if ratio <= -math.log(20) else "undecided"


WON = Bout("3^2", "mcts", 0.1, 40, 20, 20, 0, "no")
LOST = Bout("4^2", "puct", 1.0, 30, 5, 5, 20, "yes")


def test_files_read_back(tmp_path: Path) -> None:
    path = tmp_path / "bouts.json"
    BOUTS.write(path, (LOST, WON))
    assert BOUTS.read(path.read_text("utf-8")) == (WON, LOST)
    with pytest.raises(NotationError, match="not matches of expert"):
        BOUTS.read('[{"game": 3}]')


def test_tables_have_a_row_for_each_game_and_time() -> None:
    head, rows = bouts_table((WON, LOST))
    assert head == ["game", "a move", *RIVALS]
    assert rows == [
        ["3^2", "0.1 s", "", "20 : 20 : 0", "", ""],
        ["4^2", "1 s", "5 : 5 : 20 (weaker)", "", "", ""],
    ]


@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3"])
def test_a_weaker_rival_is_given_up_soon(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    def without_clocks(game: Game, agents: list[str], *given: int, **more: Any) -> MatchResult:
        assert agents == ["expert:seconds=0.5", *["mcts:seconds=0.5"] * (game.players - 1)]
        return match(game, ["ising", *["random"] * (game.players - 1)], *given, **more)

    monkeypatch.setattr("hyperoxo_research.lab.experts.match", without_clocks)
    monkeypatch.setattr("hyperoxo_research.lab.experts.RIVALS", ("mcts",))
    (found,) = bouts((spec,), seconds=0.5, count=600)
    assert (found.game, found.rival, found.seconds, found.verdict) == (spec, "mcts", 0.5, "no")
    assert found.games < 200
    assert found.won > 3 * found.lost
    assert found.won + found.drawn + found.lost <= found.games


def test_the_matches_that_come_with_the_package_were_judged_by_the_test() -> None:
    """After a change run `oxo study ladder --experts --out .../data/experts.json`."""
    found = BOUTS.stored
    assert found
    assert {bout.game for bout in found} <= {*EXPERT_GAMES}
    for bout in found:
        agent(f"{bout.rival}:seconds=1").check(Game(bout.game))
        assert bout.verdict == verdict_of(bout), bout


def test_the_command_refuses_two_questions_at_once() -> None:
    command = ("study", "ladder")
    assert "--levels or --experts, not both" in refusal(oxo(*command, "--levels", "--experts"))
    assert "--out belongs to --levels and" in refusal(oxo(*command, "--out", "x.json"))


def test_the_command_resumes_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "bouts.json"
    BOUTS.write(path, [Bout("3^2", rival, 0.1, 1, 0, 0, 1, "yes") for rival in RIVALS])
    found = answer("study", "ladder", "--experts", "3^2", "--out", str(path), "-q", code=1)
    assert not found["holds"]
    assert [bout["rival"] for bout in found["bouts"]] == list(RIVALS)
