"""The atlas of n^d over HTTP."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import PlainTextResponse, Response

from hyperoxo_web.server.answer import Answer, Object
from hyperoxo_web.server.api.guards import ClientAddress, TheCore, own_pages_only
from hyperoxo_web.server.api.replies import reply, while_connected

router = APIRouter(prefix="/api", tags=["atlas"])


class AtlasAnswer(Answer):
    """What is known of all n^d."""

    entries: list[Object]


@router.get("/atlas", summary="List what is known of n^d", response_model=AtlasAnswer)
async def entries(core: TheCore, client: ClientAddress) -> Response:
    """Return the regions of all n^d of the atlas, with every step; as `oxo atlas` prints them."""
    return reply({"entries": core.atlas.views(core.limits_of(client))})


@router.get("/atlas/{board}", summary="What is known of one n^d", response_model=Object)
async def entry(core: TheCore, client: ClientAddress, board: str) -> Response:
    """Return the region of a board such as 7^3, with every step."""
    return reply(core.atlas.view(core.atlas.entry(board), core.limits_of(client)))


@router.get(
    "/atlas/{board}/proof",
    summary="The proof of a region, as a file",
    response_class=PlainTextResponse,
    dependencies=[Depends(own_pages_only)],
)
async def proof(request: Request, core: TheCore, client: ClientAddress, board: str) -> Response:
    """Return the proof of what is known of a board, for `oxo verify`; it may have to be made."""
    data = await while_connected(request, core.atlas.proof(board, core.asker(client)))
    name = f"{board.replace('^', '-')}.oxo"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=us-ascii", headers=headers)
