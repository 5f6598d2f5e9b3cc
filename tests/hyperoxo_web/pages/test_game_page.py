from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hyperoxo.game import Why
from hyperoxo_web.server import GameInPlay, NewGame, SeatSpec, actions
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.thinking import Choice, Thinking
from tests.hyperoxo_web.pages.simulated import Table

PEOPLE = (SeatSpec("Ada"), SeatSpec("Bob"))
BOTH = (SeatSpec("Ada", holder="you"), SeatSpec("Bob", holder="you"))


async def opened(place: Table, new: NewGame, seat: int | None = 0) -> Any:
    """Make a game and open its page from one of its seats."""
    made = await place.core.create(new)
    token = "" if seat is None else f"?seat={made.tokens[seat]}"
    await place.open(f"/game/{made.live.room.id}{token}")
    await place.ask("hello", {}, "show")
    return made


async def test_moves_are_played_and_shown(place: Table) -> None:
    await opened(place, NewGame("3^2", BOTH))
    for node, cell in enumerate((4, 0, 3, 5, 1, 7, 6, 2, 8)):
        state = await place.ask("play", {"cell": cell, "node": node}, "show")
        assert state["last_move"] == cell
    assert state["over"]
    assert state["result_text"] == "The board is full. A draw."
    await place.open(place.visited[-1])
    assert place.props["state"]["moves"] == state["moves"]


async def test_cells_are_read_as_people_type_them(place: Table) -> None:
    await opened(place, NewGame("3^2", BOTH))
    assert place.props["geometry"]["names"][:4] == ["a3", "b3", "c3", "a2"]
    for typed in ("b2", " B2 ", "4", "1,1"):
        place.send("read", {"text": typed, "node": 0})
        assert await place.heard("named") == 4
    place.send("read", {"text": "d4", "node": 0})
    assert await place.heard("notify") == "There is no cell d4; cells are a1 to c3."


async def test_a_move_that_comes_late_takes_nothing_back(place: Table) -> None:
    """It was sent before the one that came first was shown; only who looks back goes back."""
    await opened(place, NewGame("3^2", BOTH))
    assert (await place.ask("play", {"cell": 4, "node": 0}, "show"))["moves"] == [4]
    place.send("play", {"cell": 0, "node": 0})
    assert "the game has moved on" in (await place.heard("notify")).lower()
    place.send("play", {"cell": 0, "node": 0, "back": True})
    state = await place.until("show", lambda state: state["last_move"] == 0)
    assert state["moves"] == [0]


@pytest.mark.more
async def test_a_board_is_prepared_and_a_move_asked_for_at_once(place: Table) -> None:
    """By an agent that is not one."""

    async def choose(room: GameInPlay, thinking: Thinking, client: Client) -> Choice:
        thinking.prepare({"done": 12, "needed": 40})
        await asyncio.sleep(1)  # said once a while has gone by
        thinking.prepare(None)
        thinking.on_progress({"best": 21, "depth": 4, "games": 0})
        await thinking.early.wait()
        return Choice(21, f"{Why.STOPS(cell=21)} {Why.MOVED_AT_ONCE()}")

    place.core.bots.choose = choose  # type: ignore[method-assign]
    await opened(place, NewGame("4^3", (SeatSpec("Ada"), SeatSpec(agent="level:5"))))
    assert await place.ask("now", {}, "notify") == "No player is thinking."
    thought = await place.ask("play", {"cell": 4, "node": 0}, "think")
    assert thought["preparing"] == {"done": 12, "needed": 40}
    thought = await place.until("think", lambda thought: bool(thought and thought["depth"]))
    assert (thought["best"], thought["preparing"]) == (21, None)
    place.send("now", {})
    state = await place.until("show", lambda state: len(state["moves"]) == 2)
    assert state["hurried"] == "It was asked to move at once."
    assert state["remark"] == {"player": 2, "words": "I had to stop a line."}
    assert state["thought"] is None


@pytest.mark.more
async def test_refusals_become_words(place: Table) -> None:
    made = await opened(place, NewGame("3^2", PEOPLE), seat=1)
    assert await place.ask("play", {"cell": 4, "node": 0}, "notify") == "It is player 1's turn."
    for value in ({}, {"cell": "4", "node": 0}, {"cell": True, "node": 0}, {"cell": 99}):
        assert " must be " in await place.ask("play", value, "notify")
    await place.ask("go", {"node": 7}, "notify")
    place.send("seat", {"player": 1, "name": "Eve", "agent": "human"})
    assert "does not hold the seat" in await place.heard("notify")
    assert made.live.room.version == 1


@pytest.mark.more
async def test_who_only_watches_plays_nothing(place: Table) -> None:
    made = await opened(place, NewGame("3^2", PEOPLE), seat=None)
    state = place.props["state"]
    assert (state["you"], state["host"]) == ([], False)
    for event, value in (
        ("play", {"cell": 4, "node": 0}),
        ("resign", {}),
        ("offer", {"kind": "undo"}),
        ("pause", {}),
        ("again", {}),
    ):
        await place.ask(event, value, "notify")
    shared = await place.ask("share", {}, "share")
    here = f"http://127.0.0.1/game/{made.live.room.id}"
    assert [link["url"] for link in shared["links"]] == [here]
    assert shared["reach"]["only"] == "machine"
    assert made.live.room.version == 1


@pytest.mark.more
async def test_links_are_shown_to_whoever_may_give_them_away(place: Table) -> None:
    made = await opened(place, NewGame("3^2", PEOPLE))
    own = [link["url"] for link in (await place.ask("share", {}, "share"))["links"]]
    assert any(made.tokens[0] in path for path in own)
    assert not any(made.tokens[1] in path for path in own)
    await place.ask("hello", {"host": made.host}, "show")
    place.core.url = "http://192.168.1.20:8765"
    shared = await place.ask("share", {}, "share")
    assert shared["reach"] == {"origin": place.core.url, "only": "network"}
    paths = [link["url"] for link in shared["links"]]
    assert all(path.startswith("http://192.168.1.20:8765/game/") for path in paths)
    assert all(any(token in path for path in paths) for token in made.tokens)
    html = str(place.props["state"])
    assert not any(token in html for token in (*made.tokens, made.host))


@pytest.mark.more
async def test_analysis_is_told_and_can_be_stopped(place: Table) -> None:
    await opened(place, NewGame("3^2", BOTH, position="moves:4,1"))
    place.send("analyse", {"node": 2})
    found = await place.until("analysed", lambda found: not found["busy"])
    assert (found["kind"], found["certainty"]) == ("win", "exact")
    assert found["headline"] == "Cross wins in 5 moves"
    best = found["moves"][0]
    assert (best["text"], best["label"]) == ("W 5", "win in 5")
    assert best["words"] == "wins, W 5"
    point = found["point"]
    assert (point["headline"], point["certainty"]) == ("Cross wins in 5 moves", "proved")
    assert point["values"][0] | {"low": "", "high": ""} == {
        "player": 1, "kind": "win", "share": None, "low": "", "high": "",
    }  # fmt: skip
    assert [step["player"] for step in found["forced"]] == [1, 2, 1, 2, 1]
    place.send("stop", {})
    assert await place.ask("analyse", {"node": 77}, "notify") == "There is no such position."


@pytest.mark.more
async def test_a_lost_game_is_explained(place: Table) -> None:
    made = await opened(place, NewGame("3^2", BOTH))
    for cell in (4, 1, 0, 8, 3, 5, 6):
        await made.live.play(made.tokens[0], cell, node=made.live.room.tree.node)
    place.send("review", {})
    found = await place.until("reviewed", lambda found: not found["busy"])
    assert found["verdicts"]["2"] == "mistake"
    assert "After move 2, b3, Ring was lost" in found["held"][0]["sentence"]
    assert [point["values"][0]["kind"] for point in found["course"]] == [
        *["draw"] * 2,
        *["win"] * 6,
    ]
    assert found["course"][-1]["certainty"] == "the result"
    assert (found["analysed"], found["moves"], found["gaps"]) == (7, 7, "")
    assert [entry["text"] for entry in found["accuracy"]] == ["4 of 4", "0 of 1"]


@pytest.mark.more
async def test_a_report_is_kept_with_its_game(
    place: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await opened(place, NewGame("3^2", BOTH, position="moves:4,1,0,8,3,5,6"))
    place.send("review", {})
    found = await place.until("reviewed", lambda found: not found["busy"])
    room = made.live.room
    while await place.core.store.report(room.id, room.record()) is None:
        await asyncio.sleep(0.005)
    answer = await place.http.get(f"/api/games/{room.id}/report")
    assert [ply["verdict"] for ply in answer.json()["plies"]].count("mistake") == 1
    assert answer.json()["moves"] == list(room.position.history)
    monkeypatch.setattr(place.core.analyses, "analyse", None)
    assert await place.ask("hello", {}, "reviewed") == found
    assert await place.ask("review", {}, "reviewed") == found
    await made.live.do(actions.go, made.tokens[0], 3)
    await made.live.play(made.tokens[0], 2, node=3)
    assert await place.core.store.report(room.id, made.live.room.record()) is None
    answer = await place.http.get(f"/api/games/{room.id}/report")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-report")


async def test_a_game_without_help_has_no_report_before_its_end(place: Table) -> None:
    made = await opened(place, NewGame("3^2", BOTH, analysis="after"))
    room = made.live.room
    await place.core.store.put_report(room.id, room.record(), {"plies": []})
    answer = await place.http.get(f"/api/games/{room.id}/report")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-yet")
    await made.live.do(actions.resign, made.tokens[0], player=1)
    await place.core.store.put_report(room.id, made.live.room.record(), {"plies": []})
    answer = await place.http.get(f"/api/games/{room.id}/report")
    assert answer.json() == {"plies": []}


@pytest.mark.more
async def test_the_card_of_the_report_says_how_far_the_board_is_prepared(
    place: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(place, NewGame("3^2", BOTH, position="moves:4,1,0,8,3,5,6"))
    search, told = place.core.workers.search, {"done": 2, "needed": 9}

    async def slow(*given: Any, listener: Any, **named: Any) -> Any:
        listener.prepare(told)
        return await search(*given, listener=listener, **named)

    monkeypatch.setattr(place.core.workers, "search", slow)
    assert await place.ask("review", {}, "preparing") == told
    assert await place.until("preparing", lambda told: told is None) is None
    assert not any('"preparing":' in message for _, message in place.client.missed(0))


async def test_play_goes_on_from_a_mistake_against_the_same_agent(place: Table) -> None:
    seats = (SeatSpec(agent="greedy"), SeatSpec("Bob"))
    await opened(place, NewGame("3^2", seats, position="moves:4,1,0,8,3,5,6"), seat=1)
    path = await place.gone("from_here", {"node": 1})
    live = await place.core.open(path.split("/")[2].split("?")[0])
    assert live.room.position.history == (4,)
    assert [seat.agent for seat in live.room.seats] == ["greedy", None]


@pytest.mark.more
async def test_records_are_written_in_every_notation(place: Table) -> None:
    made = await opened(place, NewGame("3^2", BOTH))
    await made.live.play(made.tokens[0], 4, ply=0)
    for entry in place.props["notations"]:
        given = await place.ask("export", {"notation": entry["name"]}, "exported")
        if entry["name"] == "tesseract":
            assert "3^4" in given["error"]
        else:
            assert given["text"].strip()
    found = await place.ask("export", {"notation": "<b>"}, "exported")
    assert "Unknown notation" in found["error"]


@pytest.mark.more
async def test_seats_change_hands(place: Table) -> None:
    made = await opened(place, NewGame("3^2", (SeatSpec("Ada"), SeatSpec(agent="greedy"))))
    await place.ask("hello", {"host": made.host}, "show")
    state = await place.ask("seat", {"player": 2, "name": "<i>Bot</i>", "agent": "random"}, "show")
    assert state["seats"][1] == {"player": 2, "name": "<i>Bot</i>", "agent": "random"}
    assert "nobody" in await place.ask("seat", {"player": 2, "agent": "nobody"}, "notify")
    place.send("offer", {"kind": "swap"})
    state = await place.until("show", lambda state: state["you"] == [2])
    assert state["seats"][1]["name"] == "Ada"


@pytest.mark.more
async def test_another_game_with_the_same_seats(place: Table) -> None:
    made = await opened(place, NewGame("3^2:misere", (SeatSpec("Ada"), SeatSpec(agent="greedy"))))
    path = await place.gone("again", {})
    assert path.startswith("/game/")
    assert made.live.room.id not in path
    state = place.props["state"]
    assert (state["game"], state["you"]) == ("3^2:misere", [1])
    place.send("hello", {})
    await place.gone("again", {"agent": "level:2"})
    seats = [(seat["name"], seat["agent"]) for seat in place.props["state"]["seats"]]
    assert seats == [("Ada", None), ("Level 2, Beginner", "level:2")]


@pytest.mark.more
async def test_a_game_that_does_not_exist(place: Table) -> None:
    await place.open("/game/nothing")
    assert "There is no such game." in place.shown
