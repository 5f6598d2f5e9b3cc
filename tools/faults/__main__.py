"""Interrupt, starve and damage runs of hyperoxo, and compare the results with undisturbed ones.

    .venv/bin/python tools/faults                      # everything
    .venv/bin/python tools/faults --short              # few trials of each kind
    .venv/bin/python tools/faults proof serve:kill     # some subjects, or one fault of a subject
    .venv/bin/python tools/faults train:full --seed 1 --case 7

Subjects are runs that keep their state in a folder, a server with eight games at a time, and what
surrounds them: output files, limits on files and memory, workers, compiled code. Each fault
ends in the result of an undisturbed run:

kill    kill -9 at a random moment, or just when a file changes, again and again: nothing
        acknowledged or stored is lost, no partial file stays
full    a small disk, or files that may not grow: one line says so; then there is room again
damage  a file is cut, emptied, replaced, or a bit of it changed: the same result, or one line
        refuses the file, which stays as it is
twice   two runs in one folder, a second server on a store by another name or a link: the same
        result, or one is refused
memory  little memory: one line, or the end of the process; then all of it
clock   the clock of the machine is set by up to a day, five times a second: clocks of games lose
        only the time that passed

A run is a fork of this process, in which everything is compiled, or a command where its own
processes are meant. Progress is on standard error, a table at the end on standard output. The exit
code is 1 if anything was lost, wrong, or reported as a traceback; then the folders stay.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import serving
from around import AROUND
from lives import Case
from outputs import OUTPUTS
from starved import STARVED
from trials import Trial
from works import WORKS

KILLS, CASES = 100, 10
SHORT_KILLS, SHORT_CASES = 4, 1


@dataclass
class Part:
    """One fault of one subject, and what came of it."""

    name: str
    trial: Callable[[Case], object]
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    cases: int = 0
    seconds: float = 0.0

    def run(self, number: int, seed: int, place: Path) -> None:
        """Try the case of a number, of which all chance follows from the seed."""
        folder = place / self.name.replace(":", "-") / f"{number}"
        folder.mkdir(parents=True)
        case = Case(folder, random.Random(f"{seed} {self.name} {number}"))
        start = time.perf_counter()
        try:
            self.trial(case)
        except Exception as error:
            traceback.print_exc()
            case.blame(f"{type(error).__name__}: {error}")
        self.seconds += time.perf_counter() - start
        self.cases += 1
        self.counts += case.counts
        again = f"tools/faults {self.name} --seed {seed} --case {number}"
        self.wrong += [f"{one}: {again} ({folder})" for one in case.wrong]
        if not case.wrong:
            shutil.rmtree(folder)

    @property
    def told(self) -> str:
        """Outcome, in words."""
        return ", ".join(f"{number:,} {kind}" for kind, number in sorted(self.counts.items()))


def parts(place: Path) -> list[Part]:
    """Return all faults of all subjects."""
    trials = {work.name: Trial(work, place).faults for work in WORKS}
    return [
        Part(f"{subject}:{fault}", trial)
        for subject, faults in (
            trials | {"serve": serving.FAULTS} | AROUND | OUTPUTS | STARVED
        ).items()
        for fault, trial in faults.items()
    ]


def chosen(
    names: Sequence[str], known: Sequence[Part], parser: argparse.ArgumentParser
) -> list[Part]:
    """Return the parts of some names, each a subject, a fault of one, or ``:FAULT`` of all."""
    found = []
    for name in names:
        subject, _, fault = name.partition(":")
        fitting = [
            part
            for part in known
            if subject in ("", part.name.partition(":")[0])
            and fault in ("", part.name.partition(":")[2])
        ]
        if not fitting:
            parser.error(f"there is no part {name!r}; parts are {', '.join(p.name for p in known)}")
        found += [part for part in fitting if part not in found]
    return found or list(known)


def tell(line: str) -> None:
    """Print a line of progress now."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def try_all(wanted: Sequence[Part], asked: Any, place: Path) -> None:
    """Try all parts, each until it has its number of cases, or of kills."""
    short = asked.short
    kills = asked.kills if asked.kills is not None else SHORT_KILLS if short else KILLS
    cases = asked.cases if asked.cases is not None else SHORT_CASES if short else CASES
    for part in wanted:
        if asked.case is not None:
            part.run(asked.case, asked.seed, place)
        elif part.name.endswith(":kill") and part.name != "code:kill":
            while part.counts["killed"] < kills and len(part.wrong) < 10:
                part.run(part.cases, asked.seed, place)
                tell(f"{part.name}: {part.counts['killed']} of {kills} kills")
        else:
            for number in range(cases):
                part.run(number, asked.seed, place)
                tell(f"{part.name}: {number + 1} of {cases}")
        for line in part.wrong:
            tell(f"  WRONG: {line}")


def main() -> int:
    """Do what the command line asks for; return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="tools/faults",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="SUBJECT, SUBJECT:FAULT, :FAULT")
    parser.add_argument("--short", action="store_true", help="few trials of each kind")
    parser.add_argument("--kills", type=int, help=f"kills of each subject; default {KILLS}")
    parser.add_argument("--cases", type=int, help=f"trials of every other kind; default {CASES}")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random moments")
    parser.add_argument("--case", type=int, help="only the trial of this number")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    asked = parser.parse_args()
    # In the background of a script, and under nohup, all that is begun here would ignore them.
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    place = Path(tempfile.mkdtemp(prefix="faults-"))
    wanted = chosen(asked.parts, parts(place), parser)
    try_all(wanted, asked, place)
    wrong = [line for part in wanted for line in part.wrong]
    if asked.json:
        rows = [
            {
                "part": part.name,
                "cases": part.cases,
                "seconds": round(part.seconds, 1),
                "counts": dict(part.counts),
                "wrong": part.wrong,
            }
            for part in wanted
        ]
        sys.stdout.write(json.dumps({"parts": rows, "wrong": len(wrong)}) + "\n")
    else:
        for part in wanted:
            told = f"{part.name:18} {part.cases:4} cases {part.seconds:6.0f} s  {part.told}"
            sys.stdout.write(f"{told}\n")
        sys.stdout.write("".join(f"WRONG: {line}\n" for line in wrong))
        sys.stdout.write(f"{len(wrong)} wrong\n")
    if not wrong:
        shutil.rmtree(place)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
