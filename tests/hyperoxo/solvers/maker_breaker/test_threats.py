"""Wins of the Maker's by threats, with either player to move: found, solved and proved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.game import FREE, Bounds, Game
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.proof import ZonePlan, check_zones, verify
from hyperoxo.solvers import solve
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.bounds import MakerBounds
from hyperoxo.solvers.maker_breaker.plans import plan_of
from hyperoxo.solvers.maker_breaker.search import MakerThreats, new_control
from hyperoxo.solvers.threats.forced_wins import forced_wins
from tests.hyperoxo.solvers.maker_breaker.test_search import brute, worth
from tests.hyperoxo.solvers.threats.test_maker_breaker import random_positions
from tests.strategies import play_at_random

ROLES = "convention=maker-breaker"
_MANY = 1 << 40


@pytest.mark.more
def test_wins_and_their_cells_against_brute_force() -> None:
    won = {1: 0, 2: 0}
    for position in random_positions("zones", 700):
        game = position.game
        found = MakerThreats(game).decide(position.owners, position.ply, new_control(_MANY))
        if position.ply < game.opening_plies:
            continue
        forced = forced_wins(position)
        assert (position.to_move == 1 and found.maker_wins is True) == (forced.status == "win")
        if not found.maker_wins:
            assert found.maker_wins is None
            assert not found.zone
            continue
        won[position.to_move] += 1
        assert brute(position, {})
        # It holds even if all other cells are the Breaker's.
        owners = tuple(
            2 if owner == FREE and cell not in found.zone else owner
            for cell, owner in enumerate(position.owners)
        )
        assert worth(game, owners, position.ply, {})
        plan = plan_of(MakerThreats(game), position, 1)
        verdict = check_zones(plan)
        assert verdict.proved, verdict.reason
    assert min(won.values()) > 40


def test_limits() -> None:
    position = Game(f"4^3:{ROLES}").position("moves:0,3,60,21,15,51,12,63")
    search = MakerThreats(position.game)
    few = new_control(3)
    assert search.decide(position.owners, position.ply, few).maker_wins is None
    assert few[NODES] <= 3
    stopped = new_control(_MANY)
    stopped[STOP] = 1
    assert search.decide(position.owners, position.ply, stopped).maker_wins is None
    assert search.decide(position.owners, position.ply, new_control(_MANY)).maker_wins
    for options in ("gravity", "bias=1+2", "target=2"):
        with pytest.raises(NotSupportedError, match="winning by threats"):
            MakerThreats(Game(f"4^3:{ROLES},{options}"))
    with pytest.raises(LimitError, match="at most 2,000 cells"):
        MakerThreats(Game(f"13^3:{ROLES}"))


@pytest.mark.parametrize(
    ("spec", "moves", "value"),
    [
        ("3^4", "moves:40,0", "win"),
        ("3^4", "moves:40", "loss"),
        ("3^4", "moves:40,0,1", "loss"),
        pytest.param("21,21,3", "moves:220", "loss", marks=pytest.mark.more),
    ],
)
def test_solve_tries_threats_first(spec: str, moves: str, value: str, tmp_path: Path) -> None:
    position = Game(f"{spec}:{ROLES}").position(moves)
    found = solve(position, proof=tmp_path / "x")
    assert found.value == value
    assert any(line.startswith("Threats: player 1, the Maker, wins") for line in found.evidence)
    assert isinstance(found.strategy, ZonePlan)
    verdict = verify(tmp_path / "x")
    assert verdict.proved
    assert verdict.claim.startswith(f"player 1 wins {spec}:{ROLES}")


def test_a_plan_does_not_search_the_threats_again() -> None:
    position = Game(f"3^4:{ROLES}").position("moves:40,0")
    clock = ExactSearch(position.game)
    makers = MakerBounds(position.game, clock)
    assert makers.bounds(position, Bounds()).decided
    nodes = clock.nodes
    plan = makers.plan(position, 1, wins=True)
    assert plan is not None
    assert check_zones(plan).proved
    assert clock.nodes == nodes > 0
    # Another position, or the same with other limits, is another search.
    for moves in ("moves:0,40", "moves:0,12", "moves:40"):
        other = position.game.position(moves)
        assert makers.bounds(other, Bounds(), move=True).decided
        assert clock.nodes > nodes
        nodes = clock.nodes
        assert makers.plan(other, 1, wins=True) is not None
        assert clock.nodes > nodes
        nodes = clock.nodes


@pytest.mark.more
def test_a_quiet_move_before_threats_on_a_board_for_no_other_search(tmp_path: Path) -> None:
    """Too large for a search of zones: some first move must leave nothing but threats."""
    assert solve(f"21,20,3:{ROLES}", proof=tmp_path / "x").value == "win"
    assert verify(tmp_path / "x").claim == f"player 1 wins 21,20,3:{ROLES}"


def test_solve_says_nothing_by_threats_of_other_games() -> None:
    rng = random.Random(2)
    for options in ("bias=1+2", "target=2", "first=2"):
        game = Game(f"5,5,4:{ROLES},{options}")
        position = play_at_random(game.start(), rng, 2)
        for line in solve(position, nodes=2000).evidence:
            assert not line.startswith("Threats") or options == "first=2"
