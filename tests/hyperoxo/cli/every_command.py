"""Every command with a small call, run one after another in this process or in forks of it.

Run as a program, it makes the calls in a folder and prints how each ended, as lines of JSON: the
command, its exit code, and what it said on standard output and on standard error.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import psutil

from hyperoxo.cli.commands import registered
from hyperoxo.cli.main import main

EXAMPLES = {
    "analyse": "analyse --game 3^2 --moves 0,4,8",
    "atlas": "atlas --sides 1 --dims 1",
    "bench": "bench many",
    "board": "board 3^2",
    "classify": "classify 2^2",
    "convert": "convert game.oxo - --to json",
    "dataset": "dataset 2^2 --out data.jsonl",
    "doctor": "doctor",
    "draw map": "draw map 2^2 --out -",
    "draw position": "draw position 2^2 --out -",
    "draw tree": "draw tree 2^2 --plies 1 --out -",
    "match": "match 2^2 greedy random --games 2 --no-store",
    "perft": "perft 2^2 --plies 2",
    "play": "play 2^2 random random",
    "prove coalition": "prove coalition 2^2:players=3",
    "prove export": "prove export moves.oxo --dictionary -",
    "prove guide": "prove guide 2^2 --seat 1 --agent greedy",
    "prove pack": "prove pack 3^3 --dictionary moves.txt --out -",
    "prove quiet": "prove quiet 3^3 --nodes 10 --memory 1 --threads 1",
    "prove replies": "prove replies 3^3 --position moves:13 --threads 1 --memory 1",
    "prove show": "prove show moves.oxo",
    "prove shrink": "prove shrink moves.oxo --out smaller.oxo --seconds 0",
    "prove stored": "prove stored",
    "prove table-bound": "prove table-bound 2^2 --seat 1",
    "prove threats": "prove threats 3^3 --position moves:13,0",
    "prove tree": "prove tree moves.oxo",
    "prove values": "prove values 2^2",
    "puzzle": "puzzle 3^2 --length 1 --seed 1",
    "results": "results",
    "serve": "serve --port 0 --api-only",
    "solve": "solve 3^2",
    "states": "states 2^2",
    "study ladder": "study ladder 3^2 --games 1",
    "study league": "study league 2^2:convention=maker-breaker --games 1",
    "study": "study bias --scale 0.001 --no-figures --no-store",
    "sweep": "sweep 2^2 --agent ising --vary bias=0:1:1 --versus random --games 2 --no-store",
    "tournament": "tournament 2^2 random greedy --games 2 --no-store",
    "train": "train 2^2 td:games=20,generations=1",
    "truth": "truth 2^2 greedy",
    "tui": "tui 2^2",
    "verify": "verify moves.oxo",
    "warmup": "warmup -h",
}
"""A call of every command. Those that serve or compile for long are broken off, or only asked."""

ENDLESS = {"serve"}
"""Commands that are interrupted once they have listened for `SECONDS`."""
SECONDS = 0.5

LACKING: Any = ([0, 2], []), ([1], []), ([0, 1, 2], []), ([], [1]), ([], [2])
"""Streams that are closed, and those that are full."""

INPUTS = {
    "game.oxo": "3^2 moves:4,0\n",
    "moves.txt": " 13\n",
    "moves.oxo": """\
hyperoxo-dictionary 1
sha256 dcd30561fc5777b2a0ba0357017700effbaf3b802399bf1b8b870f8fa6f1f866
game 3^3
position ...........................
seat 1
leaves stored
creator oxo proof pack --leaves stored
symmetries 48
strategic 1
blocks 0
sequences 4
first -
........................... 13 0-24/1-19/0-6/25-22
""",
}
"""Files that the calls read."""


def commands() -> list[str]:
    """Name every command of the program that is listed, those of groups included."""
    return [name for name, listed in registered().items() if listed.heading and listed.place]


def prepare(folder: Path) -> None:
    """Write the files that the calls read."""
    for name, content in INPUTS.items():
        (folder / name).write_text(content, "ascii")


def call(line: str, folder: Path) -> int:
    """Make a call in a folder, in this process; return its exit code."""
    os.chdir(folder)
    if line.partition(" ")[0] in ENDLESS:
        own, looks = psutil.Process(), list[bool]()

        def look(*_: object) -> None:
            looks.append(any(one.status == "LISTEN" for one in own.net_connections()))
            if looks.count(True) == 2:
                os.kill(os.getpid(), signal.SIGINT)  # Ctrl-C

        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        main([*shlex.split(line), "--quiet"], prog_name="oxo")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    raise AssertionError


def call_here(line: str, folder: Path) -> tuple[int, str, str]:
    """Make a call with nothing to read; return its exit code, and what it said."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in "12")
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = call(line, folder)
        except BaseException:
            code = 70
            traceback.print_exc()
    return code, _written(out), _written(err)


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def call_without(
    line: str, folder: Path, closed: Collection[int], full: Collection[int] = ()
) -> tuple[int, str, str]:
    """Make a call in a fork, in which some of the streams 0, 1 and 2 are closed, or are full."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = os.fork()
        if not child:
            _begin((os.devnull, out, err), closed, full, lambda: call(line, folder))
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), err.read()


def _begin(
    streams: tuple[str, io.TextIOBase, io.TextIOBase],
    closed: Collection[int],
    full: Collection[int],
    work: Callable[[], int],
) -> None:
    """Do the work with other streams, as Python has them when it starts, and end the process."""
    code = 70
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number in (1, 2):
            given = streams[number]
            assert not isinstance(given, str)
            place = os.open("/dev/full", os.O_WRONLY) if number in full else given.fileno()
            os.dup2(place, number)
        for number in closed:
            os.close(number)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            kind = "w" if number else "r"
            setattr(sys, name, None if number in closed else os.fdopen(number, kind))
        code = work()
    except BaseException:
        if sys.stderr is not None:
            traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except OSError:
                code = 120  # as Python ends where its last flush fails
        os._exit(code)


@contextmanager
def nothing_to_read() -> Iterator[None]:
    """Give this process an empty standard input."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


if __name__ == "__main__":
    if sys.argv[1] == "--without":
        # What the forks need is loaded once. Here no event loop has run, which none survives.
        import hyperoxo_web.server.api
        import hyperoxo_web.server.running  # noqa: F401

        ends = [call_without(sys.argv[3], Path(sys.argv[2]), *lacks) for lacks in LACKING]
        sys.stdout.write(json.dumps(ends))
        sys.exit()
    with nothing_to_read():
        for name in sys.argv[2:] or EXAMPLES:
            code, out, err = call_here(EXAMPLES[name], Path(sys.argv[1]))
            sys.stdout.write(json.dumps([name, code, out[-1000:], err[-3000:]]) + "\n")
