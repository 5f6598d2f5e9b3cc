"""No text, random or nearly valid, raises anything but the errors of hyperoxo."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.board import read_hypergraph, write_hypergraph
from hyperoxo.game import Game, read_position
from hyperoxo.notation import FORMATS, Record, convert, detect, read, write, write_record
from hyperoxo.notation.columns import read_columns
from hyperoxo.notation.files import read_file
from hyperoxo.notation.json_record import read_json, write_json
from hyperoxo.notation.oneline import read_record, read_records
from hyperoxo.notation.pgn import read_pgn, write_pgn
from hyperoxo.notation.piskvork import read_psq
from hyperoxo.notation.sgf import read_sgf, write_sgf
from hyperoxo.notation.tesseract import read_tesseract, write_tesseract
from tests.strategies import game_specs, games, only_our_errors, positions, records, spoilt

NOISE = st.text(max_size=40) | st.text(
    st.sampled_from('0123456789^:,;{}[]()"\\.#-+=*/| \n\tabBWxXO'), max_size=60
)
PLANAR = games(hypercubes=("2^2", "3^2", "4^2"), others=False, most_players=2)
TESSERACT = Game("3^4:blocked=centre,target=9,players=3")


@pytest.fixture(autouse=True)
def _small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few random digits can name a large board; here it had better be refused."""
    monkeypatch.setenv("HYPEROXO_MEMORY", str(2**20))


def position_of(text: str) -> object:
    return read_position(Game("3^2:players=3,blocked=0"), text)


def sgf_of(text: str) -> object:
    return read_sgf(text, game="3^2")


READERS: dict[str, Callable[[str], object]] = {
    "game": Game,
    "position": position_of,
    "hypergraph": read_hypergraph,
    "line": read_record,
    "record": read_records,
    "pgn": read_pgn,
    "json": read_json,
    "sgf": sgf_of,
    "psq": read_psq,
    "columns": read_columns,
    "tesseract": read_tesseract,
    "drawing": lambda text: read(text, "drawing"),
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


def played(spec: str) -> st.SearchStrategy[Record]:
    return positions(st.just(Game(spec))).filter(lambda one: one.ply > 0).map(Record.of)


def written(
    write: Callable[[Record], str], kind: st.SearchStrategy[Record]
) -> st.SearchStrategy[str]:
    return spoilt(kind.map(write))


SPOILT: dict[str, st.SearchStrategy[str]] = {
    "record": written(write_record, records()),
    "pgn": written(lambda record: write_pgn([record]), records()),
    "json": written(lambda record: write_json([record]), records()),
    "sgf": written(lambda record: write_sgf([record]), records(PLANAR)),
    "psq": written(lambda record: write([record], "psq"), played("6,5,5")),
    "columns": written(lambda record: write([record], "columns"), played("5,4,3:gravity")),
    "drawing": written(lambda record: write([record], "drawing"), records()),
    "tesseract": written(write_tesseract, played(str(TESSERACT))),
}


@pytest.mark.more
@pytest.mark.parametrize("name", SPOILT)
@settings(max_examples=75)
@given(data=st.data())
def test_spoilt_records(name: str, data: st.DataObject) -> None:
    text = data.draw(SPOILT[name])
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
