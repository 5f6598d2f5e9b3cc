"""`oxo warmup` compiles all that the other commands need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import python

PROBE = Path(__file__).with_name("warmup_probe.py")


@pytest.mark.slow
def test_commands_compile_nothing_after_it() -> None:
    """In a process of its own, where no other test has compiled anything."""
    done = python(PROBE)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
