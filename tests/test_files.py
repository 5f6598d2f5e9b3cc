"""Files written in one step, forms by suffix, and damage."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.files import DamagedFileError, atomic, by_suffix, remove_left, replace_file, sha256


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


_WRITER = """
import sys
from hyperoxo.files import atomic
with atomic(sys.argv[1]) as beside:
    beside.write_bytes(b"half" * 1000)
    print("writing", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_writer(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run another process that is in the middle of writing a file, until its input ends."""
    words = [sys.executable, "-c", _WRITER, str(path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


@pytest.mark.parametrize("clean", [lambda path: replace_file(path, b"new"), remove_left])
def test_nothing_stays_of_a_writer_that_was_killed(
    tmp_path: Path, clean: Callable[[Path], None]
) -> None:
    path = tmp_path / "table"
    path.write_text("old")
    with another_writer(path) as first, another_writer(path) as second:
        for process in (first, second):
            process.kill()
            process.wait()
        assert len(list(tmp_path.iterdir())) == 3
        clean(path)
        assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() in ("old", "new")


def test_writers_at_the_same_time_keep_out_of_each_others_way(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with another_writer(path) as other:
        remove_left(path)
        replace_file(path, b"whole")
        assert path.read_bytes() == b"whole"
        assert len(list(tmp_path.iterdir())) == 2
        other.communicate()
        assert other.returncode == 0
    assert path.read_bytes() == b"half" * 1000
    assert list(tmp_path.iterdir()) == [path]


def test_threads_at_the_same_time_keep_out_of_each_others_way(tmp_path: Path) -> None:
    path = tmp_path / "table"
    contents = [bytes([number]) * 5000 for number in range(60)]
    with ThreadPoolExecutor(8) as crew:
        list(crew.map(lambda content: replace_file(path, content), contents))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    path, link = tmp_path / "far" / "table", tmp_path / "link"
    link.symlink_to(path)
    for content in (b"one", b"two"):
        replace_file(link, content)
        assert link.is_symlink()
        assert path.read_bytes() == content
    assert list((tmp_path / "far").iterdir()) == [path]


def test_devices_are_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as crew:
        read = crew.submit(pipe.read_bytes)
        replace_file(pipe, b"content")
        assert read.result() == b"content"
    assert pipe.is_fifo()
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace_file("/dev/full", b"content")
    assert caught.value.filename == "/dev/full"


def test_without_locks_files_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    path = tmp_path / "table"
    replace_file(path, b"content")
    remove_left(path)
    assert path.read_bytes() == b"content"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table"

    def write() -> None:
        with atomic(path) as beside, beside.open("wb") as file:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(
        OSError, match=r"No space left on device \(/.* has [\d.,]+ MB left\)"
    ) as full:
        write()
    assert full.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


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
