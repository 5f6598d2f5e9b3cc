"""What the server is, and the description of this interface."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from hyperoxo import __version__
from hyperoxo.server.api.access import ClientAddress, TheCore
from hyperoxo.server.api.docs_page import docs_page
from hyperoxo.server.api.replies import reply

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["about"])


@router.get("", summary="What this server is")
async def about(core: TheCore, client: ClientAddress) -> Response:
    """Return the version of hyperoxo and the limits that hold for this client."""
    return reply(
        {
            "hyperoxo": __version__,
            "limits": vars(core.limits_of(client)),
            "documentation": "/api/docs",
            "openapi": "/api/openapi.json",
        }
    )


@router.get("/agents", summary="List agents")
async def agents() -> Response:
    """Return the agents that can be seated, with the names and defaults of their options."""
    from hyperoxo.agents import agent_names, registered

    makers = registered()
    found = [_agent(name, makers[name]) for name in agent_names() if name in makers]
    return reply({"agents": found})


def _agent(name: str, maker: Callable[..., object]) -> dict[str, Any]:
    summary = (inspect.getdoc(maker) or "").partition("\n")[0]
    options = {
        key: option.default if isinstance(option.default, str | int | float) else None
        for key, option in inspect.signature(maker).parameters.items()
    }
    return {"name": name, "about": summary, "options": {**options, "threats": "off"}}


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return this interface described on a page that needs nothing from elsewhere."""
    return HTMLResponse(docs_page(request.app.openapi()))
