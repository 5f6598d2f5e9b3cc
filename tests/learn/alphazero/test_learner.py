"""Learning by self-play: steps, checkpoints, resumption, what is held out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents import agent
from hyperoxo.agents.network import Network, file_of, tensors_of
from hyperoxo.errors import HyperoxoError, MissingExtraError, NotSupportedError, SpecError
from hyperoxo.learn.alphazero.learner import AlphazeroLearner
from hyperoxo.learn.alphazero.selfplay import SelfPlay, Settings, class_numbers
from hyperoxo.learn.training import learner_of
from hyperoxo.learn.truth import quick_exam
from hyperoxo.rules import Game

TINY = "steps=3,simulations=2,considered=2,boards=4,plies=4,batch=8,epochs=1,rounds=0"
SPEC = f"alphazero:{TINY}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("alphazero") / "whole.safetensors"
    assert ox.train("2^2", SPEC, out=path, seed=5).finished
    return path


@pytest.mark.slow
def test_a_run_broken_off_ends_as_if_it_had_not_been(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (learner_of(SPEC, Game("2^2"), 5) for _ in range(2))
    assert isinstance(first, AlphazeroLearner)
    assert isinstance(second, AlphazeroLearner)
    # The programs are compiled once.
    second._plays = first._plays
    log = {"game": "2^2", "options": first.options, "seed": 5}
    first.advance()
    second.restore(first.to_bytes(log | {"step": 1}), "first")
    assert second.step == 1
    for learner in (first, second):
        learner.advance()
        learner.advance()
    tensors, _ = tensors_of(run.read_bytes(), str(run))
    for learner in (first, second):
        found, _ = tensors_of(learner.to_bytes(log), "found")
        assert found.keys() == tensors.keys()
        assert all(np.array_equal(found[name], tensors[name]) for name in found)
    assert any(np.any(found[name] != 0) for name in found if "optimiser" in name)


@pytest.mark.slow
def test_the_checkpoint_plays_and_knows_its_run(run: Path) -> None:
    assert agent(f"alphazero:checkpoint={run}").choose(Game("3^3").start(), 0) in range(27)
    network = Network.read(run)
    log = json.loads(network.metadata["log"])
    assert (log["game"], log["seed"], log["step"]) == ("2^2", 5, 3)
    assert list(log["curve"][-1]) == ["step", "seconds", "error", "rating"]
    assert log["curve"][-1]["error"] is None or 0 <= log["curve"][-1]["error"] <= 1
    assert ox.train("2^2", SPEC, out=run, seed=5).step == 3


@pytest.mark.slow
def test_files_of_other_runs_are_refused(run: Path, tmp_path: Path) -> None:
    for game, learner, what in (
        ("3^2", SPEC, "its game is '2^2', not '3^2'"),
        ("2^2", SPEC + ",rate=0.1", "its options is"),
    ):
        with pytest.raises(SpecError, match="is of another run") as caught:
            ox.train(game, learner, out=run, seed=5)
        assert what in str(caught.value)
    blocks = {f"network/{name}": block for name, block in Network.read(run).blocks.items()}
    bare = tmp_path / "bare.safetensors"
    bare.write_bytes(file_of(blocks, {"format": Network.read(run).metadata["format"]}))
    agent(f"alphazero:checkpoint={bare}").check(Game("2^2"))
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(run.read_bytes()[:-5])
    for path, what in ((bare, "has weights alone"), (bad, "is damaged: it is cut off")):
        with pytest.raises(HyperoxoError, match=what):
            ox.train("2^2", SPEC, out=path, seed=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("steps=0", "steps must be 1 to 1000000000"),
        ("batch=100", "batch must divide boards times plies"),
        ("rate=2", "rate must be 1e-06 to 1"),
        ("also=3^", "bad game"),
        ("depth=1", "option 'depth' is none of steps, also, simulations"),
    ],
)
def test_bad_options(options: str, message: str) -> None:
    with pytest.raises(SpecError, match="bad learner") as caught:
        learner_of(f"alphazero:{options}", Game("3^2"), 0)
    assert message in str(caught.value)


def test_three_players_are_refused() -> None:
    with pytest.raises(NotSupportedError, match="it needs two players"):
        learner_of("alphazero", Game("3^2:players=3"), 0)


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("hyperoxo.learn.alphazero.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mctx", None)
    with pytest.raises(MissingExtraError, match='needs the extra "rl"'):
        learner_of("alphazero", Game("3^2"), 0)


@pytest.mark.parametrize("spec", ["3^3", "3^3:gravity", "4^2:blocked=0+5"])
def test_classes_are_held_out_whole(spec: str) -> None:
    game, rng = Game(spec), np.random.default_rng(0)
    incidence = np.zeros((game.board.cell_count, game.board.line_count), np.uint32)
    for cell in range(game.board.cell_count):
        incidence[cell, game.board.lines_through(cell)] = 1
    rows = rng.integers(0, 3, (50, game.board.cell_count))
    perms = game.symmetry.permutations()
    images = np.empty_like(rows)
    for row, image in zip(rows, images, strict=True):
        image[perms[rng.integers(len(perms))]] = row
    numbers = class_numbers(np, rows, incidence)
    assert np.array_equal(class_numbers(np, images, incidence), numbers)
    assert np.array_equal(np.asarray(class_numbers(jax.numpy, rows, incidence)), numbers)
    assert len(set(numbers.tolist())) == 50


@pytest.mark.slow
def test_the_bare_network_learns_3_2() -> None:
    learner = AlphazeroLearner(Game("3^2"), 0, steps=20)
    while learner.step < learner.steps:
        learner.advance()
    mark = ox.truth("3^2", learner.agent()).marks[0]
    assert mark.kept is not None
    assert mark.kept > 0.99


def test_positions_held_out_are_apart_from_the_others() -> None:
    learner = AlphazeroLearner(Game("3^2"), 0, held_out=0.3)
    exam = learner.exam()
    assert exam is not None
    whole = quick_exam(Game("3^2"))
    assert whole is not None
    assert 0.15 < len(exam.positions) / len(whole.positions) < 0.45
    play = SelfPlay(Game("3^2"), Settings(held_out=0.3))
    assert play.held_out(exam.positions.owners).all()
    held = {row.tobytes() for row in exam.positions.owners}
    others = [row for row in whole.positions.owners if row.tobytes() not in held]
    assert not play.held_out(np.array(others)).any()
    assert AlphazeroLearner(Game("3^2"), 0, held_out=0.0).exam() is None
    assert AlphazeroLearner(Game("4^3"), 0).exam() is None
