"""The FastAPI application: routes, middleware, OpenAPI document and its page."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import HTMLResponse, Response

from hyperoxo import __version__
from hyperoxo_web.server.answer import Answer, Object, Read, listing
from hyperoxo_web.server.api import analyses, classes, games, replies, runs
from hyperoxo_web.server.api.middleware import AccessMiddleware, ClientAddress, TheCore
from hyperoxo_web.server.clients import ClientIdentifier
from hyperoxo_web.server.core import Core
from hyperoxo_web.server.new_game import agent_options


def create_app(
    core: Core,
    *,
    hosts: Iterable[str] = (),
    any_address: bool = False,
    visitors: ClientIdentifier | None = None,
    prefix: str = "",
) -> FastAPI:
    """Return the application around a core; pages may be mounted on it.

    Its addresses begin with `prefix`, such as ``/oxo``.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with core:
            yield

    app = _Application(
        title="hyperoxo: games over HTTP",
        version=__version__,
        description="Make games, move, watch, analyse. Every answer is JSON; an error is "
        '{"error": {"code", "message"}}. Tokens go into the header "Authorization: Bearer TOKEN".',
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=replies.REFUSALS,
    )
    app.state.core = core
    app.state.streams = Counter()
    replies.handle_errors(app)
    proofs = (analyses.router, analyses.proof_trees)
    for part in (games.router, classes.router, *proofs, runs.router, analyses.atlas, router):
        app.include_router(part)
    app.add_middleware(
        AccessMiddleware,
        core=core,
        hosts=frozenset(hosts),
        any_address=any_address,
        visitors=visitors,
        prefix=prefix,
    )
    return app


class _Application(FastAPI):
    """Application that also documents its answers to refused requests."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        document = super().openapi()
        document["components"]["schemas"]["Refusal"] = replies.REFUSAL
        return document


router = APIRouter(prefix="/api", tags=["about"])


class About(Answer):
    """A server: its version, its limits and its documentation."""

    hyperoxo: Annotated[str, Read(lambda _: __version__)]
    limits: Annotated[dict[str, float], Read(vars)]
    documentation: Annotated[str, Read(lambda _: "/api/docs")]
    openapi: Annotated[str, Read(lambda _: "/api/openapi.json")]


class AgentAnswer(Answer):
    """An agent that can be seated."""

    name: str
    about: str
    options: Object


@router.get("", summary="What this server is", response_model=About)
async def about(core: TheCore, client: ClientAddress) -> Response:
    """Return the version of hyperoxo and the limits that hold for this client."""
    return replies.reply(About.of(core.limits_of(client)))


@router.get("/agents", summary="List agents", response_model=listing("agents", AgentAnswer))
async def agents() -> Response:
    """Return the agents that can be seated, with the names and defaults of their options."""
    from hyperoxo.agents import registered

    factories = registered()
    found = [
        {
            "name": name,
            "about": (inspect.getdoc(factories[name]) or "").partition("\n")[0],
            "options": {**options, "threats": "off"},
        }
        for name, options in agent_options().items()
    ]
    return replies.reply({"agents": found})


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return this interface described on a page that needs nothing from elsewhere."""
    document = request.app.openapi()
    models = document.get("components", {}).get("schemas", {})
    verbs = [one for verbs in document["paths"].values() for one in verbs.values()]
    page = replies.render(
        "docs.html",
        document=document,
        tags=dict.fromkeys(one.get("tags", [""])[0] for one in verbs),
        model=partial(_model, models=models),
        kind=lambda schema: f"{_kind(schema, models)}{_default(schema)}",
    )
    return HTMLResponse(replies.rooted(page, request.scope["root_path"]))


def _model(schema: dict[str, Any], models: dict[str, Any]) -> dict[str, Any]:
    """Return the object that a schema is or refers to."""
    choices = (schema, *schema.get("anyOf", []))
    named = [one["$ref"].rpartition("/")[2] for one in choices if "$ref" in one]
    return models.get(named[0], {}) if named else schema


def _kind(schema: dict[str, Any], models: dict[str, Any]) -> str:
    if "anyOf" in schema:
        kinds = [_kind(choice, models) for choice in schema["anyOf"]]
        return " or ".join(kind for kind in kinds if kind != "null")
    if "$ref" in schema:
        fields = _model(schema, models).get("properties", {})
        return "{" + ", ".join(fields) + "}"
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}), models)}"
    return str(schema.get("type", ""))


def _default(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return "" if default in (None, "", [], {}) else f", {default} unless given"
