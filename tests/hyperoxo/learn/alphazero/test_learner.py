"""Learning by self-play: steps, checkpoints, what is held out; and the network in JAX."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.adapters.jax import incidence_of, make
from hyperoxo.adapters.running import rewards_of
from hyperoxo.agents import agent
from hyperoxo.agents.network import Network, file_of, tensors_of
from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.game import Game, Positions
from hyperoxo.jit import compile_events, working_time
from hyperoxo.learn.alphazero.learner import AlphazeroLearner
from hyperoxo.learn.alphazero.network import Judge, first_parameters, in_turn
from hyperoxo.learn.alphazero.selfplay import SelfPlay, Settings, _Program, class_numbers
from hyperoxo.learn.training import learner_of
from hyperoxo.learn.truth import quick_exam
from tests.expect import require
from tests.learners import learned

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
    learned(first)
    learned(second)
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
    assert list(log["curve"][-1]) == ["step", "error", "rating"]
    assert log["curve"][-1]["error"] is None or 0 <= log["curve"][-1]["error"] <= 1
    assert ox.train("2^2", SPEC, out=run, seed=5).step == 3


@pytest.mark.slow
def test_a_run_begins_with_the_weights_of_another_board(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "warm.safetensors"
    first = Network.read(run).blocks
    learner = learner_of(SPEC, Game("3^2"), 1, start=run)
    assert isinstance(learner, AlphazeroLearner)
    assert all(np.array_equal(learner._learned["network"][name], first[name]) for name in first)
    done = ox.train("3^2", SPEC, start=run, out=path, seed=1, device="cpu")
    assert done.finished
    assert done.options["from"] == learner.options["from"]
    assert any(np.any(first[name] != block) for name, block in Network.read(path).blocks.items())
    with pytest.raises(SpecError, match="is of another run: its options"):
        ox.train("3^2", SPEC, out=path, seed=1)
    with pytest.raises(SpecError, match="has another architecture: give rounds=0"):
        ox.train("3^2", "alphazero", start=run)


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
    for path, what in ((bare, "has only weights"), (bad, "is damaged: it is cut off")):
        with pytest.raises(HyperoxoError, match=what):
            ox.train("2^2", SPEC, out=path, seed=5)


def test_programs_are_compiled_once_while_the_clock_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[float] = []
    monkeypatch.setattr(compile_events, "on_compile", lambda *_: heard.append(working_time()))
    program = _Program(lambda one: one + 1)
    assert [int(program(np.int32(number))) for number in (1, 2)] == [2, 3]
    assert len(heard) == 2
    assert heard[0] == heard[1]


@pytest.mark.more
def test_in_a_search_one_player_stands_against_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Player 1 moves in both games, and wins in the first.
    play, env = SelfPlay(Game("3^2:players=3"), Settings()), make("3^2:players=3")
    worths = np.array([[0.25, 0.5, -0.75]] * 2, np.float32)
    monkeypatch.setattr(play, "_judge", lambda *_: (np.zeros((2, 9)), worths))
    state, step, imagine = env.init(), jax.jit(env.step), jax.jit(play._imagine)
    for move in (0, 3, 8, 1, 4, 7):
        state = step(state, move)
    state = jax.tree.map(lambda one: np.stack([one, one]), state)
    for root, reward, discount, value in ((0, 1, -1, 0.75), (1, 0.5, -1, 0.25), (2, 0.5, 1, -0.5)):
        place = (state, np.array([root, root]))
        output, (after, kept) = imagine({}, jax.random.key(0), np.array([2, 6]), place)
        assert after.terminated.tolist() == [True, False]
        assert kept.tolist() == [root, root]
        # Rewards are those of the side that moves, values of the side that moves next.
        assert output.reward.tolist() == [reward, 0]
        assert output.discount.tolist() == [0, discount]
        assert output.value.tolist() == [0, value]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["3^2:players=3", "3^2:players=3,misere", "2^2"])
def test_what_is_learned_of_a_position_is_what_it_brought_to_each_player(spec: str) -> None:
    game = Game(spec)
    settings = Settings(
        simulations=2, considered=2, boards=64, plies=9, trace=1, explore=0, held_out=0
    )
    play, players = SelfPlay(game, settings), game.players
    key = jax.random.key(1)
    _, lessons = play.play(play.first(0, players)["network"], key, play.ended())
    owners = np.asarray(lessons.states.owners).reshape(9, 64, -1)
    values = np.asarray(lessons.value).reshape(9, 64, players)
    decided = 0
    for row, value in zip(owners.swapaxes(0, 1), values.swapaxes(0, 1), strict=True):
        # Only the first game of each row has surely come to its end.
        plies = (row > 0).sum(1)
        last = int((plies[1:] == 0).argmax()) if (plies[1:] == 0).any() else len(plies) - 1
        brought = [np.roll(value[ply], ply % players) for ply in range(last + 1)]
        assert all(np.allclose(one, brought[0]) for one in brought)
        position = Positions(game, row[last : last + 1].astype(np.uint8))[0]
        ends = [position.play(move) for move in position.legal_moves]
        expected = [rewards_of(end.outcome, players) for end in ends if end.is_over]
        assert any(np.allclose(brought[0], one) for one in expected)
        decided += bool(np.any(brought[0]))
    assert decided


@pytest.mark.slow
def test_three_players_learn_to_win_and_to_stop_the_next() -> None:
    learner = learned(AlphazeroLearner(Game("3^2:players=3"), 0, steps=15, boards=128))
    ours, other = ox.truth("3^2:players=3", learner.agent(), "greedy").marks
    assert require(ours.kept) > require(other.kept)
    tensors, _ = tensors_of(learner.to_bytes({}), "found")
    assert tensors["network/next"].any()
    assert Network.of(learner.to_bytes({}), "found").blocks.keys() == learner._best.keys()


_DIES = """
import os, signal, sys
import hyperoxo as ox
from hyperoxo.learn import training

write = training.replace_file

def dies(path, data):
    # Half of the third checkpoint is written beside the second.
    if dies.written == 2:
        path.with_name(path.name + ".part").write_bytes(data[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    write(path, data)
    dies.written += 1

dies.written = 0
training.replace_file = dies
ox.train("2^2", sys.argv[1], out=sys.argv[2], seed=5)
"""


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_to_the_same_file(run: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.safetensors"
    ended = subprocess.run([sys.executable, "-c", _DIES, SPEC, broken], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert json.loads(Network.read(broken).metadata["log"])["step"] == 2
    assert ox.train("2^2", SPEC, out=broken, seed=5).finished
    assert broken.read_bytes() == run.read_bytes()


@pytest.mark.more
@pytest.mark.parametrize("spec", ["3^3", "3^3:gravity", "4^2:blocked=0+5"])
def test_classes_are_held_out_whole(spec: str) -> None:
    game, rng = Game(spec), np.random.default_rng(0)
    incidence = incidence_of(game.board).astype(np.uint32)
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
    learner = learned(AlphazeroLearner(Game("3^2"), 0, steps=20))
    assert require(ox.truth("3^2", learner.agent()).marks[0].kept) > 0.99


@pytest.mark.more
def test_positions_held_out_are_apart_from_the_others() -> None:
    learner = AlphazeroLearner(Game("3^2"), 0, held_out=0.3)
    exam = require(learner.exam())
    whole = require(quick_exam(Game("3^2")))
    assert 0.15 < len(exam.positions) / len(whole.positions) < 0.45
    play = SelfPlay(Game("3^2"), Settings(held_out=0.3))
    assert play.held_out(exam.positions.owners).all()
    held = {row.tobytes() for row in exam.positions.owners}
    others = [row for row in whole.positions.owners if row.tobytes() not in held]
    assert not play.held_out(np.array(others)).any()
    assert AlphazeroLearner(Game("3^2"), 0, held_out=0.0).exam() is None
    assert AlphazeroLearner(Game("4^3"), 0).exam() is None


BOARDS = 16


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("4,3,3:gravity,target=2,blocked=5", marks=pytest.mark.more),
        pytest.param("3^2:players=3,misere", marks=pytest.mark.slow),
        pytest.param("4^3", marks=pytest.mark.slow),
        pytest.param("5{0+1+2/2+3}", marks=pytest.mark.slow),
    ],
)
def test_both_say_the_same_through_whole_games(spec: str) -> None:
    game = Game(spec)
    rng = np.random.default_rng(3)
    drawn = first_parameters(0, 2, game.players)
    parameters = {
        name: jnp.asarray(rng.normal(0, 0.3, block.shape), jnp.float32)
        for name, block in sorted(drawn.items())
    }
    network = Network({name: np.asarray(block) for name, block in parameters.items()}, {})
    env, judge = make(game), jax.jit(Judge(game))
    step = jax.jit(jax.vmap(env.step))
    states = jax.vmap(env.init)(jax.random.split(jax.random.key(0), BOARDS))
    compared = 0
    while not np.all(states.terminated):
        owners = np.array(states.owners, dtype=np.uint8)
        owners[:, list(game.blocked)] = 255
        logits, values = network.judge(game, owners)
        going = ~np.asarray(states.terminated)
        found, worths = (np.asarray(array)[going] for array in judge(parameters, states))
        legal = np.isfinite(logits[going])
        assert np.array_equal(found > -1e8, legal)
        assert found[legal] == pytest.approx(logits[going][legal], rel=1e-3, abs=1e-3)
        assert worths[:, 0] == pytest.approx(values[going], abs=1e-3)
        assert worths.shape[1] == game.players
        assert worths.sum(1) == pytest.approx(0, abs=1e-5)
        compared += int(going.sum())
        chances = rng.random(owners.shape) * np.asarray(states.legal_action_mask)
        states = step(states, jnp.asarray(chances.argmax(1)))
    assert compared > 4 * BOARDS


@pytest.mark.more
def test_worths_go_round_from_the_mover() -> None:
    mover, following = jnp.array([0.5, -0.25]), jnp.array([0.125, 1.0])
    for players, expected in (
        (2, [[0.5, -0.5], [-0.25, 0.25]]),
        (3, [[0.5, 0.125, -0.625], [-0.25, 1, -0.75]]),
        (4, [[0.5, 0.125, -0.3125, -0.3125], [-0.25, 1, -0.375, -0.375]]),
    ):
        assert in_turn(mover, following, players).tolist() == expected


def test_weights_that_only_other_rules_need_begin_at_nothing() -> None:
    drawn = first_parameters(1, 1, 2)
    assert not drawn["cell.rules"].any()
    assert not drawn["cell.lines"].reshape(3, 21, -1)[:, 15:20].any()
    assert drawn["round0.kinds"][:15].all()
