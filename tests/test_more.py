"""The list of further tests names tests that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LISTED = (ROOT / "tests" / "more.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", sorted({line.partition("[")[0] for line in LISTED}))
def test_it_exists(name: str) -> None:
    file, _, function = name.partition("::")
    assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_list_is_in_order() -> None:
    assert sorted(set(LISTED)) == LISTED
