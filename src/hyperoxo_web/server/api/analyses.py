"""Analyses, records, proofs and the atlas over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import PlainTextResponse, Response

from hyperoxo.game import Position
from hyperoxo.notation import FORMATS
from hyperoxo.proof.stored import STORED
from hyperoxo_web.server.answer import Answer, Object, listing
from hyperoxo_web.server.api.games import EventStream, Streamed, work_events
from hyperoxo_web.server.api.middleware import ClientAddress, TheCore, own_pages_only
from hyperoxo_web.server.api.models import (
    AnalysisRequest,
    Conversion,
    ProofRequest,
    ProofTreeRequest,
)
from hyperoxo_web.server.api.replies import reply, while_connected
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.core import Core
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.new_game import position_of
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.thinking import JobAnswer, check_analysis

router = APIRouter(prefix="/api", tags=["analysis and records"])


class Converted(Answer):
    """A record in another notation."""

    text: str
    record: Object


class NotationAnswer(Answer):
    """A notation of records."""

    name: str
    about: str
    extensions: list[str]


@router.post("/analyses", status_code=202, summary="Begin an analysis", response_model=JobAnswer)
async def begin(core: TheCore, address: ClientAddress, body: AnalysisRequest) -> Response:
    """Start to analyse a position, a game of this server, or a whole record.

    The answer comes immediately; ask for the result by its `id`, or watch its events.
    """
    client = core.client(address)
    if sum(value is not None for value in (body.game, body.room, body.record)) != 1:
        raise RefusedError("bad-request", "name one of game, room and record")
    if body.record is None:
        what = await _position(core, client, body)
    else:
        what = await core.boards.call("record", client, text=body.record, notation=body.notation)
    return reply(JobAnswer.of(core.analyses.analyse(what, client, body.seconds)), 202)


@router.post("/proofs", status_code=202, summary="Begin a proof search", response_model=JobAnswer)
async def prove(core: TheCore, address: ClientAddress, body: ProofRequest) -> Response:
    """Start to search for a proof of who wins a position, with moves that you suggest.

    The answer comes immediately; watch, stop and delete the search as an analysis.
    """
    client = core.client(address)
    if (body.game is None) == (body.room is None):
        raise RefusedError("bad-request", "name one of game and room")
    position = await _position(core, client, body)
    job = core.analyses.proof(
        position,
        client,
        body.seconds,
        suggestions=await core.boards.run(client, _suggestions, position, body),
        every_move=body.every_move,
        attacker=body.attacker,
        continues=body.continues,
    )
    return reply(JobAnswer.of(job), 202)


def _suggestions(position: Position, body: ProofRequest) -> list[tuple[Position, int]]:
    # Compiled code is loaded here, which games among people do without.
    from hyperoxo_web.server.proving import check_search, suggestions_of

    found = [
        (position if entry.position is None else position.game.position(entry.position), entry.cell)
        for entry in body.suggestions
    ]
    if body.dictionary is not None:
        found += suggestions_of(body.dictionary, position.game)
    check_search(position, found)
    return found


async def _position(core: Core, client: Client, body: AnalysisRequest | ProofRequest) -> Position:
    if body.room is None:
        assert body.game is not None
        return await core.boards.run(client, position_of, body.game, body.position, client.limits)
    room = (await core.open(body.room)).room
    check_analysis(room)
    try:
        return room.position if body.node is None else room.position_at(body.node)
    except KeyError:
        raise RefusedError("no-node", f"there is no position {body.node} in this game") from None


@router.get("/analyses/{job}", summary="See an analysis", response_model=JobAnswer)
async def see(core: TheCore, job: str) -> Response:
    """Return the result so far, and whether the analysis is running."""
    return reply(JobAnswer.of(core.analyses.find(job)))


@router.get("/analyses/{job}/events", summary="Watch an analysis", response_class=EventStream)
async def events(core: TheCore, streamed: Streamed, job: str) -> Response:
    """Stream the result so far several times a second, as server-sent events."""
    return streamed(work_events(core.analyses.find(job).views()))


@router.post("/analyses/{job}/stop", summary="End an analysis early", response_model=JobAnswer)
async def stop(core: TheCore, job: str) -> Response:
    """Stop an analysis early; the result so far stays."""
    found = core.analyses.find(job)
    await found.finish()
    return reply(JobAnswer.of(found))


@router.delete("/analyses/{job}", status_code=204, summary="Break off an analysis")
async def delete(core: TheCore, job: str) -> Response:
    """Stop an analysis and delete it."""
    await core.analyses.forget(job)
    return Response(status_code=204)


@router.post(
    "/convert",
    summary="Read a record and write it in another notation",
    response_model=Converted,
)
async def convert(core: TheCore, client: ClientAddress, body: Conversion) -> Response:
    """Return the text in another notation, and the record as an object."""
    return reply(await core.boards.call("conversion", core.client(client), **body.model_dump()))


@router.get(
    "/notations",
    summary="List notations",
    response_model=listing("notations", NotationAnswer),
)
async def notations() -> Response:
    """Return the notations of records and the suffixes of their files."""
    return reply({"notations": [NotationAnswer.of(entry) for entry in FORMATS.values()]})


# Proofs, opened node by node, and the atlas of n^d.

proof_trees = APIRouter(prefix="/api", tags=["proofs"])
atlas = APIRouter(prefix="/api", tags=["atlas"])


@proof_trees.get(
    "/proof-trees",
    summary="List the proofs that come with the program",
    response_model=listing("proofs"),
    dependencies=[Depends(own_pages_only)],
)
async def stored(core: TheCore, address: ClientAddress) -> Response:
    """Return the proofs that come with the program, each named by its game."""
    client = core.client(address)
    found = [(await core.proofs.open(name, client, count=False)).view() for name in STORED]
    return reply({"proofs": found})


@proof_trees.post(
    "/proof-trees",
    status_code=201,
    summary="Have a proof checked and kept",
    response_model=Object,
)
async def add(
    request: Request, core: TheCore, address: ClientAddress, body: ProofTreeRequest
) -> Response:
    """Check a proof file, or the proof that a search of this server found; return its name.

    A file that the checker rejects is refused with its reason.
    """
    client = core.client(address)
    if (body.proof is None) == (body.search is None):
        raise RefusedError("bad-request", "name one of proof and search")
    if body.search is not None:
        work = core.proofs.certify(core.analyses.find(body.search).id, client)
    else:
        assert body.proof is not None
        work = core.proofs.add(body.proof.encode("utf-8"), client)
    name = await while_connected(request, work)
    return reply({**(await core.proofs.open(name, client)).view(), "url": f"/proof/{name}"}, 201)


@proof_trees.get(
    "/proof-trees/{name}",
    summary="Open a proof at a position",
    response_model=Object,
    dependencies=[Depends(own_pages_only)],
)
async def node(
    core: TheCore,
    client: ClientAddress,
    name: str,
    at: Annotated[
        str, Query(description="Cells played since the claim begins, such as 63,21,60.")
    ] = "",
    wait: Annotated[
        float, Query(ge=0, le=60, description="Seconds to wait until positions are counted.")
    ] = 0.0,
) -> Response:
    """Return the node after some moves, as `oxo prove tree` does.

    Sizes are null until the positions of the proof have been counted.
    """
    opened = await core.proofs.open(name, core.client(client))
    await opened.counted(wait)
    return reply(await in_thread(opened.node, moves_of(at)))


def moves_of(text: str) -> list[int]:
    """Read cells with commas between them."""
    cells = text.split(",") if text else []
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 7 for cell in cells):
        raise RefusedError("bad-request", "at takes cells with commas between them: 63,21,60")
    return [int(cell) for cell in cells]


@atlas.get("/atlas", summary="List what is known of n^d", response_model=listing("entries"))
async def entries(core: TheCore, client: ClientAddress) -> Response:
    """Return the regions of all n^d of the atlas with every step, as `oxo atlas` does."""
    return reply({"entries": core.atlas.views(core.limits_of(client))})


@atlas.get("/atlas/{board}", summary="What is known of one n^d", response_model=Object)
async def entry(core: TheCore, client: ClientAddress, board: str) -> Response:
    """Return the region of a board such as 7^3, with every step."""
    return reply(core.atlas.view(core.atlas.entry(board), core.limits_of(client)))


@atlas.get(
    "/atlas/{board}/proof",
    summary="The proof of a region, as a file",
    response_class=PlainTextResponse,
    dependencies=[Depends(own_pages_only)],
)
async def proof(request: Request, core: TheCore, client: ClientAddress, board: str) -> Response:
    """Return the proof of a region for `oxo verify`; making it may take a minute."""
    data = await while_connected(request, core.atlas.proof(board, core.client(client)))
    name = f"{board.replace('^', '-')}.oxo"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=us-ascii", headers=headers)
