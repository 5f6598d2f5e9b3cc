"""A server of ours stands while it is attacked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ATTACK = Path(__file__).parents[2] / "tools" / "attack.py"


def attacked(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ATTACK), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_server_stands() -> None:
    said = attacked("proxies", "frames", "floods", "halves")
    assert "halves: 1,100 in" in said
    assert said.endswith("\n0 wrong\n")


@pytest.mark.parametrize("part", ["names", "heads", "bodies", "events"])
def test_a_server_stands_all_that(part: str) -> None:
    assert attacked(part).endswith("\n0 wrong\n")


def test_a_part_that_there_is_not() -> None:
    done = subprocess.run(
        [sys.executable, str(ATTACK), "nothing"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no part 'nothing'" in done.stderr
