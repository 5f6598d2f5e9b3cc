"""Checkpoints of MaskablePPO; the tests of the league measure that it learns."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.task import Task
from tests.command import answer, oxo, refusal

pytestmark = pytest.mark.slow


def test_a_run_of_ppo_resumes_with_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    whole, broken = tmp_path / "whole.safetensors", tmp_path / "broken.safetensors"
    words = "train", "3^2", "ppo:steps=2,plies=128", "--seed", "3", "--out"
    assert answer(*words, str(whole))["curve"][-1]["error"] < 0.9
    stop = threading.Event()
    task = Task(lambda *_: stop.set(), stop)
    assert ox.train(*words[1:3], out=broken, seed=3, task=task).step == 1
    assert answer(*words, str(broken))["finished"]
    content = whole.read_bytes()
    assert content == broken.read_bytes()
    for damaged, message in (
        (content[:-300], "is damaged"),
        (content.replace(b"policy_net", b"palicy_net"), "is no checkpoint of ppo"),
        (content.replace(b"ppo 1", b"ppo 2"), "is no checkpoint of ppo"),
    ):
        broken.write_bytes(damaged)
        done = oxo(*words, str(broken))
        assert (done.exit_code > 0, done.stderr.count("\n")) == (True, 1)
        assert message in done.stderr
    assert "its game is '3^2', not '4^2'" in refusal(oxo("train", "4^2", *words[2:], str(whole)))
    assert "plies must be a multiple of 64" in refusal(oxo("train", "3^2", "ppo:plies=100"))
