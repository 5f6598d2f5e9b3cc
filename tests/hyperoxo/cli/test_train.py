"""`oxo train`."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game
from hyperoxo.learn.td import TdLearner
from tests.command import oxo, refusal


@pytest.mark.more
def test_train_writes_a_checkpoint_that_agents_play(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    words = ("train", "3^2", "td:games=400,generations=2", "--out", str(path), "--seed", "2")
    first = oxo(*words, "--format", "json")
    assert first.stderr.startswith("learning 3^2 by td, step 0 of 22\nstep 3, ")
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
    assert "is not a line table" in refusal(oxo("train", "3^2", "td", "--out", str(path)))
    assert oxo("explain", "3^2", "--agent", f"td:checkpoint={path}").exit_code == 2


@pytest.mark.more
def test_the_curve_is_logged_with_the_scores_that_are_asked_for(tmp_path: Path) -> None:
    path, log = tmp_path / "a.json", tmp_path / "a.csv"
    words = ("train", "3^2", "td:games=200,generations=2", "--out", str(path), "--log", "csv")
    answer = json.loads(oxo(*words, "--eval", "random", "--format", "json", "-q").stdout)
    assert [row["agent"] for row in answer["ladder"]][4:] == ["random"]
    assert answer["ladder"][4] == answer["ladder"][0]
    rows = [*csv.DictReader(log.read_text().splitlines())]
    assert [int(row["step"]) for row in rows] == [point["step"] for point in answer["curve"]]
    assert list(rows[0]) == ["step", "seconds", "error", "rating", "eval random"]
    for row, point in zip(rows, answer["curve"], strict=True):
        assert float(row["seconds"]) == point["seconds"]
        assert float(row["rating"]) == point["rating"]
        assert float(row["eval random"]) == point["eval"]["random"] > 0.5
    # What a run repeats is written in place of what it wrote before.
    path.unlink()
    oxo(*words, "-q")
    again = [*csv.DictReader(log.read_text().splitlines())]
    assert [row["step"] for row in again] == [row["step"] for row in rows]
    assert [row["rating"] for row in again] == [row["rating"] for row in rows]
    log.write_text("step\nfirst\n")
    path.unlink()
    assert "is not a training log" in oxo(*words, "-q").stderr


def events(folder: Path) -> list[Any]:
    """Read the events of TensorBoard in a folder: length, checksum, event and checksum of each."""
    from tensorboardX.proto.event_pb2 import Event  # type: ignore[import-not-found]

    found = []
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        while data:
            end = 12 + int.from_bytes(data[:8], "little")
            found.append(Event.FromString(data[12:end]))
            data = data[end + 4 :]
    return found


@pytest.mark.more
def test_the_curve_is_logged_for_tensorboard(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX")
    path, folder = tmp_path / "a.json", tmp_path / "a"
    learner = "3^2", "td:games=200,generations=2", "--out", str(path), "--log", "tensorboard"
    words = "train", *learner, "--eval", "random", "--format", "json", "-q"
    assert oxo(*words).exit_code == 0
    path.unlink()
    answer = json.loads(oxo(*words).stdout)
    found = events(folder)
    # The second run takes back what the first one logged.
    first, last = (n for n, one in enumerate(found) if one.WhichOneof("what") == "session_log")
    assert (found[first].step, found[last].step) == (1, 1)
    assert last - first > 10
    found = found[last:]
    rows = [(one.step, value) for one in found for value in one.summary.value]
    for name in ("seconds", "error", "rating"):
        expected = [(point["step"], point[name]) for point in answer["curve"]]
        logged = [(step, value.simple_value) for step, value in rows if value.tag == name]
        assert [step for step, _ in logged] == [step for step, _ in expected]
        assert [value for _, value in logged] == pytest.approx([value for _, value in expected])
    assert {value.tag for _, value in rows} == {"seconds", "error", "rating", "eval_random"}


def test_tensorboard_asks_for_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    line = refusal(oxo("train", "3^2", "td", "--log", "events"), 1)
    assert line.endswith("a log for TensorBoard needs tensorboardX: pip install tensorboardX\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bare", "'bare' is no learner: it lacks known, suffixes, advance, agent, exam, to_bytes"),
        ("needy", 'learning needs the extra "rl": pip install "hyperoxo[rl]"'),
        ("lost", "'lost' of another package does not load: No module named 'no_such_module'"),
    ],
)
def test_a_learner_that_does_not_load_is_one_line(
    name: str,
    message: str,
    declare: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def needs_an_extra(_: str) -> None:
        raise MissingExtraError("rl", "learning")

    module = ModuleType("my_learners")
    vars(module).update(Bare=object, __getattr__=needs_an_extra)
    monkeypatch.setitem(sys.modules, "my_learners", module)
    places = {"td": "my_learners:Bare", "bare": "my_learners:Bare"}
    places |= {"needy": "my_learners:Needy", "lost": "no_such_module:Lost"}
    entries = "".join(f"{key} = {place}\n" for key, place in places.items())
    declare(f"[hyperoxo.learners]\n{entries}")
    done = oxo("train", "3^2", name)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"oxo train: {message}")
    # Other packages replace no learner.
    assert "games must be 20 to" in refusal(oxo("train", "3^2", "td:games=1"))


def test_a_game_that_the_ladder_does_not_play_is_refused_at_once(
    declare: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mine(TdLearner):
        def __init__(self, game: Game, seed: int) -> None:
            super().__init__(Game("3^2"), seed)

        def advance(self) -> None:
            raise AssertionError

    module = ModuleType("my_learners")
    vars(module).update(Mine=Mine)
    monkeypatch.setitem(sys.modules, "my_learners", module)
    declare("[hyperoxo.learners]\nmine = my_learners:Mine\n")
    assert "needs one cell a turn" in refusal(oxo("train", "3^2:bias=2+1", "mine"))


def test_a_game_without_a_network_is_refused() -> None:
    refused = refusal(oxo("train", "3^2:bias=2+1", "alphazero"))
    assert "the network of cells and lines" in refused
