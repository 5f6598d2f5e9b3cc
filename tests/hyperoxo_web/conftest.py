"""Tests and fixtures that are coroutines run in an event loop, by the plugin of anyio."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from hyperoxo_web.server import Core
from hyperoxo_web.server.api import create_app
from tests.hyperoxo_web.pages.simulated import Table, table
from tests.hyperoxo_web.server.sessions import called


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(name: str, obj: object) -> None:
    if name.startswith("test_") and inspect.iscoroutinefunction(obj):
        pytest.mark.usefixtures("anyio_backend")(obj)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


# What a test replaces stays replaced until the server has ended.


@pytest.fixture
async def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Core]:
    """A server without HTTP."""
    async with Core(tmp_path / "games.sqlite") as made:
        yield made


@pytest.fixture
async def client(core: Core) -> AsyncIterator[httpx.AsyncClient]:
    """A client of that server over HTTP, at this machine."""
    async with called(create_app(core)) as made:
        yield made


@pytest.fixture
async def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A person with a simulated browser, and the server."""
    async with table(tmp_path) as made:
        yield made
