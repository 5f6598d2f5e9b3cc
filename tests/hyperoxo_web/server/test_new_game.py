"""New games and boards: what is accepted, what is too much, and what is written once."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import pytest

from hyperoxo.board import Board, hypergraph
from hyperoxo.board.limits import Size
from hyperoxo.board.registry import KINDS, BoardKind, BoardSpec
from hyperoxo.errors import HyperoxoError, NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo_web.server import HOME, PUBLIC, NewGame, RefusedError, SeatSpec
from hyperoxo_web.server.boards import Boards
from hyperoxo_web.server.budget import Account, Meter, metered
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.new_game import agent_spec, created, game_of
from hyperoxo_web.server.view import Written, as_json
from hyperoxo_web.server.workers import Workers


@pytest.mark.parametrize(
    "spec",
    ["1000^2", "9^9", "999999999^999999999", "1^999999999", "2^12", "3^9", "50,50,5"],
)
def test_large_boards_are_refused_before_they_are_built(spec: str) -> None:
    with pytest.raises(RefusedError) as caught:
        game_of(spec, HOME)
    assert caught.value.code == "limit"


@pytest.fixture
def ladders(monkeypatch: pytest.MonkeyPatch) -> list[BoardSpec]:
    """A kind of board that nobody has heard of; boards of it that were built."""
    built: list[BoardSpec] = []

    def build(spec: BoardSpec) -> Board:
        built.append(spec)
        return hypergraph(spec.sizes[0], combinations(range(spec.sizes[0]), 2))

    def size(spec: BoardSpec) -> Size:
        return Size(spec.sizes[0], comb(spec.sizes[0], 2))

    kind = BoardKind("N! such as 7!", "([0-9]+)!", size, build)
    monkeypatch.setitem(KINDS, "ladder", kind)
    return built


def test_a_new_kind_of_board_is_measured_before_it_is_built(ladders: list[BoardSpec]) -> None:
    assert game_of("7!:misere", HOME).board.line_count == 21
    ladders.clear()
    for spec in ("2001!", "300!", "999999999!:misere"):
        with pytest.raises(RefusedError, match="are too many; this server takes boards of up"):
            game_of(spec, HOME)
    assert not ladders


def test_a_kind_of_board_that_understates_its_size(
    ladders: list[BoardSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    liar = replace(KINDS["ladder"], size=lambda _: Size(1, 1))
    monkeypatch.setitem(KINDS, "ladder", liar)
    with pytest.raises(RefusedError, match="250 cells and 31,125 lines are too many"):
        game_of("250!", HOME)
    assert ladders


@pytest.mark.parametrize("spec", ["6^3", "3^6", "4^5", "6^4", "7,6,4:gravity", "4{0+1/2+3}"])
def test_boards_that_people_play_on_are_welcome(spec: str) -> None:
    assert str(game_of(spec, HOME)) == spec


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("nobody", SpecError),
        ("mcts:simulations=x", SpecError),
        ("expert:seconds=30", RefusedError),
        ("mcts:seconds=1000", RefusedError),
        ("mcts:seconds=1000,threats=on", RefusedError),
        ("minimax:seconds=30,threats=on", RefusedError),
        ("alphazero:checkpoint=/etc/passwd", RefusedError),
        ("greedy:heuristic=/etc/table.JSON", RefusedError),
        ("random" + "x" * 300, RefusedError),
    ],
)
def test_agents_that_do_not_fit_are_refused(spec: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        agent_spec(spec, Game("3^2"), PUBLIC)


def test_levels_have_names_and_other_agents_are_spelled() -> None:
    seats = (SeatSpec(agent="level:5"), SeatSpec(agent="greedy"), SeatSpec("Bob", agent="level:1"))
    change, _ = created(NewGame("3^2:players=3", seats), HOME)
    assert [name for name, _, _ in change.seats] == ["Level 5, Club player", "greedy", "Bob"]


def test_people_and_agents_are_seated() -> None:
    seats = (SeatSpec("Ada", holder="here"), SeatSpec(agent="human", holder="here"), SeatSpec())
    change, _ = created(NewGame("3^2:players=3", seats), HOME)
    tokens = [token for _, _, token in change.seats]
    assert tokens[0] == tokens[1] != tokens[2]
    assert [name for name, _, _ in change.seats] == ["Ada", "Player 2", "Player 3"]
    assert all(token is not None and len(token) >= 22 for token in (*tokens, change.host))


@pytest.mark.parametrize(
    "new",
    [
        NewGame("3^2", (SeatSpec(),)),
        NewGame("3^2", clock=(0.0, 0.0)),
        NewGame("3^2", clock=(1e9, 0.0)),
        NewGame("3^2", position="1........1"),
        NewGame("3^2", position="moves:4,4"),
        NewGame("3^x"),
    ],
)
def test_nonsense_is_refused(new: NewGame) -> None:
    with pytest.raises(HyperoxoError):
        created(new, HOME)


def test_a_game_goes_on_from_a_position() -> None:
    _, room = created(NewGame("3^2", position="12......."), HOME)
    assert (room.position.text, room.to_move, room.tree.moves) == ("12.......", 1, ())


@pytest.mark.parametrize(
    "record",
    [
        Record(Game("3^2"), (4, 0, 3, 1, 5)),
        Record(Game("3^2"), (4, 0), resigned=1),
        Record(Game("3^2"), (4, 0), result="="),
        Record(Game("3^2"), (8,), setup="1...2....", players=("Ada", "Bob")),
        Record(Game("3^2:players=3"), (4, 0), resigned=2, tags=(("Event", "Club"),)),
    ],
)
def test_a_record_becomes_a_game_with_the_same_record(record: Record) -> None:
    again = created(NewGame(record=record), HOME)[1].record()
    assert (again.moves, again.setup, again.result) == (record.moves, record.setup, record.result)
    assert (again.resigned, again.tag("Event")) == (record.resigned, record.tag("Event"))
    assert again.players == (record.players or again.players)


def test_an_illegal_record_is_no_game() -> None:
    with pytest.raises(NotationError):
        Record(Game("3^2"), (4, 4))


LARGE = "3^6:opening=poorx5"
ASKER = Client("guest", PUBLIC)


async def test_views_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = Boards(Workers(1))
    game = await boards.game(LARGE, ASKER)
    assert game == Game(LARGE)
    shown = await boards.view("facts", game, ASKER)
    monkeypatch.setattr("hyperoxo_web.server.boards._VIEWS", {})
    assert await boards.view("facts", game, ASKER) == shown
    assert json.loads(shown.text)["cells"] == 729


@pytest.mark.parametrize(
    ("spec", "why"), [("3^9", "too many"), ("5^4:connect=9", "bad game"), ("^", "a board is")]
)
def test_what_is_no_game_is_refused(spec: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        asyncio.run(Boards(Workers(1)).game(spec, ASKER))


async def test_a_game_that_was_made_for_one_client_is_not_for_all() -> None:
    boards = Boards(Workers(1))
    assert (await boards.game("1400^1", Client("", HOME))).cells == 1400
    with pytest.raises(RefusedError, match="1,400 cells"):
        await boards.game("1400^1", ASKER)


@pytest.mark.more
async def test_the_worker_that_reads_texts_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(1e-9, 1e-9)
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)
    workers = Workers(2)
    boards = Boards(workers)

    async def work() -> None:
        asked: dict[str, Any] = {"notation": None, "options": {}}
        found = await boards.call("record", ASKER, text="3^6 364", **asked)
        assert found.moves == (364,)
        with pytest.raises(RefusedError, match="bad game"):
            await boards.call("record", ASKER, text="4^5:opening=9999 0", **asked)

    try:
        await metered(work(), Account("guest", meter, meter))
    finally:
        await workers.stop()
    assert not meter.allows("guest", 1e-9)


def test_what_was_written_is_inserted_as_it_is() -> None:
    value = {"a": [Written('{"b":"é"}'), 1, Written("[]")], "c": {"d": Written("null")}}
    assert as_json(value) == b'{"a":[{"b":"\xc3\xa9"},1,[]],"c":{"d":null}}'
    assert as_json("\ud800") == b'"\\ud800"'
    with pytest.raises(TypeError, match="object has no JSON"):
        as_json([object()])
