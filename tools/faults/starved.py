"""Few handles, little memory, no inode; processes killed or stopped in the midst of work."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from lives import (
    WAIT_SECONDS,
    Case,
    Child,
    begin,
    judged,
    limit_memory,
    small_disk,
    start,
    until,
)
from works import plain

Checks = dict[str, Callable[[Case], object]]
_TOURNAMENT = ("tournament", "3^2", "mcts:simulations=300", "greedy", "random", "--games", "150")
TOURNAMENT = (*_TOURNAMENT, "--workers", "2", "--seed", "8", "--quiet", "--format", "json")
ALONE = ("--workers", "1")
_SWEEP = ("sweep", "3^2", "--agent", "mcts", "--vary", "simulations=100:400:100", "--versus")
SWEEP = (*_SWEEP, "random", "--games", "400", "--seed", "8", "--quiet", "--format", "json")


def children(pid: int) -> list[int]:
    """Return the processes that a process has begun, and theirs."""
    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    return []


def named(pids: list[int], word: str) -> list[int]:
    """Return the processes in whose command line a word is."""
    found = []
    for pid in pids:
        with suppress(psutil.Error):
            if word in " ".join(psutil.Process(pid).cmdline()):
                found.append(pid)
    return found


# Few handles, little memory, no inode.

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("solve", "3^2"),
    ("match", "3^2", "mcts:simulations=20", "random", "--games", "40", "--workers", "2"),
    ("states", "3^2", "--checkpoint", "table"),
    ("classify", "6^2", "--proof", "proof.oxo"),
    ("board", "4^3", "--out", "board.svg"),
    ("results",),
)


def limited(case: Case, what: str, limit: Callable[[], object], number: int = 6) -> None:
    """Run some commands under a limit: they end as ever, or in one line."""
    folder = case.place()
    world = {**os.environ, "XDG_DATA_HOME": str(folder)}

    def before() -> None:
        os.chdir(folder)
        limit()

    for words in case.chance.sample(COMMANDS, number):
        life = start((*words, "--quiet"), world, before).end(WAIT_SECONDS)
        judged(case, f"{what}; oxo {' '.join(words)}", life, 0, 1, 2)


def few_handles(case: Case) -> None:
    """Run commands that may open 64 files."""
    limited(case, "64 files", lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))


def little_memory(case: Case) -> None:
    """Run commands with little more address space than Python and Numba take."""
    megabytes = case.chance.choice((50, 100, 300, 1000))
    limited(case, f"{megabytes} MB", lambda: limit_memory(megabytes), 3)


def no_inode(case: Case) -> None:
    """Write files where there is room and no free inode: one line, and what was there stays."""
    with small_disk(case.place(), "size=64m,nr_inodes=12") as disk:
        if disk is None:
            case.note("skipped: no disk can be mounted here")
            return
        with suppress(OSError):
            for number in range(1000):
                (disk / f"{number}").touch()
        (disk / "0").write_text("kept")
        for words in (
            ("solve", "3^2", "--proof", str(disk / "proof.oxo")),
            ("board", "3^2", "--out", str(disk / "board.svg")),
            ("board", "3^2", "--out", str(disk / "0")),
            ("match", "3^2", "greedy", "random", "--store", str(disk / "results.sqlite")),
            ("states", "3^2", "--checkpoint", str(disk / "table")),
            ("serve", "--api-only", "--port", "0", "--store", str(disk / "games.sqlite")),
        ):
            life = start((*words, "--quiet")).end(WAIT_SECONDS)
            judged(case, f"oxo {words[0]} without inodes", life, 1, 2)
        if (disk / "0").read_text() != "kept" or len(list(disk.iterdir())) > 12:
            case.blame("files were changed")


# kill -9 within a commit.


def commit_always(path: Path, kind: str, first: int) -> None:
    """Commit all the time, and tell of each commit."""
    from hyperoxo.lab.games import Tally
    from hyperoxo.lab.results.store import Part, ResultStore, add_parts
    from hyperoxo_web.server.store import _connect

    if kind == "results":
        store = ResultStore(path)
        base = store._connection
    else:
        base = _connect(path)
    base.execute("PRAGMA wal_autocheckpoint = 4")
    for number in range(first, first + 100_000):
        print(number, flush=True)  # noqa: T201 - so many are there
        if kind == "results":
            add_parts(store, 1, [Part(0, number, number + 1, Tally(1, (1, 0), 0, 5, 0.1))])
            continue
        base.execute("BEGIN IMMEDIATE")
        for part in range(3):
            name = f"{number}-{part}"
            base.execute("INSERT INTO facts VALUES (?, ?)", (name, '"' + "x" * 900 + '"'))
        base.execute("COMMIT")


def kill_in_commit(case: Case, kind: str) -> None:
    """Kill a writer that commits all the time; what it said is there, whole, and nothing half."""
    from hyperoxo.lab.games import Seating
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.results.store import KIND as RESULTS
    from hyperoxo.lab.results.store import ResultStore, want_rows
    from hyperoxo_web.server.store import KIND as GAMES

    path = case.place() / "store.sqlite"
    if kind == "results":
        with ResultStore(path) as store:
            assert store.begin(RunRequest("match", "3^2", {"agents": ["random"] * 2}, 1)) == 1
            want_rows(store, 1, [(0, Seating("3^2", ("random", "random"), 1), 10**9)])
    told = 0
    for _ in range(5):
        child = begin(lambda first=told: commit_always(path, kind, first), path)
        until(lambda child=child: child.told or child.over)
        time.sleep(case.chance.uniform(0.0, 0.3))
        life = child.kill()
        case.note("killed")
        if "Error" in life.said:
            case.blame("the writer failed", life.said)
        told = max([told, *map(int, life.said.split("\n")[:-1])])
        with closing((RESULTS if kind == "results" else GAMES).open(path, 10)) as base:
            if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                case.blame("the store is damaged")
            told = checked(case, base, kind, told)
    case.note("commits kept", told)


def checked(case: Case, base: sqlite3.Connection, kind: str, told: int) -> int:
    """Compare a store with what was acknowledged; one commit more may be there, as a whole."""
    found: list[Any]
    right: list[Any]
    if kind == "results":
        found = base.execute("SELECT first, last, wins FROM parts ORDER BY first").fetchall()
        right = [(at, at + 1, "[1, 0]") for at in range(len(found))]
        there = len(found)
    else:
        found = base.execute("SELECT name, length(value) FROM facts").fetchall()
        there = len(found) // 3
        right = [(f"{at}-{part}", 902) for at in range(there) for part in range(3)]
    if sorted(found) != sorted(right) or there not in (told, told + 1):
        case.blame(f"{kind}: {there} commits are there, {told} were acknowledged")
    return there


# Processes killed or stopped in the midst of work.


@cache
def undisturbed() -> Any:
    """Return the answer of a tournament that nothing befalls; workers make no difference."""
    return plain(json.loads(start((*TOURNAMENT, *ALONE, "--no-store")).end().answer))


def kill_in_pool(case: Case) -> None:
    """Kill a worker of a tournament, as the system does without memory: the result is the same."""
    whole = undisturbed()
    store = str(case.place() / "results.sqlite")
    child = start((*TOURNAMENT, "--store", store))
    if not until(lambda: named(children(child.pid), "spawn_main") or child.over):
        case.blame("there are no workers")
    time.sleep(case.chance.uniform(0, 4))
    pids = named(children(child.pid), "spawn_main")
    if pids:
        with suppress(ProcessLookupError):
            os.kill(case.chance.choice(pids), signal.SIGKILL)
            case.note("killed")
    told = judged(case, "a worker was killed", child.end(WAIT_SECONDS), 0, 1)
    resumed(case, told, store, whole)


def resumed(case: Case, told: str, store: str, whole: Any) -> None:
    """See that a tournament has the right result, at the latest once it is resumed."""
    if not told:  # it says how to resume
        life = start((*TOURNAMENT, *ALONE, "--store", store)).end(WAIT_SECONDS)
        told = judged(case, "resumed", life, 0)
    if told and games(plain(json.loads(told))) != games(whole):
        case.blame("another result")


def games(answer: Any) -> Any:
    """Return what a tournament or a sweep counted."""
    return [answer.get(key) for key in ("table", "seatings", "points", "ratings") if key in answer]


def starve_pool(case: Case) -> None:
    """Leave a worker of a tournament no memory: the result is the same, or is so when resumed."""
    whole = undisturbed()

    store = str(case.place() / "results.sqlite")
    child = start((*TOURNAMENT, "--store", store))
    until(lambda: named(children(child.pid), "spawn_main") or child.over)
    time.sleep(case.chance.uniform(0, 3))
    for pid in named(children(child.pid), "spawn_main")[:1]:
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_AS, (1 << 20, resource.RLIM_INFINITY))
            case.note("starved")
    life = child.end(WAIT_SECONDS)
    case.note(f"ended with {life.code}")
    # Python itself reports a worker that has no memory to begin with; one that runs out of it
    # in its work may live on, and the command refuses.
    refused = life.code == 2 and "not enough memory" in life.said
    if life.code not in (0, 1) and not refused:
        case.blame(f"ended with {life.code}", life.said)
    resumed(case, life.answer or "", store, whole)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Begin a scheduler of Dask's and a worker, each in a separate process."""
    where = folder / "scheduler.json"
    made: tuple[str, ...] = (sys.executable, "-m", "distributed.cli.dask_scheduler")
    made = (
        *made,
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(where),
    )
    joins: tuple[str, ...] = (sys.executable, "-m", "distributed.cli.dask_worker")
    joins = (*joins, "--no-nanny", "--no-dashboard")
    joins = (*joins, "--scheduler-file", str(where), "--local-directory", str(folder))
    joins = (*joins, "--death-timeout", "20")
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(made, **silent) as scheduler:  # type: ignore[call-overload]  # noqa: S603
        try:
            until(lambda: where.exists() and where.stat().st_size)
            with subprocess.Popen(joins, **silent) as worker:  # type: ignore[call-overload]  # noqa: S603
                try:
                    yield json.loads(where.read_text("utf-8"))["address"], scheduler
                finally:
                    worker.kill()
        finally:
            scheduler.kill()


def kill_scheduler(case: Case) -> None:
    """Kill the scheduler of a cluster in a sweep: a line says so, and the sweep is resumed."""
    folder = case.place()
    store = ("--store", str(folder / "results.sqlite"))
    with cluster(folder) as (address, scheduler):
        child = start((*SWEEP, *store, "--cluster", address))
        until(lambda: stored(folder / "results.sqlite") > 0 or child.over)
        time.sleep(case.chance.uniform(0, 1))
        if not child.over:
            scheduler.kill()
            case.note("killed")
        judged(case, "the scheduler was killed", child.end(WAIT_SECONDS), 0, 1)
    before = stored(folder / "results.sqlite")
    told = judged(case, "resumed", start((*SWEEP, *store)).end(WAIT_SECONDS), 0)
    whole = start((*SWEEP, "--no-store")).end(WAIT_SECONDS).answer
    if told and games(json.loads(told)) != games(json.loads(whole)):
        case.blame("another result")
    case.note("games kept", before)


def stored(path: Path) -> int:
    """Count the games in a store of results, of which there may be none."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as base:
        return int(base.execute("SELECT coalesce(sum(last - first), 0) FROM parts").fetchone()[0])
    return 0


@contextmanager
def serving(folder: Path) -> Iterator[Child]:
    """Begin a server as `make play` does, and kill it on exit."""
    store = ("--store", str(folder / "games.sqlite"), "--port", "0", "--format", "json")
    child = start(("serve", *store, "--api-only"))
    try:
        yield child
    finally:
        child.kill()


def stop_worker(case: Case) -> None:
    """Stop the processes that think in a game, and let them go on: others play, none is lost."""
    import httpx

    async def story(address: str, pid: int) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            seats = ["human", "mcts:simulations=200"]
            made = (await client.post("/api/games", json={"game": "3^2", "seats": seats})).json()
            people = (await client.post("/api/games", json={"game": "3^2"})).json()
            move = {"cell": 4, "ply": 0, "wait": 60}
            first = {"Authorization": f"Bearer {made['tokens'][0]}"}
            path = f"/api/games/{made['id']}"
            seen = (await client.post(f"{path}/moves", json=move, headers=first)).json()
            assert seen["state"]["ply"] == 2, seen
            for one in (stopped := children(pid)):
                os.kill(one, signal.SIGSTOP)
            case.note("stopped", len(stopped))
            cell = seen["state"]["legal_moves"][0]
            move = {"cell": cell, "ply": 2, "wait": 1}
            answer = await client.post(f"{path}/moves", json=move, headers=first)
            assert answer.status_code == 200, answer.text
            begun = time.monotonic()
            for ply, cell in enumerate((4, 0, 3, 1, 5)):
                header = {"Authorization": f"Bearer {people['tokens'][ply % 2]}"}
                sent = {"cell": cell, "ply": ply}
                there = f"/api/games/{people['id']}/moves"
                answer = await client.post(there, json=sent, headers=header)
                assert answer.status_code == 200, answer.text
            assert time.monotonic() - begun < 30, "people wait for a process that is stopped"
            case.note("moves meanwhile", 5)
            for one in stopped:
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGCONT)
            for _ in range(60):
                state = (await client.get(path)).json()
                if state["ply"] >= 4 or state["over"]:
                    case.note("went on")
                    return
                await asyncio.sleep(0.5)
            raise AssertionError(f"the agent never moved: {state}")

    with serving(case.place()) as child:
        until(lambda: "\n" in child.told or child.over)
        try:
            asyncio.run(story(json.loads(child.told)["url"].split("?")[0].rstrip("/"), child.pid))
        except (AssertionError, ValueError, httpx.HTTPError) as error:
            case.blame(f"{type(error).__name__}: {error}")


def start_twice(case: Case) -> None:
    """Begin two servers on one folder at the same moment: one serves, the other says why not."""
    folder = case.place()
    with serving(folder) as one, serving(folder) as other:
        until(lambda: one.over or other.over, 60)
        until(lambda: one.over == other.over or "\n" in (other if one.over else one).told, 60)
        if one.over == other.over:
            case.blame("both or neither of two servers on one store ended")
            return
        over, left = (one, other) if one.over else (other, one)
        case.note("serves", "url" in left.told)
        judged(case, "the second server", over.end(), 1)


STARVED: dict[str, Checks] = {
    "limits": {"handles": few_handles, "memory": little_memory, "inodes": no_inode},
    "commits": {
        "results": lambda case: kill_in_commit(case, "results"),
        "games": lambda case: kill_in_commit(case, "games"),
    },
    "pool": {"killed": kill_in_pool, "starved": starve_pool},
    "cluster": {"scheduler": kill_scheduler},
    "server": {"stopped": stop_worker, "begun-twice": start_twice},
}
