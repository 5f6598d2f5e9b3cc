"""The laboratory over HTTP: matches, tournaments, sweeps and studies."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel
from starlette.responses import FileResponse, Response

from hyperoxo_web.server.answer import Answer, Object, Read, listing
from hyperoxo_web.server.api.games import EventStream, Streamed, work_events
from hyperoxo_web.server.api.middleware import ClientAddress, TheCore
from hyperoxo_web.server.api.models import RUN_BODIES, ResumeRequest, RunQuery, run_of
from hyperoxo_web.server.api.replies import reply
from hyperoxo_web.server.lab.reports import FILES, file_of
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import run_path

router = APIRouter(prefix="/api", tags=["laboratory"])

RunNumber = Annotated[int, Path(ge=1, lt=2**62)]
Looked = Annotated[RunQuery, Depends()]
_FORMS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


class RunAnswer(Answer):
    """A run that was begun or resumed."""

    run: Annotated[int, Read(int)]
    url: Annotated[str, Read(run_path)]


class SkillsAnswer(Answer):
    """Ratings by openskill."""

    run: int
    ratings: list[Object]


def _types(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """Describe an answer that is a file of one of these types."""
    return {200: {"content": {kind.partition(";")[0]: {} for kind in kinds}}}


class RunFilter(BaseModel):
    """Filter of runs."""

    kind: Literal["match", "tournament", "sweep", "study", "program"] | None = None
    game: Annotated[str | None, Query(description="The game, in any spelling.")] = None
    agent: Annotated[str | None, Query(description="An agent's spec, or its name.")] = None


_BEGUN = {
    "match": ("matches", "Start a match of many games, counted and not stored one by one."),
    "tournament": ("tournaments", "Start a tournament: every ordered seating of the agents."),
    "sweep": ("sweeps", "Start a sweep: games of an agent with many values of its options."),
    "study": ("studies", "Start a study: the tables of a publication, measured again."),
}


def _serve_begin(kind: str, path: str, text: str) -> None:
    """Serve the address that begins runs of one kind."""

    async def begin(core: TheCore, client: ClientAddress, body: Any) -> Response:
        request, workers = run_of(kind, body)
        number = await core.laboratory.start(request, core.client(client), workers)
        return reply(RunAnswer.of(number), 202)

    begin.__annotations__["body"] = RUN_BODIES[kind]
    described: dict[str, Any] = {"summary": f"Begin a {kind}", "description": text, "name": kind}
    router.post(f"/{path}", status_code=202, response_model=RunAnswer, **described)(begin)


for _kind, (_path, _text) in _BEGUN.items():
    _serve_begin(_kind, _path, _text)


@router.get("/studies", summary="List studies", response_model=Object)
async def studies(core: TheCore) -> Response:
    """Return the studies, and the reports of finished ones."""
    return reply(await core.laboratory.query("studies"))


@router.get("/reports/{name}", summary="Read a report of a study", response_model=Object)
async def report(core: TheCore, name: str) -> Response:
    """Return the sections of a report and its tables."""
    return reply(await core.laboratory.query("report", name=name))


@router.get(
    "/reports/{name}/{path:path}",
    summary="Read a file of a report",
    response_class=Response,
    responses=_types(*FILES.values(), "application/octet-stream"),
)
async def report_file(core: TheCore, name: str, path: str) -> Response:
    """Return a file, such as `index.html` or `figures/NAME.svg`; no script runs in it."""
    found = await asyncio.to_thread(file_of, core.laboratory.reports, name, path)
    if found is None:
        raise RefusedError("no-report", "there is no such file of a report")
    kind = FILES.get(found.suffix)
    known = kind is not None and found.parent.name != "files"
    return FileResponse(
        found,
        media_type=kind if known else "application/octet-stream",
        filename=None if known and found.suffix != ".csv" else found.name,
    )


@router.get("/runs", summary="List runs", response_model=listing("runs"))
async def runs(
    core: TheCore,
    picked: Annotated[RunFilter, Depends()],
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """Return all runs, newest first."""
    found = await core.laboratory.listing(picked.model_dump(), limit, offset)
    return reply({"runs": found})


@router.get(
    "/results",
    summary="Read rows of results",
    response_class=Response,
    responses=_types(*_FORMS.values()),
)
async def results(
    core: TheCore,
    picked: Annotated[RunFilter, Depends()],
    run: int | None = None,
    form: Literal["csv", "json"] = "csv",
) -> Response:
    """Return the rows of a run or of all selected runs, as CSV or JSON."""
    chosen = {**picked.model_dump(), "run": run}
    name = "results" if run is None else f"run-{run}"
    return Response(
        await core.laboratory.query("rows", picked=chosen, form=form),
        media_type=_FORMS[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )


@router.get("/runs/{run}", summary="See a run", response_model=Object)
async def see(core: TheCore, run: RunNumber, evaluation: Looked) -> Response:
    """Return the progress of a run and its results so far."""
    return reply(await core.laboratory.view(run, evaluation.chosen))


@router.get("/runs/{run}/events", summary="Watch a run", response_class=EventStream)
async def events(core: TheCore, streamed: Streamed, run: RunNumber, evaluation: Looked) -> Response:
    """Stream the progress and results of a run until it ends."""
    await core.laboratory.view(run)  # an error is an answer here, not an event
    return streamed(work_events(core.laboratory.follow(run, evaluation.chosen)))


@router.get("/runs/{run}/openskill", summary="Rate by openskill", response_model=SkillsAnswer)
async def openskill(core: TheCore, run: RunNumber) -> Response:
    """Return openskill ratings of a tournament of up to 20,000 games, so far."""
    return reply({"run": run, "ratings": await core.laboratory.skills(run)})


@router.post("/runs/{run}/stop", summary="End a run early", response_model=Object)
async def stop(core: TheCore, client: ClientAddress, run: RunNumber) -> Response:
    """Stop a run; games played so far stay, and the run can be resumed."""
    await core.laboratory.stop(run, client, trusted=core.trusts(client))
    return reply(await core.laboratory.view(run))


@router.post(
    "/runs/{run}/resume", status_code=202, summary="Resume a run", response_model=RunAnswer
)
async def resume(
    core: TheCore, client: ClientAddress, run: RunNumber, body: ResumeRequest | None = None
) -> Response:
    """Resume a run that was interrupted: no game is played twice, none is lost."""
    workers = None if body is None else body.workers
    await core.laboratory.resume(run, core.client(client), workers)
    return reply(RunAnswer.of(run), 202)


@router.delete("/runs/{run}", status_code=204, summary="Delete a run")
async def delete(core: TheCore, client: ClientAddress, run: RunNumber) -> Response:
    """Delete a run and its report; only from the server's own machine."""
    await core.laboratory.delete(run, trusted=core.trusts(client))
    return Response(status_code=204)
