"""The agent and the checkpoints of MaskablePPO; tests of the league measure that it learns."""

from __future__ import annotations

import pickle
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import hyperoxo as ox
from hyperoxo.adapters.running import Running
from hyperoxo.agents.network import file_of
from hyperoxo.errors import HyperoxoError, NotSupportedError
from hyperoxo.learn.truth import all_classes
from hyperoxo.task import Task
from hyperoxo_research.learn.ppo import PpoLearner
from tests.command import answer, oxo, refusal
from tests.expect import message_of


def written(path: Path, spec: str = "3^2", **biases: NDArray[np.float32]) -> Path:
    """Write a checkpoint of drawn weights; needs no PyTorch."""
    game, rng = ox.Game(spec), np.random.default_rng(0)
    cells = game.board.cell_count
    shapes = {"action_net": (cells, 64), "value_net": (1, 64)}
    for body in ("mlp_extractor.policy_net", "mlp_extractor.value_net"):
        shapes |= {f"{body}.0": (64, cells * (game.players + 1)), f"{body}.2": (64, 64)}
    found = {}
    for name, shape in shapes.items():
        found[f"policy/{name}.weight"] = rng.normal(0, 0.1, shape).astype(np.float32)
        found[f"policy/{name}.bias"] = biases.get(name, np.zeros(shape[0], np.float32))
    path.write_bytes(file_of(found, {"format": "hyperoxo ppo 1", "log": f'{{"game": "{spec}"}}'}))
    return path


@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3", "4,3,3:gravity"])
def test_a_checkpoint_plays_its_game(tmp_path: Path, spec: str) -> None:
    path, start = written(tmp_path / "a.safetensors", spec), ox.Game(spec).start()
    drawing = ox.agent(f"ppo:checkpoint={path},temperature=0.5")
    player = ox.agent("ppo", checkpoint=path)
    for one in (player, drawing):
        assert ox.agent(one.spec).spec == one.spec
        assert ox.check_agent(one, ("2^2", spec)) == 1
        again = pickle.loads(pickle.dumps(one))
        assert {again.choose(start, 7), one.choose(start, 7)} == {one.choose(start, 7)}
    found = player.think(start)
    assert sum(chance for _, chance in found.candidates) == pytest.approx(1)
    assert found.move == found.candidates[0][0]
    assert len({drawing.choose(start, seed) for seed in range(40)}) > 1
    with pytest.raises(NotSupportedError, match=r"was learned on .* and does not fit 2\^2"):
        player.choose(ox.Game("2^2").start())


def test_a_bad_checkpoint_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "good.safetensors")
    content = path.read_bytes()
    for damaged, message in (
        (b"\x80\x04\x95" + content, "is not a safetensors file"),
        (content[:-300], "is damaged"),
        (content.replace(b"policy_net", b"palicy_net"), "is no checkpoint of ppo"),
        (content.replace(b"ppo 1", b"ppo 2"), "is no checkpoint of ppo"),
        (content.replace(b"3^2", b"4^2"), "is no checkpoint of ppo"),
    ):
        path.write_bytes(damaged)
        assert message in message_of(HyperoxoError, ox.agent, f"ppo:checkpoint={path}")
    written(path, action_net=np.full(9, np.nan, np.float32))
    assert "not numbers" in message_of(HyperoxoError, ox.agent, f"ppo:checkpoint={path}")
    words = "match", "3^2", "random", "--no-store", f"ppo:checkpoint={tmp_path / 'missing'}"
    assert "No such file" in refusal(oxo(*words))


@pytest.mark.slow
def test_a_run_of_ppo_resumes_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sb3_contrib")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    whole, broken = tmp_path / "whole.safetensors", tmp_path / "broken.safetensors"
    words = "train", "3^2", "ppo:steps=2,plies=128", "--seed", "3", "--out"
    assert answer(*words, str(whole))["curve"][-1]["error"] < 0.9
    stop = threading.Event()
    task = Task(lambda *_: stop.set(), stop)
    assert ox.train(*words[1:3], out=broken, seed=3, task=task).step == 1
    assert answer(*words, str(broken))["finished"]
    content = whole.read_bytes()
    assert content == broken.read_bytes()
    broken.write_bytes(content.replace(b"policy_net", b"palicy_net"))
    assert "is no checkpoint of ppo" in refusal(oxo(*words, str(broken)))
    assert "its game is '3^2', not '4^2'" in refusal(oxo("train", "4^2", *words[2:], str(whole)))
    assert "plies must be a multiple of 64" in refusal(oxo("train", "3^2", "ppo:plies=100"))
    # PyTorch makes one folder for each user, for what it compiles.
    left = (tmp_path / "temporary").iterdir()
    assert {one.name.partition("_")[0] for one in left} <= {"torchinductor"}


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["3^2", "2^2:players=3", "3^2:gravity"])
def test_the_agent_plays_as_the_library_does(spec: str) -> None:
    pytest.importorskip("sb3_contrib")
    learner = PpoLearner(ox.Game(spec), 1, plies=128)
    before = learner.agent()
    learner.advance()
    positions = [*all_classes(learner.game)[0]]
    seen = [Running(one).observe(one.to_move - 1) for one in positions]
    stones, masks = (np.array(part) for part in zip(*seen, strict=True))
    given = {"observation": stones, "action_mask": masks}
    moves, _ = learner._model.predict(given, action_masks=masks, deterministic=True)
    assert learner.agent().choose_many(positions).tolist() == moves.tolist()
    assert before.think(positions[0]) != learner.agent().think(positions[0])
