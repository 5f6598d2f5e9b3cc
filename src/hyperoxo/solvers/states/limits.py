"""How many positions a game may have, and what it would take to list them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hyperoxo.board.limits import memory_limit
from hyperoxo.board.symmetry import MAX_ELEMENTS
from hyperoxo.errors import LimitError
from hyperoxo.rules import Game

LONGEST = 6 * 3600.0
"""Seconds of work above which an enumeration is refused."""

_SMALL = 20_000
_SAMPLES = 4_000
_SAMPLED_PLIES = 2_000_000
_MANY_CELLS = 10_000
_HOPELESS = 10**100
_UNITS = ((1, 1e-3, "ms"), (60, 1, "s"), (3600, 60, "minutes"), (2 * 86400, 3600, "hours"),
          (730 * 86400, 86400, "days"), (math.inf, 365.25 * 86400, "years"))  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """What an enumeration would take."""

    entries_by_ply: tuple[int, ...]
    seconds: float
    memory: int

    @property
    def entries(self) -> int:
        """Positions, or classes, in all."""
        return sum(self.entries_by_ply)


def entry_bytes(game: Game) -> int:
    """Return the bytes a position of a layer takes, with its share of the hash table."""
    return 8 * -(-game.cells * game.players.bit_length() // 64) + 40


def bounds_by_ply(game: Game, plies: int | None = None) -> tuple[int, ...]:
    """Count the ways to lay out the stones of 0, 1, ... plies, whoever has won before."""
    last = game.cells if plies is None else min(plies, game.cells)
    piles = _piles(game, last) if game.below is not None and game.cells <= _MANY_CELLS else None
    bounds: list[int] = []
    colourings = 1
    for ply in range(last + 1):
        if ply:
            # One stone more, of the player who now has this many.
            colourings = colourings * ply // game.turns.made(game.turns.mover(ply - 1), ply)
        shapes = math.comb(game.cells, ply) if piles is None else piles[ply]
        bounds.append(shapes * colourings)
        if bounds[-1] > _HOPELESS:
            break
    return tuple(bounds)


def _piles(game: Game, most: int) -> list[int]:
    """Sets of cells that piles of stones may fill, by their number."""
    assert game.below is not None
    above = {int(under): cell for cell, under in enumerate(game.below) if under >= 0}
    counts = [1]
    for floor in game.first_landing_cells:
        height, cell = 1, int(floor)
        while cell in above:
            cell = above[cell]
            height += 1
        grown = [0] * min(len(counts) + height, most + 1)
        for filled, ways in enumerate(counts):
            for total in range(filled, min(filled + height, most) + 1):
                grown[total] += ways
        counts = grown
    return counts


def estimate(game: Game, *, symmetry: bool = True, plies: int | None = None) -> Estimate:
    """Estimate what an enumeration would take."""
    bounds = bounds_by_ply(game, plies)
    order = game.symmetry.order if symmetry else 1
    if sum(bounds) > _SMALL and game.cells <= _MANY_CELLS:
        bounds = _thinned(game, bounds)
    entries = tuple(max(1, bound // order) if bound else 0 for bound in bounds)
    words = -(-game.cells * game.players.bit_length() // 64)
    cost = 1e-7 + (4e-9 * min(order, 10**5) * words if symmetry else 5e-8)
    children = sum(count * (game.cells - ply) for ply, count in enumerate(entries))
    largest = max((a + 2 * b for a, b in pairwise(entries)), default=1)
    return Estimate(entries, cost * children, largest * entry_bytes(game))


def _thinned(game: Game, bounds: tuple[int, ...]) -> tuple[int, ...]:
    from hyperoxo.kernels.classes_survey import survivors
    from hyperoxo.solvers.arrays import tables_of

    alive = np.zeros(len(bounds), dtype=np.int64)
    samples = min(_SAMPLES, _SAMPLED_PLIES // game.cells)
    survivors(tables_of(game), samples, len(bounds) - 1, 0, alive)
    return tuple(bound * int(count) // samples for bound, count in zip(bounds, alive, strict=True))


def check_size(game: Game, guess: Estimate) -> None:
    """Refuse an enumeration that would take hours or more memory than the budget."""
    budget = memory_limit()
    if guess.memory <= budget and guess.seconds <= LONGEST:
        return
    raise LimitError(
        f"{game} has about {_rounded(guess.entries)} positions to list, which would take "
        f"{_rounded(guess.memory / 2**30)} GiB and {_duration(guess.seconds)} (the limits are "
        f"{_rounded(budget / 2**30)} GiB and {_duration(LONGEST)}); "
        "a smaller number of plies bounds it"
    )


def room_for(game: Game, *, symmetry: bool, plies: int | None) -> int:
    """Check the size of an enumeration; return how many positions a layer may have at most."""
    possible = symmetry and game.symmetry.order <= MAX_ELEMENTS
    check_size(game, estimate(game, symmetry=possible, plies=plies))
    return memory_limit() // entry_bytes(game)


def _rounded(number: float) -> str:
    if number < 1e6:
        return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
    return f"{number:.1e}".replace("e+", "e")


def _duration(seconds: float) -> str:
    for limit, unit, name in _UNITS:
        if seconds < limit:
            return f"{_rounded(seconds / unit)} {name}"
    raise AssertionError
