"""Answers: JSON written once, errors in one form, and HTML from the templates of this package."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from hyperoxo.errors import HyperoxoError, LimitError, one_line
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import as_json
from hyperoxo_web.server.waiting import cancelled

_Found = TypeVar("_Found")

REFUSAL = {
    "type": "object",
    "title": "Refusal",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": "string", "enum": sorted(RefusedError.CODES)},
                "message": {"type": "string", "pattern": r"^[^\n]*$"},
            },
        }
    },
}
"""JSON schema of the body of every refusal."""

# Whatever else an address answers, a refusal is JSON; a model would be of the address's own type.
_NAMED = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"description": about, "content": _NAMED}
    for status, about in (
        ("4XX", "Refused; nothing has changed."),
        ("503", "The disk failed, or a process ended."),
    )
}
"""The answers that any request may get besides its own."""


def reply(value: Any, status: int = 200) -> Response:
    """Return a value as a JSON response."""
    return Response(as_json(value), status, media_type="application/json")


def problem(error: Exception) -> Response:
    """Return an error as a response: ``{"error": {"code": ..., "message": ...}}``."""
    status, code, message = _error_fields(error)
    return reply({"error": {"code": code, "message": one_line(message)}}, status)


async def while_connected(request: Request, work: Coroutine[Any, Any, _Found]) -> _Found:
    """Await long work; cancel it if the client disconnects."""
    task = asyncio.create_task(work)
    gone = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise RefusedError("bad-request", "the client has disconnected")
        return task.result()
    finally:
        await cancelled(task, gone)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def handle_errors(app: FastAPI) -> None:
    """Register the error handlers; responses carry no internals of the server."""

    async def answer(_: Request, error: Exception) -> Response:
        return problem(error)

    for kind in (HyperoxoError, RequestValidationError, ValidationError, HTTPException):
        app.add_exception_handler(kind, answer)


def _error_fields(error: Exception) -> tuple[int, str, str]:
    """Return the HTTP status, the code and the message of an error."""
    if isinstance(error, RefusedError):
        return error.status, error.code, str(error)
    if isinstance(error, HTTPException):
        codes = {404: "not-found", 413: "too-large"}
        return error.status_code, codes.get(error.status_code, "bad-request"), str(error.detail)
    if isinstance(error, RequestValidationError | ValidationError):
        first = error.errors()[0]
        place = first["loc"][1:] if isinstance(error, RequestValidationError) else first["loc"]
        where = ".".join(map(str, place)) or "body"
        return 422, "bad-request", f"{where}: {first['msg']}"
    return 422, "limit" if isinstance(error, LimitError) else "bad-request", str(error)


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[2] / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
_ADDRESS = re.compile(r'(?<=[=\s]")/(?!/)')


def rooted(markup: str, root: str) -> str:
    """Prefix the addresses in a page with the server's root path."""
    return _ADDRESS.sub(f"{root}/", markup) if root else markup


def render(name: str, **values: Any) -> str:
    """Render a template; string values are escaped."""
    return _TEMPLATES.get_template(name).render(values)
