"""Games come back from every notation that holds them, and their texts are told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import Game, Position
from hyperoxo.notation import Record, detect, read, write
from tests.strategies import TEXTS, games, mnk_specs, play_at_random, positions, records

PLANAR = games(hypercubes=("2^2", "3^2", "4^2"), others=False, most_players=2)
NAMES = st.tuples(*[st.from_regex(r"[A-Za-z][ -~]{0,6}[!-~]", fullmatch=True)] * 2)
SCORES = st.fixed_dictionaries({"Score": st.integers(-999, 999).map(str)})


def plays(*specs: str) -> st.SearchStrategy[Position]:
    return positions(st.sampled_from(specs).map(Game)).filter(lambda position: position.ply > 0)


@st.composite
def tesseract_records(draw: st.DrawFn) -> Record:
    players = draw(st.integers(2, 8))
    game = Game(f"3^4:players={players},target={draw(st.integers(1, 12))},blocked=centre")
    position = play_at_random(game.start(), draw(st.integers(0, 2**32)), draw(st.integers(0, 80)))
    icons = draw(st.lists(TEXTS, min_size=players, max_size=players + 3))
    return Record.of(position, icons=icons, free_icon=draw(TEXTS))


COLUMNS = "7,6,4:gravity", "5,4,3:gravity", "3^3:gravity", "2^3:gravity=1", "12,2,3:gravity,misere"
HELD: dict[str, st.SearchStrategy[Record]] = {
    "position": records(),
    "drawing": records(games(new_rules=True)),
    "record": records(),
    "names": records(),
    "pgn": records(),
    "json": records(),
    "sgf": records(PLANAR | mnk_specs().map(Game)),
    "psq": st.builds(Record.of, plays("7,6,5", "5,5,5", "3,9,5"), players=NAMES | st.just(())),
    "columns": st.builds(Record.of, plays(*COLUMNS), tags=SCORES | st.just({})),
    "sequence": plays("3^2", "4^3", "3^3:misere", "3^2:players=3", "3^4:target=2").map(Record.of),
    "tesseract": tesseract_records(),
}
"""Games that a notation holds, by its name."""


def placed(record: Record) -> Record:
    return Record.of(Position.from_owners(record.game, record.position.owners))


def nameless(record: Record) -> Record:
    return replace(record, players=(), icons=(), free_icon=None, tags=(), comments=())


CARRIED: dict[str, Callable[[Record], Record]] = {
    "position": placed,
    "drawing": placed,
    "record": nameless,
    "names": nameless,
    "sgf": lambda record: replace(record, icons=(), free_icon=None, tags=()),
}
"""Notations that do not carry all of a record, and what they leave of it."""


@pytest.mark.more
@pytest.mark.parametrize("name", HELD)
@given(data=st.data())
def test_round_trip(name: str, data: st.DataObject) -> None:
    most = 1 if name in ("sequence", "tesseract") else 2
    found = data.draw(st.lists(HELD[name], min_size=1, max_size=most))
    text = write(found, name)
    carried = [*map(CARRIED.get(name, replace), found)]
    assert read(text, name) == carried
    if name not in ("drawing", "columns"):
        assert read(text) == carried
        assert detect(text) == name or name in ("names", "sequence")
