"""Processes: one is its number and its beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hyperoxo.processes import _born_elsewhere, born, ends, interrupts, is_alive


def test_a_process_is_its_number_and_its_beginning() -> None:
    begun = born(os.getpid())
    assert begun
    assert is_alive(os.getpid(), begun)
    assert is_alive(os.getpid(), "")
    assert not is_alive(os.getpid(), f"{begun}1")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        begun = born(process.pid)
        assert begun
        assert is_alive(process.pid, begun)
        # As long as nobody has asked for its exit code the number is its own.
        process.kill()
        assert process.stdin is not None
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(process.pid, begun)
    assert born(process.pid) is None
    assert not is_alive(process.pid, "")


@pytest.mark.skipif(sys.platform != "linux", reason="names are set by a call of Linux")
def test_a_name_with_parentheses_is_no_part_of_the_beginning() -> None:
    words = "import ctypes; ctypes.CDLL(None).prctl(15, b') R 1 2', 0, 0, 0); print(flush=True); "
    with subprocess.Popen(
        [sys.executable, "-c", f"{words}input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        begun = born(process.pid)
        process.stdout.readline()
        assert born(process.pid) == begun
        process.communicate()


def test_systems_without_proc_are_asked_by_ps() -> None:
    here = _born_elsewhere(os.getpid())
    assert here
    assert here == _born_elsewhere(os.getpid())
    assert ":" not in here


GIVES_WAY = """
import os
from pathlib import Path
from hyperoxo.processes import give_way
give_way(7)
share = Path("/proc/self/autogroup")
print(os.nice(0), *(share.read_text().split()[-1:] if share.exists() else ()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shares processors so")
def test_a_session_of_its_own_gives_way_as_a_whole() -> None:
    words = [sys.executable, "-c", GIVES_WAY]
    own = subprocess.run(words, stdout=subprocess.PIPE, check=True, start_new_session=True)
    assert {*map(int, own.stdout.split())} == {os.nice(0) + 7}
    # In the session of others the process gives way alone.
    share = Path("/proc/self/autogroup")
    before = share.read_text("ascii") if share.exists() else ""
    within = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    assert int(within.stdout.split()[0]) == os.nice(0) + 7
    assert before == (share.read_text("ascii") if share.exists() else "")


def test_an_end_waits_as_ctrl_c_does() -> None:
    before = signal.getsignal(signal.SIGTERM)
    done = []
    with pytest.raises(KeyboardInterrupt), ends.heard():  # noqa: PT012 - the order matters
        with interrupts.held():
            signal.raise_signal(signal.SIGTERM)
            done.append(1)
        done.append(2)
    assert done == [1]
    assert ends.by == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before
