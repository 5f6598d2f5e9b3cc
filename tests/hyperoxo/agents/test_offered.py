"""Agents that a server offers by names of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.agents import agent_names, opponents
from hyperoxo.agents.spec import OFFERED, offers
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.heuristics.tables import shipped_tables
from hyperoxo_web.cli.serve import offer
from hyperoxo_web.server.limits import HOME
from hyperoxo_web.server.new_game import agent_spec
from hyperoxo_web.server.refusal import RefusedError


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with the table for 3^2 by classes; offers end with the test."""
    monkeypatch.setenv(OFFERED, "")
    path = tmp_path / "secret-name.json"
    path.write_bytes(next(t for t in shipped_tables() if t.game == "3^2").to_bytes())
    return str(path)


def test_an_offered_agent_plays_as_itself_and_shows_no_file(table: str) -> None:
    try:
        offer([f"mine=td:checkpoint={table}", "deep=minimax:depth=2", "slow=mcts:seconds=99"])
        assert opponents()[:2] == (("Mine", "mine"), ("Deep", "deep"))
        assert {"mine", "deep"} <= set(agent_names())
        position = ox.Game("3^2").position("moves:4")
        mine, plain = ox.agent("mine"), ox.agent(f"td:checkpoint={table}")
        assert mine.spec == "mine"
        assert mine.choose(position, 3) == plain.choose(position, 3)
        found = mine.explain(position, 3)
        assert found == plain.explain(position, 3)
        assert found is not None
        assert str(Path(table).parent) not in found.reason
        assert ox.match("3^2", ["mine", "deep"], games=4).agents == ("mine", "deep")
        assert agent_spec("mine", ox.Game("3^2"), HOME) == "mine"
        with pytest.raises(RefusedError, match="agents take at most 60 seconds a move"):
            agent_spec("slow", ox.Game("3^2"), HOME)
        with pytest.raises(AgentError, match=r"^'mine' does not play 4\^3$"):
            agent_spec("mine", ox.Game("4^3"), HOME)
        with pytest.raises(SpecError, match="no option 'checkpoint'"):
            ox.agent("mine:checkpoint=x")
        for spec in (
            f"td:checkpoint={table}",
            f"mine:checkpoint={table}",
            f"greedy:heuristic={table}",
        ):
            with pytest.raises(RefusedError, match="need no files"):
                agent_spec(spec, ox.Game("3^2"), HOME)
    finally:
        opponents.cache_clear()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["mine"], "'mine' is not NAME=AGENTSPEC"),
        (["=td"], "a name has up to 40 letters"),
        (["m.json=td"], "a name has up to 40 letters"),
        (["td=greedy"], "there is an agent 'td' already"),
        (["a=td", "a=greedy"], "there is an agent 'a' already"),
        (["a=human"], "must be an agent, not a person"),
        (["a=nobody"], "unknown agent 'nobody'"),
        (["a=td:checkpoint=nowhere.json"], r"'nowhere\.json': No such file"),
    ],
)
def test_bad_offers_are_one_line(table: str, given: list[str], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        offer(given)
    assert offers() == {}
    assert Path(table).exists()


def test_expert_takes_a_heuristic(table: str) -> None:
    start = ox.Game("4^3").position("moves:0,21,5,42,63,1")
    usual = ox.agent("expert:simulations=30,ties=lowest")
    same = ox.agent("expert:simulations=30,heuristic=ising,ties=lowest")
    assert same.spec == usual.spec
    guided = ox.agent("expert:simulations=30,heuristic=td")
    assert guided.spec == "expert:simulations=30,heuristic=td"
    guided.check(start.game)
    assert guided.choose(start, 1) in start.legal_moves
    ox.agent("expert").check(ox.Game("9^2"))
    with pytest.raises(SpecError, match="no line table for lines of 9 cells"):
        ox.agent("expert:heuristic=td").check(ox.Game("9^2"))
    with pytest.raises(SpecError, match="serves that board alone"):
        ox.agent(f"expert:heuristic={table}").check(ox.Game("4^2"))
