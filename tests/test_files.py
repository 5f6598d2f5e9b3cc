"""Files written in one step, forms by suffix, and damage."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError, NotationError, SpecError
from hyperoxo.files import (
    DamagedFileError,
    atomic,
    by_suffix,
    remove_left,
    replace_file,
    sha256,
    sole_writer,
)


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
def another_writer(path: Path, program: str = _WRITER) -> Iterator[subprocess.Popen[str]]:
    """Run another process that is in the middle of writing a file, until its input ends."""
    words = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


def make_old(*paths: Path) -> None:
    """Set the time of files back by two minutes."""
    for path in paths:
        os.utime(path, (time.time() - 120,) * 2)


def partial(folder: Path) -> list[Path]:
    return sorted(folder.glob(".oxo-*.part"))


def test_nothing_stays_of_a_writer_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("old")
    remove_left.cache_clear()
    with another_writer(path) as first, another_writer(path) as second:
        for process in (first, second):
            process.kill()
            process.wait()
        left = partial(tmp_path)
        assert len(left) == 2
        make_old(left[0])
        # The other may be of a writer that has not locked it yet.
        replace_file(path, b"new")
        assert sorted(tmp_path.iterdir()) == [left[1], path]
    assert path.read_text() == "new"


def test_a_file_that_is_being_written_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with another_writer(path) as other:
        make_old(*partial(tmp_path))
        remove_left.cache_clear()
        remove_left(tmp_path)
        other.communicate()
    assert path.read_bytes() == b"half" * 1000


def test_names_beside_a_file_are_their_owners(tmp_path: Path) -> None:
    """A fixed name was overwritten or removed, and a link of that name followed."""
    victim, out = tmp_path / "victim", tmp_path / "m.svg"
    victim.write_text("mine")
    for name in ("m.svg.part", ".m.svg.part", ".oxo-.part", ".oxo-0123.part", "m.svg.1.part"):
        (tmp_path / name).symlink_to(victim)
    own = tmp_path / ".oxo-of-mine.part"
    own.write_text("mine")
    (tmp_path / f".oxo-{'0' * 16}.part").symlink_to(victim)
    before = sorted(tmp_path.iterdir())
    make_old(*before)
    remove_left.cache_clear()
    replace_file(out, b"drawn")
    assert sorted(tmp_path.iterdir()) == sorted([*before, out])
    assert victim.read_text() == own.read_text() == "mine"


def test_a_link_laid_under_the_name_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.urandom", bytes)
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / f".oxo-{'0' * 16}.part").symlink_to(victim)
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "m.svg", b"drawn")
    assert victim.read_text() == "mine"


_OWNER = _WRITER.replace("import atomic\n", "import sole_writer\n").replace(
    """with atomic(sys.argv[1]) as beside:
    beside.write_bytes(b"half" * 1000)
""",
    """with sole_writer(sys.argv[1]):
""",
)


def refused(path: Path) -> str:
    """Return the refusal of a file that another process writes."""
    with pytest.raises(CheckFailedError) as caught, sole_writer(path):
        pass
    return str(caught.value)


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path, link = tmp_path / "table", tmp_path / "link"
    link.symlink_to(path)
    with another_writer(path, _OWNER) as first:
        by = rf"is being written by process {first.pid} since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d"
        assert re.fullmatch(f"{path} {by}", refused(path))
        assert re.fullmatch(f"{link} {by}", refused(link))
        with sole_writer(tmp_path / "another"):
            pass
        first.communicate()
        assert first.returncode == 0
    with sole_writer(path), sole_writer("/dev/null"), sole_writer("/dev/null"):
        assert "this" not in refused(path)
    assert list(tmp_path.iterdir()) == [link]


def test_a_writer_that_was_killed_keeps_no_one_out(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with another_writer(path, _OWNER) as first:
        first.kill()
        first.wait()
        (left,) = tmp_path.iterdir()
        (tmp_path / "hard").hardlink_to(left)
        said = left.read_text().strip()
        with sole_writer(path):
            assert f"process {os.getpid()} since" in refused(path)
        assert [one.name for one in tmp_path.iterdir()] == ["hard"]
        assert (tmp_path / "hard").read_text().strip() == said


def test_what_a_stranger_wrote_about_the_writer_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with sole_writer(path):
        (lock,) = tmp_path.iterdir()
        lock.write_bytes(b"\x1b]0;\xff process 1 since")
        assert refused(path) == f"{path} is being written by another process"


def test_writers_at_the_same_time_keep_out_of_each_others_way(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with another_writer(path) as other:
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
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as given, os.fdopen(writer, "wb"):
        ours = f"/dev/fd/{writer}"
        with sole_writer(ours), sole_writer(ours):
            replace_file(ours, b"piped")
        assert given.read(5) == b"piped"
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace_file("/dev/full", b"content")
    assert caught.value.filename == "/dev/full"


def test_without_locks_files_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("filelock.lock_descriptor", none)
    path = tmp_path / "table"
    with sole_writer(path), sole_writer(path):
        replace_file(path, b"content")
    assert caplog.messages == [
        f"{tmp_path}: this file system has no locks; let no other program write here meanwhile"
    ]
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
