"""What `solve` says of Maker-Breaker games, and of ordinary ones by Maker-Breaker search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperoxo.game import Game, Value
from hyperoxo.proof import Pairing, ZonePlan, verify
from hyperoxo.solvers import solve
from tests.command import oxo

ROLES = "convention=maker-breaker"


@pytest.mark.parametrize("side", [4, 5, 6, 9])
def test_squares_are_decided_at_once(side: int, tmp_path: Path) -> None:
    found = solve(f"{side}^2:{ROLES}", proof=tmp_path / "x")
    assert (found.value, found.remoteness, found.complete) == ("loss", side**2, True)
    assert {move.value for move in found.moves} == {"loss"}
    assert isinstance(found.strategy, ZonePlan)
    assert verify(tmp_path / "x").claim == f"player 2 wins {side}^2:{ROLES}"


def test_a_maker_wins(tmp_path: Path) -> None:
    found = solve(f"5,5,4:{ROLES}", proof=tmp_path / "x")
    assert found.value == "win"
    assert any(line.startswith("Maker-Breaker search") for line in found.evidence)
    assert found.remoteness is None
    assert (tmp_path / "x").stat().st_size < 4096
    assert verify(tmp_path / "x").proved


@pytest.mark.more
def test_a_breaker_of_an_ordinary_game_draws(tmp_path: Path) -> None:
    found = solve("5,4,4", proof=tmp_path / "x", proof_seat=2)
    assert (found.value, found.complete) == ("draw", True)
    assert any("keeps player 1 from completing any line" in line for line in found.evidence)
    assert isinstance(found.strategy, ZonePlan)
    assert verify(tmp_path / "x").claim == "player 2 gets at least a draw in 5,4,4"


def test_a_pairing_is_preferred(tmp_path: Path) -> None:
    assert isinstance(solve("6^2", proof=tmp_path / "x").strategy, Pairing)


@pytest.mark.parametrize("first", [1, 2])
def test_weights_decide_large_boards_with_several_cells_a_turn(first: int, tmp_path: Path) -> None:
    spec = f"12^3:bias=2+2,first={first}".removesuffix(",first=1")
    found = solve(spec, proof=tmp_path / "x", proof_seat=1)
    assert (found.value, found.complete) == ("draw", True)
    assert verify(tmp_path / "x").claim == f"player 1 gets at least a draw in {spec}"
    assert (tmp_path / "x").read_bytes().endswith(b" 0 :\n")


def test_positions_and_limits() -> None:
    game = Game(f"5^3:{ROLES}")
    found = solve(game, seconds=None, nodes=300)
    assert found.value == "unknown"
    assert not found.complete
    position = Game(f"5^2:{ROLES}").position("moves:12,0,6")
    assert solve(position).known.value is Value.WIN


@pytest.mark.more
def test_on_the_command_line(tmp_path: Path) -> None:
    name = str(tmp_path / "x")
    words = ["solve", f"5,4,4:{ROLES}", "--proof", name, "--format", "json"]
    assert json.loads(oxo(*words).stdout)["winner"] == 2
    assert oxo("verify", name).stdout.startswith(f"proved: player 2 wins 5,4,4:{ROLES}")
