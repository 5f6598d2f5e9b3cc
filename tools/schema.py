#!/usr/bin/env python3
"""Hold a server of ours to its own description: what OpenAPI says is what it answers.

Usage: tools/schema.py [WORD ...] [--examples N] [--seed S]

A server is started in this process, with small limits. Every request that its OpenAPI document
describes is made N times in each of three ways: with values as described, with others, and
with some that make sense here, such as games that there are and the tokens of their seats. Answers
must be of the status, type and shape described; what does not fit the description must be refused;
and nothing may be an error of the server. This command ends with 1 if anything is not so, and
prints the request. A WORD picks the addresses that hold it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.failures import Failure, FailureGroup

from hyperoxo_web.server import Core, Limits
from hyperoxo_web.server.api import create_app

DATA = Path(__file__).resolve().parents[1] / "src" / "hyperoxo_research" / "data"
LIMITS = Limits(
    cells=100, lines=1_000, agent_seconds=0.2, analysis_seconds=0.2, analyses=4, run_seconds=1.0,
    run_games=200, run_workers=1, runs=4, proof_megabytes=8, searches=2, rooms=100_000,
)  # fmt: skip
Operation: TypeAlias = Any
Sent: TypeAlias = Any
"""An address with a verb, and a request, by Schemathesis."""

SENSIBLE: dict[str, tuple[Any, ...]] = {
    "game": ("3^2", "2^2", "3^2:players=3", "3^2:gravity", "4^3:opening=poor", "3^x", "9^9"),
    "position": ("moves:0,4", ".........", "moves:", "1.2......", None),
    "proof": ((DATA / "no-draw.oxo").read_text("ascii"), "hyperoxo-pairing 1", None),
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
    "wait": (0, 0.05),
    "after": (-1, 0, 10**6),
    "seconds": (0.1, 0.2),
    "clock": ({"seconds": 60.0, "increment": 1.0}, None),
    "at": ("", "0", "0,21", "0,0", "x"),
    "board": ("3^2", "4^3", "7^3", "1^1", "99^99"),
    "name": ("4^3", "A", "squares"),
    "path": ("index.html", "figures/x.svg", "../x"),
    "form": ("csv", "json"),
    "workers": (1,),
    "limit": (1, 50, None),
    "scale": (0.01,),
    "full": (False,),
}  # fmt: skip
"""Values that make sense, or nearly so, by the names of fields."""

MOST_SECONDS = 60.0
_OFTEN = 0.8
_WAIT = 0.05  # seconds


class Known:
    """What there is on the server to be asked about, and who may do it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.values: dict[str, Any] = {}
        self.tokens: list[str] = []

    def renew(self, path: str) -> None:
        """Make what an address is about: a game, a class with a pupil, an analysis or a run."""
        self.tokens = ["x"]
        if "{room}" in path or path in ("/api/analyses", "/api/proofs"):
            made = self._made("/api/games", {"seats": ["human", "human"]})
            self.values["room"] = made["id"]
            self.tokens += [*made["tokens"], made["host"], made["tokens"][0]]
        if "{code}" in path:
            made = self._made("/api/classes", {"game": "3^2", "opponent": "random"})
            self._made(f"/api/classes/{made['code']}/pupils", {"name": "A"})
            self.values["code"] = made["code"]
            self.tokens.append(made["teacher"])
        if "{job}" in path or path == "/api/proof-trees":
            made = self._made("/api/proofs", {"game": "3^2:opening=4", "seconds": 0.2})
            self.values["job"] = self.values["search"] = made["id"]
        if "{run}" in path:
            agents = ["random", "random"]
            self.values["run"] = self._made("/api/matches", {"agents": agents, "games": 10})["run"]

    def _made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        end = time.monotonic() + MOST_SECONDS
        while True:
            answer = requests.post(self.url + path, json=body, timeout=MOST_SECONDS)
            # What was asked for before may still have all places.
            if answer.status_code != 429 or time.monotonic() > end:
                break
            time.sleep(0.2)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def put_in(self, case: Sent, rng: random.Random) -> None:
        """Put values that make sense into a request, and leave some others out."""
        for values in (case.path_parameters, case.query, case.body):
            for name in sorted(values) if isinstance(values, dict) else ():
                choices = [self.values[name]] if name in self.values else SENSIBLE.get(name, ())
                if choices and rng.random() < _OFTEN:
                    values[name] = rng.choice(choices)
                elif values is case.body and rng.random() < _OFTEN / 2:
                    del values[name]
        if rng.random() < _OFTEN:
            token = rng.choice(self.tokens)
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


class Examiner:
    """Makes requests of every kind, and keeps what is wrong with the answers."""

    def __init__(self, url: str, examples: int, number: int) -> None:
        self.known = Known(url)
        self.schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
        rejecting = self.schema.config.checks.negative_data_rejection
        rejecting.expected_statuses = [*rejecting.expected_statuses, "413"]
        self.answers: Counter[int] = Counter()
        self.wrong: list[str] = []
        self._examples, self._seed = examples, number

    def operations(self, words: list[str]) -> Iterator[Operation]:
        """Yield all requests of the description that hold one of the words."""
        for found in self.schema.get_all_operations():
            operation: Operation = found.ok()  # type: ignore[union-attr]
            if not words or any(word in operation.label for word in words):
                yield operation

    def examine(self, operation: Operation) -> None:
        """Make requests of one kind in all ways; what is wrong is kept in its simplest form."""
        plain = "not_a_server_error", "status_code_conformance", "content_type_conformance"
        shape = () if operation.path.endswith("/events") else ("response_schema_conformance",)
        checks = *plain, *shape
        self.known.renew(operation.path)
        self._try(operation, GenerationMode.POSITIVE, checks, sensible=False)
        self._try(operation, GenerationMode.POSITIVE, checks, sensible=True)
        self._try(operation, GenerationMode.NEGATIVE, (*checks, "negative_data_rejection"))

    def _try(
        self,
        operation: Operation,
        mode: GenerationMode,
        names: tuple[str, ...],
        *,
        sensible: bool = False,
    ) -> None:
        checks = CHECKS.get_by_names(list(names))

        @seed(self._seed)
        @settings(
            max_examples=self._examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
            print_blob=False,
            report_multiple_bugs=False,
        )
        @given(operation.as_strategy(generation_mode=mode), st.randoms())
        def one(case: Sent, rng: random.Random) -> None:
            if sensible:
                self.known.put_in(case, rng)
            self._ask(case, checks)

        try:
            one()
        except (Failure, FailureGroup, Flaky, requests.RequestException) as error:
            self.wrong.append(f"{operation.label}, {mode}: {_told(error)}")
        except Unsatisfiable:
            pass  # what takes nothing cannot be sent anything wrong

    def _ask(self, case: Sent, checks: list[Any]) -> None:
        for values in (case.query, case.body):
            if not isinstance(values, dict):
                continue
            # A look at what comes after a state waits half a minute if nothing is said.
            wait = values.get("wait", 30.0 if "after" in values else None)
            if isinstance(wait, int | float) and _WAIT < wait <= 60:  # what is refused stays
                values["wait"] = _WAIT
        sent = case.as_transport_kwargs(base_url=self.known.url)
        with requests.request(**sent, stream=True, timeout=MOST_SECONDS) as answer:
            kind = answer.headers.get("Content-Type", "")
            if kind.startswith("text/event-stream"):
                answer._content = b""  # it has no end
            self.answers[answer.status_code] += 1
            case.validate_response(answer, checks=checks)


def _told(error: BaseException) -> str:
    """Return what is wrong, in one line."""
    parts = getattr(error, "exceptions", [error])
    return " ".join(" ".join(str(part) for part in parts).split())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Run a server in a thread; its address."""
    begun, address, ended = threading.Event(), [""], asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        async with Core(folder / "games.sqlite", LIMITS) as core:
            app = create_app(core)
            config = uvicorn.Config(app, port=0, log_level="critical", lifespan="off")
            server = uvicorn.Server(config)
            task = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.01)
            port = server.servers[0].sockets[0].getsockname()[1]
            address[0] = f"http://127.0.0.1:{port}"
            begun.set()
            await ended.wait()
            server.should_exit = server.force_exit = True
            await task

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        begun.wait(60)
        yield address[0]
    finally:
        loops[0].call_soon_threadsafe(ended.set)
        thread.join()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        examiner = Examiner(url, asked.examples, asked.seed)
        for operation in examiner.operations(asked.words):
            before, wrong = examiner.answers.copy(), len(examiner.wrong)
            examiner.examine(operation)
            found = examiner.answers - before
            counts = ", ".join(f"{count} x {status}" for status, count in sorted(found.items()))
            _say(f"{operation.label:<48} {counts}")
            for line in examiner.wrong[wrong:]:
                _say(f"  {line}")
        _say(f"{examiner.answers.total():,} requests, {len(examiner.wrong)} wrong")
    return 1 if examiner.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
