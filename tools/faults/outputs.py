"""Outputs of commands: several writers of one file, links beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from lives import Case, begin
from works import oxo

Checks = dict[str, Callable[[Case], object]]

TRAIN = ("train", "3^2", "td:games=400,generations=8", "--seed", "3", "--out")


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


OUTPUTS: dict[str, Checks] = {"outputs": {"writers": writers, "links": links}}
