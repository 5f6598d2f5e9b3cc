"""Try an installed hyperoxo as a new user would: every command, and what each extra adds.

Run by the Python of the environment, in an empty folder: ``python smoke.py [EXTRA ...]`` with the
extras that are installed there. `tools/release_check.py` does so in many environments. It needs
nothing but the standard library, and takes the program from the environment, never from here.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

OXO = str(Path(sys.executable).with_name("oxo"))
SECONDS = 600

COMMANDS = {
    "doctor": "doctor --format json",
    "board": "board 4^3 --format json",
    "solve": "solve 3^3 --proof win.oxo",
    "verify": "verify win.oxo",
    "prove": "prove show win.oxo",
    "perft": "perft 3^2 --plies 5",
    "states": "states 3^2 --out states.graphml",
    "dataset": "dataset 2^2 --out data.jsonl",
    "draw": "draw position 3^2 --position 1...2....",
    "play": "play 3^2 random random --save game.oxo",
    "convert": "convert game.oxo game.json",
    "analyse": "analyse game.oxo",
    "puzzle": "puzzle 3^3 --length 1 --seed 1",
    "match": "match 3^2 random ising --games 10",
    "tournament": "tournament 3^2 random ising --games 2",
    "sweep": "sweep 3^2 --agent ising --vary bias=0:1:0.5 --versus random --games 4",
    "truth": "truth 3^2 random",
    "results": "results",
    "study": "study prolog --scale 0.001 --no-figures",
    "train": "train 3^2 td --minutes 0.01 --out td.json",
    "classify": "classify 3^2",
    "atlas": "atlas --sides 3 --dims 3",
    "bench": "bench perft",
    "warmup": "warmup -h",
    "tui": "tui 3^2",
    "serve": "serve --port 0",
}
"""A call of every command that takes a moment; later ones use files that earlier ones write."""

MORE = (
    *("draw tree 3^2 --plies 2", "draw map 2^2", "analyse --game 3^2 --agent ising"),
    *("prove table-bound 2^2 --seat 1", "prove threats 4^3 --position moves:0,3,60,21,15,51,12,63"),
    *("prove replies 3^3 --position moves:13", "prove quiet 3^3", "study ladder 3^2 --games 2"),
    *("prove coalition 3^2:players=3", "prove guide 3^2 --seat 1 --agent ising"),
    "prove values 3^2",
)
"""Calls of the commands of groups."""

NEEDS = {"atlas": "research", "study": "research", "tui": "tui", "serve": "web"}
"""Commands that do nothing without an extra."""

WITH = {
    "adapters": ["bench playouts --peers"],
    "cluster": ["match 3^2 random random --games 4 --cluster tcp://127.0.0.1:1"],
    "graph": [],
    "plot": ["truth 3^2 random --figure truth.svg"],
    "ratings": ["tournament 3^2 random ising --games 2 --openskill"],
    "research": [COMMANDS["study"], COMMANDS["atlas"]],
    "rl": ["train 2^2 alphazero --minutes 0.01 --out alphazero.safetensors"],
    "sat": ["classify 9^4"],
    "tables": ["states 3^2 --out states.parquet", "dataset 2^2 --out data.parquet"],
    "tui": [],
    "web": [],
}
"""Calls that need an extra: without it one line names it, and the exit code is 1."""

PROGRAMS = {
    "adapters": """
from hyperoxo.adapters import gymnasium, openspiel, pettingzoo
import gymnasium as gym, pyspiel
turns = pettingzoo.env("3^3:players=3"); turns.reset(); turns.step(13)
world = gym.make("hyperoxo/Game-v0", spec="3^3", opponent="random")
world.reset(seed=1); world.step(13)
assert pyspiel.load_game("python_hyperoxo", {"spec": "3^2"}).num_distinct_actions() == 9
""",
    "cluster": """
import distributed
import hyperoxo as ox
with distributed.LocalCluster(
    n_workers=1, processes=False, protocol="tcp", dashboard_address=None, host="127.0.0.1"
) as cluster:
    workers = ox.ClusterExecutor(cluster.scheduler_address, seconds=60)
    assert workers.submit(pow, 2, 5).result(60) == 32
    workers.shutdown()
""",
    "graph": """
import hyperoxo as ox
graph = ox.enumerate_states("2^2").graph().to_networkx()
assert graph.number_of_nodes() > 1
""",
    "research": """
import hyperoxo as ox
assert ox.classify("9^4").draw is not None
import hyperoxo_research.study, matplotlib
""",
    "rl": """
import jax
from hyperoxo.adapters.jax import make
env = make("3^2")
state = env.init(jax.random.key(0))
assert int(env.step(state, 4).legal_action_mask.sum()) == 8
""",
}
"""Programs that use an extra from Python."""


def run(words: list[str], seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def ends_well(call: str) -> str:
    """Run a call of the program; return what is wrong, or nothing."""
    done = run([OXO, *call.split()])
    return "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[-2000:]}"


def names_the_extra(call: str, extra: str) -> str:
    """Run a call without the extra that it needs; return what is wrong, or nothing."""
    done = run([OXO, *call.split(), "-q"])
    lines = done.stderr.splitlines()
    if done.returncode == 1 and len(lines) == 1 and f'the extra "{extra}"' in lines[0]:
        return ""
    return f"exit {done.returncode}, should name the extra {extra}: {done.stderr[-2000:]}"


def works(program: str) -> str:
    """Run a Python program; return what is wrong, or nothing."""
    done = run([sys.executable, "-c", program])
    return "" if done.returncode == 0 else done.stderr[-2000:]


def screen_opens() -> str:
    """Open the full screen on a terminal and leave it."""
    import fcntl
    import pty
    import struct
    import termios

    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = os.environ | {"TERM": "xterm-256color"}
    began = [OXO, "tui", "3^2", "human", "random"]
    shown = b""
    with subprocess.Popen(
        began, stdin=inner, stdout=inner, stderr=inner, env=environment
    ) as screen:
        os.close(inner)
        end = time.monotonic() + 120
        left = False
        while screen.poll() is None and time.monotonic() < end:
            if select.select([outer], [], [], 0.5)[0]:
                try:
                    shown += os.read(outer, 65536)
                except OSError:
                    break
            elif b"3^2" in shown:
                os.write(outer, b"\x11" if left else b"q")
                left = not left
        if screen.poll() is None and time.monotonic() >= end:
            screen.kill()
            return f"did not end: {shown[-500:]!r}"
    os.close(outer)
    return "" if screen.returncode == 0 else f"exit {screen.returncode}: {shown[-2000:]!r}"


def pages_are_served() -> str:
    """Serve the application; ask for a page, what it loads, and the interface."""
    words = [OXO, "serve", "--port", "0", "--store", "games.sqlite", "--format", "json"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            line = server.stdout.readline()
            if not line:
                return f"did not start: {server.stderr.read()[-2000:]}"
            text = line
            while text.count("{") > text.count("}"):
                text += server.stdout.readline()
            url = str(json.loads(text)["url"]).rstrip("/")
            for path in ("/", "/api/docs", "/api/openapi.json"):
                with urllib.request.urlopen(url + path, timeout=120) as answer:
                    if answer.status != 200 or not answer.read():
                        return f"{path}: status {answer.status}"
        except OSError as error:
            return str(error)
        finally:
            server.terminate()
    return ""


ON_SCREEN: dict[str, Callable[[], str]] = {"tui": screen_opens, "web": pages_are_served}


def main(extras: list[str]) -> int:
    """Try everything; print what does not work."""
    failed = 0

    def tried(what: str, trouble: str) -> None:
        nonlocal failed
        if trouble:
            failed += 1
            print(f"  {what}: {trouble}")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        version = run([OXO, "--version"])
        tried("oxo --version", "" if version.returncode == 0 else version.stderr)
        for extra in extras:
            for call in WITH[extra]:
                # There is no cluster at that address: the extra is there if it says so.
                if extra != "cluster":
                    tried(call, ends_well(call))
            if extra in PROGRAMS:
                tried(f"program for {extra}", works(PROGRAMS[extra]))
            if extra in ON_SCREEN:
                tried(extra, ON_SCREEN[extra]())
            found = json.loads(run([OXO, "doctor", "--format", "json"]).stdout)
            tried(f"doctor on {extra}", "" if found["extras"][extra] else "says it is missing")
        if not extras:
            for name, call in (*COMMANDS.items(), *(("", call) for call in MORE)):
                extra = NEEDS.get(name)
                tried(call, names_the_extra(call, extra) if extra else ends_well(call))
            for extra, calls in WITH.items():
                for call in calls:
                    tried(call, names_the_extra(call, extra))
        os.chdir("/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
