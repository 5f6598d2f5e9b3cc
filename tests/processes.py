"""Processes that tests begin and end, and those that they begin in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

_TOOLS = Path(__file__).parents[1] / "tools"


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    return [child.pid for child in psutil.Process(process).children()]


def two_workers(process: int) -> list[int]:
    """Wait until a process has started two processes; return all it has started."""
    end = time.monotonic() + 120
    while len(found := children(process)) < 2:
        assert time.monotonic() < end, "waited in vain for the workers"
        time.sleep(0.05)
    return found


def wait_for_ends(processes: list[int]) -> None:
    """Wait until processes have ended."""
    known = [psutil.Process(process) for process in processes if psutil.pid_exists(process)]
    _, alive = psutil.wait_procs(known, 60)
    assert not alive


def run(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; return its exit code and what it printed."""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run(words, text=True, check=False, **more)


def python(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run Python to its end."""
    return run(sys.executable, *words, **more)


_LIMITED = """
import resource, sys
sys.dont_write_bytecode = True  # Python would keep what it imports cut
from hyperoxo.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
main()
"""


def oxo_on_full_disk(most: int, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run `oxo` where no file may grow beyond some bytes, which is much as on a full disk."""
    # What measures coverage would find the disk full as well.
    world = {name: value for name, value in os.environ.items() if "COV" not in name}
    return python("-c", _LIMITED, str(most), *words, env=world, **more)


def tool(name: str, *words: str, code: int = 0) -> str:
    """Run a tool, which ends with a code; return what it prints, or says where it fails."""
    done = python(_TOOLS / name, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr if code else done.stdout
