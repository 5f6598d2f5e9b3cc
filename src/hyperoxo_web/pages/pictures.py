"""Pictures over HTTP: of positions, of games at a move, and of puzzles."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Annotated, Literal

from fastapi import FastAPI, Query, Request
from fastapi.responses import Response

from hyperoxo.game import Game, Position
from hyperoxo.pictures import KINDS
from hyperoxo_web.pages.previews import CARD, file_name
from hyperoxo_web.pages.puzzles_page import daily
from hyperoxo_web.server import Core, RefusedError
from hyperoxo_web.server.api.guards import client_of
from hyperoxo_web.server.api.replies import while_connected

_KEPT = "public, max-age=86400"
_NEWS = "no-cache"

Theme = Annotated[Literal["light", "dark"] | None, Query()]
Move = Annotated[int | None, Query(ge=0)]


def serve_pictures(application: FastAPI, core: Core) -> None:
    """Serve pictures; their addresses are those of pages and an ending."""

    async def answer(
        request: Request, position: Position, kind: str, theme: str | None, card: bool, keep: str
    ) -> Response:
        asker = core.asker(client_of(request))
        size = CARD if card and kind == "png" else None
        content = await core.boards.picture(asker, position, kind, theme, size)
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        name = file_name(position.game, len(position.history), f".{kind}")
        headers = {
            "ETag": tag,
            "Cache-Control": keep,
            "Content-Disposition": f'inline; filename="{name}"',
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
        }
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=KINDS[kind], headers=headers)

    def serve(kind: str) -> None:
        @application.get(f"/p/{{spec}}.{kind}", include_in_schema=False)
        @application.get(f"/p/{{spec}}/{{moves}}.{kind}", include_in_schema=False)
        async def position(
            request: Request, spec: str, moves: str = "", theme: Theme = None, card: bool = False
        ) -> Response:
            found = await core.position(spec, moves, client_of(request))
            return await answer(request, found, kind, theme, card, _KEPT)

        @application.get(f"/game/{{room}}.{kind}", include_in_schema=False)
        async def game(
            request: Request, room: str, move: Move = None, theme: Theme = None, card: bool = False
        ) -> Response:
            live = await core.open(room)
            line = live.room.tree.line
            if move is not None and move >= len(line):
                raise RefusedError("no-node", f"the game has {len(line) - 1} moves, not {move}")
            found = live.room.position if move is None else live.room.position_at(line[move])
            return await answer(request, found, kind, theme, card, _NEWS)

        @application.get(f"/puzzles/{{date}}.{kind}", include_in_schema=False)
        async def puzzle(
            request: Request, date: dt.date, theme: Theme = None, card: bool = False
        ) -> Response:
            if not dt.timedelta(0) <= dt.datetime.now(dt.UTC).date() - date <= dt.timedelta(7):
                raise RefusedError("no-node", "there are pictures of the puzzles of this week")
            work = daily(core, date, core.asker(client_of(request)))
            made = await while_connected(request, work)
            found = Game(made["game"]).position(made["position"])
            return await answer(request, found, kind, theme, card, _KEPT)

    for kind in KINDS:
        serve(kind)
