"""Outputs of commands: several writers of one file, links beside it, no folder, no streams."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from lives import OXO, Case, begin, run
from works import oxo

Checks = dict[str, Callable[[Case], object]]

TRAIN = ("train", "3^2", "td:games=400,generations=8", "--seed", "3", "--out")
NOBODY = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    *("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"),
)
"""Words before a command by which it may read all files and write none of this user's."""


def writers(case: Case) -> None:
    """Begin several lives that write one file: each ends in the same file, or says who has it."""
    folder = case.place()
    path = folder / "learned.json"
    oxo(*TRAIN, str(case.place() / path.name))  # what forks need is loaded here
    lives = [begin(lambda: oxo(*TRAIN, str(path)), folder) for _ in range(3)]
    ended = [child.end() for child in lives]
    for life in ended:
        case.note("written" if life.code == 0 else "refused")
        if life.code and not (life.refused and "is being written by" in life.said):
            case.blame(f"one of three writers ended with {life.code}", life.said)
    if all(life.code for life in ended):
        case.blame("no writer of three wrote the file")
    elif not json.loads(path.read_bytes())["training"]["step"]:
        case.blame("the file is not whole")
    if left := [one.name for one in folder.iterdir() if one != path]:
        case.blame(f"left beside the file: {', '.join(left)}")


def links(case: Case) -> None:
    """Lay links and files beside an output, under names like those that a writer may take."""
    folder, victim = case.place(), case.place() / "victim"
    victim.write_text("mine")
    out = folder / case.chance.choice(("m.txt", "a.b.txt", ".m.txt"))
    digits = f"{case.chance.getrandbits(64):016x}"
    ends = (".part", ".0.part", ".1.part", ".tmp", ".lock", f".{digits}.part", "~")
    names = [f"{dot}{out.name}{end}" for end in ends for dot in ("", ".")]
    names += [f".oxo-{digits}.part", f".oxo-{digits}.lock"]
    laid = [folder / name for name in names if case.chance.random() < 0.7]
    for one in laid:
        if case.chance.random() < 0.5:
            one.symlink_to(victim)
        else:
            one.write_text("mine")
        os.utime(one, (0, 0), follow_symlinks=False)
    life = begin(lambda: oxo("board", "2^2", "--out", str(out)), folder).end()
    if life.code or len(out.read_text().splitlines()) != 9:
        case.blame(f"the lines were not written: {life.code}", life.said)
    case.note("names laid", len(laid))
    # One that is in all like our own, and as old, is taken for a killed writer's.
    for one in (one for one in (*laid, victim) if one.is_symlink() or not is_ours(one)):
        if not one.exists() or one.read_text() != "mine":
            case.blame(f"overwritten or removed: {one.name}")


def is_ours(path: Path) -> bool:
    """True if a file has the name of one of our partial files."""
    return path.name.startswith(".oxo-") and path.suffix == ".part"


def nowhere(case: Case) -> None:
    """Run commands as a user for whom no folder can be written, from a copy that is not theirs."""
    if os.getuid() or shutil.which("setpriv") is None or run((*NOBODY, "true")).returncode:
        case.note("not tried: only root can become such a user here")
        return
    import hyperoxo

    place = case.place()
    left_out = shutil.ignore_patterns("*.nb?", "*.lock")
    source = Path(hyperoxo.__file__).parents[1]
    for package in ("hyperoxo", "hyperoxo_research", "hyperoxo_web"):
        shutil.copytree(source / package, place / package, ignore=left_out)
    world = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(place)}
    if case.chance.random() < 0.5:
        world["NUMBA_CACHE_DIR"] = "/nonexistent/numba"
    for words, codes in (
        (("doctor",), (0, 1)),
        (("perft", "2^2", "--plies", "2"), (0,)),
        (("play", "2^2", "random", "random"), (0,)),
        (("classify", "2^2", "--proof", str(place / "p.oxo")), (1, 2)),
        (("results", "list"), (0, 1, 2)),
        (("serve", "--api-only", "--port", "0"), (1, 2)),
    ):
        done = run((*NOBODY, *OXO, *words, "--quiet"), world)
        case.note("commands")
        if done.returncode not in codes or "Traceback" in done.stderr:
            case.blame(f"oxo {' '.join(words)}: {done.returncode}", done.stderr)


SPOKEN = (
    ("board", "3^2"),
    ("board", "3^2", "--format", "json"),
    ("match", "3^2", "greedy", "random", "--games", "4", "--no-store", "--seed", "1"),
    ("play", "3^2"),
    ("picture", "3^2", "--out", "-"),
    ("perft", "3^2", "--plies", "3"),
    ("doctor",),
)


def streams(case: Case) -> None:
    """Close some of the standard streams of a command, or give it full ones."""
    words = case.chance.choice(SPOKEN)
    states = [case.chance.choice(("open", "closed", "full")) for _ in range(3)]
    said = case.place() / "said"
    with ExitStack() as files:
        given = [files.enter_context(Path(os.devnull).open("rb"))]
        given += [
            files.enter_context(Path("/dev/full" if state == "full" else place).open("wb"))
            for state, place in zip(states[1:], (said.with_name("out"), said), strict=True)
        ]
        closed = [number for number, state in enumerate(states) if state == "closed"]
        ends = " ".join(f"{number}>&-" for number in closed)
        done = subprocess.run(  # noqa: S603 - all words are ours
            ("/bin/sh", "-c", f'exec "$@" {ends}', "sh", *OXO, *words, "--quiet"),
            stdin=given[0], stdout=given[1], stderr=given[2], check=False,
        )  # fmt: skip
    case.note(" ".join(states))
    lines = said.read_text() if states[2] == "open" else ""
    lost = states[1] != "open" or (words[0] == "play" and states[2] == "full")
    if done.returncode != (1 if lost else 0) or "Traceback" in lines:
        case.blame(f"oxo {' '.join(words)} {states}: {done.returncode}", lines)


OUTPUTS: dict[str, Checks] = {
    "outputs": {"writers": writers, "links": links, "nowhere": nowhere, "streams": streams}
}
