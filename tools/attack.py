#!/usr/bin/env python3
"""Attack our own server as guests might, and check that it survives.

Usage: tools/attack.py [--rounds N] [--seed N] [PART ...]

It starts its own server on 127.0.0.1 that may open 1,024 files, runs the parts (all of them
unless some are named) and prints how many attacks each made, and how they were answered. It ends
with 1 if an answer was an error of the server (500), a page held a script that was sent, a request
by way of a proxy had the rights of this machine, a guest was locked out, the host of the server
waited more than twice as long as alone for the median answer while a guest did its worst, or
standard error has a traceback or a control character. All is bounded: one round takes about two
minutes on two cores. `tools/attack.py loads` runs the parts that measure the host's answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from hyperoxo_web.server import PUBLIC
from hyperoxo_web.server.budget import EVENT

DESCRIPTORS = 1_024
FLOOD = 60.0
LOAD = 6.0
"""Seconds for which a guest does its worst, and as long for the host alone before."""
WARM = 5.0
SLOWER = 2.0
"""How many times as long the host's median answer may take while a guest does its worst."""
PROGRAM = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))
from hyperoxo.cli.main import main
main()
"""
SCRIPT = "<script>alert('oxo')</script><img src=x onerror=alert(1)>"
NASTY: list[Any] = [
    *(None, True, False, 0, -1, 1, 10**9, 10**30, -(10**30), 0.5, 1e308, "", " ", "\0"),
    *("\ud800", "a\nb\r\tc", "\x1b[31mred\x1b]0;title\x07", "\u202e\u2028\u200d", "𝔸" * 50),
    *(SCRIPT, "'\"><svg/onload=alert(1)>", "{{7*7}}", "${7*7}", "%00%0a", "../../etc/passwd"),
    *("' or 1=1; --", "9" * 5_000, "x" * 50_000, "3^2:" + "a" * 300 + "=1", "3^2:\ud800=1"),
    *("1,1,1", "0^0", "-3^2", "999999^999999", "3^2:blocked=" + "0." * 2_000, "file:/etc/passwd"),
    *("td:checkpoint=/etc/passwd", "mcts:simulations=1e99", "minimax:depth=\x1b[0m", [], {}, [[]]),
    *([None] * 500, {"a": {"b": {"c": []}}}, {SCRIPT: SCRIPT}, {"\ud800": "\ud800"}, {"": ""}),
]
USUAL: list[Any] = ["3^2", "4^3", "moves:0,3", "human", "random", "random:seed=1", 4, 2, [0, 1]]
PATHS = [
    *(
        "/",
        "//",
        "///evil.example",
        "/\\evil.example",
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e",
    ),
    *("/static/x/../../../etc/passwd", "/static/%00/x.js", "/static/a/b", "/game/", "/game/%ff%fe"),
    *("/game/" + "x" * 5_000, "/p/3^2/" + "9" * 500, "/p/3^2/0,0,0", "/p/%0a", "/p/3^2.png"),
    *("/p/9^9.svg", "/p/\x7f", "/analyse/3^2/%1b[31m", "/puzzles/9999-99-99", "/puzzles/x.png"),
    *(
        "/class/AAAA",
        "/class/%00",
        "/run/-1",
        "/run/" + "9" * 400,
        "/report/..%2f..",
        "/atlas?board=",
    ),
    *(
        "/?game=%ed%a0%80",
        "/?game=" + quote(SCRIPT),
        "/games?query=" + quote(SCRIPT),
        "/lab?again=x",
    ),
    *("/games?status=%0d%0aX:y", "/proof/" + quote(SCRIPT), "/proof?game=\xff", "/states/3^2/x"),
    *("/matches?match=" + quote(SCRIPT), "/api/openapi.json", "/api/games/x/events", "/api/runs/x"),
    *("/api/atlas/1^1", "/api/atlas/99^99", "/api/games?limit=-1", "/api/games?offset=" + "9" * 40),
    *("/api/reports/..%2fx", "/live/x", "/favicon.ico", "/.git/config", "/?home=", "/?home=guess"),
]
HOSTS = [
    *("", "evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "[::1", "[", "]:80"),
    *(
        "localhost:99999",
        "localhost:x",
        "127.0.0.1:",
        "2130706433",
        "0x7f.1",
        "127.1",
        "\xff",
        "a" * 9_000,
    ),
]
ORIGINS = [
    *("null", "", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "http://["),
    *("https://127.0.0.1.evil.example", "file://", "http://127.0.0.1:x@evil.example", "\xff"),
]
PROXIED = [
    *({"X-Forwarded-For": ip} for ip in ("203.0.113.5", "127.0.0.1", "::1", "", "x" * 5_000)),
    *({"Forwarded": "for=127.0.0.1"}, {"Via": "1.1 x"}, {"X-Real-IP": "127.0.0.1"}),
    *({"X-Forwarded-Proto": "https"}, {"X-Forwarded-Host": "localhost"}, {"CF-Ray": "1"}),
]

Part = Callable[["Attack"], Awaitable[None]]
PARTS: dict[str, Part] = {}


def part(made: Part) -> Part:
    """Count a function among the parts of the attack."""
    PARTS[made.__name__] = made
    return made


class Attack:
    """One server under attack; what was answered, and what was wrong."""

    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self.port = int(url.rpartition(":")[2])
        self.random = random.Random(seed)
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.client: httpx.AsyncClient

    async def ask(self, verb: str, path: str, what: str = "", **more: Any) -> httpx.Response | None:
        """Make one request, and look at the answer."""
        try:
            answer = await self.client.request(verb, path, **more)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            self.answers[type(error).__name__] += 1
            if isinstance(error, httpx.RemoteProtocolError):
                self.wrong.append(f"no answer for {what}"[:300])
            return None
        self.judge(answer.status_code, answer.headers.get("content-type", ""), answer.text, what)
        return answer

    def judge(self, status: int, kind: str, text: str, what: str) -> None:
        """Note how something was answered."""
        self.answers[str(status)] += 1
        if status >= 500:
            self.wrong.append(f"{status} for {what}"[:300])
        if "html" in kind and (SCRIPT in text or "<svg/onload" in text):
            self.wrong.append(f"a script came back from {what}"[:300])
        if status >= 400 and text and "json" in kind:
            message = json.loads(text)["error"]["message"]
            if not message.isprintable():
                self.wrong.append(f"an error of several lines for {what}"[:300])

    async def raw(self, data: bytes, *, wait: float = 5.0) -> None:
        """Send bytes, whatever they are, and look at the status of what comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        try:
            line = await asyncio.wait_for(reader.readline(), wait)
        except (TimeoutError, ConnectionError):
            line = b""
        finally:
            writer.close()
        found = re.match(rb"HTTP/1\.[01] (\d+)", line)
        self.judge(int(found[1]) if found else 0, "", "", repr(data[:200]))

    async def page(self, path: str) -> tuple[str, list[str]]:
        """Open a page; return its name for the server, and the events that it sends."""
        answer = await self.client.get(path)
        data = re.search(r'id="page-data"[^>]*>(.*?)</script>', answer.text, re.DOTALL)
        found = json.loads(data[1]) if data else {"client": "", "events": []}
        return found["client"], found["events"]

    @asynccontextmanager
    async def socket(self, name: str) -> AsyncIterator[ClientConnection]:
        """Connect as a page does."""
        address = f"ws://127.0.0.1:{self.port}/live/{name}?last=0"
        async with connect(address, origin=Origin(self.url), max_queue=None) as talk:
            yield talk

    def value(self, depth: int = 2) -> Any:
        """Return something that may be sent."""
        pick = self.random.random()
        if pick < 0.3:
            return self.random.choice(USUAL)
        if pick < 0.85 or depth == 0:
            return self.random.choice(NASTY)
        return [self.value(depth - 1) for _ in range(self.random.randint(0, 4))]


@part
async def names(attack: Attack) -> None:
    """Foreign names of this server, foreign sites and addresses of pages that do not exist."""
    for host in HOSTS:
        await attack.raw(b"GET /api HTTP/1.1\r\nHost: " + host.encode("latin-1") + b"\r\n\r\n")
    for origin in ORIGINS:
        for verb in ("GET", "POST"):
            headers = {"Origin": origin.encode("latin-1")}
            await attack.ask(verb, "/api/games", f"origin {origin!r}", headers=headers, json={})
    for path in PATHS:
        for accept in ("text/html", "*/*"):
            await attack.ask("GET", path, path, headers={"Accept": accept})
        for verb in ("HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            await attack.ask(verb, path, f"{verb} {path}")


@part
async def heads(attack: Attack) -> None:
    """Requests that are no HTTP, or odd."""
    start = b"GET /api HTTP/1.1\r\nHost: localhost\r\n"
    odd = [
        *(
            b"\0" * 100,
            b"\r\n" * 100,
            b"\x16\x03\x01\x02\0",
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
        ),
        *(
            b"A" * 100_000,
            b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\n",
        ),
        *(start + b"Content-Length: " + n + b"\r\n\r\n" for n in (b"-1", b"x", b"9" * 30, b"1e3")),
        start + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        start + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        start + b"X: \x1b[31m\r\n\r\n",
        start + b"Host: evil.example\r\n\r\n",
        start + b"X: " + b"x" * 60_000 + b"\r\n\r\n",
        start + b"".join(b"X%d: y\r\n" % n for n in range(2_000)) + b"\r\n",
        start + b"Expect: 100-continue\r\n\r\n",
        start + b"Connection: Upgrade\r\nUpgrade: \x1b[0m\r\n\r\n",
        start + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        start + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        start + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n",
        (start + b"\r\n") * 200,
    ]
    for data in odd:
        await attack.raw(data, wait=1.0)
    for name in (
        "Authorization",
        "Cookie",
        "If-None-Match",
        "Accept-Encoding",
        "Content-Type",
        "Range",
    ):
        for value in NASTY:
            if isinstance(value, str) and not re.search(r"[\0\r\n]", value):
                headers = {name: value.encode("utf-8", "replace")}
                await attack.ask("GET", "/api/games", f"{name}: {value!r}", headers=headers)


@part
async def proxies(attack: Attack) -> None:
    """Requests through a proxy: none has the rights of this machine."""
    for headers in PROXIED:
        answer = await attack.ask("GET", "/api", repr(headers), headers=headers)
        if answer is not None and answer.json()["limits"]["run_workers"] != 1:
            attack.wrong.append(f"the rights of this machine for {headers}"[:300])
        body = {"game": "3^2", "agents": ["random", "random"], "games": 10**8, "workers": 8}
        answer = await attack.ask("POST", "/api/matches", repr(headers), headers=headers, json=body)
        if answer is not None and answer.status_code == 202:
            attack.wrong.append(f"a run of 100,000,000 games for {headers}"[:300])


@part
async def bodies(attack: Attack) -> None:
    """Every address that takes a body, with bodies and tokens that make no sense."""
    schema = (await attack.client.get("/api/openapi.json")).json()
    made = (await attack.client.post("/api/games", json={"seats": ["human", "human"]})).json()
    for path, verb, fields in _takes_bodies(schema):
        place = path.replace("{room}", made["id"])
        place = re.sub(r"\{\w+\}", lambda _: quote(str(attack.random.choice(["1", "x"]))), place)
        texts = [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'"x"', b"NaN", b"1" * 5_000, b"null"]
        texts += [
            json.dumps(
                {
                    name: attack.value()
                    for name in [*fields, "extra", "\ud800"]
                    if attack.random.random() < 0.6
                }
            ).encode()
            for _ in range(20)
        ]
        for text in texts:
            token = attack.random.choice([made["host"], *made["tokens"], "x", "\x7f"])
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
            what = f"{verb} {place} {text[:200]!r}"
            with suppress(httpx.TimeoutException):
                await attack.ask(verb, place, what, content=text, headers=headers, timeout=20)


def _takes_bodies(schema: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the addresses that take a body, and the names of what is in it."""
    models = schema["components"]["schemas"]
    for path, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            if verb in ("post", "put", "patch"):
                body = json.dumps(operation.get("requestBody", {}))
                names = re.findall(r"#/components/schemas/(\w+)", body)
                fields = [field for name in names for field in models[name].get("properties", {})]
                yield path, verb.upper(), fields


@part
async def events(attack: Attack) -> None:
    """Events of pages: values that make no sense, and messages that no page sends."""
    seats = {"seats": [{"name": SCRIPT[:70]}, {"name": "\x1b[31mx"}], "title": SCRIPT[:70]}
    made = (await attack.client.post("/api/games", json=seats)).json()
    game = f"/game/{made['id']}?seat={made['tokens'][0]}&host={made['host']}"
    pages = ["/", "/games", "/analyse/3^2", "/puzzles", "/matches", "/proof", "/states/3^2"]
    for path in [*pages, game, "/p/3^2/0,4", "/class", "/lab", "/atlas", "/studies"]:
        name, heard = await attack.page(path)
        if not name:
            continue
        odd: list[str | bytes] = ["", "{", "[]", "[1,2,3]", "null", '["nothing",{}]', "[" * 100_000]
        odd += ['["log",{"text":"\\u001b[31m"}]', "[{},{}]", b"\0\xff", "x" * 300_000]
        for event in heard:
            for _ in range(12):
                keys = (
                    "cell",
                    "game",
                    "name",
                    "agent",
                    "text",
                    "value",
                    "kind",
                    "player",
                    "node",
                    "moves",
                )
                value = {key: attack.value() for key in keys if attack.random.random() < 0.5}
                odd.append(json.dumps([event, value]))
        await _tell(attack, name, odd)


async def _tell(attack: Attack, name: str, odd: list[str | bytes]) -> None:
    """Send events; after those that end the connection, go on with another."""
    while odd:
        with suppress(WebSocketException, OSError):
            async with attack.socket(name) as talk:
                while odd:
                    await talk.send(odd.pop())
                    attack.answers["sent"] += 1
                await asyncio.sleep(0.2)
                return
        attack.answers["closed"] += 1


@part
async def frames(attack: Attack) -> None:
    """Sockets that break the rules of sockets, or come by the thousand."""
    name, _ = await attack.page("/games")
    shake = (
        f"GET /live/{name}?last=0 HTTP/1.1\r\nHost: 127.0.0.1:{attack.port}\r\n"
        f"Origin: {attack.url}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    broken = [
        *(
            b"\x81\xfe",
            b"\xff\xff\xff\xff",
            b"\x81\x85\0\0\0\0\xff\xfe\xed\xa0\x80",
            b"\x83\x80\0\0\0\0",
        ),
        *(
            b"\x81\x05hello",
            b"\x81\xff" + b"\xff" * 12,
            b"\x01\x81\0\0\0\0a" * 3,
            b"\x88\x81\0\0\0\0x",
        ),
        *(b"\x80\x80\0\0\0\0", b"\x89\xfe\0\xff\0\0\0\0" + b"x" * 255, b"\xc1\x81\0\0\0\0\xff"),
    ]
    for frame in broken:
        await attack.raw(shake + frame)
    for last in ("x", "-1", "9" * 500, "1e5"):
        await attack.raw(shake.replace(b"last=0", f"last={last}".encode()))
    for path in ("/live/", "/live/x", "/live/%00", "/", "/api/games", "/nothing"):
        await attack.raw(shake.replace(f"/live/{name}".encode(), path.encode()))


@part
async def floods(attack: Attack) -> None:
    """A guest whose page sends as much as it can: it is heard as often as guests may be."""
    made = (await attack.client.post("/api/games", json={"seats": ["human", "human"]})).json()
    guest = {"X-Forwarded-For": "203.0.113.77"}
    name, _ = await attack.page(f"/game/{made['id']}")
    address = f"ws://127.0.0.1:{attack.port}/live/{name}?last=0"
    origin = Origin(attack.url)
    async with connect(address, origin=origin, additional_headers=guest, max_queue=None) as talk:
        begun = time.monotonic()
        told = asyncio.create_task(_count(attack, talk))
        with suppress(WebSocketException):
            while time.monotonic() < begun + FLOOD:  # a busy server reads slowly
                await talk.send('["play",{}]')
                await asyncio.sleep(0)
                attack.answers["sent"] += 1
            attack.wrong.append("a flood of events was let go on")
        seconds = PUBLIC.processor_burst + PUBLIC.processor_share * (time.monotonic() - begun)
        may = seconds / EVENT
        told.cancel()
        if attack.answers["heard"] > may:
            attack.wrong.append(f"{attack.answers['heard']} events heard, {may:.0f} may be")


async def _count(attack: Attack, talk: ClientConnection) -> None:
    """Count the messages to a page."""
    async for _ in talk:
        attack.answers["heard"] += 1


@part
async def halves(attack: Attack) -> None:
    """More connections than the server may have files, none of which asks for anything."""
    starts = [
        b"",
        b"G",
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
    ]
    opened = []
    for number in range(DESCRIPTORS + 76):
        with suppress(OSError, TimeoutError):
            _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", attack.port), 2)
            writer.write(starts[number % len(starts)])
            opened.append(writer)
            attack.answers["opened"] += 1
    await alive(attack, "with half requests open")
    for writer in opened:
        writer.close()


# Load: a guest in a separate process does its worst, while the host requests the state of a game.

GUEST = {"X-Forwarded-For": "203.0.113.9"}
Storm = Callable[[httpx.AsyncClient, float], Awaitable[object]]
STORMS: dict[str, Storm] = {}


def load(storm: Storm) -> Storm:
    """Count a guest's worst among the parts of the attack, measured by the host's answers."""
    name = storm.__name__
    STORMS[name] = storm

    async def measured(attack: Attack) -> None:
        await _measure(attack, name)

    PARTS[name] = measured
    return storm


async def _measure(attack: Attack, name: str) -> None:
    """Compare the host's answers with those of another server, which no guest knows.

    Both are asked in turn, so that whatever else the machine does meanwhile changes nothing.
    """
    options = ["--proxy", "127.0.0.1"] if name == "neighbours" else []
    with serving(options) as started, serving(options) as quiet:
        hosts = Host(started), Host(quiet)
        for host in hosts:
            await host.begin()
        await asyncio.sleep(WARM)
        words = [sys.executable, __file__, "--storm", name, "--url", started["url"]]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as guest:  # noqa: S603
            assert guest.stdout is not None
            await asyncio.to_thread(guest.stdout.readline)  # it begins
            for host in hosts:
                await host.connect()  # the server closes what has waited long
            busy = _busy(started["server"].pid)
            during = await _answers(hosts, LOAD)
            busy = (_busy(started["server"].pid) - busy) / LOAD
            guest.terminate()
            after = await _answers(hosts, LOAD / 2)
            attack.answers.update(json.loads(guest.stdout.readline()))
        for host in hosts:
            host.writer.close()
    (besieged, alone), (later, _) = during, after
    medians = [1000 * statistics.median(one) for one in (alone, besieged, later)]
    ratio = max(medians[1:]) / medians[0]
    say(
        f"{name}: median answer of the host {medians[0]:.2f} ms alone, {medians[1]:.2f} ms with "
        f"the guest (longest {1000 * max(besieged):.0f} ms; the server's own process works "
        f"{busy:.0%} of the time), {medians[2]:.2f} ms after it: {ratio:.1f} times"
    )
    if ratio > SLOWER:
        attack.wrong.append(f"the host waits {ratio:.1f} times as long")


async def _answers(hosts: tuple[Host, Host], seconds: float) -> tuple[list[float], list[float]]:
    """Ask two servers in turn for the state of a game; return how long each answer took."""
    end = time.monotonic() + seconds
    found: tuple[list[float], list[float]] = ([], [])
    while time.monotonic() < end:
        for host, times in zip(hosts, found, strict=True):
            begun = time.monotonic()
            await host.ask("GET", host.path)
            times.append(time.monotonic() - begun)
            await asyncio.sleep(0.005)
    return found


def _busy(process: int) -> float:
    """Return the seconds of processor time of a process, without its children."""
    if not psutil.pid_exists(process):
        return float("nan")
    times = psutil.Process(process).cpu_times()
    return times.user + times.system


class Host:
    """The host with one connection, as lean as possible, so that the server is measured."""

    def __init__(self, started: dict[str, Any]) -> None:
        self.place, key = started["url"].rpartition("/")[2], started.get("key")
        self.head = f"Host: {self.place}\r\n" + (f"Hyperoxo-Key: {key}\r\n" if key else "")
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter
        self.path = ""

    async def begin(self) -> None:
        """Make the game that is asked for, and let the server load what it needs."""
        await self.connect()
        body = b'{"seats":["human","human"]}'
        more = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        made = json.loads(await self.ask("POST", "/api/games", more, body))
        self.path = f"/api/games/{made['id']}"
        for path in ("/", "/p/3^6.svg"):
            await self.ask("GET", path)

    async def connect(self) -> None:
        """Connect."""
        name, _, port = self.place.partition(":")
        self.reader, self.writer = await asyncio.open_connection(name, int(port))

    async def ask(self, verb: str, path: str, more: str = "", body: bytes = b"") -> bytes:
        """Return what is answered."""
        self.writer.write(f"{verb} {path} HTTP/1.1\r\n{self.head}{more}\r\n".encode() + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head[9:11] == b"20", head
        size = re.search(rb"(?i)content-length: *(\d+)", head)
        return await self.reader.readexactly(int(size[1]) if size else 0)


async def storm(name: str, url: str) -> None:
    """Be the guest: do one's worst until the end, and print how it was answered."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _finish)
    with suppress(httpx.HTTPError, OSError):
        async with httpx.AsyncClient(base_url=url, timeout=60, verify=False) as client:  # noqa: S501
            await client.get("/", headers=GUEST)
            say("")
            await STORMS[name](client, time.monotonic() + 3 * LOAD)
    _finish()


counted: Counter[str] = Counter()


def _finish() -> None:
    say(json.dumps(counted))
    os._exit(0)


async def _flood(client: httpx.AsyncClient, end: float, events: list[str]) -> None:
    """Send events from one page as fast as they go out; with a fresh page after each close."""
    url = str(client.base_url).rstrip("/")
    while time.monotonic() < end:
        answer = await client.get("/", headers=GUEST)
        counted[f"page {answer.status_code}"] += 1
        found = re.search(r'"client":"([^"]+)"', answer.text)
        if found is None:
            await asyncio.sleep(0.1)
            continue
        address, origin = f"ws{url[4:]}/live/{found[1]}?last=0", Origin(url)
        with suppress(WebSocketException, OSError):
            async with connect(
                address, origin=origin, additional_headers=GUEST, max_size=None
            ) as talk:
                told = asyncio.create_task(_drain(talk))
                try:
                    for number in range(5_000):
                        await talk.send(events[number % len(events)])
                        counted["sent"] += 1
                    await asyncio.sleep(end - time.monotonic())
                finally:
                    told.cancel()
        counted["closed"] += 1


async def _drain(talk: ClientConnection) -> None:
    async for _ in talk:
        counted["heard"] += 1


@load
async def looks(client: httpx.AsyncClient, end: float) -> None:
    """One socket that asks for the largest boards, 5,000 times in a second."""
    await _flood(client, end, ['["preview",{"spec":"3^6:opening=poorx5"}]'])


@load
async def boards(client: httpx.AsyncClient, end: float) -> None:
    """One socket that asks for a new large board each time."""
    specs = [f"{columns},36,{run}" for columns in range(20, 37) for run in range(3, 20)]
    await _flood(client, end, [json.dumps(["preview", {"spec": spec}]) for spec in specs])


@load
async def sockets(client: httpx.AsyncClient, end: float) -> None:
    """Many sockets that look at boards at once."""
    await asyncio.gather(
        *(_flood(client, end, ['["preview",{"spec":"3^6:opening=poorx5"}]']) for _ in range(40))
    )


async def _ask(
    client: httpx.AsyncClient, end: float, paths: list[str], guests: list[dict[str, str]]
) -> None:
    """Ask for addresses twenty at a time, in turn for each guest."""

    async def one(first: int) -> None:
        number = first
        while time.monotonic() < end:
            path, headers = paths[number % len(paths)], guests[number % len(guests)]
            with suppress(httpx.HTTPError):
                counted[str((await client.get(path, headers=headers)).status_code)] += 1
            number += 20

    await asyncio.gather(*(one(number) for number in range(20)))


@load
async def requests(client: httpx.AsyncClient, end: float) -> None:
    """Requests as fast as they are answered."""
    await _ask(client, end, ["/api/games", "/", "/api"], [GUEST])


@load
async def trees(client: httpx.AsyncClient, end: float) -> None:
    """Proofs, positions and their pictures, as a page elsewhere may ask for them."""
    names = ["4^3", "4^3:opening=poor", "4^3:opening=poorx2", "4^3:opening=poorx3"]
    paths = [f"/api/proof-trees/{name}" for name in names]
    paths += [f"/p/3^6/{cell}.png" for cell in range(20)] + ["/api/atlas/4^4/proof"]
    await _ask(client, end, paths, [GUEST, {**GUEST, "Sec-Fetch-Site": "cross-site"}])


@load
async def neighbours(client: httpx.AsyncClient, end: float) -> None:
    """A guest with 40 addresses of one IPv6 network, by a proxy that says which."""
    guests = [{"X-Forwarded-For": f"2001:db8:0:7::{number:x}"} for number in range(1, 41)]
    await _ask(client, end, ["/p/3^6.png", "/?game=3^6", "/api/games"], guests)


async def alive(attack: Attack, when: str) -> None:
    """See that this machine gets in."""
    begun = time.monotonic()
    try:
        async with httpx.AsyncClient(base_url=attack.url, timeout=30) as fresh:
            answer = await fresh.get("/api")
        if answer.status_code != 200:
            attack.wrong.append(f"{answer.status_code} {when}")
    except httpx.HTTPError as error:
        seconds = time.monotonic() - begun
        attack.wrong.append(f"locked out {when}: {type(error).__name__} after {seconds:.0f} s")


async def run(url: str, chosen: list[str], rounds: int, seed: int) -> list[str]:
    """Make all attacks; return what was wrong."""
    wrong: list[str] = []
    for number in range(rounds):
        for name in chosen:
            attack = Attack(url, seed + number)
            begun = time.monotonic()
            async with httpx.AsyncClient(base_url=url, timeout=60) as attack.client:
                await PARTS[name](attack)
            await alive(attack, f"after {name}")
            found = ", ".join(f"{count:,} {kind}" for kind, count in attack.answers.most_common())
            seconds = time.monotonic() - begun
            say(f"{name}: {attack.answers.total():,} in {seconds:.0f} s: {found}")
            wrong += [f"{name}: {one}" for one in attack.wrong]
    return wrong


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def complaints(text: str) -> list[str]:
    """Return what is wrong with what a server wrote to standard error."""
    found = [
        f"traceback: {one[:200]}"
        for one in re.findall(r"^Traceback.*\n(?:\s.*\n)*(.*)", text, re.MULTILINE)
    ]
    odd = {one for one in text if not one.isprintable()} - {"\n"}
    return found + [f"control character {one!r}" for one in odd]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--storm", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.storm:
        asyncio.run(storm(chosen.storm, chosen.url))
        return 0
    names_ = [one for name in chosen.parts for one in (STORMS if name == "loads" else [name])]
    if unknown := [name for name in names_ if name not in PARTS]:
        parser.error(f"no part {unknown[0]!r}; parts are {', '.join(PARTS)}")

    with serving([]) as started:
        url = started["url"]
        wrong = asyncio.run(run(url, names_ or list(PARTS), chosen.rounds, chosen.seed))
        if started["server"].poll() is not None:
            wrong.append(f"the server ended with {started['server'].returncode}")
    said = started["said"]
    lines = len(said.splitlines())
    wrong += [f"standard error: {one}" for one in complaints(said)]
    say(f"standard error: {lines} lines")
    for line in said.splitlines()[1:20]:
        say(f"  {line[:200]!r}")
    for one in wrong[:50]:
        say(f"WRONG: {one!r}")
    say(f"{len(wrong)} wrong")
    return 1 if wrong else 0


@contextmanager
def serving(options: list[str]) -> Iterator[dict[str, Any]]:
    """Serve meanwhile; afterwards what was ``said`` on standard error is there too."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "err").open("w+b") as errors:
        words = ["--format", "json", "--port", "0", "--store", str(Path(folder) / "games.sqlite")]
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", PROGRAM, "serve", *words, *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as server:
            assert server.stdout is not None
            try:
                started = {**json.loads(server.stdout.readline()), "server": server}
                yield started
            finally:
                server.terminate()
        errors.seek(0)
        started["said"] = errors.read().decode(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
