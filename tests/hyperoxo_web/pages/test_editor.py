"""Setting up positions: what the page is told, without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from hyperoxo.game import Position
from hyperoxo_web.pages.analyse_page import split_place
from hyperoxo_web.server import board_tasks
from tests.hyperoxo_web.pages.simulated import Table
from tests.strategies import games, positions


@pytest.mark.more
@given(positions(games(new_rules=True)))
def test_an_address_holds_every_position(position: Position) -> None:
    place = f"{position.game}/{position.text}"
    assert split_place(place) == (str(position.game), position.text)
    found = board_tasks.place(*split_place(place))
    assert found["status"]["legal"]
    assert (found["game"], found["cells"]) == (str(position.game), position.text)


def test_what_stands_in_an_address() -> None:
    assert split_place("3^2") == ("3^2", "")
    assert split_place("3^2/X.O/.X./..O") == ("3^2", "X.O/.X./..O")
    assert split_place("4{0+1/2+3}:misere/12..") == ("4{0+1/2+3}:misere", "12..")
    assert split_place("4{0+1/2+3}") == ("4{0+1/2+3}", "")


async def look(place: Table, game: str, cells: str, known: str = "") -> dict[str, Any]:
    place.send("check", {"game": game, "cells": cells, "known": known})
    found: dict[str, Any] = await place.heard("checked")
    assert found["asked"] == [game, cells]
    return found


@pytest.mark.more
async def test_stones_are_judged_while_one_edits(place: Table) -> None:
    await place.open("/analyse/3^2/12.......")
    props = place.props
    assert (props["cells"], props["status"]["mover"]) == ("12.......", 1)
    assert props["status"]["result_text"] == "Cross is to move."
    found = await look(place, "3^2", "1122.....", "3^2")
    assert (found["legal"], found["mover"], "geometry" in found) == (True, 1, False)
    found = await look(place, "3^2", "111.....2", "3^2")
    assert not found["legal"]
    assert found["trouble"] == (
        "Cross has 3 stones and Ring has 1 stone; if Cross began it would be 2 and 2."
    )
    found = await look(place, "3^2", "11122....", "3^2")
    assert (found["result_text"], found["mover"]) == ("Cross wins.", 0)
    found = await look(place, "3^2:gravity", "1........", "3^2")
    assert found["geometry"]["gravity"] == 0
    found = await look(place, "3^2:gravity", "...1.....", "3^2:gravity")
    assert (found["wrong"], found["legal"]) == ([3], False)
    # Another board begins empty, blocked cells lose their stones, and so do players.
    assert (await look(place, "2^2", "12......."))["cells"] == "...."
    assert (await look(place, "3^2:blocked=0", "12......."))["cells"] == "#2......."
    assert (await look(place, "3^2", "12......3"))["cells"] == "12......."
    assert (await look(place, "3^", "12......."))["error"].endswith(".")
    assert (await look(place, "99^9", ""))["error"].endswith(".")
    assert await place.core.store.games() == []


TEXTS = [
    ("X.O / .X. / ..O", "4^3", "3^2", "1.2.1...2", 0),
    ("X.O / .X. / ..O", "3^2:misere", "3^2:misere", "1.2.1...2", 0),
    ("XXX / OOO / ...", "3^2", "3^2", "111222...", 0),
    ("3^2:misere X.O / .X. / ..O", "3^2", "3^2:misere", "1.2.1...2", 0),
    ("2...1....", "3^2", "3^2", "2...1....", 0),
    ("3^2 2...1..11", "4^3", "3^2", "2...1..11", 0),
    ("3^2 4-0-8", "4^3", "3^2", "2...1...1", 3),
    ('[Game "3^2"] 1. 4 0 *', "4^3", "3^2", "2...1....", 2),
]


@pytest.mark.more
async def test_a_text_is_put_on_the_board(place: Table) -> None:
    for text, shown, game, cells, moves in TEXTS:
        await place.open("/analyse")
        found = await place.ask("read", {"text": text, "game": shown}, "took")
        assert found == {"game": game, "cells": cells, "moves": moves}, text


@pytest.mark.more
async def test_what_cannot_be_read_is_refused_in_one_line(place: Table) -> None:
    await place.open("/analyse")
    for text, words in (
        ("nonsense", "notation"),
        ("X0X / 00X / 0X0", "0 may be a free cell or a ring"),
        ("X..O/..../....", "does not tell the game"),
        ("3^2 4-0-0", "taken"),
        ("", "notation"),
    ):
        said = await place.ask("read", {"text": text, "game": "3^2"}, "failed")
        assert words in said
        assert "\n" not in said


@pytest.mark.more
async def test_a_whole_game_is_looked_at_where_it_is_kept_nowhere(place: Table) -> None:
    await place.open("/analyse")
    place.send("whole", {"text": "3^2 4-1-0", "game": "4^3"})
    assert await place.gone_to() == "/p/3%5E2/4,1,0?review=1"
    element = place
    assert element.props["state"]["moves"] == [4, 1, 0]
    assert element.props["options"]["review"]
    await place.open("/analyse")
    named = '[Game "3^2"]\n[Player1 "Ada"]\n[Player2 "Bob"]\n1. 4 1 *'
    assert "review=1" in await place.gone("whole", {"text": named})
    assert place.props["state"]["seats"][0]["name"] == "Ada"
    assert await place.core.store.games() == []


@pytest.mark.more
async def test_a_game_is_listed_only_when_it_is_played(place: Table) -> None:
    await place.open("/analyse/3^2:first=2/.2.......")
    assert "seat=" in await place.gone("begin", {"game": "3^2:first=2", "cells": ".2......."})
    state = place.props["state"]
    assert (state["you"], state["to_move"], state["position"]) == ([1], 1, ".2.......")
    assert len(await place.core.store.games()) == 1
