"""Searches that are stopped and go on later, from files that are what they should be."""

from __future__ import annotations

import json
import signal
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Value
from hyperoxo.proof import Pairing, ZonePlan, verify
from hyperoxo.solvers import Solution, solve
from hyperoxo.solvers.maker_breaker import search as makers
from hyperoxo.solvers.maker_breaker.bounds import MakerSettings
from hyperoxo.solvers.maker_breaker.search import MakerProgress, MakerSearch
from tests.command import oxo, refusal
from tests.hyperoxo.solvers.maker_breaker.test_search import GAMES, brute, drawn

SPEC = "3^3:convention=maker-breaker,bias=1+3"


def said(found: Solution) -> object:
    return found.known.low, found.known.high, [(move.cell, move.known) for move in found.moves]


@pytest.mark.more
@settings(max_examples=20)
@given(GAMES, st.data())
def test_in_steps_as_in_one_go(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    steps, wins = 0, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        while wins is None:
            search = MakerSearch(position.game, 1)
            if steps:
                makers.load_checkpoint(search, path)
            wins = search.find(position, nodes=data.draw(st.integers(10, 60))).maker_wins
            makers.save_checkpoint(search, path)
            steps += 1
            assert steps < 500
    assert wins == brute(position, {})


@pytest.mark.more
def test_a_stopped_search_goes_on(tmp_path: Path) -> None:
    unbroken = solve(SPEC, nodes=200_000)
    assert unbroken.complete
    path = tmp_path / "x"
    stop = threading.Event()
    given = MakerSettings(checkpoint=str(path), on_progress=lambda found: stop.set())
    parts = [solve(SPEC, nodes=30, makers=given)]
    assert parts[0].value == "unknown"
    assert path.exists()
    while not parts[-1].complete:
        parts.append(solve(SPEC, nodes=500, makers=replace(given, on_progress=None)))
        assert len(parts) < 200
    assert len(parts) > 1
    assert said(parts[-1]) == said(unbroken)
    proved = solve(SPEC, proof=tmp_path / "proof", makers=given)
    assert proved.proof is not None
    # A stop in the middle keeps what there is.
    (tmp_path / "y").unlink(missing_ok=True)
    stopped = solve(
        SPEC, stop=stop, seconds=None, makers=replace(given, checkpoint=str(tmp_path / "y"))
    )
    assert not stopped.complete
    assert (tmp_path / "y").exists()


def test_reports() -> None:
    told: list[MakerProgress] = []
    solve("5^3:convention=maker-breaker", nodes=400, makers=MakerSettings(on_progress=told.append))
    assert told[-1].nodes >= 400
    assert told[-1].proof + told[-1].disproof > 2
    assert all(one.proof > 0 and one.disproof > 0 and one.rows == 0 for one in told)


def test_an_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "x"
    told: list[MakerProgress] = []

    def press(found: MakerProgress) -> None:
        if not told:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        told.append(found)

    given = MakerSettings(checkpoint=str(path), on_progress=press)
    found = solve("5^3:convention=maker-breaker", seconds=60, makers=given)
    assert found.interrupted
    assert path.exists()


def test_saves_now_and_then(tmp_path: Path) -> None:
    path = tmp_path / "x"
    seen: list[bool] = []
    given = MakerSettings(
        checkpoint=str(path), interval=0.0, on_progress=lambda found: seen.append(path.exists())
    )
    solve("5^3:convention=maker-breaker", nodes=600, makers=given)
    assert seen[0] is False
    assert seen[-1] is True


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "x"
    given = MakerSettings(checkpoint=str(path))
    solve("5^3:convention=maker-breaker", nodes=50, makers=given)
    with pytest.raises(CheckFailedError, match="is of a Maker-Breaker search with game '5"):
        solve("5^3:convention=maker-breaker,bias=1+2", makers=given)
    path.write_text("not this")
    with pytest.raises(CheckFailedError, match="not a checkpoint of a Maker-Breaker search"):
        solve("5^3:convention=maker-breaker", makers=given)
    # Other games keep none.
    assert solve("3^2", makers=given).value == "draw"


def test_on_the_command_line(tmp_path: Path) -> None:
    name = str(tmp_path / "x")
    words = ["solve", SPEC, "--checkpoint", name, "--format", "json"]
    first = oxo(*words, "--nodes", "30")
    assert json.loads(first.stdout)["value"] == "unknown"
    assert "without effect" not in first.stderr
    assert json.loads(oxo(*words).stdout)["value"] == "loss"
    assert refusal(oxo("solve", "5^3:convention=maker-breaker", *words[2:]), 1)
    exact = oxo("solve", "3^2", "--checkpoint", name, "--method", "exact")
    assert "checkpoint: without effect, as exact search finds the value" in exact.stderr


def test_a_table_within_its_memory() -> None:
    small = MakerSearch(Game("5^3:convention=maker-breaker"), 1, megabytes=1)
    assert sum(part.nbytes for part in small.table) <= 2**20


# What `solve` says of Maker-Breaker games, and of ordinary ones by Maker-Breaker search.


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
def test_solving_on_the_command_line(tmp_path: Path) -> None:
    name = str(tmp_path / "x")
    words = ["solve", f"5,4,4:{ROLES}", "--proof", name, "--format", "json"]
    assert json.loads(oxo(*words).stdout)["winner"] == 2
    assert oxo("verify", name).stdout.startswith(f"proved: player 2 wins 5,4,4:{ROLES}")
