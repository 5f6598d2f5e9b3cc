"""Names in addresses and bodies that no file, game or report can have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from starlette.routing import Route

from hyperoxo_web.pages import mount
from hyperoxo_web.server import Core, Limits
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.lab.reports import file_of
from tests.hyperoxo_web.server.sessions import called

NAMES = {
    "empty": "",
    "long for a file": "x" * 255,
    "too long for a file": "x" * 256,
    "5,000 letters": "x" * 5000,
    "wide letters": "ä" * 200,
    "up": "..",
    "coded up": "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "NUL": "a\0b",
    "not UTF-8": "%ff%fe",
    "half a letter": "%ed%a0%80",
    "controls": "\x1b]0;x\x07\u202e",
    "a large number": "9" * 300,
    "markup": "<img src=x onerror=alert(1)>[red]",
}

_GROUP = re.compile(r"\{(\w+)(?::\w+)?\}")


def routes(app: FastAPI) -> list[tuple[str, str]]:
    """Every method and address of an application that names something."""
    found = []
    for route in app.routes:
        if isinstance(route, Route) and _GROUP.search(route.path):
            found += [(method, route.path) for method in (route.methods or ()) if method != "HEAD"]
    return found


def paths(path: str, name: str) -> list[str]:
    """Put a name into each place of an address in turn, and something usual into the others."""
    groups = [match[1] for match in _GROUP.finditer(path)]
    coded = name if "%" in name else quote(name, safe="")
    return [
        _GROUP.sub(lambda match, at=at: coded if match[1] == at else "1", path)  # type: ignore[misc]
        for at in groups
    ]


@pytest.mark.more
async def test_no_name_fails_or_shows_a_folder(tmp_path: Path) -> None:
    async with Core(tmp_path / "games.sqlite", Limits()) as core:
        app = create_app(core)
        mount(app, core)
        async with called(app) as client:
            for method, address, text in asked(app):
                kind = {"Content-Type": "application/json"}
                answer = await client.request(method, address, content=text, headers=kind)
                assert answer.status_code < 500, (method, address, text, answer.text)
                assert str(tmp_path) not in answer.text, (method, address, text)


BODIES: dict[str, dict[str, Any]] = {
    "/api/games": {"game": "3^2", "seats": ["human", {"name": "?"}], "title": "?"},
    "/api/classes": {"name": "?"},
    "/api/convert": {"text": "?", "to": "?", "game": "?"},
    "/api/matches": {"game": "?", "agents": ["?", "random"], "games": 1},
    "/api/analyses": {"game": "?"},
}


def asked(app: FastAPI) -> Iterator[tuple[str, str, str]]:
    """Yield methods, addresses and bodies in which such names are."""
    for name in NAMES.values():
        for method, path in routes(app):
            for address in paths(path, name):
                # Events have no end where something is found.
                if method != "GET" or not address.endswith("/events"):
                    yield method, address, "" if method in ("GET", "DELETE") else "{}"
        for path, body in BODIES.items():
            text = json.dumps(body).replace('"?"', json.dumps(name))
            yield from (("POST", path, sent) for sent in {text, text.replace("xxx", "\\ud800")})


@pytest.mark.parametrize("name", ["x" * 5000, "\ud800", "a\0b", "..", "", "." * 300])
def test_a_report_of_no_possible_name_is_none(tmp_path: Path, name: str) -> None:
    assert file_of(tmp_path, name, "index.html") is None
    assert file_of(tmp_path, "report", f"{name}.html") is None
