"""`oxo warmup` compiles all that the other commands need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROBE = Path(__file__).with_name("warmup_probe.py")


@pytest.mark.slow
def test_commands_compile_nothing_after_it() -> None:
    """In a process of its own, where no other test has compiled anything."""
    done = subprocess.run([sys.executable, str(PROBE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
