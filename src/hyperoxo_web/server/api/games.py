"""Games over HTTP."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from hyperoxo.notation import FORMATS, write
from hyperoxo.play.changes import Change, ticks
from hyperoxo_web.server import actions
from hyperoxo_web.server.answer import Answer, Object, Read, listing
from hyperoxo_web.server.api import models
from hyperoxo_web.server.api.middleware import (
    ClientAddress,
    Room,
    TheCore,
    Token,
    game_of,
    token_of,
)
from hyperoxo_web.server.api.replies import reply
from hyperoxo_web.server.game_session import GameSession, Receipt, SeenState, seen
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import Listing
from hyperoxo_web.server.thinking import check_analysis
from hyperoxo_web.server.view import State, as_json, change_view, game_path, state_view

router = APIRouter(prefix="/api/games", tags=["games"])


class NewGameAnswer(Answer):
    """A new game, and the tokens of its seats."""

    id: Annotated[str, Read(lambda made: made.live.room.id)]
    host: str
    tokens: list[str | None]
    url: Annotated[str, Read(lambda made: game_path(made.live.room.id))]
    urls: Annotated[
        list[str | None],
        Read(lambda made: [one and game_path(made.live.room.id, one) for one in made.tokens]),
    ]
    state: Annotated[State, Read(lambda made: state_view(made.live.room, ticks(), made.host))]


class ReceiptAnswer(Answer):
    """The change that a request made in a game."""

    version: int
    change: Annotated[Object, Read(lambda receipt: change_view(receipt.change))]
    repeated: bool
    node: Annotated[int, Read(lambda receipt: receipt.room.tree.node)]
    ply: Annotated[int, Read(lambda receipt: len(receipt.room.position.history))]
    to_move: Annotated[int, Read(lambda receipt: receipt.room.to_move)]
    result: Annotated[str, Read(lambda receipt: receipt.room.result)]
    token: str | None = None
    state: State | None = None


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


async def _streamed(
    request: Request, core: TheCore, client: ClientAddress
) -> AsyncIterator[type[EventStream]]:
    """Yield the class of event-stream responses, limited to the client's open streams."""
    # Counted in the same step as the check, and until the response has ended: requests that wait
    # for their game meanwhile count as well.
    opened: Counter[str] = request.app.state.streams
    if opened[client] >= core.limits_of(client).subscriptions:
        raise RefusedError("limit", "you have too many open streams")
    opened[client] += 1
    try:
        yield EventStream
    finally:
        opened[client] -= 1
        if not opened[client]:
            del opened[client]


Streamed = Annotated[Callable[[AsyncIterator[bytes]], EventStream], Depends(_streamed)]

# The two most frequent requests of programs (`see`, `move`) are parsed by hand: validation and
# dependency injection by the framework take longer than all the rest of a move.


@router.get("", summary="List and search games", response_model=listing("games", Listing))
async def games(
    core: TheCore,
    query: Annotated[str, Query(max_length=200, description="Words to find.")] = "",
    status: Annotated[str, Query(pattern="^(all|open|over)$")] = "all",
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """Return listed games, the latest first; each must contain all words of the query."""
    found = await core.store.games(query, status, limit, offset)
    return reply({"games": [entry.model_dump() for entry in found]})


@router.post("", status_code=201, summary="Make a game", response_model=NewGameAnswer)
async def make(core: TheCore, client: ClientAddress, body: models.GameRequest) -> Response:
    """Make a game; return its identifier and the tokens of its seats.

    Keep the tokens: a client that shows one moves for that seat, and they are not shown again.
    """
    record = None
    if body.record is not None:
        given = {"text": body.record, "notation": body.notation, "options": body.options}
        record = await core.boards.call("record", core.client(client), **given)
    made = await core.create(body.new_game(record), client)
    return reply(NewGameAnswer.of(made), 201)


@router.get(
    "/{room}",
    summary="See a game",
    response_model=SeenState,
    openapi_extra=models.described(None, models.PollQuery),
)
async def see(request: Request) -> Response:
    """Return the state of a game; with `after`, once it is newer or `wait` is over."""
    live, token = await _game_and_token(request)
    query = models.PollQuery.model_validate(dict(request.query_params))
    if (after := query.after) is not None:
        await _until(live, query.wait, lambda room: room.version > after)
    return reply(seen(live, token))


@router.delete("/{room}", status_code=204, summary="Delete a game")
async def delete(core: TheCore, room: str, token: Token) -> Response:
    """Delete a game; needs the host's token."""
    await core.delete(room, token)
    return Response(status_code=204)


@router.post(
    "/{room}/moves",
    summary="Move",
    response_model=ReceiptAnswer,
    openapi_extra=models.described(models.Move, models.GameQuery),
)
async def move(request: Request) -> Response:
    """Play a move. The answer comes when the move is on the disk.

    A move that answers an earlier position is refused (`late`), as is one of the wrong seat.
    The same key and cell again give the first answer again, with `repeated`.
    """
    live, token = await _game_and_token(request)
    body = models.Move.model_validate_json(await request.body())
    receipt = await live.play(token, body.cell, node=body.node, ply=body.ply, key=body.key)
    if body.wait:
        own = live.room.seats_of(token)
        await _until(live, body.wait, lambda room: room.is_over or room.to_move in own)
    return _receipt(receipt, live, token, full=body.wait > 0)


@router.post("/{room}/resign", summary="Resign", response_model=ReceiptAnswer)
async def resign(live: Room, token: Token, body: models.Resignation | None = None) -> Response:
    """Give up: all others win."""
    return await _done(live, token, actions.resign, player=body.player if body else None)


@router.post("/{room}/go", summary="Go to a position of the history", response_model=ReceiptAnswer)
async def go(live: Room, token: Token, body: models.Jump) -> Response:
    """Jump to another node of the history; several people must agree."""
    return await _done(live, token, actions.go, body.node)


@router.post("/{room}/requests", summary="Ask for something", response_model=ReceiptAnswer)
async def request_consent(live: Room, token: Token, body: models.ConsentRequest) -> Response:
    """Ask for `undo`, `redo`, `swap`, `draw` or `help`; immediate if no other has to agree."""
    return await _done(live, token, actions.request, body.kind)


@router.post("/{room}/answer", summary="Answer a request", response_model=ReceiptAnswer)
async def answer(live: Room, token: Token, body: models.Answer) -> Response:
    """Accept or decline a request; the player who asked withdraws it by declining."""
    return await _done(live, token, actions.answer, yes=body.yes, number=body.number)


@router.post("/{room}/pause", summary="Stop agents and clocks", response_model=ReceiptAnswer)
async def pause(live: Room, token: Token) -> Response:
    """Stop agents and clocks; for the host, or the only person who plays."""
    return await _done(live, token, actions.pause)


@router.post("/{room}/now", summary="Ask an agent for its move at once", response_model=SeenState)
async def now_(live: Room, token: Token) -> Response:
    """Make the agent that thinks play the best move found so far; its reason says so.

    An agent that cannot be cut short, or has found nothing yet, plays a simpler move.
    """
    live.move_now(token)
    return reply(seen(live, token))


@router.post("/{room}/resume", summary="Let agents and clocks go on", response_model=ReceiptAnswer)
async def resume(live: Room, token: Token) -> Response:
    """Resume after a pause, or after a jump to a position where an agent is to move."""
    return await _done(live, token, actions.resume)


@router.put("/{room}/title", summary="Name a game", response_model=ReceiptAnswer)
async def title(live: Room, token: Token, body: models.TitleChange) -> Response:
    """Give the game a title, and show it in lists or not; needs the host's token."""
    return await _done(live, token, actions.title, body.title, listed=body.listed)


@router.put(
    "/{room}/seats/{player}", summary="Change who sits at a place", response_model=ReceiptAnswer
)
async def seat(
    core: TheCore,
    client: ClientAddress,
    live: Room,
    player: int,
    token: Token,
    body: models.SeatChange,
) -> Response:
    """Rename a seat or, with `agent`, seat an agent or another person there.

    A person's seat changes by its own token, an agent's by the host's.
    """
    if body.agent is None:
        return await _done(live, token, actions.rename, player, body.name)
    receipt = await core.seat(live, token, player, name=body.name, agent=body.agent, client=client)
    return _receipt(receipt, live, token)


@router.get("/{room}/events", summary="Watch a game", response_class=EventStream)
async def events(streamed: Streamed, live: Room, token: Token) -> Response:
    """Stream every change as server-sent events, each with the whole state."""
    return streamed(game_events(live, token))


@router.get(
    "/{room}/record", summary="Export the record of a game", response_class=PlainTextResponse
)
async def record(
    live: Room,
    notation: Annotated[str, Query(description=f"One of {', '.join(FORMATS)}.")] = "record",
) -> Response:
    """Return the moves up to the current position, in any notation."""
    text = write([live.room.record()], notation)
    ending = FORMATS[notation].extensions[0]
    name = f"hyperoxo-{live.room.id}{ending}"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/{room}/report", summary="See the report of a game", response_model=Object)
async def report(core: TheCore, live: Room) -> Response:
    """Return the report of the game, if its present moves have been analysed."""
    check_analysis(live.room)
    found = await core.store.report(live.room.id, live.room.record())
    if found is None:
        raise RefusedError("no-report", "no report of this game in its present state was requested")
    return reply(found)


async def _game_and_token(request: Request) -> tuple[GameSession, str | None]:
    """Return the game and the token of a request that is parsed by hand."""
    live = await game_of(request, request.path_params["room"])
    return live, await token_of(request, request.query_params.get("token"))


async def _done(
    live: GameSession, token: str | None, act: Callable[..., Change], *given: Any, **named: Any
) -> Response:
    return _receipt(await live.do(act, token, *given, **named), live, token)


def _receipt(
    receipt: Receipt, live: GameSession, token: str | None, *, full: bool = False
) -> Response:
    more: dict[str, Any] = {} if receipt.token is None else {"token": receipt.token}
    if full:
        receipt = replace(receipt, room=live.room)
        more["state"] = state_view(live.room, ticks(), token)
    return reply(ReceiptAnswer.of(receipt, **more))


async def _until(live: GameSession, seconds: float, wanted: Any) -> None:
    """Long polling: wait until a game is in a wanted state, or for `seconds`."""
    # Subscribed before the first test: a change between the test and the wait is in the queue.
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    async with live.subscribe(counted=False) as updates:
        while not wanted(live.room):
            left = end - loop.time()
            if left <= 0 or (await updates.next(left)) is None:
                return


_SILENCE = 15.0


async def game_events(live: GameSession, token: str | None) -> AsyncIterator[bytes]:
    """Yield the server-sent events of a game, its present state first."""
    # A comment in each silence keeps proxies from closing the stream, and finds clients that have
    # gone without a word: the write fails, and the subscription ends.
    async with live.subscribe(token) as updates:
        yield b"retry: 1000\n\n"
        while True:
            update = await updates.next(_SILENCE)
            if update is not None:
                yield update.event
            elif updates.ended:
                return
            else:
                yield b": still here\n\n"


async def work_events(views: AsyncGenerator[dict[str, Any], None]) -> AsyncIterator[bytes]:
    """Yield the server-sent events of an analysis or a run: ``news``, then ``done``."""
    async with aclosing(views):
        async for view in views:
            kind = b"news" if view["state"] == "running" else b"done"
            yield b"event: " + kind + b"\ndata: " + as_json(view) + b"\n\n"
