"""Classes over HTTP: one link, many boards, one person who sees them all."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from hyperoxo_web.server import classroom
from hyperoxo_web.server.api.middleware import ClientAddress, TheCore, Token
from hyperoxo_web.server.api.models import AnnouncementRequest, FillRequest, PupilRequest
from hyperoxo_web.server.api.replies import reply

router = APIRouter(prefix="/api/classes", tags=["classes"])

Code = Annotated[str, Path(max_length=40, description="The code of the class.")]
DeskNumber = Annotated[int, Path(ge=0, le=10**6)]


async def _taught(
    core: TheCore, client: ClientAddress, code: Code, token: Token
) -> classroom.Classroom:
    return await core.classes.teach(code, token, client)


Taught = Annotated[classroom.Classroom, Depends(_taught)]


@router.post("", status_code=201, summary="Make a class", response_model=classroom.NewClassAnswer)
async def make(core: TheCore, client: ClientAddress, body: classroom.NewClass) -> Response:
    """Make a class; return its code, which pupils need, and the token of its teacher.

    Keep the token: it opens all boards, and the server shows it only once.
    """
    room = await core.classes.create(body, client)
    return reply(classroom.NewClassAnswer.of(room), 201)


@router.get(
    "/{code}", summary="See a class", response_model=classroom.ClassAnswer | classroom.ClassOverview
)
async def see(core: TheCore, client: ClientAddress, code: Code, token: Token) -> Response:
    """Return the game of a class; to its teacher, also `pupils` and all boards, `desks`."""
    room = await core.classes.open(code, client)
    teaches = room.is_teacher(token)
    return reply(await core.classes.view(room) if teaches else classroom.ClassOverview.of(room))


@router.post(
    "/{code}/pupils", status_code=201, summary="Join a class", response_model=classroom.PupilAnswer
)
async def join(core: TheCore, client: ClientAddress, code: Code, body: PupilRequest) -> Response:
    """Take a free seat, or a board of one's own; return the game and the token of the seat."""
    return reply((await core.classes.join(code, body.name, client)).model_dump(), 201)


@router.post("/{code}/say", status_code=204, summary="Tell all pupils something")
async def announce(core: TheCore, room: Taught, body: AnnouncementRequest) -> Response:
    """Show a sentence on all open boards; needs the teacher's token."""
    await core.classes.announce(room, body.words)
    return Response(status_code=204)


@router.post(
    "/{code}/desks/{number}/fill", status_code=204, summary="Let an agent play at a free seat"
)
async def fill(
    core: TheCore, client: ClientAddress, room: Taught, number: DeskNumber, body: FillRequest
) -> Response:
    """Seat an agent at a free seat of a board; needs the teacher's token."""
    await core.classes.let_agent_play(room, number, body.agent, client)
    return Response(status_code=204)


@router.delete("/{code}/desks/{number}", status_code=204, summary="Take a board out of a class")
async def drop(core: TheCore, room: Taught, number: DeskNumber) -> Response:
    """Take a board out of a class; its game stays; needs the teacher's token.

    The numbers of the boards after it become one less.
    """
    await core.classes.drop(room, number)
    return Response(status_code=204)


@router.post("/{code}/close", summary="Close a class", response_model=classroom.ClassAnswer)
async def close(core: TheCore, room: Taught) -> Response:
    """Admit no one else; the games can be finished; needs the teacher's token."""
    return reply(await core.classes.view(await core.classes.close(room)))
