"""The server answers what its OpenAPI document says, whatever is asked; by Schemathesis.

``HYPEROXO_EXAMPLES`` is the number of requests of each kind.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from hyperoxo_web.server import Core, Limits
from hyperoxo_web.server.api import create_app
from hyperoxo_web.server.refusal import RefusedError

ROOT = Path(__file__).parents[3]
PROOF = ROOT / "src" / "hyperoxo_research" / "data" / "no-draw.oxo"
EXAMPLES = int(os.environ.get("HYPEROXO_EXAMPLES", "3"))
LIMITS = Limits(
    cells=100, lines=1_000, agent_seconds=0.2, analysis_seconds=0.2, analyses=4, run_seconds=1.0,
    run_games=200, run_workers=1, runs=4, proof_megabytes=8, searches=2, rooms=100_000,
)  # fmt: skip
SENSIBLE: dict[str, tuple[Any, ...]] = {
    "game": ("3^2", "2^2", "3^2:players=3", "3^2:gravity", "4^3:opening=poor", "3^x", "9^9"),
    "position": ("moves:0,4", ".........", "moves:", "1.2......", None),
    "proof": (PROOF.read_text("ascii"), "hyperoxo-pairing 1", None),
    "record": ("3^2 4-0-1", "3^2 4-4", None),
    "text": ("3^2 4-0-1", "X.O / .X. / ..O", "?"),
    "seats": ([], ["human", "random"], ["random", "random"], [{"name": "A"}, {"agent": "td"}]),
    "agents": (["random", "greedy"], ["random"], ["minimax:depth=1", "random", "random"]),
    "agent": ("random", "human", "ising:bias=0.5", "nobody", None),
    "versus": (["random"], ["greedy", "random"]),
    "vary": (["bias=0:1:0.5"], ["bias=0"], ["nothing=0:1:1"]),
    "study": ("squares", "ising"),
    "opponent": ("random", None, "level:1"),
    "notation": ("record", "pgn", "sgf", "position", "tesseract", "x", None),
    "target": ("record", "json", "position", "x"),
    "source": ("record", "position", "x", None),
    "cell": (0, 1, 4, 8, 9, 80),
    "ply": (0, 1, 2, None),
    "node": (0, 1, 2, None),
    "player": (1, 2, 3),
    "number": (0, 1),
    "games": (1, 20, 10**6),
    "seconds": (0.1, 0.2),
    "clock": ({"seconds": 60.0, "increment": 1.0}, None),
    "at": ("", "0", "0,21", "0,0", "x"),
    "board": ("3^2", "4^3", "7^3", "1^1", "99^99"),
    "name": ("4^3", "A", "squares"),
    "path": ("index.html", "figures/x.svg", "../x"),
    "scale": (0.01,),
    "full": (False,),
}  # fmt: skip
"""Values that make sense, or nearly so, by the names of fields."""

_OFTEN = 0.8
_WAIT = 0.05  # seconds


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread."""
    core = Core(tmp_path_factory.mktemp("schema") / "games.sqlite", LIMITS)
    server = uvicorn.Server(uvicorn.Config(create_app(core), port=0, log_level="critical"))
    thread = threading.Thread(target=asyncio.run, args=(server.serve(),))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join()


def known(url: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """Make what an address is about; return it by the names of fields, and tokens."""
    values: dict[str, Any] = {}
    tokens = ["x"]

    def made(path: str, body: dict[str, Any]) -> Any:
        while (answer := httpx.post(url + path, json=body, timeout=300)).status_code == 429:
            time.sleep(0.2)  # what was asked for before still has all places
        return answer.raise_for_status().json()

    if "{room}" in path or path in ("/api/analyses", "/api/proofs"):
        game = made("/api/games", {"seats": ["human", "human"]})
        values["room"] = game["id"]
        tokens += [*game["tokens"], game["host"]]
    if "{code}" in path:
        lesson = made("/api/classes", {"game": "3^2", "opponent": "random"})
        made(f"/api/classes/{lesson['code']}/pupils", {"name": "A"})
        values["code"] = lesson["code"]
        tokens.append(lesson["teacher"])
    if "{job}" in path or path == "/api/proof-trees":
        job = made("/api/proofs", {"game": "3^2:opening=4", "seconds": 0.2})
        values["job"] = values["search"] = job["id"]
    if "{run}" in path:
        asked = {"agents": ["random", "random"], "games": 10}
        values["run"] = made("/api/matches", asked)["run"]
    return values, tokens


def put_in(case: Any, values: dict[str, Any], tokens: list[str], rng: random.Random) -> None:
    """Put values that make sense into a request, and leave some others out."""
    for part in (case.path_parameters, case.query, case.body):
        for name in sorted(part) if isinstance(part, dict) else ():
            choices = [values[name]] if name in values else SENSIBLE.get(name, ())
            if choices and rng.random() < _OFTEN:
                part[name] = rng.choice(choices)
            elif part is case.body and rng.random() < _OFTEN / 2:
                del part[name]
    if rng.random() < _OFTEN:
        token = rng.choice(tokens)
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


def ask(url: str, case: Any, names: list[str]) -> None:
    """Make a request, and check its answer."""
    for part in (part for part in (case.query, case.body) if isinstance(part, dict)):
        # A look at what comes after a state waits half a minute if nothing is said.
        wait = part.get("wait", 30.0 if "after" in part else None)
        if isinstance(wait, int | float) and _WAIT < wait <= 60:  # what is refused stays
            part["wait"] = _WAIT
    sent = case.as_transport_kwargs(base_url=url)
    with requests.request(**sent, stream=True, timeout=300) as answer:
        if answer.headers.get("Content-Type", "").startswith("text/event-stream"):
            answer._content = b""  # it has no end
        case.validate_response(answer, checks=CHECKS.get_by_names(names))


def examine(url: str, operation: Any, kind: str) -> None:
    """Make requests of one kind to an address."""
    names = ["not_a_server_error", "status_code_conformance", "content_type_conformance"]
    if not operation.path.endswith("/events"):
        names.append("response_schema_conformance")
    if kind == "other":
        names.append("negative_data_rejection")
    mode = GenerationMode.NEGATIVE if kind == "other" else GenerationMode.POSITIVE
    values, tokens = known(url, operation.path) if kind == "sensible" else ({}, [])

    @seed(0)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
    )
    @given(operation.as_strategy(generation_mode=mode), st.randoms())
    def one(case: Any, rng: random.Random) -> None:
        if kind == "sensible":
            put_in(case, values, tokens, rng)
        ask(url, case, names)

    with suppress(Unsatisfiable):  # what takes nothing cannot be sent anything wrong
        one()


@pytest.mark.more
@pytest.mark.parametrize("kind", ["described", "sensible", "other"])
def test_everything_is_as_described(url: str, kind: str) -> None:
    """Values as described are answered as described, others are refused."""
    schema: Any = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    rejecting = schema.config.checks.negative_data_rejection
    rejecting.expected_statuses = [*rejecting.expected_statuses, "413"]
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 40
    for operation in operations:
        examine(url, operation, kind)


def test_all_codes_of_refusals_are_documented() -> None:
    text = (ROOT / "docs" / "api-http.md").read_text("utf-8")
    assert [code for code in RefusedError.CODES if f"`{code}`" not in text] == []


async def test_what_the_framework_refuses_has_the_same_form(client: httpx.AsyncClient) -> None:
    for verb, path, status in (
        ("PATCH", "/api/games", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/api/games?limit=0", 422),
    ):
        answer = await client.request(verb, path)
        assert answer.status_code == status
        assert answer.json()["error"]["code"] in RefusedError.CODES


async def test_answers_are_on_the_page(client: httpx.AsyncClient) -> None:
    page = (await client.get("/api/docs")).text
    assert "Answers <code>{id, host, tokens, url, urls, state}</code>" in page
    assert "Answers <code>text/event-stream</code>" in page
