"""Files of strangers, too large, endless, packed or hostile, and every command that reads one."""

from __future__ import annotations

import io
import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from hyperoxo.errors import displayed
from tests.command import oxo
from tests.marks import more

MATCH = ("match", "3^2", "random", "--games", "2", "--no-store")
READERS: dict[str, tuple[str, ...]] = {
    "verify": ("verify", "{}"),
    "dictionary": ("verify", "--dictionary", "{}", "3^2"),
    "proof show": ("proof", "show", "{}"),
    "proof export": ("proof", "export", "{}", "--dictionary", "out"),
    "suggest": ("solve", "3^2", "--suggest", "{}"),
    "analyse": ("analyse", "{}"),
    "convert": ("convert", "{}", "out.pgn"),
    "picture": ("picture", "{}", "--out", "out.svg"),
    "board": ("board", "@{}"),
    "load": ("play", "--load", "{}"),
    "score": ("dataset", "--score", "{}", "{}"),
    "store": ("results", "--store", "{}"),
    "td": (*MATCH, "td:checkpoint={}"),
    "alphazero": (*MATCH, "alphazero:checkpoint={}"),
    "ppo": (*MATCH, "ppo:checkpoint={}"),
    "pairing": (*MATCH, "pairing:pairs={}"),
    "breaker": (*MATCH, "breaker:plan={}"),
    "states": ("states", "3^2", "--checkpoint", "{}"),
    "replies": ("replies", "3^2", "--position", "moves:4", "--checkpoint", "{}"),
    "ladder": ("ladder", "--levels", "3^2", "--out", "{}"),
}
"""Commands that read a file, by what reads it."""

BUDGET = 128 << 20
"""Memory budget here, an eighth of which a file may have."""


def _deep(path: Path) -> None:
    path.write_bytes(b'{"format": ' + b"[" * 1_000_000)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def _link_to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _packed_arrays(path: Path) -> None:
    path.write_bytes(_zeros())


@cache
def _zeros() -> bytes:
    """Pack arrays once; it takes a fourth of a second."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("head", "keys", "games", "orbit"):
            with packed.open(f"{name}.npy", "w") as part:
                np.lib.format.write_array(part, np.zeros(10_000_000, np.uint8))
    return file.getvalue()


def _tensors(path: Path) -> None:
    header = b'{"a": [' + b"[]," * 3_000_000 + b"[]]}"
    path.write_bytes(len(header).to_bytes(8, "little") + header)


def _claimed_tensors(path: Path) -> None:
    entry = {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]}
    header = json.dumps({"a": entry}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)


def _numbers(path: Path) -> None:
    path.write_text('{"format": "hyperoxo-record", "version": 1, "game": "3^2", "moves": [NaN]}')


def _surrogates(path: Path) -> None:
    path.write_text(
        '{"format": "hyperoxo-record", "version": 1, "game": "3^2", "moves": [],'
        ' "players": ["\\ud800", "\\udfff"]}'
    )


FILES: dict[str, Callable[[Path], None]] = {
    "a device": _link_to_zero,
    "a terabyte of nothing": _sparse,
    "nested": _deep,
    "arrays of zeros, packed": _packed_arrays,
    "a header of millions": _tensors,
    "a shape that is not there": _claimed_tensors,
    "not a number": _numbers,
    "halves of letters": _surrogates,
}


@contextmanager
def endless(path: Path) -> Iterator[None]:
    """Make a pipe that is written to as long as anybody reads."""
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            try:
                while True:
                    pipe.write(b'{"a": 1}\n' * 5_000)
            except BrokenPipeError:
                return

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    # In case it was never opened.
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    writer.join()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPEROXO_MEMORY", str(BUDGET))
    return tmp_path


def done(reader: str, path: Path) -> Result:
    return oxo(*[word.replace("{}", str(path)) for word in READERS[reader]])


def check(found: Result) -> None:
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    assert found.exit_code in (0, 1, 2)
    assert found.exit_code == 0 or "Traceback" not in found.stderr
    assert displayed(found.output) == found.output


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("reader", more(READERS, ["dictionary"]))
def test_a_strange_file_is_refused_in_a_line(folder: Path, reader: str, file: str) -> None:
    path = folder / "strange"
    FILES[file](path)
    check(done(reader, path))


@pytest.mark.parametrize("reader", ["verify", "analyse", "td", "alphazero", "board", "load"])
def test_an_endless_pipe_is_read_up_to_the_limit(folder: Path, reader: str) -> None:
    path = folder / "strange"
    with endless(path):
        found = done(reader, path)
    check(found)
    assert "is larger than" in found.stderr
