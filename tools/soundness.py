#!/usr/bin/env python3
"""Compare answers with a second judge that shares no search with them, for as long as asked.

Usage: tools/soundness.py [PART ...] [--games N] [--seconds N] [--count N] [--seed S] [--case N]
       [--json]

proofs    a proof of a random small game is falsified, with its hash and counts put right; if the
          checker accepts it, brute force must agree with the claim
values    every method of solving against brute force, on games with random mixes of all options
rules     random games, twenty by the same rules, played and taken back by the compiled rules, the
          readable ones and a second implementation of their description
symmetry  images of a position have its moves and its value for every seat
workers   counts of positions and of move sequences, and matches, are the same for one, two and
          three processes
verdicts  every proof in the repository is checked again

PART is one of these or one of its parts, such as `proofs:zones`; --list has all. `rules`,
`symmetry` and `values` share --games, 10,000 unless given, drawn from all options of the grammar.
--seconds is for each other part, and if given for all; `verdicts` is always complete; --count ends
a part sooner. Case N of a part depends on --seed and N alone. A false answer is printed with the
command that repeats it; files are kept in build/soundness. The exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.soundness import PARTS, FalseAnswerError, Part  # noqa: E402

GAMES = 10_000
_SECONDS = 10.0

FOUND = ROOT / "build" / "soundness"

_OFTEN = 2.0
"""Seconds between two lines of progress."""

_ENOUGH = 20
"""Findings after which a part ends."""


@dataclass
class Tally:
    """Results of the cases of one part."""

    cases: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def try_part(
    name: str, part: Part, seed: int, *, first: int = 0, most: int | None, seconds: float | None
) -> Tally:
    """Try cases of a part, one after another from the first, to its end or for so long."""
    tally = Tally()
    begun = told = time.monotonic()
    ends = [end for end in (part.cases, None if most is None else first + most) if end is not None]
    number = first
    while not ends or number < min(ends):
        try:
            tally.counts += part.case(seed, number)
        except Exception as error:
            tally.findings.append(_kept(name, seed, number, error))
        number += 1
        tally.cases += 1
        now = time.monotonic()
        if tally.cases == 1:
            begun = now  # the first case is the one that compiles
        if now - told > _OFTEN:
            told = now
            of = f" of {min(ends) - first:,}" if ends else ""
            sys.stderr.write(f"{name}: {tally.cases:,}{of} cases, {now - begun:.0f} s\n")
        late = part.cases is None and seconds is not None and now - begun >= seconds
        if late or len(tally.findings) >= _ENOUGH:
            break
    tally.seconds = time.monotonic() - begun
    return tally


def _kept(name: str, seed: int, number: int, error: Exception) -> str:
    """Keep what shows a false answer, and return the line that tells of it."""
    FOUND.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace(':', '-')}-{seed}-{number}"
    (FOUND / f"{stem}.txt").write_text("".join(traceback.format_exception(error)), "utf-8")
    if isinstance(error, FalseAnswerError) and error.file:
        (FOUND / f"{stem}.oxo").write_bytes(error.file)
    what = str(error) if isinstance(error, FalseAnswerError) else repr(error)
    return f"{' '.join(what.split())} (tools/soundness.py {name} --seed {seed} --case {number})"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _shown(name: str, tally: Tally) -> None:
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.counts.items()))
    found = len(tally.findings)
    _say(f"{name:<28} {tally.cases:>9,} cases  {tally.seconds:>6.0f} s  {found} false  {counts}")
    for finding in tally.findings:
        _say(f"  {finding}")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="PART")
    parser.add_argument("--games", type=int, default=GAMES, help="of all options, in all parts")
    parser.add_argument("--seconds", type=float, help="for each part")
    parser.add_argument("--count", type=int, help="most cases of each part")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="try this case alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list:
        _say("\n".join(f"{name:<28} {part.about}" for name, part in PARTS.items()))
        return 0
    if unknown := sorted({*asked.names} - {*PARTS} - {name.split(":")[0] for name in PARTS}):
        parser.error(f"there is no part {unknown[0]}; --list names them")
    if asked.case is not None and asked.case < 0:
        parser.error(f"--case must be at least 0, not {asked.case}")
    tallies: dict[str, Tally] = {}
    wanted = {
        name: part
        for name, part in PARTS.items()
        if not asked.names or {name, name.split(":")[0]} & {*asked.names}
    }
    share = -(-asked.games // max(1, sum(part.draws for part in wanted.values())))
    if not asked.json:
        _say(f"seed {asked.seed}")
    # Leave out tables that users have built themselves.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPEROXO_DATA"] = folder
        for name, part in wanted.items():
            drawn = part.draws and asked.seconds is None
            count = asked.count if asked.count is not None or not drawn else share
            tallies[name] = try_part(
                name,
                part,
                asked.seed,
                first=asked.case or 0,
                most=count if asked.case is None else 1,
                seconds=None if drawn else _SECONDS if asked.seconds is None else asked.seconds,
            )
            if not asked.json:
                _shown(name, tallies[name])
    if asked.json:
        _say(json.dumps({name: vars(tally) for name, tally in tallies.items()}, indent=1))
    return 1 if any(tally.findings for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
