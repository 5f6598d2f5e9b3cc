"""Whatever reads text or files understands damaged input or refuses it in one line."""

from __future__ import annotations

import pytest

from tests.parsers import PARSERS, Parser
from tools.fuzz import fuzz


@pytest.mark.more
@pytest.mark.parametrize("name", PARSERS)
def test_damaged_input(name: str) -> None:
    tally = fuzz(PARSERS[name], 1, most=400, slow=60.0)
    assert (tally.inputs, tally.failures) == (400, {})


def test_another_error_is_a_failure() -> None:
    parser = Parser("number", "a number", lambda: ["1"], int)
    assert "ValueError" in min(fuzz(parser, 1, most=20).failures)
