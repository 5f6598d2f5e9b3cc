"""A server of ours stands while it is attacked."""

from __future__ import annotations

import pytest

from tests.processes import tool


@pytest.mark.more
def test_a_server_stands() -> None:
    said = tool("attack.py", "proxies", "frames", "floods", "halves")
    assert "halves: 1,100 in" in said
    assert said.endswith("\n0 wrong\n")


@pytest.mark.more
@pytest.mark.parametrize("part", ["names", "heads", "bodies", "events"])
def test_a_server_stands_all_that(part: str) -> None:
    assert tool("attack.py", part).endswith("\n0 wrong\n")


@pytest.mark.more
def test_a_part_that_there_is_not() -> None:
    assert "no part 'nothing'" in tool("attack.py", "nothing", code=2)
