"""The kinds of runs and their options, as a table.

The options of the commands, the bodies of requests over HTTP, the fields of the pages and the
command that repeats a run all come from this table. It imports little, so that help is quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyperoxo.errors import SpecError, quoted
from hyperoxo.extensions import extensions

SCORINGS = ("rules", "report")
"""Scoring of games: as the rules say, or with a win on the last free cell as a draw, as the
program of a published report on the Ising agent did."""

MEASURES = ("score", "wins", "losses")
"""Measure of a sweep: the share of points, a draw counting half; of wins; or of losses, the
fewer the better."""

FITS = ("polynomial", "spline")


@dataclass(frozen=True)
class Option:
    """One option of a run: its name and range, for people and for programs."""

    name: str
    help: str
    type: type = str
    default: Any = None
    required: bool = False
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    many: tuple[int, int] | None = None
    """Fewest and most values, where it takes several."""
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    inside: tuple[Option, ...] = ()
    """Its parts, if it is an object."""
    implied: bool = False
    """True if a command leaves it out where it is the default."""


_TEST = (
    Option(
        "question",
        "Play until it is clear whether agent A wins more games than B.",
        required=True,
        metavar="'A>B'",
    ),
    Option(
        "alpha",
        "Greatest probability of 'yes' if the agents are equal.",
        *(float, 0.05),
        above=0,
        below=0.5,
    ),
    Option(
        "beta",
        "Greatest probability of 'no' if A's share of the decided games is `effect`.",
        *(float, 0.05),
        above=0,
        below=0.5,
    ),
    Option(
        "effect",
        "Smallest share of the decided games to detect.",
        *(float, 0.55),
        above=0.5,
        below=1,
    ),
)


def _agents(most: int) -> Option:
    return Option("agents", "Agent specs; the first has seat 1.", many=(0, most), required=True)


def _games(text: str, default: int | None = 100) -> Option:
    return Option("games", text, int, default, least=1)


_SCORING = Option(
    "scoring",
    "'report' counts a win on the last free cell as a draw, as a published program did.",
    default="rules",
    choices=SCORINGS,
    implied=True,
)


@dataclass(frozen=True)
class RunKind:
    """A kind of run."""

    play: str
    """The function that carries it out, as ``module:function``. It takes the game first, or the
    option that is named like the kind."""
    options: tuple[Option, ...]
    reports: bool = False
    """True if it writes a report, and takes by name what that needs, such as its folder."""


RUNS = {
    "match": RunKind(
        "hyperoxo.lab.match:match",
        (
            _agents(8),
            _games("Number of games; with a test, the most.", None),
            Option("swap", "Rotate the seats from game to game; count by agent.", bool, False),
            Option(
                "random_plies",
                "Draw the first plies of each game at random; with --swap, each opening serves "
                "all rotations of the seats.",
                *(int, 0),
                least=0,
                implied=True,
            ),
            Option("until", "A sequential test, which ends the match.", dict, inside=_TEST),
            _SCORING,
        ),
    ),
    "tournament": RunKind(
        "hyperoxo.lab.tournament:tournament",
        (
            _agents(64),
            _games("Games per seating."),
            Option("distinct", "Leave out seatings in which an agent sits twice.", bool, False),
            _SCORING,
        ),
    ),
    "sweep": RunKind(
        "hyperoxo.lab.sweep:sweep",
        (
            Option("agent", "The agent, without the parameters that vary.", required=True),
            Option(
                "vary",
                "Parameter and values, end included; twice for two parameters.",
                required=True,
                many=(1, 2),
                metavar="NAME=FROM:TO:STEP",
            ),
            Option(
                "versus",
                "The agent in all other seats; or repeated, one for each seat in order.",
                required=True,
                many=(1, 7),
                metavar="B",
            ),
            Option("seat", "The agent's seat.", int, 1, least=1, most=8),
            _games("Games per value."),
            Option(
                "measure",
                "Quantity to fit: share of points, of wins, or of losses.",
                default="score",
                choices=MEASURES,
            ),
            Option(
                "fit",
                "Curve through the points, for one parameter.",
                default="polynomial",
                choices=FITS,
            ),
            Option(
                "degree",
                "Degree of the polynomial; auto by BIC.",
                int,
                least=0,
                most=12,
                metavar="auto|D",
            ),
            Option("adaptive", "Play more games where the best value may lie.", bool, False),
            _SCORING,
        ),
    ),
}
"""The kinds of this package; others come from the entry points of ``hyperoxo.runs``."""


def run_kinds() -> tuple[str, ...]:
    """Name all kinds of runs."""
    return (*RUNS, *extensions("hyperoxo.runs"))


def run_kind(name: str) -> RunKind:
    """Return a kind of run."""
    if name in RUNS:
        return RUNS[name]
    if name not in run_kinds():
        raise SpecError(f"there are runs of {', '.join(run_kinds())}, not {quoted(name)}")
    found: RunKind = extensions("hyperoxo.runs")[name].load()
    return found
