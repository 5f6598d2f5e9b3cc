"""Classes: several clients, one link, and one who sees all boards."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

import httpx
import pytest

from hyperoxo_web.server import Core, GameSession, Limits, NewGame, RefusedError
from hyperoxo_web.server.classroom import FREE_SEAT, NewClass
from hyperoxo_web.server.running import url_for_others
from tests.expect import require
from tests.hyperoxo_web.server.sessions import served, until


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def made(client: httpx.AsyncClient, **body: Any) -> tuple[str, dict[str, str]]:
    """Make a class; return its path and the header of its teacher."""
    answer = await client.post("/api/classes", json={"game": "3^2", **body})
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert found["teacher_url"] == f"{found['url']}?teacher={found['teacher']}"
    return f"/api/classes/{found['code']}", bearer(found["teacher"])


async def joined(client: httpx.AsyncClient, path: str, name: str) -> dict[str, Any]:
    answer = await client.post(f"{path}/pupils", json={"name": name})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def moved(client: httpx.AsyncClient, place: dict[str, Any], cell: int) -> None:
    path = f"/api/games/{place['game']}/moves"
    answer = await client.post(path, json={"cell": cell}, headers=bearer(place["token"]))
    assert answer.status_code == 200, answer.text


async def test_every_class_has_a_code_of_its_own(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs = iter(3 * "BBBBBB" + "CCCCCC" + "BBBBBB" + "DDDDDD")
    monkeypatch.setattr(secrets, "choice", lambda _: next(signs))
    new = NewClass(game="3^2")
    rooms = [*await asyncio.gather(*(core.classes.create(new) for _ in range(2)))]
    core.classes._rooms.clear()  # as after a restart
    rooms.append(await core.classes.create(new))
    assert [room.code for room in rooms] == ["BBBBBB", "CCCCCC", "DDDDDD"]
    for room in rooms:
        assert (await core.classes.teach(room.code, room.teacher)).teacher == room.teacher


async def test_what_is_kept_of_a_class_goes_with_its_games(
    client: httpx.AsyncClient, core: Core
) -> None:
    path, teacher = await made(client, opponent="random")
    games = [(await joined(client, path, name))["game"] for name in ("Ada", "Bob", "Cid")]
    code = path.rpartition("/")[2]
    hosts = {desk.game: desk.host for desk in (await core.classes.open(code)).desks}
    await core.delete(games[0], hosts[games[0]])
    assert await core.store.fact(f"desk {games[0]}") is None
    seen = (await client.get(path, headers=teacher)).json()
    assert [desk["game"] for desk in seen["desks"]] == games[1:]
    await client.delete(f"{path}/desks/0", headers=teacher)
    assert await core.store.fact(f"desk {games[1]}") is None
    await core.delete(games[1], hosts[games[1]])
    await client.post(f"{path}/close", headers=teacher)
    assert await core.store.fact(f"class {code}") is not None
    await core.delete(games[2], hosts[games[2]])
    assert await core.store.fact(f"desk {games[2]}") is None
    assert await core.store.fact(f"class {code}") is None
    assert (await client.get(path, headers=teacher)).status_code == 404


async def test_pupils_in_pairs_and_a_teacher_who_sees_all_boards(client: httpx.AsyncClient) -> None:
    path, teacher = await made(client, opponent=None, title="6b")
    pupils = await asyncio.gather(*(joined(client, path, name) for name in ("Ada", "Bob", "Cid")))
    games = [place["game"] for place in pupils]
    assert sorted(map(games.count, games)) == [1, 2, 2]
    assert len({place["token"] for place in pupils}) == 3
    seen = (await client.get(path, headers=teacher)).json()
    assert (seen["pupils"], seen["title"], len(seen["desks"])) == (3, "6b", 2)
    assert [desk["free"] for desk in seen["desks"]] == [[], [2]]
    assert seen["desks"][1]["names"][1] == FREE_SEAT
    first, second = sorted(
        (p for p in pupils if p["game"] == seen["desks"][0]["game"]),
        key=lambda place: place["player"],
    )
    for place, cell in ((first, 0), (second, 8), (first, 1), (second, 7), (first, 2)):
        await moved(client, place, cell)
    seen = (await client.get(path, headers=teacher)).json()
    desk = seen["desks"][0]
    assert (desk["over"], desk["winners"], desk["winning_lines"]) == (True, [1], [[0, 1, 2]])
    assert desk["position"] == "111....22"
    text = (await client.get(path, headers=teacher)).text
    assert not any(place["token"] in text for place in pupils)


@pytest.mark.more
async def test_each_pupil_against_the_computer(client: httpx.AsyncClient, core: Core) -> None:
    path, teacher = await made(client, opponent="random", position="moves:4", boards=2, help=True)
    ada, bob = await joined(client, path, "Ada"), await joined(client, path, "Bob")
    assert ada["game"] != bob["game"]
    assert ada["player"] == 2  # who moves in the given position
    await moved(client, ada, 0)
    await until(lambda: len(core.rooms[ada["game"]].room.tree.moves) == 3)
    state = (await client.get(f"/api/games/{bob['game']}")).json()
    assert (state["moves"], state["analysis"]) == ([4], "always")
    answer = await client.post(f"{path}/pupils", json={"name": "Cid"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limit")
    listed = (await client.get("/api/games")).json()["games"]
    assert listed == []
    seen = (await client.get(path, headers=teacher)).json()
    assert (seen["pupils"], seen["desks"][1]["agents"]) == (2, ["random", None])


async def test_only_the_teacher_sees_and_closes(client: httpx.AsyncClient) -> None:
    path, teacher = await made(client, opponent=None)
    place = await joined(client, path, "Ada")
    for header in ({}, bearer(place["token"]), bearer("guess")):
        seen = (await client.get(path, headers=header)).json()
        assert "desks" not in seen
        assert seen["game"] == "3^2"
        for what, body in (
            ("close", {}),
            ("say", {"words": "x"}),
            ("desks/0/fill", {"agent": "random"}),
        ):
            answer = await client.post(f"{path}/{what}", json=body, headers=header)
            assert answer.json()["error"]["code"] == "not-teacher"
    answer = await client.post(f"{path}/close", headers=teacher)
    assert answer.json()["closed"]
    answer = await client.post(f"{path}/pupils", json={"name": "Bob"})
    assert answer.json()["error"]["message"] == "this class is closed"
    await moved(client, place, 4)  # games can be finished


@pytest.mark.more
async def test_a_pupil_without_a_partner_can_play_the_computer(
    client: httpx.AsyncClient, core: Core
) -> None:
    path, teacher = await made(client, opponent=None)
    place = await joined(client, path, "Ada")
    await moved(client, place, 4)
    body = {"agent": "random"}
    answer = await client.post(f"{path}/desks/0/fill", json=body, headers=teacher)
    assert answer.status_code == 204
    await until(lambda: len(core.rooms[place["game"]].room.tree.moves) == 2)
    answer = await client.post(f"{path}/desks/0/fill", json=body, headers=teacher)
    assert answer.json()["error"]["code"] == "nothing-to-do"
    other = await joined(client, path, "Bob")
    assert other["game"] != place["game"]


async def test_what_the_teacher_says_reaches_all_who_look(
    client: httpx.AsyncClient, core: Core
) -> None:
    path, teacher = await made(client, opponent=None)
    place = await joined(client, path, "Ada")
    live: GameSession = core.rooms[place["game"]]
    async with live.subscribe() as updates:
        await updates.next(1)
        body = {"words": "Look at \n the <b>corners</b>."}
        assert (await client.post(f"{path}/say", json=body, headers=teacher)).status_code == 204
        update = require(await updates.next(10))
        assert update.kind == "said"
    assert require(live.notice)[1] == "Your teacher: Look at the <b>corners</b>."
    for words in ("", " \n", "x" * 201):
        answer = await client.post(f"{path}/say", json={"words": words}, headers=teacher)
        assert answer.json()["error"]["code"] == "bad-request"


async def test_a_class_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, _):
        path, teacher = await made(client, opponent=None, title="6b", help=True)
        ada = await joined(client, path, "Ada")
        await moved(client, ada, 4)
    async with served(tmp_path) as (client, _):
        bob = await joined(client, path, "Bob")
        assert (bob["game"], bob["player"]) == (ada["game"], 2)
        await moved(client, bob, 0)
        seen = (await client.get(path, headers=teacher)).json()
        assert (seen["title"], seen["help"], seen["pupils"]) == ("6b", True, 2)
        assert seen["desks"][0]["names"] == ["Ada", "Bob"]
        assert seen["desks"][0]["position"] == "2...1...."


async def test_the_board_of_a_rematch_takes_the_place_of_the_one_before(core: Core) -> None:
    room = await core.classes.create(NewClass(game="3^2", opponent=None))
    place = await core.classes.join(room.code, "Ada")
    heard: list[int] = []
    core.classes.watchers.add(lambda changed: heard.append(len(changed.desks)))
    other = await core.create(NewGame("3^2", listed=False))
    await core.classes.follow("elsewhere", other)
    assert heard == []
    await core.classes.follow(place.game, other)
    assert heard == [1]
    view = await core.classes.view(await core.classes.open(room.code))
    assert [desk["game"] for desk in view["desks"]] == [other.live.room.id]
    bob = await core.classes.join(room.code, "Bob")
    assert bob.game == other.live.room.id
    await core.delete(other.live.room.id, other.host)
    assert (await core.classes.view(await core.classes.open(room.code)))["desks"] == []


async def test_a_board_that_is_not_wanted_makes_place(client: httpx.AsyncClient) -> None:
    path, teacher = await made(client, opponent="random", boards=2)
    places = [await joined(client, path, name) for name in ("Mickey", "Ada")]
    for header, status in (({}, 403), (teacher, 204)):
        answer = await client.delete(f"{path}/desks/0", headers=header)
        assert answer.status_code == status
    answer = await client.delete(f"{path}/desks/1", headers=teacher)
    assert answer.json()["error"]["code"] == "nothing-to-do"
    seen = (await client.get(path, headers=teacher)).json()
    assert [desk["game"] for desk in seen["desks"]] == [places[1]["game"]]
    assert seen["pupils"] == 1
    await moved(client, places[0], 4)  # the game stays
    await joined(client, path, "Bob")
    assert (await client.get(path, headers=teacher)).json()["desks"][1]["names"][0] == "Bob"


async def test_codes_are_typed_in_any_form_and_cannot_be_tried_out(tmp_path: Path) -> None:
    few = Limits(codes_per_minute=3)
    async with served(tmp_path, few) as (client, core):
        path, _ = await made(client)
        code = path.rpartition("/")[2]
        assert len(code) == 6
        for typed in (code.lower(), f"{code[:3]}-{code[3:]}", f" {code[:3]} {code[3:]} "):
            assert (await core.classes.open(typed)).code == code
        for number in range(5):
            answer = await client.get(f"/api/classes/WRONG{number}")
            expected = ("no-class", 404) if number < 3 else ("limit", 429)
            assert (answer.json()["error"]["code"], answer.status_code) == expected
        assert (await client.get(path)).status_code == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "99^9"}, "limit"),
        ({"game": "3^"}, "bad-request"),
        ({"opponent": "nobody"}, "bad-request"),
        ({"opponent": "mcts:seconds=1000"}, "limit"),
        ({"position": "moves:0,0"}, "bad-request"),
        ({"position": "moves:0,8,1,7,2"}, "bad-request"),
        ({"boards": 0}, "bad-request"),
        ({"boards": 501}, "bad-request"),
        ({"title": "x" * 81}, "bad-request"),
        ({"pupils": ["Ada"]}, "bad-request"),
    ],
)
async def test_a_class_that_makes_no_sense_is_not_made(
    client: httpx.AsyncClient, body: dict[str, Any], code: str
) -> None:
    answer = await client.post("/api/classes", json={"game": "3^2", **body})
    assert answer.json()["error"]["code"] == code


async def test_classes_and_pupils_are_limited(tmp_path: Path) -> None:
    limits = Limits(classes_per_hour=2, pupils=2)
    async with Core(tmp_path / "games.sqlite", limits) as core:
        room = await core.classes.create(NewClass(game="3^2", opponent="random"))
        with pytest.raises(RefusedError, match="too many new classes"):
            await core.classes.create(NewClass(game="3^2"))
        for name in ("Ada", "Bob"):
            await core.classes.join(room.code, name)
        with pytest.raises(RefusedError, match="this class is full"):
            await core.classes.join(room.code, "Cid")
        with pytest.raises(RefusedError, match="type your name"):
            await core.classes.join(room.code, " ")


def test_how_others_reach_the_server() -> None:
    assert url_for_others("127.0.0.1", 8765) is None
    assert url_for_others("::1", 8765) is None
    assert url_for_others("192.168.0.7", 8765) == "http://192.168.0.7:8765"
    assert url_for_others("fd00::7", 80) == "http://[fd00::7]:80"
    found = url_for_others("0.0.0.0", 8765)
    assert found is None or (found.endswith(":8765") and "127.0.0.1" not in found)
