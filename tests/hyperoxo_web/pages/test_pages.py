from __future__ import annotations

import datetime as dt
from urllib.parse import quote

import pytest

from hyperoxo.proof.stored import STORED
from hyperoxo_web.pages import puzzles_page
from hyperoxo_web.pages.game_page import notations
from hyperoxo_web.pages.puzzles_page import DAILY, daily
from hyperoxo_web.server import NewGame, RefusedError, SeatSpec
from tests.hyperoxo_web.pages.simulated import Table


@pytest.mark.more
async def test_a_spec_is_pictured_or_refused(place: Table) -> None:
    await place.open("/?game=4^3:gravity")
    assert place.props["geometry"]["game"] == "4^3:gravity"
    found = await place.ask("preview", {"spec": " 3^4:blocked=centre "}, "previewed")
    assert found["geometry"]["blocked"] == [40]
    assert found["geometry"]["facts"].startswith("80 cells, 232 lines.")
    for spec in ("3^", "99^9", "<script>", ""):
        found = await place.ask("preview", {"spec": spec}, "previewed")
        assert "geometry" not in found
        assert found["error"].endswith(".")


async def test_a_game_begins(place: Table) -> None:
    await place.open("/")
    seats = [{"holder": "you", "name": "Ada"}, {"agent": "ising:bias=0.5"}]
    place.send("begin", {"game": "3^3", "seats": seats, "clock": {"seconds": 60, "increment": 2}})
    path = await place.gone_to()
    assert "seat=" in path
    assert "host=" in path
    state = place.props["state"]
    assert state["you"] == [1]
    assert state["host"]
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "ising:bias=0.5"]
    assert state["clock"]["increment"] == 2.0


@pytest.mark.more
async def test_a_game_that_makes_no_sense_does_not_begin(place: Table) -> None:
    await place.open("/")
    for value in (
        {"game": "3^2", "seats": [{}]},
        {"game": "3^2", "seats": [{"agent": "nobody"}, {}]},
        {"game": "3^2", "seats": [{}, {}], "clock": {"seconds": -1}},
        {"game": "3^2", "seats": [{}] * 99},
        {"game": "3^2", "seats": "x"},
        {"game": "3^2", "pace": "fast"},
        {"game": "3^2", "title": 7},
        {"game": 3},
        {},
    ):
        assert (await place.ask("begin", value, "failed")).endswith(".")
    assert await place.core.store.games() == []


@pytest.mark.more
async def test_games_are_found_and_deleted_by_their_host(place: Table) -> None:
    made = await place.core.create(NewGame("4^3", title="<b>Semi</b>-final"))
    await place.core.create(NewGame("3^2", (SeatSpec("Ada"), SeatSpec("Bob"))))
    await place.open("/games")
    assert len(place.props["entries"]) == 2
    found = await place.ask("find", {"query": "semi", "status": "open", "offset": 0}, "found")
    assert [game["title"] for game in found["entries"]] == ["<b>Semi</b>-final"]
    place.send("delete", {"id": made.live.room.id, "host": "guess"})
    place.send("delete", {"id": made.live.room.id, "host": made.host})
    assert await place.heard("gone") == made.live.room.id
    assert len(await place.core.store.games()) == 1


@pytest.mark.more
async def test_three_puzzles_a_day_are_each_made_once(
    place: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    day, client = dt.date(2024, 2, 29), place.core.client(None)
    puzzles = [await daily(place.core, day, client, length=length) for length in DAILY]
    assert [puzzle["length"] for puzzle in puzzles] == [1, 2, 4]
    monkeypatch.setattr(place.core.workers, "search", None)
    assert await daily(place.core, day, client) == puzzles[1]


@pytest.mark.more
async def test_a_puzzle_is_solved(place: Table) -> None:
    await place.open("/puzzles")
    puzzle = await place.ask("make", {"game": "4^3", "length": 2}, "set", 40)
    wins, blocks = puzzle["solution"][::2], puzzle["solution"][1::2]
    assert (puzzle["length"], len(wins)) == (2, 3)
    played = list(puzzle["moves"])
    for cell in wins[:-1]:
        asked = {"game": "4^3", "moves": played, "cell": cell}
        judged = await place.ask("attempt", asked, "judged")
        assert judged["verdict"] == "right"
        played = [*played, cell, judged["reply"]]
    # The last threat was a double one: the answer stopped either line.
    last = blocks[-1] if played[-1] == wins[-1] else wins[-1]
    place.send("attempt", {"game": "4^3", "moves": played, "cell": last})
    assert (await place.heard("judged"))["verdict"] == "solved"
    place.send("attempt", {"game": "4^3", "moves": played, "cell": 64})
    assert "no cell" in await place.heard("failed")


@pytest.mark.more
async def test_matches_are_played_and_watched(place: Table) -> None:
    await place.open("/matches")
    place.send("begin", {"game": "3^2", "agents": ["random", "greedy"], "games": 4})
    match = await place.heard("begun")
    place.send("follow", {"id": match})
    over = await place.until("updated", lambda view: not view["running"])
    assert over["played"] == 4
    assert sum(row["wins"] for row in over["rows"]) + over["draws"] == 4
    assert len(over["results"]) == 4
    for value in (
        {"game": "3^2", "agents": ["random"], "games": 4},
        {"game": "3^2", "agents": ["random", "human"], "games": 4},
        {"game": "3^2", "agents": ["random", "greedy"], "games": 10**9},
    ):
        assert (await place.ask("begin", value, "failed")).endswith(".")


@pytest.mark.more
async def test_all_positions_of_small_games(place: Table) -> None:
    await place.open("/states")
    graph = place.props["graph"]
    assert (len(graph["nodes"]), len(graph["edges"])) == (765, 2096)
    assert (await place.ask("choose", {"game": "3^2:misere"}, "set"))["geometry"]["misere"]


@pytest.mark.more
async def test_every_stored_proof_can_be_explored(place: Table) -> None:
    for name in STORED:
        await place.open("/proof/" + quote(name))
        assert [proof["name"] for proof in place.props["proofs"]] == list(STORED)
        assert place.props["geometry"]["game"] == place.props["summary"]["name"] == name
    await place.open("/proof")
    assert place.props["summary"]["name"] == "4^3"
    assert place.props["summary"]["words"] == "Cross can always win, whatever Ring plays."
    await place.open("/proof?game=4%5E3%3Aopening%3Dpoorx5")
    assert place.props["summary"]["seat"] == 2
    node = await place.ask("visit", {"moves": [1], "asked": 1}, "visited")
    assert (node["asked"], node["moves"]) == (1, [1, 21])
    assert node["came"] == {"cell": 21, "by": "listed"}
    await place.open("/proof/nothing")
    assert "There is no such proof." in place.shown


@pytest.mark.more
async def test_the_proof_answers_on_its_page(place: Table) -> None:
    await place.open("/proof")
    node = await place.ask("visit", {"moves": [], "asked": 1}, "visited")
    assert (node["moves"], node["turn"], node["player"]) == ([0], "other", 2)
    moves = node["moves"]
    while node["turn"] != "over":
        reply = node["replies"][-1]["reply"]
        node = await place.ask("visit", {"moves": [*moves, reply], "play": True}, "visited")
        moves = node["moves"]
    assert node["came"]["by"] == "line"
    # In the tree a branch ends where threats win; nobody plays them out.
    node = await place.ask("visit", {"moves": []}, "visited")
    while node["turn"] == "other":
        replies = {one["by"]: one["reply"] for one in node["replies"]}
        reply = replies.get("forced", replies.get("listed"))
        node = await place.ask("visit", {"moves": [*node["moves"], reply]}, "visited")
    assert (node["turn"], node["answer"]["by"]) == ("proof", "forced")
    assert node["line"][::2] == node["answer"]["sequence"]
    for wrong in ([62], ["x"], [63, 63], [True]):
        assert (await place.ask("visit", {"moves": wrong}, "failed")).endswith(".")


def test_notations_that_cannot_hold_a_game_are_not_offered() -> None:
    games = ("4^3", "3^2", "3^4:blocked=centre")
    names = {game: {entry["name"] for entry in notations(game)} for game in games}
    assert "sgf" in names["3^2"]
    assert "sgf" not in names["4^3"]
    assert "tesseract" in names["3^4:blocked=centre"]
    assert "tesseract" not in names["4^3"]
    assert {"record", "json", "pgn"} <= names["4^3"]


async def test_an_address_without_a_page(place: Table) -> None:
    answer = await place.http.get("/nowhere", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "Play" in answer.text
    answer = await place.http.get("/api/games/none", headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-game")
    answer = await place.http.get("/api/nowhere", headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    "pages",
    [
        {
            "Positions are known for 3^2, 3^2:misere and 2^2": "/states/4^2",
            "cell 4 is taken": "/states/3^2/4,4",
            "for the last 366 days.": "/puzzles/2001-01-01 /puzzles/2999-01-01 /puzzles/2024-13-01",
            "named by a day, or a game, a length and a number.": "/puzzles/3^2/2/1 /puzzles/4^3/2",
            "Puzzles are named by": "/puzzles/4^3/9/1 /puzzles/2024-02-29/3",
            "There is no such match.": "/matches?match=x",
            "There is no such game.": "/game/x",
            "There is no such class.": "/class/XXXX",
            "There is no such proof.": "/proof/nothing",
            "There is no such position.": "/p/3^2/4,4",
            "There is no such board.": "/analyse/nothing",
            "Bad game": "/analyse/nothing",
            "Position has 3 characters": "/analyse/3^2/XXO",
            "Cross has 3 stones and Ring has 0 stones; if Cross began": "/p/3^2/111......",
        },
        pytest.param({"no such run": "/run/first /run/7"}, marks=pytest.mark.more),
        pytest.param({"no such report": "/report/x"}, marks=pytest.mark.more),
    ],
)
async def test_an_address_of_nothing_has_a_page(place: Table, pages: dict[str, str]) -> None:
    for words, paths in pages.items():
        for path in paths.split():
            await place.open(path)
            assert (place.status, place.data) == (404, {}), path
            assert words in place.shown, path
            assert place.shown.count("<h1>") == 1, path
            assert not place.clients.all, path


async def test_an_address_that_may_not_be_shown_now_says_so_by_its_status(
    place: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("/", "/game/" + (await place.core.create(NewGame("3^2"))).live.room.id):
        await place.open(path)
        assert place.status == 200

    async def busy(*_: object) -> None:
        raise RefusedError("limit", "too many games are looked for")

    monkeypatch.setattr(place.core, "open", busy)
    await place.open("/game/x")
    assert place.status == 429


@pytest.mark.more
async def test_a_puzzle_is_made_again_from_its_address(place: Table) -> None:
    await place.open("/puzzles/7,6,4:gravity/2/77")
    asked = {"game": "7,6,4:gravity", "length": 2, "seed": 77}
    puzzles_page._made.clear()
    first = await place.ask("make", asked, "set", 40)
    puzzles_page._made.clear()
    assert await place.ask("make", asked, "set", 40) == first
    assert (first["seed"], first["length"]) == (77, 2)
    # What is asked for last is shown, and nothing else.
    place.send("make", {"game": "7,6,4:gravity", "length": 2, "seed": 78})
    assert (await place.ask("make", asked, "set", 40))["seed"] == 77
