"""Runs: the same whatever the workers, and gone on with after any end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.errors import AgentError, CheckFailedError, SpecError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.games import Seating, play_range
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results import result_rows, run_infos
from hyperoxo.lab.results.listing import Filter
from hyperoxo.lab.results.store import Part, add_parts, parts_of, want_rows
from hyperoxo.lab.runs import GameRow, Run, RunInterrupted
from hyperoxo.processes import born
from hyperoxo.task import Task
from tests.hyperoxo.lab.test_games import counts
from tests.processes import run

OXO = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()"]
PLAIN = ("mcts:simulations=10", "random")
SEATING = Seating("3^2", PLAIN, 5)


@pytest.mark.parametrize(
    "agents", [pytest.param(PLAIN, marks=pytest.mark.more), ("ising", "random")]
)
def test_results_do_not_depend_on_the_workers(agents: tuple[str, str]) -> None:
    found = {
        (result.wins, result.draws, result.plies)
        for workers in ((1, 3) if agents == PLAIN else (1, 2, 3))  # processes, or threads
        for result in [ox.match("3^2", agents, games=60, seed=9, workers=workers, swap=True)]
    }
    assert len(found) == 1


def test_any_executor_will_do() -> None:
    alone = ox.match("3^2", ["ising", "random"], games=9000, seed=9)
    with ThreadPoolExecutor(2) as executor:
        shared = ox.match("3^2", ["ising", "random"], games=9000, seed=9, executor=executor)
    assert (alone.wins, alone.draws) == (shared.wins, shared.draws)


class Stop:
    """Interrupts once so many games are done."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.seen: list[int] = []

    def __call__(self, done: int, total: int) -> None:
        self.seen.append(done)
        if done >= self.after:
            raise KeyboardInterrupt


# Processes, for agents that are not compiled, are tried below.
@pytest.mark.parametrize(
    ("agents", "workers"), [(PLAIN, 1), (("ising", "random"), 1), (("ising", "random"), 2)]
)
def test_an_interrupted_match_goes_on(
    tmp_path: Path, agents: tuple[str, str], workers: int
) -> None:
    games = 40 if agents == PLAIN else 20_000
    whole = ox.match("3^2", agents, games=games, seed=4)
    with ResultStore(tmp_path / "r.sqlite") as store:
        stop = Stop(2)
        with pytest.raises(RunInterrupted) as left:
            ox.match(
                "3^2", agents, games=games, seed=4, store=store, progress=stop, workers=workers
            )
        kept = left.value.games
        assert kept >= stop.seen[-1]
        (info,) = run_infos(store)
        assert (info.state, info.games, info.wanted) == ("interrupted", kept, games)
        seen: list[int] = []
        result = ox.match(
            "3^2", agents, games=games, seed=4, store=store,
            progress=lambda done, _: seen.append(done),
        )  # fmt: skip
        assert min(seen, default=games) > kept or kept == games
        assert (result.games, result.wins, result.draws) == (games, whole.wins, whole.draws)
        assert result.run == info.run
        (info,) = run_infos(store)
        assert (info.state, info.games) == ("done", games)


def test_an_interrupt_just_after_a_commit_counts_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def interrupted(store: ResultStore, run: int, parts: list[Part]) -> None:
        add_parts(store, run, parts)
        calls.append(run)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr("hyperoxo.lab.runs.add_parts", interrupted)
    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(RunInterrupted) as left:
            ox.match("3^2", ["random", "random"], games=50, seed=4, store=store)
        (info,) = run_infos(store)
        assert (info.state, info.games, left.value.games) == ("interrupted", 50, 50)


def test_a_finished_run_is_begun_anew(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "r.sqlite") as store:
        runs = [
            ox.match("3^2", ["random", "random"], games=10, seed=seed, store=store).run
            for seed in (1, 1, 2)
        ]
        assert len(set(runs)) == 3
        first, second = (row.tally for row in result_rows(store)[1:])
        assert counts(first) == counts(second)


@contextmanager
def another_process() -> Iterator[int]:
    """Give the number of a process that runs."""
    wait = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        yield wait.pid
    finally:
        wait.communicate()


def test_a_run_that_another_process_plays_is_left_alone(tmp_path: Path) -> None:
    purpose = RunRequest("match", "3^2", {}, 1)
    with ResultStore(tmp_path / "r.sqlite") as store, another_process() as pid:
        run = store.begin(purpose)
        for begun in (f":{born(pid)}", ""):  # earlier versions noted no beginning
            owner = f"{socket.gethostname()}:{pid}{begun}"
            store._connection.execute("UPDATE runs SET owner = ? WHERE id = ?", (owner, run))
            assert store.begin(purpose) != run
            assert run_infos(store, Filter(run=run))[0].state == "running"
            store._connection.execute("DELETE FROM runs WHERE id != ?", (run,))
        # It has ended where another program has the number of its process.
        owner = f"{socket.gethostname()}:{pid}:{born(pid)}0"
        store._connection.execute("UPDATE runs SET owner = ?", (owner,))
        assert run_infos(store, Filter(run=run))[0].state == "interrupted"
        assert store.begin(purpose) == run


def test_more_games_of_a_run_can_be_asked_for(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "r.sqlite") as store:
        with Run(RunRequest("match", "3^2", {}, 1), store=store) as run:
            run.play([(SEATING, 5)])
            (tally,) = run.play([(SEATING, 12)])
        assert counts(tally) == counts(play_range(SEATING, 0, 12))
        (row,) = result_rows(store)
        assert (row.wanted, counts(row.tally)) == (12, counts(tally))


def test_a_task_that_is_over_ends_a_run(tmp_path: Path) -> None:
    stop = threading.Event()
    task = Task(lambda games, wanted: stop.set(), stop)
    with ResultStore(tmp_path / "r.sqlite") as store, pytest.raises(RunInterrupted):
        ox.match("3^2", ["random", "random"], games=90_000_000, store=store, progress=task)


def test_gaps_are_what_is_left() -> None:
    row = GameRow(0, SEATING, 20)

    def gaps() -> list[tuple[int, int]]:
        return [(gap.first, gap.last) for gap in row.gaps()]

    assert gaps() == [(0, 20)]
    for first, last in ((4, 6), (0, 2), (12, 20)):
        row.add(Part(0, first, last, play_range(SEATING, first, last)))
    assert gaps() == [(2, 4), (6, 12)]
    row.wanted = 25
    assert gaps() == [(2, 4), (6, 12), (20, 25)]
    row.wanted = 9
    assert gaps() == [(2, 4), (6, 9)]
    assert row.total.games == 12


def test_a_game_is_never_counted_twice(tmp_path: Path) -> None:
    part = Part(0, 0, 10, play_range(SEATING, 0, 10))
    with ResultStore(tmp_path / "r.sqlite") as store:
        run = store.begin(RunRequest("match", "3^2", {}, 1))
        want_rows(store, run, [(0, SEATING, 20)])
        add_parts(store, run, [part])
        with pytest.raises(CheckFailedError, match="played by another process"):
            add_parts(store, run, [Part(0, 9, 12, part.tally)])
        assert [(p.first, p.last) for p in parts_of(store, run)[0]] == [(0, 10)]
        with pytest.raises(SpecError, match="other agents in row 0"):
            want_rows(store, run, [(0, Seating("3^2", ("random", "random"), 5), 20)])


_DYING = """
import os
from pathlib import Path
from hyperoxo.agents.scored import RandomAgent

class Dying(RandomAgent):
    name = "dying"
    def choose(self, position, rng=None):
        mark = Path(os.environ["MARK"])
        if position.ply and not mark.exists():
            mark.touch()
            os._exit(1)
        return super().choose(position, rng)
    def seat(self, game):
        return None
"""


@pytest.mark.more
def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    """An agent of another package that takes its process down once."""
    (tmp_path / "dying.py").write_text(_DYING)
    info = tmp_path / "dying-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dying\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[hyperoxo.agents]\ndying = dying:Dying\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "MARK": str(tmp_path / "mark")}
    words = ["match", "3^2", "dying", "random", "--games", "30", "--seed", "1", "--no-store"]
    command = [*OXO, *words, "--format", "json"]
    ends = [run(*command, "--workers", count, env=environment) for count in ("2", "1")]
    assert (tmp_path / "mark").exists()
    first, second = (json.loads(end.stdout) for end in ends)
    assert first["games"] == 30
    assert (first["wins"], first["draws"]) == (second["wins"], second["draws"])


@pytest.mark.more
def test_a_killed_program_loses_what_was_under_way_only(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    # Slow enough to be under way still when its first games are seen.
    words = ["match", "3^3", "mcts:simulations=2000", "random", "--games", "60", "--seed", "8"]
    command = [*OXO, *words, "--store", str(path), "-q"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 240  # a fresh environment compiles first
    while time.monotonic() < deadline and not _games(path):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = _games(path)
    assert kept > 0
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    with ResultStore(path) as store:
        (row,) = result_rows(store)
    assert row.info.state == "done"
    whole = play_range(Seating(row.info.game, row.agents, row.seed), 0, 60)
    assert counts(row.tally) == counts(whole)


def _games(path: Path) -> int:
    if not path.exists():
        return 0
    with ResultStore(path) as store:
        return sum(info.games for info in run_infos(store))


@pytest.mark.more
def test_worker_processes_that_always_die_end_the_run() -> None:
    with (
        ProcessPoolExecutor(1, get_context("spawn"), os._exit, (1,)) as executor,
        pytest.raises(AgentError, match="died repeatedly"),
    ):
        ox.match("3^2", PLAIN, games=3, executor=executor)
