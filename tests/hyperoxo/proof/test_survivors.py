"""The list of changes of the checker that no test can notice names changes that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import python

ROOT = Path(__file__).parents[3]


@pytest.mark.more
def test_the_list_fits_the_modules() -> None:
    found = python(ROOT / "tools" / "mutants.py", "--check")
    assert (found.returncode, found.stderr) == (0, "")
