"""Whatever reads text or files understands damaged input or refuses it in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import Game
from hyperoxo.notation.files import read_file
from tests.parsers import PARSERS, Parser
from tests.strategies import only_our_errors
from tools.fuzz import compile_first, fuzz


@pytest.mark.more
@pytest.mark.parametrize("name", PARSERS)
def test_damaged_input(name: str) -> None:
    compile_first(PARSERS[name])
    tally = fuzz(PARSERS[name], 1, most=400)
    assert (tally.inputs, tally.failures) == (400, {})


def test_another_error_is_a_failure() -> None:
    parser = Parser("number", "a number", lambda: ["1"], int)
    assert "ValueError" in min(fuzz(parser, 1, most=20).failures)


@given(
    st.binary(max_size=12) | st.text(max_size=60).map(str.encode),
    st.sampled_from(["a.pos", "a.sgf", "a"]),
)
def test_bytes_in_files(data: bytes, name: str) -> None:
    only_our_errors(lambda _: read_file(data, name, game="3^2"), "")
    only_our_errors(lambda _: read_file(data, name, encoding="utf-16"), "")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json", "[" * 100_000),
        ("json", '{"a":' * 100_000),
        ("sgf", "(" * 100_000),
        ("sgf", "(;" * 100_000 + ")" * 99_999),
        ("pgn", "[" * 100_000),
        ("pgn", "{" * 100_000),
        ("pgn", '[Game "' + "\\" * 100_001),
        ("tesseract", "{" * 100_000),
        ("record", "3^2 " * 10_000),
        ("game", "1^999999999"),
        ("game", "999999999^999999999"),
        ("game", "999999999,999999999,1"),
        ("game", "999999999{}"),
        ("game", "3^2:players=999999999,target=999999999"),
        ("board", "999999999"),
        ("board", "#cells\n" + "a " * 10),
        ("position", "." * 10**6),
    ],
)
def test_absurd_sizes(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_MEMORY", str(2**20))
    position = Game("3^2:players=3,blocked=0").position
    assert only_our_errors(position if name == "position" else PARSERS[name].read, text) is not None
