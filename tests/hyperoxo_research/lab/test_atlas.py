"""The stored atlas is what classifying says; a call that was stopped or killed goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.lab.atlas import STATUS, stored_atlas

SMALL = ["1^8", "2^1", "2^8", "3^1", "3^2", "3^3", "4^2", "5^2", "6^3", "7^3", "8^3"]
WORDS = ("atlas", "--sides", "5", "--dims", "3", "--seconds", "3", "--format=json", "-q", "--out")


def same(board: str) -> None:
    """Compare a stored entry with what classifying says now."""
    found, known = classify(board), stored_atlas().by_board[board]
    data = {**found.as_data(), "cited": list(found.cited), "cited_in": found.cited_source}
    plain = {key: known.answer[key] for key in data if key != "evidence"}
    steps = [{**step, "file": None} for step in known.answer["evidence"]]
    assert {key: data[key] for key in plain} == plain
    assert [{**step, "file": None} for step in data["evidence"]] == steps


@pytest.mark.parametrize("board", SMALL)
def test_stored_entries(board: str) -> None:
    same(board)


@pytest.mark.more
@pytest.mark.parametrize("side", range(1, 13))
def test_all_stored_entries(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Searches for plans find none on these boards, and are only cut short sooner.
    monkeypatch.setattr("hyperoxo_research.draws.classify._MOST_PLANNING", 0.1)
    for dim in range(1, 9):
        same(f"{side}^{dim}")


def test_the_picture_of_the_docs_is_that_of_the_stored_atlas() -> None:
    found = stored_atlas()
    assert len(found.entries) == 96
    path = Path(__file__).parents[3] / "docs" / "images" / "atlas.svg"
    assert path.read_text("utf-8") == found.svg()
    assert sum(found.as_data()["counts"].values()) == 96
    assert {entry.status for entry in found.entries} <= STATUS.keys()
    assert found.by_board["7^3"].regions == (4,)


def started(folder: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()", *WORDS]
    return subprocess.Popen(
        [*words, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def boards(folder: Path) -> dict[str, Any]:
    path = folder / "atlas.json"
    found: dict[str, Any] = json.loads(path.read_text())["boards"] if path.exists() else {}
    return found


@pytest.mark.more
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_call_that_was_ended_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    ended = started(tmp_path)
    while len(boards(tmp_path)) < 6:
        assert ended.poll() is None, ended.communicate()
        time.sleep(0.02)
    ended.send_signal(how)
    _, said = ended.communicate(timeout=60)
    assert ended.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert len(said.splitlines()) <= 1
    kept = boards(tmp_path)
    assert 6 <= len(kept) < 15
    made = {spec: (tmp_path / one["file"]).stat().st_mtime_ns for spec, one in kept.items()}
    again = started(tmp_path)
    answer = json.loads(again.communicate(timeout=300)[0])
    assert again.returncode == 0
    assert [one["region"] for one in answer["entries"]] == [
        stored_atlas().by_board[one["game"]].answer["region"] for one in answer["entries"]
    ]
    assert len(answer["entries"]) == 15
    for spec, when in made.items():
        assert (tmp_path / kept[spec]["file"]).stat().st_mtime_ns == when, "made again"
        assert boards(tmp_path)[spec] == kept[spec]
    assert ox.verify(tmp_path / "3-2.oxo").proved
    assert (tmp_path / "index.html").exists()
