"""No text, random or nearly valid, raises anything but the errors of hyperoxo."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.board import read_hypergraph, write_hypergraph
from hyperoxo.game import Game, read_position
from hyperoxo.notation import FORMATS, convert, detect, read, write
from hyperoxo.notation.files import read_file
from hyperoxo.notation.json_record import read_json, write_json
from hyperoxo.notation.oneline import read_record
from tests.hyperoxo.notation.test_round_trip import HELD
from tests.strategies import game_specs, games, only_our_errors, positions, records, spoilt

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
    "position": lambda text: read_position(Game("3^2:players=3,blocked=0"), text),
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


@pytest.mark.more
@settings(max_examples=100)
@given(spoilt(game_specs(), "players=target=misere=gravity=blocked=opening=poorx2"))
def test_spoilt_game_specs(text: str) -> None:
    if only_our_errors(Game, text) is None:
        assert Game(str(Game(text))) == Game(text)


@pytest.mark.more
@settings(max_examples=100)
@given(st.data())
def test_spoilt_positions(data: st.DataObject) -> None:
    position = data.draw(positions())
    texts = st.sampled_from([position.text, "moves:" + ",".join(map(str, position.history))])
    text = data.draw(spoilt(texts))
    if only_our_errors(position.game.position, text) is None:
        again = position.game.position(text)
        assert position.game.position(again.text) == again


@pytest.mark.more
@settings(max_examples=75)
@given(spoilt(games().map(lambda game: write_hypergraph(game.board)), "#cells#lines#blocked"))
def test_spoilt_hypergraphs(text: str) -> None:
    only_our_errors(read_hypergraph, text)


@pytest.mark.more
@pytest.mark.parametrize("name", [name for name in HELD if name != "position"])
@settings(max_examples=75)
@given(data=st.data())
def test_spoilt_records(name: str, data: st.DataObject) -> None:
    text = data.draw(spoilt(HELD[name].map(lambda record: write([record], name))))
    if only_our_errors(READERS[name], text) is not None:
        return

    for target in FORMATS:

        def into(text: str, target: str = target) -> object:
            return convert(text, name, target, game="3^2")

        only_our_errors(into, text)


@pytest.mark.more
@settings(max_examples=75)
@given(st.data())
def test_spoilt_numbers_in_json(data: st.DataObject) -> None:
    """Replace a value by one of another kind."""
    text = write_json([data.draw(records())])
    values = [
        "null",
        "true",
        "1.5",
        "-1",
        "1e999",
        "NaN",
        "[]",
        "{}",
        '""',
        "9" * 5000,
        '"\\ud800"',
    ]
    start = data.draw(st.integers(0, len(text) - 1))
    at = text.find(": ", start)
    end = min((where for mark in ", }" if (where := text.find(mark, at + 2)) > 0), default=at)
    only_our_errors(read_json, text[: at + 2] + data.draw(st.sampled_from(values)) + text[end:])


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
