"""Cold-start latency: seconds to the first answer and the first output with an empty JIT cache.

Every command is a process with its own terminal and an empty cache folder; then it runs once more
with the code that the first one compiled. An agent's first answer to a page is requested over HTTP.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from hyperoxo_research.bench.rows import Row

_COMMANDS = (
    ("board", "3^2"),
    ("analyse", "--game", "3^2", "--position", "moves:4,0"),
    ("solve", "3^2"),
    ("play", "3^2", "ising", "random"),
    ("match", "3^2", "ising", "random", "--games", "10"),
)
_SERVE = ("serve", "--api-only", "--port", "0", "--quiet", "--format", "json")
_AGENT = "level:5"
_COMPILED = "the same once compiled, here"
_SOON = 1.0
"""Target in seconds of an answer, or of a message on the delay."""


def rows(_peers: bool) -> Iterator[Row]:
    """Yield the seconds to the answer and, if it takes more than one, to the first output."""
    if importlib.util.find_spec("pty") is None:
        return
    for words in _COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            first, said = _command(words, folder)
            later, _ = _command(words, folder)
        yield from _both("oxo " + " ".join(words), (first, said), later)
    if importlib.util.find_spec("fastapi") is not None:
        with tempfile.TemporaryDirectory() as folder:
            first, said = _page(folder)
            later, _ = _page(folder)
        yield from _both(f"{_AGENT} in a new game of 3^2", (first, said), later)


def _both(name: str, first: tuple[float, float | None], later: float) -> Iterator[Row]:
    seconds, said = first
    yield Row(f"first answer: {name}", seconds, "s", later, _COMPILED)
    if seconds > _SOON:
        remark = "none before the answer" if said is None else ""
        yield Row(f"first word: {name}", said or seconds, "s", target=_SOON, remark=remark)


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of a process with this JIT cache; Python's own cache is as usual."""
    usual = {k: value for k, value in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**usual, "NUMBA_CACHE_DIR": folder, "TERM": "xterm"}


def _oxo(*words: str) -> list[str]:
    return [sys.executable, "-m", "hyperoxo", *words]


def _command(words: tuple[str, ...], folder: str) -> tuple[float, float | None]:
    """Return the seconds of a command, and those to its first output on the terminal."""
    main, terminal = os.openpty()
    begin = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own program
        _oxo(*words),
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env=_environment(folder),
    )
    os.close(terminal)
    said = None
    try:
        while os.read(main, 4096):
            said = said or time.perf_counter() - begin
    except OSError:
        pass  # Linux raises this once the terminal has no other open end
    finally:
        os.close(main)
        code = process.wait()
    seconds = time.perf_counter() - begin
    if code:
        raise subprocess.CalledProcessError(code, process.args)
    return seconds, said


def _page(folder: str) -> tuple[float, float | None]:
    """Return the seconds to an agent's answer, and to the game's message that it compiles."""
    with _server(folder) as call:
        made = call("/api/games", {"game": "3^2", "seats": ["human", _AGENT]}, None)
        game, token = f"/api/games/{made['id']}", made["tokens"][0]
        begin = time.perf_counter()
        call(f"{game}/moves", {"cell": 4}, token)
        said = None
        while True:
            state = call(game, None, token)
            spent = time.perf_counter() - begin
            if state["ply"] > 1:
                return spent, said
            if said is None and (state["thought"] or {}).get("preparing"):
                said = spent
            time.sleep(0.05)


_Call = Callable[[str, dict[str, Any] | None, str | None], Any]


@contextmanager
def _server(folder: str) -> Iterator[_Call]:
    """Run a server on this machine; yield a function for its HTTP interface."""
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(  # noqa: S603 - our own program
            _oxo(*_SERVE, "--store", str(Path(data) / "games.sqlite")),
            stdout=subprocess.PIPE,
            env=_environment(folder),
        )
        assert server.stdout is not None
        try:
            url = json.loads(server.stdout.readline())["url"]

            def call(path: str, body: dict[str, Any] | None, token: str | None) -> Any:
                headers = {"Content-Type": "application/json"}
                if token:
                    headers["Authorization"] = f"Bearer {token}"
                data = None if body is None else json.dumps(body).encode()
                asked = Request(url + path, data, headers)  # noqa: S310 - this machine
                with urlopen(asked, timeout=60) as answer:  # noqa: S310 - this machine
                    return json.load(answer)

            yield call
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
