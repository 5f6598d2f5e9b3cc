from __future__ import annotations

import pickle
import sys

import pytest

import hyperoxo as ox
from hyperoxo.agents import (
    AGENTS,
    Agent,
    agent_names,
    check_agent,
    default_opponent,
    opponents,
    registered,
)
from hyperoxo.agents import spec as spec_module
from hyperoxo.agents.base import Explanation, HumanAgent, Randomness
from hyperoxo.errors import (
    AgentError,
    CheckFailedError,
    HyperoxoError,
    NotSupportedError,
    SpecError,
)
from hyperoxo.extensions import Extension, extensions
from hyperoxo.game import Game, Position
from tests.expect import message_of
from tests.marks import more

SPECS = [
    "random",
    "greedy:attack=0.5,threats=on",
    "random:threats=on",
    "greedy",
    "ising",
    "ising:reading=scan",
    "minimax:depth=2",
    "greedy:attack=0",
    "level:3",
    "expert:simulations=50",
    "mcts:simulations=200",
    "mcts:simulations=200,c=1,rave=300",
    "mcts:simulations=50,playout=kutner,epsilon=0.3",
    "mcts:simulations=50,playout=ising-scan",
    "mcts:simulations=200,nodes=60",
    "mcts:simulations=200,reuse=on",
    "mcts:simulations=200,rave=50,reuse=on,ties=lowest",
    "puct:simulations=50",
    "puct:simulations=50,heuristic=ising-scan,c=0.5,temperature=2,leaf=0,reuse=on",
    "alphazero:simulations=40",
    "alphazero:simulations=40,c=2,leaf=0,reuse=on",
]


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_agents_are_pickled_with_what_they_know(name: str) -> None:
    position = Game({"proof": "4^3", "pairing": "5^2"}.get(name, "3^2")).start()
    made = ox.agent(name)
    again = pickle.loads(pickle.dumps(made))
    assert again.spec == made.spec
    if name != "human":
        chosen = made.choose(position, 1)
        assert pickle.loads(pickle.dumps(made)).choose(position, 1) == chosen


@pytest.mark.parametrize("spec", ["greedy:threats=on", "mcts", "mcts:threats=on"])
def test_a_heuristic_with_the_name_of_another_is_not_spelled(spec: str) -> None:
    option = "playout" if "mcts" in spec else "heuristic"
    assert spec_module.is_spelled(ox.agent(spec, **{option: "kutner"}))
    own = ox.line_heuristic(lambda own, rivals: -1.0 * own, name="kutner")
    assert not spec_module.is_spelled(ox.agent(spec, **{option: own}))


@pytest.mark.parametrize(
    "spec", more(SPECS, ["greedy:attack=0.5,threats=on", "mcts:simulations=200,reuse=on"])
)
def test_agents_pass_the_check(spec: str) -> None:
    assert check_agent(ox.agent(spec)) >= 8


@pytest.mark.parametrize(
    "spec",
    [
        *SPECS,
        "human",
        "proof",
        "breaker",
        "adversary",
        "pairing",
        "expert",
        "expert:seconds=3",
        "expert:seconds=0.7,simulations=10,ties=lowest",
        "mcts",
        "mcts:simulations=500",
        "mcts:simulations=10000,seconds=2,c=0.7,rave=5,ties=lowest",
        "puct",
        "puct:simulations=500,heuristic=traps,c=2,temperature=0.5,leaf=10,nodes=1000,ties=lowest",
        "mcts:playout=traps,epsilon=0.2,nodes=1000,reuse=on",
        "ising:bias=0.5,reading=scan,ties=lowest,c=2,temperature=0.5,seconds=1",
        "ising:bias=-1,rivals=after",
        "minimax:depth=2,heuristic=ising,bias=0.647",
        "greedy:attack=2,defend=3,ties=lowest,seconds=1",
        "minimax:depth=3,heuristic=traps,ties=lowest,seconds=1,nodes=5,prune=off,concept=paranoid",
    ],
)
def test_specs_read_back(spec: str) -> None:
    made = ox.agent(spec)
    assert made.spec == spec
    assert repr(ox.agent(made.spec)) == repr(made)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("foo", "unknown agent 'foo'; known are random"),
        ("minmax", "unknown agent 'minmax'; did you mean 'minimax'?"),
        ("minimax:dept=4", "'minimax' has no option 'dept'; did you mean 'depth'?"),
        ("", "unknown agent"),
        ("ising:", "option must follow"),
        ("ising:b=1", "no option 'b'"),
        ("ising:bias", "not option=value"),
        ("ising:bias=1,bias=2", "twice"),
        ("ising:bias=one", "must be a number"),
        ("ising:bias=nan", "bias must be"),
        ("ising:bias=-1e7", "bias must be"),
        ("ising:rivals=after,reading=scan", "rivals=after takes energies of stone counts"),
        ("minimax:reading=published,bias=2", "takes no other option but nodes"),
        ("ising:reading=slow", "reading"),
        ("ising:ties=first", "ties"),
        ("minimax:depth=0", "depth must be 1 to 64"),
        ("minimax:depth=2.5", "whole number"),
        ("minimax:heuristic=no", "unknown heuristic"),
        ("greedy:attack=1,heuristic=traps,defend=0.5", "belong to heuristic=kutner"),
        ("random:x=1", "options are seconds, threats"),
        ("random:threats=maybe", "on or off"),
        ("expert:seconds=-1", "seconds"),
        ("mcts:simulations=0", "simulations must be 1 to 1000000000, not '0'"),
        ("mcts:seconds=-1", "seconds must be 0 to 1e+06, not '-1'"),
        ("mcts:c=many", "c must be a number, not 'many'"),
        ("mcts:playout=loud", "unknown heuristic 'loud'"),
        ("mcts:playout=neighbours", "neighbours"),
        ("mcts:epsilon=2", "epsilon must be 0 to 1, not '2'"),
        ("mcts:reuse=yes", "reuse must be one of off, on, not 'yes'"),
        ("mcts:depth=3", "'mcts' has no option 'depth'"),
        ("puct:heuristic=neighbours", "guided trees take heuristics of lines, not of neighbours"),
        ("puct:temperature=0", "temperature must be 1e-06 to 1e+06, not '0'"),
        ("puct:leaf=-1", "leaf must be a whole number, not '-1'"),
        ("level:0", "level must be 1 to 8, not '0'"),
        ("level:9", "level must be 1 to 8, not '9'"),
        ("level:2.5", "level must be a whole number, not '2.5'"),
        ("level:strong", "level must be a whole number, not 'strong'"),
        ("level:1,2", "'2' is not option=value"),
        ("level:1,number=2", "option 'number' is given twice"),
        ("ppo", "bad agent 'ppo': missing a required argument: 'checkpoint'"),
        ("ppo:threats=on", "missing a required argument: 'checkpoint'"),
        ("ppo:checkpoint=none", "checkpoint=none': 'none': No such file or directory"),
        ("td:checkpoint=none", "checkpoint=none': 'none': No such file or directory"),
        ("alphazero:checkpoint=none", "checkpoint=none': 'none': No such file or directory"),
        ("ising:heuristic=none.json", "none.json': 'none.json': No such file or directory"),
    ],
)
def test_bad_specs_are_one_clear_error(spec: str, message: str) -> None:
    assert message in message_of(SpecError, ox.agent, spec)


def test_options_as_python_values() -> None:
    assert ox.agent("minimax", depth=4, heuristic=ox.line_heuristic(lambda a, b: a)).spec
    assert "twice" in message_of(SpecError, ox.agent, "minimax:depth=4", depth=3)
    assert "attack must be" in message_of(SpecError, ox.agent, "greedy", attack=10**400)
    whole = ox.position_heuristic(lambda owners, counts, sizes, player: 1.0)
    assert "not PositionHeuristic" in message_of(SpecError, ox.agent, "mcts", playout=whole)
    for name in ("greedy", "ising", "minimax", "puct", "expert"):
        assert "line_heuristic, not builtin" in message_of(SpecError, ox.agent, name, heuristic=abs)


class Misplaced(Agent):
    """Does one thing wrong, as told."""

    spec = "misplaced"

    def __init__(self, wrong: str) -> None:
        self.wrong = wrong
        self.calls = 0

    def choose(self, position: Position, rng: Randomness = None) -> int:
        self.calls += 1
        if self.wrong == "illegal" and position.ply == 2:
            return position.history[0]
        if self.wrong == "fickle":
            return position.legal_moves[self.calls % len(position.legal_moves)]
        return position.legal_moves[0]

    def explain(self, position: Position, rng: Randomness = None) -> Explanation | None:
        return Explanation(-1, (), "") if self.wrong == "excuse" else None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [("illegal", "not a legal move"), ("fickle", "the same seed"), ("excuse", "explanation")],
)
def test_the_check_finds_what_is_wrong(wrong: str, message: str) -> None:
    with pytest.raises(CheckFailedError, match=message):
        check_agent(Misplaced(wrong))


def test_the_check_passes_honest_agents_and_refuses_others() -> None:
    assert check_agent(Misplaced("nothing")) == 9
    with pytest.raises(CheckFailedError):
        check_agent("ising")  # type: ignore[arg-type]
    nameless = Misplaced("nothing")
    nameless.spec = ""
    assert "spec" in message_of(CheckFailedError, check_agent, nameless)


def _install(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Pretend that another package adds agents."""
    added = {name: Extension(name, value) for name, value in values.items()}
    found = {**extensions("hyperoxo.agents"), **added}
    monkeypatch.setattr(spec_module, "extensions", lambda _: found)
    monkeypatch.setitem(sys.modules, "mine", sys.modules[__name__])


def test_agents_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, misplaced="mine:Misplaced")
    assert "misplaced" in agent_names()
    assert ox.agent("misplaced:wrong=nothing").spec == "misplaced"
    _install(monkeypatch, misplaced="no_such_module:Misplaced")
    with pytest.raises(AgentError, match="agent 'misplaced' of another package does not load: No"):
        ox.agent("misplaced")


def test_agents_of_other_packages_are_in_the_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = opponents()
    assert {spec.partition(":")[0] for _, spec in usual} == {*registered()} - {
        *("proof", "breaker", "adversary", "ppo", "pairing"),
    }
    _install(monkeypatch, misplaced="mine:Misplaced", broken="no_such_module:Broken")
    opponents.cache_clear()
    try:
        assert opponents() == (*usual, ("Misplaced", "misplaced"))
        assert "broken" not in registered()
    finally:
        opponents.cache_clear()


@pytest.mark.parametrize(
    ("spec", "game", "quick"),
    [
        ("random", "4^3", True),
        ("greedy", "3^4", True),
        ("ising:seconds=1", "3^2", False),
        ("ising:threats=on", "3^2", False),
        ("expert", "3^2", True),
        ("expert", "3^2:players=3", False),
        ("expert:seconds=3", "3^2", False),
        ("minimax", "3^2", True),
        ("minimax:depth=2", "4^3", True),
        ("minimax:depth=3", "4^3", False),
        ("minimax:seconds=1", "3^2", False),
        ("mcts", "3^2", True),
        ("mcts", "4^3", False),
        ("mcts:simulations=1000", "4^3", True),
        ("puct:simulations=1000", "4^3", True),
        ("mcts:seconds=1", "3^2", False),
        ("proof", "4^3", False),
        ("level:6", "4^3", True),
        ("level:8", "4^3", False),
    ],
)
def test_agents_say_whether_they_are_quick(spec: str, game: str, quick: bool) -> None:
    assert ox.agent(spec).quick(Game(game)) is quick


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("greedy", "3^2:convention=maker-breaker"),
        ("ising", "3^2:bias=1+2"),
        ("minimax", "3^2:first=2"),
        ("mcts:playout=kutner", "3^2:convention=avoider-enforcer"),
        ("puct", "3^2:bias=1+2"),
    ],
)
def test_agents_refuse_games_beforehand(spec: str, game: str) -> None:
    assert "is not supported for" in message_of(NotSupportedError, ox.agent(spec).check, Game(game))
    ox.agent("random").check(Game(game))


def test_a_human_must_be_asked() -> None:
    assert "a person can answer" in message_of(AgentError, HumanAgent().choose, Game("3^2").start())
    with pytest.raises(HyperoxoError):
        HumanAgent(3)  # type: ignore[arg-type]
    assert check_agent(HumanAgent(lambda position: position.legal_moves[0])) == 9


@pytest.mark.parametrize("spec", ["3^2", "4^3", "5^4", "3^2:players=3", "3^3:gravity"])
def test_the_default_opponent_plays_the_game(spec: str) -> None:
    game = Game(spec)
    ox.agent(default_opponent(game)).check(game)


def test_threats_come_first_for_any_agent() -> None:
    plain, warned = ox.agent("random"), ox.agent("random:threats=on")
    assert warned.choose(Game("3^2").position("moves:0,3,1,4"), 0) == 2
    assert "forced win" in warned.think(Game("3^3").position("moves:13,0"), 0).reason
    assert warned.explain(Game("3^2").start(), 0) is None
    result = ox.match("4^2", [warned, plain], games=60, seed=1, swap=True)
    assert result.wins[0] > 10 * max(1, result.wins[1])
    # Where threats prove nothing, the other agent plays alone.
    misere = Game("3^2:misere").start()
    assert warned.choose(misere, 5) == plain.choose(misere, 5)
