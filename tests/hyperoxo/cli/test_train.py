"""`oxo train`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import oxo, refusal


@pytest.mark.more
def test_train_writes_a_checkpoint_that_agents_play(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    words = ("train", "3^2", "td:games=400,generations=2", "--out", str(path), "--seed", "2")
    first = oxo(*words, "--format", "json")
    assert first.stderr.startswith("learning 3^2 by td, 0 of 22 steps done\nstep 3, ")
    answer = json.loads(first.stdout)
    assert answer["finished"]
    assert list(answer["curve"][-1]) == ["step", "seconds", "error", "rating"]
    assert answer["file"] == str(path)
    again = json.loads(oxo(*words, "--format", "json", "-q").stdout)
    # The checkpoint holds no times.
    assert (again["seconds"], again["compiling"]) == (0, 0)
    for point in answer["curve"]:
        point["seconds"] = None
    assert again["curve"] == answer["curve"]
    assert again["ladder"] == answer["ladder"]
    text = oxo(*words).stdout
    assert "seed 2" in text
    assert "against" in text
    found = oxo("explain", "3^2", "--agent", f"td:checkpoint={path}")
    assert found.exit_code == 0


def test_bad_checkpoints_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{", encoding="utf-8")
    assert "is no line table" in refusal(oxo("train", "3^2", "td", "--out", str(path)))
    assert oxo("explain", "3^2", "--agent", f"td:checkpoint={path}").exit_code == 2
