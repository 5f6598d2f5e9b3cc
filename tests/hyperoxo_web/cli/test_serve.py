"""`oxo serve`, as a process."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from hyperoxo.heuristics.tables import shipped_tables
from hyperoxo_web.cli.serve import has_screen
from tests.command import oxo
from tests.expect import require
from tests.processes import run, two_workers, wait_for_ends

ROOT = Path(__file__).parents[3]
OXO = [sys.executable, "-c", "from hyperoxo.cli.main import main; main()", "serve"]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run the command; give the process and what it printed."""
    server = subprocess.Popen(
        [*OXO, "--format", "json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server, json.loads(server.stdout.readline())
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
        require(server.stderr).close()


def ran(*words: str, **world: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return run(*OXO, *words, timeout=60, env={**os.environ, **world})


@pytest.mark.more
def test_it_serves_and_stops(tmp_path: Path) -> None:
    """Ctrl-C ends open streams, searches and all processes without a word."""
    store = tmp_path / "games.sqlite"
    with serving("--port", "0", "--store", str(store)) as (server, told):
        assert told["store"] == str(store)
        with httpx.Client(base_url=told["url"], timeout=60) as client:
            seats = ["human", "mcts:simulations=1000000000"]
            made = client.post("/api/games", json={"game": "4^3", "seats": seats}).json()
            token = {"Authorization": f"Bearer {made['tokens'][0]}"}
            path = f"/api/games/{made['id']}"
            with client.stream("GET", f"{path}/events", headers=token) as events:
                assert events.headers["content-type"].startswith("text/event-stream")
                lines = events.iter_lines()
                while not next(lines).startswith("data: "):
                    pass
                client.post(f"{path}/moves", json={"cell": 0, "ply": 0}, headers=token)
                while not next(lines).startswith("event: moved"):
                    pass
                workers = two_workers(server.pid)
                server.send_signal(signal.SIGINT)
                rest = list(lines)
        assert not any("error" in line for line in rest)
        assert server.wait(60) == 0
        notes = require(server.stderr).read().splitlines()
        assert [line for line in notes if "games are kept in" not in line] == []
        wait_for_ends(workers)


@pytest.mark.parametrize(
    ("world", "opens"),
    [
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "w"}, True),
        ({"DISPLAY": ":0", "CI": "1"}, 0),
    ],
)
def test_a_browser_needs_a_screen(monkeypatch: Any, world: dict[str, str], opens: bool) -> None:
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert has_screen() == (sys.platform in ("darwin", "win32"))
    for name, value in world.items():
        monkeypatch.setenv(name, value)
    assert has_screen() == opens


def test_make_play_announces_every_installation(tmp_path: Path) -> None:
    lines = run("make", "-n", "play", f"VENV={tmp_path}/venv", cwd=ROOT).stdout
    before = re.findall(r"(.*)\n.* -m pip ", lines)
    assert len(before) == 3
    assert all(re.fullmatch(r'echo "Installing .* takes .*"', line) for line in before)


@pytest.mark.more
@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_at_once_ends_it_without_a_word(tmp_path: Path, presses: int) -> None:
    """A terminal sends Ctrl-C to all processes in its front, also to those that still begin."""
    words = ["--port", "0", "--api-only", "--open", "--store", str(tmp_path / "g.sqlite")]
    streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "process_group": 0}
    world = {**os.environ, "CI": "true"}
    with subprocess.Popen([*OXO, *words], text=True, env=world, **streams) as server:
        out = require(server.stdout)
        first, last = out.readline(), out.readline()
        workers = two_workers(server.pid)
        for _ in range(presses):
            os.killpg(server.pid, signal.SIGINT)
        assert out.read() == ""
        assert server.wait(60) == 0
        wait_for_ends(workers)
    assert first.startswith("games are kept in ")
    assert last.startswith("hyperoxo is served at http://127.0.0.1:")


@pytest.mark.more
def test_a_store_in_use_is_one_line_and_processes_die_with_a_killed_server(tmp_path: Path) -> None:
    words = ("--port", "0", "--api-only", "--store", str(tmp_path / "g.sqlite"))
    with serving(*words) as (server, _):
        answer = ran(*words)
        workers = two_workers(server.pid)
        loaded = Path(f"/proc/{server.pid}/maps")  # the compiler is for its processes alone
        assert not loaded.exists() or "llvmlite" not in loaded.read_text("utf-8")
        server.kill()
        server.wait()
        wait_for_ends(workers)
    assert answer.returncode == 1
    assert answer.stderr == (
        f"oxo serve: {words[-1]} is in use by another server; name another file with --store\n"
    )


@pytest.mark.more
def test_an_agent_of_ones_own_is_offered(tmp_path: Path) -> None:
    """A learned table plays under its name: in the list, on the first page and in a game."""
    table = tmp_path / "learned.json"
    table.write_bytes(next(t for t in shipped_tables() if t.game == "3^2").to_bytes())
    store = str(tmp_path / "g.sqlite")
    words = ("--port", "0", "--store", store, "--opponent", f"mine=td:checkpoint={table}")
    with serving(*words) as (_, told), httpx.Client(base_url=told["url"], timeout=60) as client:
        listed = client.get("/api/agents").json()["agents"]
        assert [one["options"] for one in listed if one["name"] == "mine"] == [{"threats": "off"}]
        assert "mine" in client.get("/").text
        made = client.post("/api/games", json={"game": "3^2", "seats": ["human", "mine"]}).json()
        token = {"Authorization": f"Bearer {made['tokens'][0]}"}
        body = {"cell": 4, "ply": 0, "wait": 60}
        answer = client.post(f"/api/games/{made['id']}/moves", json=body, headers=token)
        state = answer.json()["state"]
        assert len(state["moves"]) == 2
        assert state["seats"][1] == {"player": 2, "name": "mine", "agent": "mine"}
        asked = {"game": "3^2", "agents": ["mine", "random"], "games": 20}
        run = client.post("/api/matches", json=asked)
        assert run.status_code == 202
        assert str(tmp_path) not in answer.text + run.text
    answered = oxo("serve", "--opponent", "mine=td:checkpoint=nowhere.json")
    assert (answered.exit_code, answered.stderr.count("\n")) == (2, 1)


@pytest.mark.more
def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = ran("--port", str(port), "--store", str(tmp_path / "g.sqlite"))
    assert answer.returncode == 1
    line = f"oxo serve: cannot listen on 127.0.0.1 port {port}: address already in use\n"
    assert (answer.stdout, answer.stderr) == ("", line)


def test_another_port_is_found_where_none_was_asked_for() -> None:
    from hyperoxo_web.server.running import DEFAULT_PORT, listen

    first, second = listen("127.0.0.1", None), listen("127.0.0.1", None)
    ports = {first.getsockname()[1], second.getsockname()[1]}
    first.close()
    second.close()
    assert len(ports) == 2
    assert len(ports - {DEFAULT_PORT}) >= 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--host", "no.such.host.invalid"], "there is no address 'no.such.host.invalid'"),
        (["--port", "99999"], "99999 is not in the range"),
    ],
)
def test_bad_addresses_are_one_line(arguments: list[str], line: str) -> None:
    answer = oxo("serve", *arguments)
    assert answer.exit_code in (1, 2)
    assert line in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_a_missing_extra_is_one_sentence(tmp_path: Path) -> None:
    """A folder in front of all others hides NiceGUI, as if it were not installed."""
    hide = "import sys; sys.modules['nicegui'] = None\n"
    (tmp_path / "sitecustomize.py").write_text(hide, "utf-8")
    answer = ran(PYTHONPATH=str(tmp_path))
    assert (answer.returncode, answer.stderr) == (
        1,
        'oxo serve: the web application needs the extra "web": pip install "hyperoxo[web]"\n',
    )
