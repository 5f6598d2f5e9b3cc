"""What the tests of the server share: games in memory, and a server in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from hyperoxo.play.changes import Change, Created
from hyperoxo.play.game_in_play import apply, create
from hyperoxo_web.server import Core, GameInPlay, Limits
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.refusal import RefusedError

ADDRESS = "http://127.0.0.1:8765"


def room(
    game: str = "3^2",
    *,
    tokens: tuple[str | None, ...] = ("a", "b"),
    clock: tuple[float, float] | None = None,
    moves: tuple[int, ...] = (),
) -> GameInPlay:
    """Return a game whose seats have these tokens; None is an agent."""
    seats = tuple((f"P{n}", None if token else "random", token) for n, token in enumerate(tokens))
    return create(
        Created(at=0, id="g", game=game, host="host", seats=seats, clock=clock, moves=moves)
    )


def after(state: GameInPlay, *steps: Callable[[GameInPlay, int], Change]) -> GameInPlay:
    """Return a game after some actions, one second apart."""
    for step in steps:
        state = apply(state, step(state, 1000 * state.version))
    return state


def code_of(action: Callable[[], object]) -> str:
    """Return the code with which an action is refused, or ``"done"``."""
    try:
        action()
    except RefusedError as refusal:
        return refusal.code
    return "done"


@asynccontextmanager
async def served(
    path: Path, *limits: Limits, **options: Any
) -> AsyncIterator[tuple[httpx.AsyncClient, Core]]:
    """Run the application in this process; give a client of it, and its core."""
    core = Core(path / "games.sqlite", *limits)
    async with core, called(create_app(core, **options)) as client:
        yield client, core


def called(app: Any, address: str = "127.0.0.1", base: str = ADDRESS) -> httpx.AsyncClient:
    """Return a client of an application, at some address."""
    transport = httpx.ASGITransport(app, client=(address, 50_000))
    return httpx.AsyncClient(transport=transport, base_url=base, timeout=300)


async def made(client: httpx.AsyncClient, **body: object) -> tuple[str, list[dict[str, str]]]:
    """Make a game over HTTP; return its path and the headers of its seats."""
    answer = await client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    headers = [{"Authorization": f"Bearer {token}"} for token in found["tokens"]]
    return f"/api/games/{found['id']}", [*headers, {"Authorization": f"Bearer {found['host']}"}]


async def until(condition: Callable[[], bool], seconds: float = 300.0) -> None:
    """Wait until a condition holds."""
    end = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < end, "waited in vain"
        await asyncio.sleep(0.005)
