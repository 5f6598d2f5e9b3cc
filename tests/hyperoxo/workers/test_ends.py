"""Commands ended from outside: what they began ends with them, and what they found is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hyperoxo.lab import ResultStore
from tests.processes import children, wait_for_ends

HEARING = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
"""Tests that run under nohup hand on that this signal is ignored."""
OXO = [sys.executable, "-c", f"{HEARING}from hyperoxo.cli.main import main; main()"]
SLOW = ["mcts:simulations=3000,reuse=on", "minimax:depth=1"]
COUNT = ("perft", "4^3", "--plies", "9", "--workers", "2", "--format", "json")
IGNORING = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from hyperoxo.cli.main import main
main()
"""


@contextmanager
def running(*words: str, code: str = "") -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, *words] if code else [*OXO, *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until(is_so: Callable[[], bool], pause: float = 0.05) -> None:
    deadline = time.monotonic() + 240
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(pause)


def all_begun(process: int) -> list[int]:
    """Wait for two workers, and return them with what watches over shared memory."""
    wait_until(lambda: len(children(process)) >= 3)
    return children(process)


@pytest.mark.more
@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGHUP])
def test_workers_end_with_a_command_that_counts(ended: signal.Signals) -> None:
    """With SIGHUP where Ctrl-C is ignored, as where a script begins a command beside itself."""
    code = HEARING + IGNORING if ended == signal.SIGHUP else ""
    with running(*COUNT, code=code) as process:
        workers = all_begun(process.pid)
        if code:
            process.send_signal(signal.SIGINT)
        process.send_signal(ended)
        output, errors = process.communicate(timeout=300)
        wait_for_ends(workers)
    if ended == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 128 + ended
        assert json.loads(output)["complete"] is False
        assert "interrupted; the counts are incomplete" in errors


def hears(process: int, number: int = signal.SIGINT) -> bool:
    """True if Python has come so far there that it hears of a signal, by default Ctrl-C."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    except OSError:
        return False
    caught = next(line.split()[1] for line in lines if line.startswith("SigCgt:"))
    return bool(int(caught, 16) & 1 << number - 1)


@pytest.mark.more
def test_ctrl_c_while_workers_begin_is_no_traceback() -> None:
    """A terminal sends Ctrl-C to all processes in its front, whatever they are doing."""
    with running(*COUNT) as process:
        # The first child is what watches over shared memory.
        wait_until(lambda: any(map(hears, children(process.pid)[1:])), 0.005)
        begun = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=300)
        wait_for_ends(begun)
    assert process.returncode == 130
    assert "Traceback" not in errors


def games(path: Path) -> int:
    if not path.exists():
        return 0
    with ResultStore(path) as store:
        return int(store.query("SELECT coalesce(sum(last - first), 0) FROM parts")[0][0])


@pytest.mark.more
def test_workers_end_with_a_match_and_its_games_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    words = ("3^3", *SLOW, "--games", "100000", "--workers", "2", "--store", str(path))
    with running("match", *words) as process:
        workers = all_begun(process.pid)
        wait_until(lambda: games(path) > 0)
        process.terminate()
        _, errors = process.communicate(timeout=300)
        wait_for_ends(workers)
    assert (kept := games(path)) > 0
    assert process.returncode == 128 + signal.SIGTERM
    assert f"run 1: {kept:,} of 100,000 games are stored" in errors
    with ResultStore(path) as store:
        assert store.query("SELECT state FROM runs") == [("interrupted",)]


@pytest.mark.more
def test_a_signal_that_is_ignored_stays_so() -> None:
    code = IGNORING.replace("SIGINT", "SIGHUP")
    with running("perft", "3^2", "--plies", "9", "--format", "json", code=code) as process:
        wait_until(lambda: hears(process.pid, signal.SIGTERM), 0.005)  # and would hear of that
        process.send_signal(signal.SIGHUP)
        output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert json.loads(output)["complete"] is True
