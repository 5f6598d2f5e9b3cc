from __future__ import annotations

import importlib.util
import os
import pty
import select
import subprocess
import sys
from functools import partial

import pytest

from tests import command
from tests.command import refusal

oxo = partial(command.oxo, "tui")


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert refusal(oxo(), 1) == (
        'oxo tui: the terminal application needs the extra "tui": pip install "hyperoxo[tui]"\n'
    )


def test_it_needs_a_terminal() -> None:
    assert "'oxo play' works in a pipe" in refusal(oxo("4^3"))


@pytest.mark.more
def test_it_runs_on_a_terminal_and_prints_the_game() -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    program = "from hyperoxo.cli.main import main; main()"
    command = [sys.executable, "-c", program, "tui", "3^2", "human", "human"]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    seen = b""
    try:
        sent = 0
        keys = [(b"Cross to move", b"\r"), (b"Ring to move", b"q")]
        while part := _read(master):
            seen += part
            if sent < len(keys) and keys[sent][0] in seen:
                os.write(master, keys[sent][1])
                sent += 1
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)
    assert b"3^2 moves:4" in seen.rsplit(b"\x1b", 1)[-1]


def _read(master: int) -> bytes:
    """Return what a program writes next; nothing once it has closed its terminal."""
    ready, _, _ = select.select([master], [], [], 120)
    assert ready, "nothing more was written"
    try:
        return os.read(master, 65536)
    except OSError:  # Linux says so where nobody holds the other end
        return b""
