"""Processes that tests begin and end, and those that they begin in turn."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

_TOOLS = Path(__file__).parents[1] / "tools"


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text("ascii")
    return [int(word) for word in found.split()]


def two_workers(process: int) -> list[int]:
    """Wait until a process has started two processes; return all it has started."""
    end = time.monotonic() + 120
    while len(found := children(process)) < 2:
        assert time.monotonic() < end, "waited in vain for the workers"
        time.sleep(0.05)
    return found


def wait_for_ends(processes: list[int]) -> None:
    """Wait until processes have ended; each is awaited by a descriptor of it."""
    for process in processes:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        ready, _, _ = select.select([descriptor], [], [], 60)
        os.close(descriptor)
        assert ready, f"process {process} lives on"


def tool(name: str, *words: str, code: int = 0) -> str:
    """Run a tool, which ends with a code; return what it prints, or says where it fails."""
    words = (sys.executable, str(_TOOLS / name), *words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr if code else done.stdout
