"""The doctor: what it finds, and what it calls a problem."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.cli import doctor
from tests.command import oxo, printed


def examined(*words: str) -> dict[str, Any]:
    answer = oxo("doctor", "--format", "json", *words)
    found = json.loads(answer.stdout)
    assert isinstance(found, dict)
    assert answer.exit_code == (1 if found["problems"] else 0)
    return found


def test_a_sound_installation_has_no_problems() -> None:
    found = examined()
    assert found["problems"] == []
    assert found["cores"] >= 1
    assert all(found["versions"].values())
    assert found["extras"].keys() == doctor.EXTRAS.keys()


def test_a_missing_dependency_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEPENDENCIES", ("click", "no-such-package"))
    assert examined()["problems"] == ["no-such-package is not installed"]


def test_the_named_cache_folder_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    folder = tmp_path / "kernels" / "hyperoxo"
    assert examined()["kernel_cache"] == {"folder": str(folder), "functions": 0}
    (folder / "module-digest").mkdir()
    (folder / "module-digest" / "module.function-0.py311.nbi").touch()
    assert examined()["kernel_cache"]["functions"] == 1


def test_folders_that_cannot_be_written_are_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_DATA", "/dev/null/nowhere")
    monkeypatch.setattr(doctor, "cache_folder", lambda: None)
    problems = examined()["problems"]
    assert len(problems) == 2
    assert "no cache folder is writable" in problems[0]
    assert problems[1] == "the data folder /dev/null/nowhere is not writable"


def test_the_text_names_every_extra() -> None:
    answer = printed(oxo("doctor"))
    for extra in doctor.EXTRAS:
        assert extra in answer
    assert "Everything needed is here." in answer


def test_the_text_names_every_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEPENDENCIES", ("no-such-package",))
    answer = printed(oxo("doctor"), 1)
    assert "problem: no-such-package is not installed" in answer
