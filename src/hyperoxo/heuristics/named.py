"""Line heuristics by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from hyperoxo.errors import SpecError, meant, quoted
from hyperoxo.heuristics.ising import ising_heuristic
from hyperoxo.heuristics.line import LineHeuristic
from hyperoxo.heuristics.tables import read_table, shipped_heuristic


def _nothing(_own: int, _rivals: int, _size: int, _players: int) -> float:
    return 0.0


def _lines(own: int, _rivals: int, _size: int, _players: int) -> float:
    """Count the own stones of all lines: each as often as lines run through its cell."""
    return float(own)


def _traps(own: int, rivals: int, _size: int, _players: int) -> float:
    """Return 1, 8, 64, ... for 1, 2, 3, ... own stones on a line without a rival's stone."""
    return 8.0 ** (own - 1) if own and not rivals else 0.0


def _potential(own: int, rivals: int, size: int, _players: int) -> float:
    """Return the Erdős-Selfridge weight of a line without a rival's stone."""
    return 0.0 if rivals else 2.0 ** (own - size)


def _not_rivals(own: int, rivals: int, _size: int, _players: int) -> float:
    """Count the free and own cells beside an own stone: the report's second version."""
    return 0.0 if rivals else float(own)


def _free(own: int, rivals: int, _size: int, _players: int) -> float:
    """Count the free cells beside an own stone: the report's first version."""
    return float(own == 1 and rivals == 0)


def _distance(
    own: int, rivals: int, size: int, players: int, *, attack: float, defend: float
) -> float:
    # With factors of 1 a line is worth zero in sum: what its owner gains, the other q - 1 players
    # lose in equal parts.
    if own and not rivals:
        return attack / (size - own)
    if rivals and not own:
        return -defend / ((size - rivals) * (players - 1))
    return 0.0


@cache
def kutner_heuristic(attack: float = 1.0, defend: float = 1.0) -> LineHeuristic:
    """Score of a draft on games for q players: the reciprocal distance to a full line."""
    return LineHeuristic("kutner", partial(_distance, attack=attack, defend=defend))


# Functions of a module, and no closures, can be pickled with an agent.
_by_neighbours = partial(LineHeuristic, full_is_infinite=False, on_neighbours=True)

HEURISTICS: dict[str, Callable[[], LineHeuristic]] = {
    "none": partial(LineHeuristic, "none", _nothing),
    "lines": partial(LineHeuristic, "lines", _lines),
    "traps": partial(LineHeuristic, "traps", _traps),
    "potential": partial(LineHeuristic, "potential", _potential),
    "neighbours": partial(_by_neighbours, "neighbours", _not_rivals),
    "neighbours-empty": partial(_by_neighbours, "neighbours-empty", _free),
    "kutner": kutner_heuristic,
    "ising": ising_heuristic,
    "ising-scan": lambda: ising_heuristic("scan"),
}
"""Factories of the named heuristics that support every game."""

LEARNED: dict[str, Callable[[], LineHeuristic]] = {"td": shipped_heuristic}
"""Factories of heuristics that support lines of certain sizes only."""


def as_heuristic(heuristic: object) -> LineHeuristic:
    """Return a line heuristic given as such, by name, or as the file of a learned table."""
    if isinstance(heuristic, LineHeuristic):
        return heuristic
    if not isinstance(heuristic, str):
        known = "a name, FILE.json or made by ox.line_heuristic"
        raise SpecError(f"a heuristic of lines is {known}, not {type(heuristic).__name__}")
    if is_file(heuristic):
        return read_table(heuristic).heuristic(heuristic)
    return heuristic_by_name(heuristic)


def is_file(name: str) -> bool:
    """True if a heuristic is named by a file."""
    return name.lower().endswith(".json")


@cache
def heuristic_by_name(name: str) -> LineHeuristic:
    """Return the line heuristic of that name."""
    known = HEURISTICS | LEARNED
    if name not in known:
        listed = meant(name, known) or f"known are {', '.join(known)}, and FILE.json"
        raise SpecError(f"unknown heuristic {quoted(name)}; {listed}")
    return known[name]()
