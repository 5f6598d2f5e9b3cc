"""What the page on extending says, carried out: each example registered, and used by a command."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.agents.spec import AGENTS
from hyperoxo.board.registry import KINDS
from hyperoxo.cli.commands import Listed, registered
from hyperoxo.game import Game
from hyperoxo.heuristics.named import HEURISTICS
from hyperoxo.notation import FORMATS
from hyperoxo.task import Task
from hyperoxo_research.study.registry import STUDIES
from tests.command import answer, oxo, refusal

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for block in re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        exec(compile(block, str(PAGE), "exec"), names)
    return names


def test_a_heuristic(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HEURISTICS, "cautious", made["cautious"])
    found = answer(
        "match", "3^2", "greedy:heuristic=cautious", "random", "--games", "50", "--no-store"
    )
    assert found["wins"][0] > found["wins"][1]


def test_an_agent(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "first", made["First"])
    assert answer("match", "3^2", "first", "first", "--games", "3", "--no-store")["wins"] == [3, 0]


def test_a_learner(
    made: dict[str, Any],
    declare: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    module = ModuleType("my_package.climber")
    vars(module).update(made)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert '`climber = "my_package.climber:Climber"`' in PAGE.read_text("utf-8")
    declare("[hyperoxo.learners]\nclimber = my_package.climber:Climber\n")
    words = "train", "3^2", "climber:steps=2", "--out"
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    assert answer(*words, str(whole))["learner"] == "climber"
    stop = threading.Event()
    task = Task(lambda *_: stop.set(), stop)
    assert ox.train(*words[1:3], out=broken, task=task).step == 1
    assert answer(*words, str(broken))["finished"]
    assert whole.read_bytes() == broken.read_bytes()
    broken.write_text("[]")
    assert "is no checkpoint of climber" in refusal(oxo(*words, str(broken)))
    assert "Learners: td, alphazero, climber." in oxo("train", "-h").stdout
    assert "did you mean 'climber'?" in refusal(oxo("train", "3^2", "climb"))


def test_a_board(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "ring", made["RING"])
    assert answer("solve", "ring8,3")["value"] == "draw"
    assert answer("board", "ring8,3")["automorphisms"] == 16


def test_a_notation(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(FORMATS, "dots", made["DOTS"])
    (tmp_path / "game.oxo").write_text("3^2 4-0-8\n")
    answer("convert", str(tmp_path / "game.oxo"), str(tmp_path / "game.dots"))
    assert (tmp_path / "game.dots").read_text() == "3^2 4.0.8\n"


def test_a_proof_kind_a_source_and_a_method(
    made: dict[str, Any],
    declare: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    module = ModuleType("my_proofs")
    vars(module).update(made)
    monkeypatch.setitem(sys.modules, "my_proofs", module)
    groups = {"proofs": "KINDS", "sources": "SMALL_LINES", "methods": "BY_KNOWLEDGE"}
    for name in groups.values():
        assert f'"my_proofs:{name}"' in PAGE.read_text("utf-8")
    entries = (f"[hyperoxo.{group}]\nknown = my_proofs:{name}\n" for group, name in groups.items())
    declare("\n".join(entries))
    game, file = "3{0/1+2}", str(tmp_path / "proof")
    found = answer("solve", game, "--proof", file)
    assert found["value"] == "win"
    assert Path(file).read_bytes().startswith(b"hyperoxo-first-move 1\n")
    assert answer("verify", file)["claim"] == f"player 1 wins {game} by cell 0"
    assert answer("proof", "tree", file)["theorem"] == "The first move completes a line."
    assert answer("solve", game, "--method", "known")["value"] == "win"
    assert not made["check_first_move"](made["FirstMove"](Game(game), 1)).proved


@pytest.mark.more
def test_a_study(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = ModuleType("my_module")
    module.STUDY = made["STUDY"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_module", module)
    monkeypatch.setitem(STUDIES, "random-play", ("my_module", "Games of random play"))
    out = tmp_path / "report"
    answer("study", "random-play", "--out", str(out), "--no-figures", "--no-store")
    assert (out / "index.html").exists()


def test_a_command(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("my_commands")
    module.command = made["command"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_commands", module)
    for name, listed in made["COMMANDS"].items():
        monkeypatch.setitem(registered(), name, Listed(*listed))
    assert answer("idle", "3{0+1}") == {"idle": 1}
