"""Runs of the laboratory on the server, over HTTP in this process."""

from __future__ import annotations

import asyncio
import csv
import importlib.util
import io
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

import hyperoxo as ox
from hyperoxo.lab.recall import recall
from hyperoxo.lab.results.listing import run_infos
from hyperoxo.lab.results.store import ResultStore, parts_of
from hyperoxo.processes import born
from hyperoxo_web.server import Core, Limits
from hyperoxo_web.server.lab.process import _report_folder
from hyperoxo_web.server.lab.reports import file_of, report_data, report_list
from tests.expect import require
from tests.hyperoxo_web.server.sessions import served

MATCH = {"game": "3^2", "agents": ["ising", "random"], "games": 50, "seed": 3}
LONG = {"game": "3^2", "agents": ["ising", "random"], "games": 20_000_000, "seed": 5}


async def ended(core: Core, run: int, *, games: int = 0) -> dict[str, Any]:
    """Return a run when it has ended, or when so many games have been played."""
    async with asyncio.timeout(120), aclosing(core.laboratory.follow(run)) as views:
        async for view in views:
            if games and view["games"] >= games:
                return view
    return view


async def begun(client: httpx.AsyncClient, kind: str, **body: object) -> int:
    answer = await client.post(f"/api/{kind}", json=body)
    assert answer.status_code == 202, answer.text
    found = answer.json()
    assert found["url"] == f"/run/{found['run']}"
    return int(found["run"])


@pytest.mark.more
async def test_runs_are_begun_watched_listed_and_kept(tmp_path: Path) -> None:
    async with served(tmp_path) as (client, core):
        match = await begun(client, "matches", **MATCH, swap=True)
        assert (await ended(core, match))["state"] == "done"
        with ResultStore(core.laboratory.store) as store:  # as commands do
            sweep = ox.sweep("3^2", "ising", "bias=0:1:0.25", "random", 2, 40, store=store).run
            agents = ["random", "greedy"]
            tournament = ox.tournament("3^2", agents, 30, 2**63, store=store).run

        seen = (await client.get(f"/api/runs/{match}")).json()
        assert (seen["games"], seen["wanted"], seen["kind"]) == (50, 50, "match")
        assert sum(seen["match"]["wins"]) + seen["match"]["draws"] == 50
        assert seen["command"] == "oxo match '3^2' ising random --games 50 --swap --seed 3"
        assert seen["left"] == 0

        looked = f"/api/runs/{sweep}?measure=losses&degree=1"
        curve = (await client.get(looked)).json()["sweep"]
        assert [point["value"] for point in curve["points"]] == [0, 0.25, 0.5, 0.75, 1]
        assert (curve["measure"], curve["fit"]["degree"]) == ("losses", 1)

        table = (await client.get(f"/api/runs/{tournament}")).json()["tournament"]
        assert [row["places"] for row in table["table"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]
        assert table["ratings"][0]["agent"] == "greedy"

        events = (await client.get(f"/api/runs/{match}/events")).text
        assert events.startswith("event: done\ndata: ")
        assert json.loads(events.partition("data: ")[2])["run"] == match

    async with served(tmp_path) as (client, _):  # the server was started anew
        runs = (await client.get("/api/runs")).json()["runs"]
        assert [run["run"] for run in runs] == [tournament, sweep, match]
        assert runs[0]["seed"] == str(2**63)
        greedy = (await client.get("/api/runs?agent=greedy")).json()["runs"]
        assert [run["run"] for run in greedy] == [tournament]
        swept = (await client.get("/api/runs?kind=sweep&game=3,3,3&limit=1")).json()["runs"]
        assert swept == []
        text = await client.get(f"/api/results?run={match}")
        assert text.headers["content-disposition"] == f'attachment; filename="run-{match}.csv"'
        rows = list(csv.DictReader(io.StringIO(text.text)))
        assert sum(int(row["games"]) for row in rows) == 50
        both = (await client.get("/api/results?form=json&kind=tournament")).json()["rows"]
        assert len(both) == 4
        assert (await client.delete(f"/api/runs/{match}")).status_code == 204
        assert (await client.get(f"/api/runs/{match}")).status_code == 404


@pytest.mark.more
async def test_a_match_ends_when_it_is_clear_who_is_better(
    client: httpx.AsyncClient, core: Core
) -> None:
    body = {**MATCH, "swap": True, "until": {"question": "A>B", "alpha": 0.01}}
    del body["games"]
    run = await begun(client, "matches", **body)
    view = await ended(core, run)
    test = view["match"]["test"]
    assert (test["verdict"], test["places"], test["most"]) == ("yes", [0, 1], 100_000)
    assert test["log_ratio"] >= test["bounds"][1] > 4.6
    assert view["games"] == view["wanted"] < 1000
    assert view["question"] == "A>B"
    told = "--games 100000 --swap --until 'A>B' --alpha 0.01 --beta 0.05 --effect 0.55"
    assert told in view["command"]
    plain = await begun(client, "matches", **MATCH, scoring="report", random_plies=2)
    view = await ended(core, plain)
    assert (view["match"]["test"], view["question"]) == (None, "")
    assert view["title"] == "ising – random, after 2 random plies, last cell drawn"
    assert view["command"].endswith("--games 50 --random-plies 2 --scoring report --seed 3")


@pytest.mark.more
async def test_other_options_are_those_of_the_commands(
    client: httpx.AsyncClient, core: Core
) -> None:
    run = await begun(
        client, "sweeps", agent="ising", vary=["bias=0:1:0.25"], versus=["random"],
        games=20, seed=1, adaptive=True, measure="losses", fit="polynomial", degree=1,
    )  # fmt: skip
    view = await ended(core, run)
    assert (view["sweep"]["measure"], view["sweep"]["degree"]) == ("losses", 1)
    assert "--measure losses --fit polynomial --degree 1 --adaptive" in view["command"]
    answer = await client.get(f"/api/runs/{run}/openskill")
    assert (answer.status_code, "is not a tournament" in answer.text) == (422, True)
    agents = ["random", "ising"]
    run = await begun(client, "tournaments", agents=agents, games=20, seed=1)
    await ended(core, run)
    answer = await client.get(f"/api/runs/{run}/openskill")
    if importlib.util.find_spec("openskill") is None:
        assert answer.status_code == 422
    else:
        assert [row["agent"] for row in answer.json()["ratings"]] == ["ising", "random"]


@pytest.mark.more
async def test_a_store_that_fails_is_told_as_such(tmp_path: Path) -> None:
    text = "this is a text, and no database, and long enough to be looked at\n" * 20
    (tmp_path / "results.sqlite").write_text(text)

    async with served(tmp_path) as (client, core):
        for answer in (
            await client.get("/api/runs"),
            await client.get("/api/runs/1"),
            await client.get("/api/results"),
            await client.post("/api/matches", json=MATCH),
        ):
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (503, "store")
            assert error["message"].endswith("is not a results store: file is not a database")
        core.laboratory.store = tmp_path / "results.sqlite" / "inside.sqlite"
        error = (await client.post("/api/matches", json=MATCH)).json()["error"]
        assert error["code"] == "store"
        assert "Errno" not in error["message"]
    assert (tmp_path / "results.sqlite").read_text() == text


@pytest.mark.more
async def test_a_run_whose_time_is_over_before_it_begins_meets_a_limit(tmp_path: Path) -> None:
    async with served(tmp_path, Limits(run_seconds=0.0)) as (client, _):
        answer = await client.post("/api/matches", json=MATCH)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limit")
        assert answer.json()["error"]["message"] == "it did not begin within 0 seconds"


@pytest.mark.more
async def test_a_run_that_was_stopped_goes_on_without_losing_a_game(tmp_path: Path) -> None:
    async with served(tmp_path, Limits(runs=1)) as (client, core):
        run = await begun(client, "matches", **LONG, workers=2)
        assert (await client.post("/api/matches", json=MATCH)).status_code == 429
        assert (await client.delete(f"/api/runs/{run}")).status_code == 409
        assert (await client.post(f"/api/runs/{run}/resume")).status_code == 429
        before = await ended(core, run, games=1)
        assert (before["state"], before["here"]) == ("running", True)
        left = (await client.post(f"/api/runs/{run}/stop")).json()
        assert left["state"] == "interrupted"
        assert before["games"] <= left["games"] < LONG["games"]
        assert (await client.post(f"/api/runs/{run}/stop")).status_code == 409

        two = [ended(core, run, games=left["games"] + 1) for _ in range(2)]
        again = await client.post(f"/api/runs/{run}/resume")
        assert (again.status_code, again.json()["run"]) == (202, run)
        for more in await asyncio.gather(*two):  # several watchers
            assert more["games"] > left["games"]
            assert more["workers"] == 2
        await client.post(f"/api/runs/{run}/stop")
        for asked, status in (({"workers": 0}, 422), ({"workers": 3}, 202)):
            again = await client.post(f"/api/runs/{run}/resume", json=asked)
            assert again.status_code == status
        assert (await client.get(f"/api/runs/{run}")).json()["workers"] == 3
    with ResultStore(tmp_path / "results.sqlite") as store:  # the server has ended
        parts = parts_of(store, run)[0]
        # What another worker was playing when the server ended may be missing in between.
        assert all(one.last <= other.first for one, other in pairwise(parts))
        assert left["games"] < sum(one.last - one.first for one in parts)
        found = recall(store, run)
        # An interrupt before the first game leaves this to those who see that its process ended.
        assert [one.state for one in run_infos(store)] == ["interrupted"]
        assert found.seconds > 0


BAD = [
    ("matches", {**MATCH, "agents": ["nobody", "random"]}, 422, "unknown agent"),
    ("matches", {**MATCH, "agents": ["ising"]}, 422, "2 seats"),
    ("matches", {**MATCH, "agents": ["ising", "human"]}, 422, "people do not play"),
    ("matches", {**MATCH, "agents": ["ising", "mcts:seconds=999"]}, 429, "at most"),
    ("matches", {**MATCH, "game": "3^"}, 422, "3^"),
    ("matches", {**MATCH, "game": "99^9"}, 429, "too many"),
    ("matches", {**MATCH, "games": 0}, 422, "games"),
    ("matches", {**MATCH, "games": 10**9}, 429, "too many"),
    ("matches", {**MATCH, "seed": -1}, 422, "seed"),
    ("matches", {**MATCH, "extra": 1}, 422, "extra"),
    ("matches", {**MATCH, "until": {"question": "A>C"}}, 422, "not one of the agents"),
    ("matches", {**MATCH, "until": {"question": "A>A"}}, 422, "same agent"),
    ("matches", {**MATCH, "until": {"question": "A>B", "alpha": 0.5}}, 422, "until.alpha"),
    ("matches", {**MATCH, "until": {"question": "A>B", "effect": 0.5}}, 422, "until.effect"),
    ("matches", {**MATCH, "until": "A>B"}, 422, "until"),
    ("matches", {**MATCH, "scoring": "luck"}, 422, "scoring"),
    ("tournaments", {"agents": ["ising"]}, 422, "2 to 16"),
    ("tournaments", {"agents": ["ising", "ising"]}, 422, "twice"),
    ("tournaments", {"agents": ["ising"] * 3, "game": "3^2:gravity,misere,x"}, 422, "x"),
    ("sweeps", {"agent": "ising", "vary": ["bias=1:0:1"], "versus": ["random"]}, 422, "less"),
    ("sweeps", {"agent": "ising", "vary": ["bias"], "versus": ["random"]}, 422, "NAME=FROM"),
    ("sweeps", {"agent": "ising", "vary": ["wit=0:1:1"], "versus": ["random"]}, 422, "wit"),
    ("sweeps", {"agent": "ising", "vary": ["bias=0:1:1e-5"], "versus": ["random"]}, 422, "values"),
    ("sweeps", {"agent": "ising", "vary": ["bias=0:1:1"], "versus": ["x"]}, 422, "unknown"),
    ("sweeps", {"agent": "ising", "vary": ["bias=0:1:1"], "versus": ["random"], "seat": 3}, 422,
     "seat"),
    ("sweeps", {"agent": "ising", "vary": ["bias=0:1:1"], "versus": ["random"], "adaptive": True,
     "degree": 13}, 422, "degree"),
    ("studies", {"study": "alchemy"}, 422, "the studies are"),
    ("studies", {"study": "qubic", "scale": 0}, 422, "scale"),
]  # fmt: skip


@pytest.mark.more
async def test_what_makes_no_sense_is_refused_in_one_line(
    client: httpx.AsyncClient, core: Core
) -> None:
    for kind, body, status, words in BAD:
        answer = await client.post(f"/api/{kind}", json=body)
        error = answer.json()["error"]
        assert answer.status_code == status, (kind, body, error)
        assert words in error["message"], error
        assert "\n" not in error["message"]
    for path, code in (
        ("/api/runs/7", "no-run"),
        ("/api/runs/7/events", "no-run"),
        ("/api/runs/0", "bad-request"),
        ("/api/runs?game=3^", "bad-request"),
        ("/api/reports/none", "no-report"),
        ("/api/reports/none/index.html", "no-report"),
    ):
        answer = await client.get(path)
        assert answer.json()["error"]["code"] == code, path
    assert (await client.post("/api/runs/7/stop")).json()["error"]["code"] == "no-run"
    assert (await client.get("/api/runs")).json()["runs"] == []
    assert (await client.get("/api/results")).text.startswith("run,row,")
    assert core.laboratory.jobs == {}


@pytest.mark.more
async def test_others_do_not_stop_or_delete_what_is_not_theirs(tmp_path: Path) -> None:
    home, away = Limits(), Limits(runs=1, run_games=60, run_seconds=3.0)
    async with Core(tmp_path / "games.sqlite", home, away) as core:
        lab = core.laboratory
        assert core.trusts("127.0.0.1")
        assert not core.trusts("10.0.0.7")
        options = {"agents": ["ising", "random"], "games": 61}
        asked = {"kind": "match", "game": "3^2", "options": options, "seed": 1}
        full = {"study": "qubic", "full": True}
        for request in (asked, {"kind": "study", "game": "", "options": full, "seed": 0}):
            with pytest.raises(Exception, match=r"too many|reduced samples only"):
                await lab.start(request, core.client("10.0.0.7"))
        slow = {"agents": ["mcts:seconds=1"] * 2, "games": 50}
        run = await lab.start({**asked, "game": "4^3", "options": slow}, core.client("10.0.0.7"))
        with pytest.raises(Exception, match="only the client that started"):
            await lab.stop(run, "10.0.0.8", trusted=False)
        with pytest.raises(Exception, match="own machine"):
            await lab.delete(run, trusted=False)
        view = await ended(core, run)
        assert (view["state"], view["late"]) == ("interrupted", True)


SERVER = """
import asyncio, sys
from pathlib import Path
from hyperoxo_web.server import Core
async def main():
    async with Core(Path(sys.argv[1])) as core:
        options = {"agents": ["ising", "random"], "games": 20_000_000}
        asked = {"kind": "match", "game": "3^2", "options": options, "seed": 5}
        run = await core.laboratory.start(asked, core.client(None))
        async for view in core.laboratory.follow(run):
            if view["games"]:
                print(core.laboratory.jobs[run]._worker._process.pid, flush=True)
                await asyncio.sleep(600)
asyncio.run(main())
"""


@pytest.mark.more
@pytest.mark.skipif(os.name != "posix", reason="asks by signal whether a process lives")
async def test_what_plays_dies_with_the_server_and_the_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(path)], stdout=subprocess.PIPE)
    assert server.stdout is not None
    player = int(server.stdout.readline())
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()

    async with asyncio.timeout(300):
        while psutil.pid_exists(player):
            await asyncio.sleep(0.05)
    async with Core(path) as core:
        left = await core.laboratory.view(1)
        assert (left["state"], left["here"]) == ("interrupted", False)
        assert left["games"] > 0
        assert await core.laboratory.resume(1, core.client(None)) == 1
        assert (await ended(core, 1, games=left["games"] + 1))["here"]


def report(folder: Path, name: str, **more: object) -> None:
    """Write a small report."""
    place = folder / name
    (place / "data").mkdir(parents=True)
    (place / "figures").mkdir()
    table = {"name": "t", "title": "T", "text": "", "columns": ["a"], "rows": [{"a": "<b>"}]}
    data = {"study": "x", "title": "X", "full": False, "seed": 0, "tables": [table], **more}
    (place / "tables.json").write_text(json.dumps(data))
    (place / "index.html").write_text("<p>hello")
    (place / "data" / "t.csv").write_text("a\n")
    (place / "figures" / "f.svg").write_text("<svg/>")


def test_what_a_killed_process_left_of_a_report_is_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        host, begun = socket.gethostname(), born(other.pid)
        theirs, foreign = f"{host}+{other.pid}+{begun}", f"elsewhere+{other.pid}+{begun}"
        # The number of a process that was killed may be another's now, or this one's.
        left = [f"{host}+{other.pid}+{begun}0", f"{host}+{os.getpid()}+0", f"{other.pid}", "x+y"]
        for name in (theirs, foreign, *left):
            report(tmp_path, f".unfinished-{name}")
        report(tmp_path, "run-1")
        mine = _report_folder(tmp_path)
        assert not mine.exists()
        names = {path.name for path in tmp_path.iterdir()}
        assert names == {"run-1", f".unfinished-{theirs}", f".unfinished-{foreign}"}
        other.communicate()
    assert _report_folder(tmp_path) == mine
    assert {path.name for path in tmp_path.iterdir()} == {"run-1", f".unfinished-{foreign}"}


@pytest.mark.more
async def test_reports_are_read_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    assert report_list(folder) == []
    pictures = [{"name": "f", "caption": ""}, {"name": "gone", "caption": ""}]
    section = {"title": "S", "text": "", "tables": ["t"], "pictures": pictures, "files": []}
    report(folder, "new", sections=[section], scale=0.1)
    report(folder, "old")
    report(folder, ".unfinished-1")
    (folder / "broken").mkdir()
    (folder / "broken" / "tables.json").write_text("{")
    assert {entry["name"] for entry in report_list(folder)} == {"new", "old"}
    found = require(report_data(folder, "new"))
    assert [one["name"] for one in found["sections"][0]["pictures"]] == ["f"]
    assert found["scale"] == 0.1
    old = require(report_data(folder, "old"))
    assert (old["sections"][0]["tables"], old["scale"]) == (["t"], 1)
    (tmp_path / "secret.html").write_text("")
    (folder / "new" / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "new" / "run.sh").write_text("")
    for name, path in (
        ("..", "secret.html"),
        ("new", "../../secret.html"),
        ("new", "data/../../old/index.html"),
        ("new", "link.html"),
        ("new", "run.sh"),
        ("new", ".hidden.html"),
        (".unfinished-1", "index.html"),
        ("new", ""),
        ("", "index.html"),
    ):
        assert file_of(folder, name, path) is None, path

    async with served(tmp_path) as (client, _):
        listed = (await client.get("/api/studies")).json()
        assert {entry["name"] for entry in listed["reports"]} == {"new", "old"}
        assert "ising" in {entry["name"] for entry in listed["studies"]}
        page = await client.get("/api/reports/new/index.html")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        figure = await client.get("/api/reports/new/figures/f.svg")
        assert figure.headers["content-type"].startswith("image/svg+xml")
        assert (await client.get("/api/reports/new/run.sh")).status_code == 404
        assert (await client.get("/api/reports/new")).json()["tables"]["t"]["rows"] == [
            {"a": "<b>"}
        ]
