"""No text raises anything but the errors of hyperoxo; nearly valid ones are in `test_fuzz`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.board import read_hypergraph
from hyperoxo.game import Game
from hyperoxo.notation import FORMATS, detect, read
from hyperoxo.notation.files import read_file
from hyperoxo.notation.oneline import read_record
from tests.strategies import only_our_errors

NOISE = st.text(max_size=40) | st.text(
    st.sampled_from('0123456789^:,;{}[]()"\\.#-+=*/| \n\tabBWxXO'), max_size=60
)


@pytest.fixture(autouse=True)
def _small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few random digits can name a large board; here it had better be refused."""
    monkeypatch.setenv("HYPEROXO_MEMORY", str(2**20))


def reader(name: str) -> Callable[[str], object]:
    return lambda text: read(text, name, game="3^2" if name == "sgf" else None)


READERS: dict[str, Callable[[str], object]] = {
    **{name: reader(name) for name in FORMATS},
    "game": Game,
    "position": lambda text: Game("3^2:players=3,blocked=0").position(text),
    "hypergraph": read_hypergraph,
    "line": read_record,
    "detect": detect,
    "read": read,
}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=75)
@given(text=NOISE)
def test_noise(name: str, text: str) -> None:
    only_our_errors(READERS[name], text)


@given(st.binary(max_size=12) | NOISE.map(str.encode), st.sampled_from(["a.pos", "a.sgf", "a"]))
def test_noise_in_files(data: bytes, name: str) -> None:
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
        ("hypergraph", "999999999"),
        ("hypergraph", "#cells\n" + "a " * 10),
        ("position", "." * 10**6),
    ],
)
def test_absurd_sizes(name: str, text: str) -> None:
    assert only_our_errors(READERS[name], text) is not None
