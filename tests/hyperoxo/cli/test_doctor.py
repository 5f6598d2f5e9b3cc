"""The doctor: what it finds, and what it calls a problem."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import UserWideCacheLocator

from hyperoxo import kernels
from hyperoxo.cli import doctor
from hyperoxo.kept_code import _write
from tests.command import oxo


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
    found = examined()["numba_cache"]
    assert (found["folder"], found["writable"]) == (str(tmp_path / "kernels"), True)


def test_damaged_code_is_found_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder of its own, in which Numba would look for code of the kernels."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    source = str(Path(kernels.__file__).parent / "x.py")
    part: Any = UserWideCacheLocator.get_suitable_cache_subpath
    folder = tmp_path / part(source)
    folder.mkdir()
    before = examined()["numba_cache"]
    assert before["stuck"] == 0
    _write(str(folder / "x.good.py311.nbi"), b"code")
    (folder / "x.empty.py311.nbi").touch()
    (folder / "x.old.py311.1.nbc").write_bytes(bytes(100))
    (folder / "compiling.lock").touch()
    left = folder / "x.good.py311.1.nbc.part"
    left.touch()
    os.utime(left, (0, 0))
    (folder / "x.good.py311.2.nbc.part").touch()  # perhaps one that is being written
    answer = oxo("doctor")
    assert "3 files were damaged or of an earlier version, and are removed" in answer.stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        "compiling.lock",
        "x.good.py311.2.nbc.part",
        "x.good.py311.nbi",
    ]
    found = examined()["numba_cache"]
    assert (found["removed"], found["functions"]) == (0, before["functions"] + 1)
    (folder / "x.stuck.py311.nbi").mkdir()
    assert "1 files of compiled kernels are damaged" in examined()["problems"][0]


def test_folders_that_cannot_be_written_are_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_writable", lambda folder: False)
    problems = examined()["problems"]
    assert len(problems) == 2
    assert "no cache folder is writable" in problems[0]


def test_the_text_names_every_extra() -> None:
    answer = oxo("doctor")
    assert answer.exit_code == 0
    for extra in doctor.EXTRAS:
        assert extra in answer.stdout
    assert "Everything needed is here." in answer.stdout


def test_the_text_names_every_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEPENDENCIES", ("no-such-package",))
    answer = oxo("doctor")
    assert answer.exit_code == 1
    assert "problem: no-such-package is not installed" in answer.stdout
