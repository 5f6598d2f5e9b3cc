"""Proofs over HTTP, opened node by node, and the atlas of n^d."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import PlainTextResponse, Response

from hyperoxo.proof.stored import STORED
from hyperoxo_web.server.answer import Object, listing
from hyperoxo_web.server.api.guards import ClientAddress, TheCore, own_pages_only
from hyperoxo_web.server.api.models import ProofTreeRequest
from hyperoxo_web.server.api.replies import reply, while_connected
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.refusal import RefusedError

router = APIRouter(prefix="/api", tags=["proofs"])
atlas = APIRouter(prefix="/api", tags=["atlas"])


@router.get(
    "/proof-trees",
    summary="List the proofs that come with the program",
    response_model=listing("proofs"),
    dependencies=[Depends(own_pages_only)],
)
async def stored(core: TheCore, client: ClientAddress) -> Response:
    """Return the proofs that come with the program, each named by its game."""
    asker = core.asker(client)
    found = [(await core.proofs.open(name, asker, count=False)).view() for name in STORED]
    return reply({"proofs": found})


@router.post(
    "/proof-trees",
    status_code=201,
    summary="Have a proof checked and kept",
    response_model=Object,
)
async def add(
    request: Request, core: TheCore, client: ClientAddress, body: ProofTreeRequest
) -> Response:
    """Check a proof file, or the proof that a search of this server found; return its name.

    A file that the checker rejects is refused with its reason.
    """
    asker = core.asker(client)
    if (body.proof is None) == (body.search is None):
        raise RefusedError("bad-request", "name one of proof and search")
    if body.search is not None:
        work = core.proofs.certify(core.analyses.find(body.search).id, asker)
    else:
        assert body.proof is not None
        work = core.proofs.add(body.proof.encode("utf-8"), asker)
    name = await while_connected(request, work)
    return reply({**(await core.proofs.open(name, asker)).view(), "url": f"/proof/{name}"}, 201)


@router.get(
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
    opened = await core.proofs.open(name, core.asker(client))
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
    data = await while_connected(request, core.atlas.proof(board, core.asker(client)))
    name = f"{board.replace('^', '-')}.oxo"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=us-ascii", headers=headers)
