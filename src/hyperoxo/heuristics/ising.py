"""The energy of a line, adapted from the Ising model.

A report of 2024 gives every line k! * c^k with c = (n+1)^(1/n) for k own stones and no
rival's, 1 for an empty line and 0 for a line with a rival's stone, so that a full line
counts (n+1)!. Its program counts differently: it scans every line from both ends. An
empty end cell counts 0 and the scan continues; after it own stones count until the
first empty cell; a rival's stone that is met makes the scan worth 0. The line is worth
the sum of its two scans. Both readings are offered and both are right for every n; the
program's own scan steps by doubling and misses cells where n > 3.

References
----------
README of github.com/Rao-mi/Tic_Tac_Toe, a report without a title on a C++ library, 2024; energy in
its section on the adaptations of the Ising model, program in the section that follows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from math import factorial

from hyperoxo.errors import SpecError, quoted
from hyperoxo.heuristics.line import LineHeuristic

READINGS = ("formula", "scan")


def line_energy(own: int, size: int, c: float | None = None) -> float:
    """Energy of a line of `size` cells with `own` stones of one player only."""
    power = (size + 1.0) ** (own / size) if c is None else c**own
    return float(factorial(own) * power)


@cache
def ising_heuristic(reading: str = "formula", c: float | None = None) -> LineHeuristic:
    """Return the line energy as a heuristic."""
    if reading not in READINGS:
        raise SpecError(f"reading must be 'formula' or 'scan', not {quoted(reading)}")
    name = "ising" if reading == "formula" else "ising-scan"
    weight = partial(_energy, c=c)
    return LineHeuristic(name, weight, full_is_infinite=False, by_ends=reading == "scan")


def _energy(own: int, rivals: int, size: int, _players: int, *, c: float | None) -> float:
    return 0.0 if rivals else line_energy(own, size, c)


def with_rivals(energy: LineHeuristic, bias: float) -> LineHeuristic:
    """Add `bias` times the energies of all rivals to that of the player, line by line.

    The report's second energy, with bias 1: both after the player's own move. With three or more
    players a line must be worth nothing to all once two of them are on it.
    """
    return replace(energy, weight=partial(_energies, energy=energy, bias=bias))


def _energies(
    own: int,
    rivals: int,
    size: int,
    players: int,
    *kind: int,
    energy: LineHeuristic,
    bias: float,
) -> float:
    others = energy.weight(rivals, own, size, players, *kind)
    if not own or not rivals:
        # Every rival without a stone on the line sees those of one single other player.
        without = players - 1 - bool(rivals)
        others = bool(rivals) * others
        others += without * energy.weight(0, own + rivals, size, players, *kind)
    return energy.weight(own, rivals, size, players, *kind) + bias * others
