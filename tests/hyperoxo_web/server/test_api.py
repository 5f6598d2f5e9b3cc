"""The HTTP interface, in this process."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from hyperoxo.notation import FORMATS, read
from hyperoxo_web.server import Core, Limits
from hyperoxo_web.server.api.games import game_events, work_events
from tests.hyperoxo_web.server.sessions import made, served

KEYS = {
    "id", "version", "game", "players", "title", "seats", "you", "host", "position", "setup",
    "moves", "ply", "node", "line", "tree", "to_move", "thinking",
    "thought", "legal_moves", "lines_owned",
    "winning_lines", "last_move", "reason", "over", "result", "winners", "ending", "request",
    "paused", "analysis", "clock", "created", "updated", "present", "watchers",
}  # fmt: skip


async def test_a_game_of_two_people(client: httpx.AsyncClient) -> None:
    path, (ada, bob, host) = await made(client, seats=["human", {"name": "Bob"}])
    for ply, cell in enumerate((4, 0, 3, 1, 5)):
        answer = await client.post(
            f"{path}/moves", json={"cell": cell, "ply": ply}, headers=(ada, bob)[ply % 2]
        )
        assert answer.status_code == 200
    state = (await client.get(path, headers=ada)).json()
    assert set(state) == KEYS
    assert (state["over"], state["result"], state["winners"]) == (True, "1", [1])
    assert (state["winning_lines"], state["you"]) == ([[3, 4, 5]], [1])
    assert state["seats"][1] == {"player": 2, "name": "Bob", "agent": None}
    for header in (ada, bob, host):  # nobody is shown a token
        text = (await client.get(path, headers=header)).text
        assert not any(h["Authorization"][7:] in text for h in (ada, bob, host))


@pytest.mark.more
async def test_refusals_say_what_is_wrong(client: httpx.AsyncClient) -> None:
    path, (ada, bob, _host) = await made(client)
    cases = [
        (path + "/moves", {"cell": 4, "ply": 0}, bob, 403, "wrong-seat"),
        (path + "/moves", {"cell": 4, "ply": 0}, {}, 403, "no-seat"),
        (path + "/moves", {"cell": 4, "ply": 3}, ada, 409, "late"),
        (path + "/moves", {"cell": 99, "ply": 0}, ada, 422, "illegal"),
        (path + "/moves", {"cell": -1}, ada, 422, "bad-request"),
        (path + "/moves", {"cell": "4"}, ada, 422, "bad-request"),
        (path + "/moves", {"cell": 4, "extra": 1}, ada, 422, "bad-request"),
        (path + "/moves", [4], ada, 422, "bad-request"),
        (path + "/requests", {"kind": "undo"}, ada, 409, "nothing-to-do"),
        (path + "/requests", {"kind": "money"}, ada, 422, "bad-request"),
        (path + "/answer", {"yes": True}, ada, 409, "no-request"),
        (path + "/go", {"node": 7}, ada, 404, "no-node"),
        (path + "/pause", None, ada, 403, "not-host"),
        ("/api/games/none/resign", None, ada, 404, "no-game"),
        ("/api/games", {"game": "3^x"}, {}, 422, "bad-request"),
        ("/api/games", {"game": "1000^2"}, {}, 429, "limit"),
        ("/api/games", {"game": "3^2", "seats": ["human"]}, {}, 422, "bad-request"),
        ("/api/games", {"game": "3^2", "seats": ["nobody", "x"]}, {}, 422, "bad-request"),
        ("/api/games", {"record": "3^2 4-4"}, {}, 422, "bad-request"),
        ("/api/analyses", {}, {}, 422, "bad-request"),
        ("/api/analyses", {"game": "3^2", "seconds": 3000}, {}, 429, "limit"),
        ("/api/convert", {"text": "?"}, {}, 422, "bad-request"),
        ("/api/nothing", None, {}, 404, "not-found"),
    ]
    for where, body, headers, status, code in cases:
        answer = await client.post(where, json=body, headers=headers)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (status, code), (where, body)
        assert "\n" not in error["message"]
    broken = await client.post(path + "/moves", content=b"{", headers=ada)
    assert broken.status_code == 422


async def test_a_move_sent_twice_is_acknowledged_twice_and_played_once(
    client: httpx.AsyncClient,
) -> None:
    path, (ada, *_) = await made(client)
    body = {"cell": 4, "ply": 0, "key": "k"}
    first, again = [
        (await client.post(f"{path}/moves", json=body, headers=ada)).json() for _ in range(2)
    ]
    assert (first.pop("repeated"), again.pop("repeated")) == (False, True)
    assert first == again


@pytest.mark.more
async def test_waiting_for_the_answer_of_an_agent(client: httpx.AsyncClient) -> None:
    path, (ada, *_) = await made(client, seats=["human", "greedy:ties=lowest"])
    answer = await client.post(f"{path}/moves", json={"cell": 4, "ply": 0, "wait": 60}, headers=ada)
    state = answer.json()["state"]
    assert (state["to_move"], state["ply"], state["you"]) == (1, 2, [1])
    later = await client.get(f"{path}?after={state['version']}&wait=0.05")
    assert later.json()["version"] == state["version"]


async def test_history_requests_seats_and_titles(client: httpx.AsyncClient) -> None:
    path, (ada, bob, host) = await made(client)

    async def post(what: str, who: dict[str, str], **body: object) -> dict[str, object]:
        answer = await client.post(f"{path}/{what}", json=body, headers=who)
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()
        return found

    await post("moves", ada, cell=4, ply=0)
    await post("requests", ada, kind="undo")
    request = (await client.get(path)).json()["request"]
    assert request == {"number": 3, "kind": "go", "by": 1, "node": 0, "waiting": [2]}
    assert (await post("answer", bob, yes=True, number=3))["ply"] == 0
    await post("go", ada, node=1)
    assert (await post("answer", bob, yes=True))["ply"] == 1
    await post("requests", bob, kind="swap")
    await post("answer", ada, yes=True)
    assert (await client.get(path, headers=ada)).json()["you"] == [2]
    await client.put(f"{path}/seats/2", json={"name": "Ada"}, headers=ada)
    await client.put(f"{path}/title", json={"title": "<b>Club</b>"}, headers=host)
    gone = await client.put(f"{path}/seats/1", json={"agent": "random"}, headers=bob)
    assert gone.status_code == 200
    back = await client.put(f"{path}/seats/1", json={"agent": "human"}, headers=host)
    assert len(back.json()["token"]) >= 20
    await post("resign", ada)
    state = (await client.get(path)).json()
    assert state["ending"] == {"how": "resigned", "player": 2}
    assert (state["title"], state["seats"][1]["name"]) == ("<b>Club</b>", "Ada")
    listed = (await client.get("/api/games?query=club&status=over")).json()["games"]
    assert [entry["url"] for entry in listed] == [path.replace("/api/games", "/game")]
    assert (await client.delete(path, headers=ada)).status_code == 403
    assert (await client.delete(path, headers=host)).status_code == 204
    assert (await client.get(path)).status_code == 404


OWN = {"tesseract": "3^4:target=9,blocked=centre", "psq": "9,9,5", "columns": "5,4,3:gravity"}


@pytest.mark.more
async def test_records_go_out_and_come_back(client: httpx.AsyncClient) -> None:
    for notation in FORMATS:  # read by one process
        path, _ = await made(client, game=OWN.get(notation, "3^2"), position="moves:4,0,3")
        text = (await client.get(f"{path}/record?notation={notation}")).text
        assert read(text, notation)[0].position.owners
        again, _ = await made(client, record=text, notation=notation)
        state = (await client.get(again)).json()
        assert state["position"] == (await client.get(path)).json()["position"], notation
        body = {"text": text, "source": notation, "target": "json"}
        converted = (await client.post("/api/convert", json=body)).json()
        assert json.loads(converted["text"]) == converted["record"], notation


async def test_events_tell_every_change_without_tokens(
    client: httpx.AsyncClient, core: Core
) -> None:
    path, (ada, _bob, host) = await made(client)
    live = await core.open(path.rpartition("/")[2])
    stream = game_events(live, ada["Authorization"][7:])
    assert (await anext(stream)).startswith(b"retry:")
    first = (await anext(stream)).decode()
    assert first.startswith("id: 1\nevent: state\ndata: {")
    await client.post(f"{path}/moves", json={"cell": 4, "ply": 0}, headers=ada)
    told = (await anext(stream)).decode()
    data = json.loads(told.split("data: ")[1])
    assert data["change"]["cell"] == 4
    assert set(data["state"]) == KEYS - {"you", "host"}
    assert (data["state"]["present"], data["state"]["moves"]) == ([1], [4])
    assert ada["Authorization"][7:] not in first + told
    await client.delete(path, headers=host)
    assert b"event: deleted" in await anext(stream)
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


@pytest.mark.more
async def test_a_position_is_analysed(client: httpx.AsyncClient, core: Core) -> None:
    body = {"game": "3^2", "position": "moves:4,1", "seconds": 1}
    begun = await client.post("/api/analyses", json=body)
    assert begun.status_code == 202
    name = begun.json()["id"]
    *_, last = [event async for event in work_events(core.analyses.find(name).views())]
    assert last.startswith(b"event: done")
    found = (await client.get(f"/api/analyses/{name}")).json()
    assert (found["state"], found["result"]["value"]) == ("done", "win")
    assert (await client.delete(f"/api/analyses/{name}")).status_code == 204
    assert (await client.get(f"/api/analyses/{name}")).status_code == 404


@pytest.mark.more
async def test_an_analysis_is_stopped_early_and_one_client_has_a_few(tmp_path: Path) -> None:
    async with served(tmp_path, Limits(analyses=1)) as (client, core):
        path, _ = await made(client, game="4^3")
        body = {"room": path.rpartition("/")[2], "seconds": 300}
        job = (await client.post("/api/analyses", json=body)).json()
        assert (await client.post("/api/analyses", json=body)).status_code == 429
        async for _ in core.analyses.find(job["id"]).updates():
            break
        stopped = (await client.post(f"/api/analyses/{job['id']}/stop")).json()
        assert stopped["state"] == "done"
        assert len(stopped["result"]["moves"]) == 64


@pytest.mark.more
async def test_a_proof_is_searched_with_moves_that_are_suggested(
    client: httpx.AsyncClient, core: Core
) -> None:
    body: dict[str, object] = {
        "game": "3^3",
        "seconds": 100,
        "attacker": 1,
        "suggestions": [{"cell": 13}, {"cell": 1, "position": "moves:13,0"}],
        "dictionary": " 13\n",
    }
    begun = await client.post("/api/proofs", json=body)
    assert begun.status_code == 202
    name = begun.json()["id"]
    *_, found = [one async for one in core.analyses.find(name).updates()]
    assert (found["value"], found["winner"], found["suggested"]) == ("win", 1, 3)
    assert (await client.get(f"/api/analyses/{name}")).json()["state"] == "done"
    for wrong in (
        {"game": "3^3", "room": "x"},
        {"game": "3^3:misere"},
        {"game": "3^3", "attacker": 3},
        {"game": "3^3", "suggestions": [{"cell": 27}]},
        {"game": "3^3", "suggestions": [{"cell": 13, "position": "moves:13"}]},
    ):
        refused = await client.post("/api/proofs", json=wrong)
        assert refused.status_code == 422, refused.text


@pytest.mark.more
async def test_a_proof_goes_on_until_it_is_forgotten(client: httpx.AsyncClient, core: Core) -> None:
    names = []

    async def search(**more: object) -> bool:
        body = {"game": "4^3:opening=poor", "seconds": 0.2, **more}
        begun = await client.post("/api/proofs", json=body)
        assert begun.status_code == 202, begun.text
        names.append(begun.json()["id"])
        *_, found = [one async for one in core.analyses.find(names[-1]).updates()]
        assert found["value"] == "unknown"
        assert "kept" not in found
        continued = found["continued"]
        assert isinstance(continued, bool)
        return continued

    assert not await search()
    assert await search(continues=names[-1])
    assert not await search(continues=names[0])  # resumed, and so no longer kept
    assert await search(continues=names[1])
    assert (await client.delete(f"/api/analyses/{names[-1]}")).status_code == 204
    assert not await search(continues=names[-1])


@pytest.mark.more
async def test_a_record_is_analysed_move_by_move(client: httpx.AsyncClient, core: Core) -> None:
    body = {"record": "3^2 4-1-0-8-6", "seconds": 1}
    job = (await client.post("/api/analyses", json=body)).json()
    *_, found = [one async for one in core.analyses.find(job["id"]).updates()]
    assert len(found["moves"]) == 5


async def test_the_interface_describes_itself(client: httpx.AsyncClient) -> None:
    document = (await client.get("/api/openapi.json")).json()
    assert "/api/games/{room}/moves" in document["paths"]
    page = (await client.get("/api/docs")).text
    for path, verbs in document["paths"].items():
        assert path in page
        assert all(operation["summary"] for operation in verbs.values())
    assert "://" not in page
    assert "<script" not in page
    names = {agent["name"] for agent in (await client.get("/api/agents")).json()["agents"]}
    assert names & {"random", "expert", "ppo"} == {"random", "expert"}  # it reads no checkpoint
    assert (await client.get("/api")).json()["limits"]["cells"] == 2000
    notations = (await client.get("/api/notations")).json()["notations"]
    assert {entry["name"] for entry in notations} == set(FORMATS)
