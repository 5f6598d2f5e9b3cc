"""Files written in one step, forms by suffix, and damage."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.files import DamagedFileError, atomic, by_suffix, replace_file, sha256


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("old")
    with atomic(path) as beside:
        beside.write_text("new")
        assert beside.parent == tmp_path
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    replace_file(path, b"newer")
    assert path.read_bytes() == b"newer"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt()])
def test_an_error_leaves_the_file_as_it_was(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "table"
    path.write_text("old")

    def write() -> None:
        with atomic(path) as beside:
            beside.write_text("half")
            raise error

    with pytest.raises(type(error)):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_that_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "no" / "table"
    with pytest.raises(FileNotFoundError) as caught:
        replace_file(path, b"")
    assert caught.value.filename == str(path)
    with pytest.raises(IsADirectoryError) as caught_too:
        replace_file(tmp_path, b"")
    assert caught_too.value.filename == str(tmp_path)
    other = tmp_path / "other"
    with pytest.raises(FileNotFoundError) as another, atomic(tmp_path / "table") as beside:
        beside.write_bytes(other.read_bytes())
    assert another.value.filename == str(other)


def test_suffixes() -> None:
    table = {".csv": 1, ".json": 2}
    assert by_suffix(Path("a.JSON"), table) == 2
    with pytest.raises(SpecError, match=r"the name of a\.txt must end in \.csv, \.json"):
        by_suffix(Path("a.txt"), table)
    with pytest.raises(NotationError):
        by_suffix(Path("a"), table, NotationError)


def test_hashes_and_damage() -> None:
    assert sha256(b"a", memoryview(b"bc")) == hashlib.sha256(b"abc").hexdigest()
    assert str(DamagedFileError("x")) == "'x' is damaged: SHA-256 mismatch"
    assert DamagedFileError("x").exit_code == 1
