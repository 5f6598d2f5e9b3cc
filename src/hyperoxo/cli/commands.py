"""The table of commands: headings, lines of help, modules and old spellings.

Other packages add commands by entry points of the group ``hyperoxo.commands``: tables of `Listed`,
or of tuples like it, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from hyperoxo.cli.output import load_group, print_remark

COMMANDS = {
    "Play": {
        "play": "Play in the terminal.",
        "tui": "Play and analyse on a full screen.",
        "puzzle": "Make puzzles: forced wins to find.",
        "analyse": "Show the value of each move of a game, or ask an agent for a move.",
    },
    "Measure": {
        "match": "Play many games between agents and count the results.",
        "tournament": "Play every pairing of several agents and rate them.",
        "sweep": "Try many values of an agent's parameter.",
        "truth": "Measure agents by exact values.",
        "results": "List and export the results of earlier runs.",
    },
    "Learn": {"train": "Train a learner on a game."},
    "Prove": {
        "solve": "Find the value of a game and of every move.",
        "prove": "Prove forced wins and what seats can force; work with proof files.",
        "prove threats": "Find forced wins, or check a published one.",
        "prove coalition": "Show what each seat can force against all the others.",
        "prove guide": "Let one seat follow an agent against every reply.",
        "prove show": "Print what a proof claims and plays, or draw its tree.",
        "prove tree": "Open a proof at one position.",
        "prove stored": "List or copy the proofs that come with the program.",
        "prove pack": "Make a proof file of a list of strategic moves.",
        "prove export": "Write the strategic moves of a proof as text.",
        "prove shrink": "Make a proof smaller by other winning moves.",
        "verify": "Check a proof file, or a dictionary of strategic moves.",
    },
    "Data": {
        "board": "Count cells, lines, symmetries and orbits.",
        "perft": "Count move sequences ply by ply.",
        "states": "Count all positions and write their graph.",
        "draw": "Draw positions, games, game trees and maps of optimal moves.",
        "draw position": "Draw a position, or a game move by move.",
        "draw tree": "Draw the game tree.",
        "convert": "Convert positions and games to other notations.",
    },
    "Tools": {
        "warmup": "Compile everything now rather than at first use.",
        "doctor": "Show what this installation has and lacks.",
    },
    "": {"explain": "Ask an agent for a move and its reasons."},
}
"""The line of each command in ``oxo --help``, by headings; without a heading it is not listed.

A name of two words belongs to the group of the first one.
"""

_OLD = {
    "prove": "proof",
    "draw position": "picture",
    "draw tree": "tree",
    **{f"prove {one}": one for one in ("threats", "coalition", "guide")},
}
"""Earlier names, which keep working."""

_TOGETHER = {
    **{name: f"runs:{name}" for name in ("match", "tournament", "sweep", "results")},
    "tui": "play:tui",
    "explain": "analyse:explain",
    "perft": "states:perft",
    "prove guide": "coalition:guide",
    "puzzle": "threats:puzzle",
    "verify": "prove:verify",
    "warmup": "doctor:warmup",
}
"""Commands beside others in a module, or by another name there."""

ELSEWHERE = {
    "hyperoxo_web": ("serve",),
    "hyperoxo_research": (
        *("study", "dataset", "classify", "atlas", "bench"),
        *("prove values", "values", "prove table-bound", "leaves", "ladder"),
        *("prove replies", "replies", "prove quiet", "quiet", "draw map", "map"),
    ),
}
"""Commands of our other packages, each of which is named where it is missing."""


class Listed(NamedTuple):
    """A command that is not loaded yet."""

    heading: str
    line: str
    place: str = ""
    """``module`` or ``module:name``, ``command`` by default; a group has none."""
    old: str = ""


def _place(name: str) -> str:
    """Return the place of a command of this package: its own module, or a shared one."""
    group, _, last = name.rpartition(" ")
    alone = not group or (group == "prove" and name in _OLD)
    usual = last if alone else f"{group}:{last}"
    return f"hyperoxo.cli.{_TOGETHER.get(name, usual)}"


@cache
def registered() -> dict[str, Listed]:
    """Return the commands of all packages by their names, of one word or two."""
    found = {
        name: Listed(
            heading, line, "" if name in ("prove", "draw") else _place(name), _OLD.get(name, "")
        )
        for heading, lines in COMMANDS.items()
        for name, line in lines.items()
    }
    for extension, table in load_group("hyperoxo.commands"):
        try:
            for name, row in table.items():
                found.setdefault(name, Listed(*row))
        except (AttributeError, TypeError):
            print_remark(f"oxo: '{extension}' of another package is not a table of commands")
    return found


@cache
def old_names() -> dict[str, str]:
    """Return the present name of every old one."""
    return {listed.old: name for name, listed in registered().items() if listed.old}


def commands(group: str = "") -> dict[str, Listed]:
    """Return the commands that are listed in ``oxo --help``, or in that of a group."""
    return {
        name.removeprefix(f"{group} "): listed
        for name, listed in registered().items()
        if listed.heading and name.rpartition(" ")[0] == group
    }


def headings() -> Iterator[tuple[str, dict[str, Listed]]]:
    """Yield the headings of ``oxo --help``, each with its commands."""
    listed = commands()
    for heading in dict.fromkeys(one.heading for one in listed.values()):
        yield heading, {name: one for name, one in listed.items() if one.heading == heading}


def package_of(name: str) -> str | None:
    """Return the missing hyperoxo package that has a command; None if none has it."""
    return next((package for package, names in ELSEWHERE.items() if name in names), None)
