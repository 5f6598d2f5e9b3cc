"""What is refused before it is looked at, and what every answer carries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hyperoxo_web.server import PUBLIC, Core, Limits
from hyperoxo_web.server.api import create_app, middleware
from hyperoxo_web.server.clients import ClientIdentifier, is_home, network
from tests.hyperoxo_web.server.sessions import called, made, served, until


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("LOCALHOST", 200),
        ("[::1]:8765", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:8765", 421),
        ("localhost.evil.example", 421),
        ("192.168.0.7:8765", 421),
        ("", 421),
    ],
)
async def test_only_names_of_this_machine_are_answered(
    client: httpx.AsyncClient, host: str, status: int
) -> None:
    assert (await client.get("/api", headers={"Host": host})).status_code == status


async def test_named_hosts_and_addresses_where_the_server_is_open(tmp_path: Path) -> None:
    async with served(tmp_path, hosts=["games.example"], any_address=True) as (client, _):
        for host, status in (
            ("games.example:8765", 200),
            ("192.168.0.7:8765", 200),
            ("[fe80::1]:8765", 200),
            ("evil.example", 421),
        ):
            assert (await client.get("/api", headers={"Host": host})).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://127.0.0.1:8765"}, 201),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "http://localhost:8765"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 201),
    ],
)
async def test_pages_of_other_sites_are_refused(
    client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    answer = await client.post("/api/games", json={}, headers=headers)
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.more
async def test_a_link_on_another_site_leads_here(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/docs", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/proof-trees/4^3", {}, 403),
        ("/api/proof-trees", {}, 403),
        ("/api/atlas/4^4/proof", {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 403),
        ("/api/games", {}, 200),
        ("/api/games", {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200),
        ("/api/games", {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403),
        ("/api/games", {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403),
        ("/api/games", {"Sec-Fetch-Mode": "cors"}, 403),
    ],
)
async def test_other_sites_may_link_but_make_nothing_work(
    client: httpx.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    for site in ("cross-site", "same-site"):
        answer = await client.get(path, headers={**headers, "Sec-Fetch-Site": site})
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["error"]["code"] == "foreign-origin"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1"])
async def test_sockets_of_other_sites_are_closed(tmp_path: Path, origin: str) -> None:
    core = Core(tmp_path / "g.sqlite")
    sent = []

    async def send(message: object) -> None:
        sent.append(message)

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    scope = {
        "type": "websocket",
        "path": "/socket",
        "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"127.0.0.1:8765"), (b"origin", origin.encode())],
    }
    await create_app(core)(scope, receive, send)
    assert sent == [
        {
            "type": "websocket.close",
            "code": 1008,
            "reason": "requests from pages of other sites are refused",
        }
    ]


async def test_large_requests_are_refused_announced_or_not(tmp_path: Path) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b" " * 100

    async with served(tmp_path, Limits(request_bytes=1000)) as (client, _):
        for content in (b" " * 2000, stream()):
            answer = await client.post("/api/games", content=content)
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")
        assert (await client.post("/api/games", json={})).status_code == 201


async def test_every_client_has_its_own_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "_PATIENCE", 0.0)

    few = Limits(processor_share=1e-9, processor_burst=1e9, games_per_hour=8)
    async with Core(tmp_path / "g.sqlite", public=few) as core:
        app = create_app(core, any_address=True)

        async def statuses(address: str, count: int) -> list[int]:
            base = "http://127.0.0.1" if is_home(address) else "http://10.0.0.1"
            async with called(app, address, base) as client:
                return [
                    (await client.post("/api/games", json={})).status_code for _ in range(count)
                ]

        assert await statuses("10.0.0.7", 4) == [201, 201, 429, 429]
        core.budget.of("10.0.0.7").pay(1e9)
        assert await statuses("10.0.0.7", 1) == [429]
        async with called(app, "10.0.0.7", "http://10.0.0.1") as one:
            for path, headers in (("/api", {}), ("/", {"Host": "evil.example"})):
                answer = await one.get(path, headers=headers)
                assert answer.status_code == 429
                assert int(answer.headers["retry-after"]) > 0
        assert await statuses("2001:db8:0:7::1", 2) == [201, 201]
        assert await statuses("2001:db8:0:7::2", 1) == [429]  # of the same network
        assert await statuses("2001:db8:0:8::1", 1) == [201]
        assert await statuses("10.0.0.8", 1) == [201]
        assert await statuses("127.0.0.1", 20) == [201] * 20


async def test_streams_count_from_their_request_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while their game is loaded; until they end, or are refused."""
    async with served(tmp_path, Limits(subscriptions=2)) as (client, core):
        path, _ = await made(client)
        (live,) = core.rooms.values()
        core.rooms.clear()
        await live.close()
        load, gate = core.store.load, asyncio.Event()

        async def slow(game: str) -> Any:
            await gate.wait()
            return await load(game)

        monkeypatch.setattr(core.store, "load", slow)
        asked = [asyncio.create_task(client.get(f"{path}/events")) for _ in range(3)]
        answer = await asyncio.wait_for(asked.pop(), 60)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limit")
        gate.set()
        await until(lambda: bool(core.rooms))
        (live,) = core.rooms.values()
        await until(lambda: live.watchers == 2)
        assert (await client.get(f"{path}/events")).status_code == 429
        await live.close()
        assert [(await one).status_code for one in asked] == [200, 200]
        for _ in range(3):
            assert (await client.get("/api/games/none/events")).status_code == 404


def test_limits_of_others_are_stricter() -> None:
    home, others = Limits(), PUBLIC
    for name in ("cells", "request_bytes", "agent_seconds", "analysis_seconds", "games_per_hour"):
        assert getattr(others, name) < getattr(home, name)


async def test_every_answer_carries_the_headers(client: httpx.AsyncClient) -> None:
    for path in ("/api", "/api/docs", "/nothing", "/api/games/none"):
        headers = (await client.get(path)).headers
        policy = headers["content-security-policy"]
        assert "://" not in policy
        assert "*" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    refused = await client.get("/api", headers={"Host": "evil.example"})
    assert "content-security-policy" in refused.headers
    assert "'none'" in (await client.get("/api")).headers["content-security-policy"]


async def test_addresses_lie_below_the_prefix_of_a_named_proxy(tmp_path: Path) -> None:
    named = ClientIdentifier([network("127.0.0.1")], "secret")
    async with served(tmp_path, visitors=named, prefix="/own") as (client, _):
        told = {"X-Forwarded-Prefix": "/oxo"}
        for path, headers, root in (
            ("/api/docs", told, "/oxo"),
            ("/oxo/api/docs", told, "/oxo"),
            ("/own/api/docs", {}, "/own"),
        ):
            answer = await client.get(path, headers=headers)
            assert f'href="{root}/api/openapi.json"' in answer.text
            assert answer.headers["Cache-Control"] == "no-store"
        opened = await client.get("/oxo/games?home=secret", headers=told)
        assert opened.headers["Location"] == "/oxo/games"
        assert (await client.get("/other/api/docs", headers=told)).status_code == 404
