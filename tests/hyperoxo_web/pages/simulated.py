"""A simulated browser for the logic of pages: no script runs, messages to it are read here."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from hyperoxo_web.pages.browser_sessions import BrowserSession, BrowserSessions
from hyperoxo_web.pages.pages import mount
from hyperoxo_web.server import Core
from hyperoxo_web.server.api import create_app

_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


@dataclass
class Table:
    """A person with a browser, and the server."""

    http: httpx.AsyncClient
    core: Core
    application: FastAPI
    clients: BrowserSessions
    visited: list[str] = field(default_factory=list)
    shown: str = ""
    status: int = 0
    data: dict[str, Any] = field(default_factory=dict)
    _read: int = 0

    async def open(self, path: str) -> None:
        """Open a page."""
        answer = await self.http.get(path, headers={"accept": "text/html"})
        self.visited.append(path)
        self.shown, self.status = answer.text, answer.status_code
        found = _DATA.search(answer.text)
        self.data = json.loads(found[1]) if found else {}
        self._read = 0

    @property
    def client(self) -> BrowserSession:
        """The page, as the server knows it."""
        return self.clients.all[self.data["client"]]

    @property
    def props(self) -> dict[str, Any]:
        """What the page was given."""
        props: dict[str, Any] = self.data["props"]
        return props

    def send(self, event: str, value: Any) -> None:
        """Do what the page's script does."""
        assert event in self.data["events"], event
        self.client.receive(json.dumps([event, value]))

    async def ask(self, event: str, value: Any, method: str, seconds: float = 60.0) -> Any:
        """Do what the page's script does, and take the message that answers it."""
        self.send(event, value)
        return await self.heard(method, seconds)

    async def heard(self, method: str, seconds: float = 60.0) -> Any:
        """Wait for a message to the page, and take it."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self._next()
                if message.get("call") == method:
                    return message["value"]
                assert message.get("call") != "failed", message

    async def gone(self, event: str, value: Any) -> str:
        """Do what the page's script does, and wait until that leads to another page."""
        self.send(event, value)
        return await self.gone_to()

    async def gone_to(self) -> str:
        """Wait until the browser is sent to another page; open it, and return its path."""
        async with asyncio.timeout(300):
            while True:
                message = await self._next()
                if "go" in message:
                    await self.open(message["go"])
                    return self.visited[-1]

    async def _next(self) -> dict[str, Any]:
        while True:
            for number, message in self.client.missed(self._read):
                self._read = number
                found: dict[str, Any] = json.loads(message)
                return found
            await asyncio.sleep(0.005)

    async def until(self, method: str, wanted: Callable[[Any], bool]) -> Any:
        """Wait for a message for which something holds."""
        while True:
            value = await self.heard(method)
            if wanted(value):
                return value


@asynccontextmanager
async def table(folder: Path) -> AsyncIterator[Table]:
    """Serve the pages, and open a browser."""
    core = Core(folder / "games.sqlite")
    application: FastAPI = create_app(core)
    clients = mount(application, core)
    transport = httpx.ASGITransport(application)
    async with (
        application.router.lifespan_context(application),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http,
    ):
        yield Table(http, core, application, clients)
