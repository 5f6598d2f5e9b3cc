"""Who asks: the core behind a request, the client's address, and the token it shows."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request

from hyperoxo.server.core import Core
from hyperoxo.server.live import LiveRoom

__all__ = ["ClientAddress", "Room", "TheCore", "Token", "room_of", "token_of"]


async def _core(request: Request) -> Core:
    core = request.app.state.core
    assert isinstance(core, Core)
    return core


async def _client(request: Request) -> str:
    return request.client.host if request.client else ""


async def _token(
    request: Request,
    token: Annotated[
        str | None,
        Query(description="Token of a seat, where no Authorization header can be sent."),
    ] = None,
) -> str | None:
    return token_of(request) or token


def token_of(request: Request) -> str | None:
    """Return the token that a request shows in its header, or else in its query."""
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    return shown.strip() if scheme.lower() == "bearer" else request.query_params.get("token")


async def room_of(request: Request) -> LiveRoom:
    """Return the game that a request is about."""
    core: Core = request.app.state.core
    return await core.open(request.path_params["room"])


TheCore = Annotated[Core, Depends(_core)]
ClientAddress = Annotated[str, Depends(_client)]
Token = Annotated[str | None, Depends(_token)]


async def _room(room: str, core: TheCore) -> LiveRoom:
    return await core.open(room)


Room = Annotated[LiveRoom, Depends(_room)]
