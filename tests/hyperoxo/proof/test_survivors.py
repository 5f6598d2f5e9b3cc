"""The list of changes of the checker that no test can notice names changes that there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.more
def test_the_list_fits_the_modules() -> None:
    command = [sys.executable, str(ROOT / "tools" / "mutants.py"), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
