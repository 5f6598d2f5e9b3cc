"""The list of slow tests names tests that exist, and leaves quicker ones of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LISTED = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", sorted({line.partition("[")[0] for line in LISTED}))
def test_it_exists(name: str) -> None:
    file, _, function = name.partition("::")
    assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_list_is_in_order() -> None:
    assert sorted(set(LISTED)) == LISTED
