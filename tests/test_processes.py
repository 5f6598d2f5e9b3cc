"""Processes: one is its number and its beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hyperoxo.processes import born, cores, delayed_interrupts, is_alive, shutdown_signals


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


def test_beginnings_that_earlier_versions_wrote_are_unknown() -> None:
    assert is_alive(os.getpid(), "1a2b3c4d-5678")
    assert not is_alive(2**22 + 1, "1a2b3c4d-5678")


def test_a_clock_that_was_set_makes_no_other_process() -> None:
    begun = int(born(os.getpid()) or 0)
    assert is_alive(os.getpid(), str(begun + 40))
    assert not is_alive(os.getpid(), str(begun + 90))


def test_this_process_may_use_what_the_system_says() -> None:
    assert cores() == len(os.sched_getaffinity(0))


GIVES_WAY = """
import os
from pathlib import Path
from hyperoxo_web.server.worker import give_way
give_way(7)
share = Path("/proc/self/autogroup")
print(os.nice(0), *(share.read_text().split()[-1:] if share.exists() else ()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shares processors so")
def test_a_session_of_its_own_gives_way_as_a_whole() -> None:
    words = [sys.executable, "-c", GIVES_WAY]
    own = subprocess.run(words, stdout=subprocess.PIPE, check=True, start_new_session=True)
    assert {*map(int, own.stdout.split())} == {min(os.nice(0) + 7, 19)}
    # In the session of others the process gives way alone.
    share = Path("/proc/self/autogroup")
    before = share.read_text("ascii") if share.exists() else ""
    within = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    assert int(within.stdout.split()[0]) == os.nice(0) + 7
    assert before == (share.read_text("ascii") if share.exists() else "")


def test_an_end_waits_as_ctrl_c_does() -> None:
    before = signal.getsignal(signal.SIGTERM)
    done = []
    with pytest.raises(KeyboardInterrupt), shutdown_signals() as ended:  # noqa: PT012 - the order matters
        with delayed_interrupts():
            signal.raise_signal(signal.SIGTERM)
            done.append(1)
        done.append(2)
    assert done == [1]
    assert ended == [signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) == before
