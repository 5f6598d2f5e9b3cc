"""Stored full boards n^d without a line, balanced, found by a SAT solver; and stored proofs.

Each board is a bit for every class of cells under cyclic shifts of coordinates; opposite cells have
different players. So a board of some kilobytes takes a few hundred bytes. `tools/full_boards.py`
finds them; every line is checked when a board is read.

References
----------
S. Golomb and A. Hales, "Hypercube tic-tac-toe", More Games of No Chance (2002), whose table says
that there are no such boards.
"""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.proof.stored import stored_file
from hyperoxo_research.proof.filling import Filling, read_filling
from hyperoxo_research.proof.filling_cases import FillingCases, read_filling_cases
from hyperoxo_research.proof.no_draw import NoDraw, read_no_draw

_stored_file = partial(stored_file, package="hyperoxo_research")


@cache
def _stored() -> dict[tuple[int, int], tuple[tuple[int, ...], str]]:
    text = (files("hyperoxo_research") / "data" / "full-boards.json").read_text(encoding="utf-8")
    return {
        (row["side"], row["dim"]): (tuple(row["cycles"]), row["bits"]) for row in json.loads(text)
    }


def stored_boards() -> tuple[tuple[int, int], ...]:
    """Return the sides and dimensions of the stored boards."""
    return tuple(_stored())


@cache
def stored_board(side: int, dim: int) -> NDArray[np.uint8] | None:
    """Return the stones of a full board side^dim without a line, 0 or 1 for each cell, or None.

    Every line is checked, and that the numbers of stones differ by one at most.

    Raises
    ------
    CheckFailedError
        If the stored board has a line of one player, or too many stones of one.
    """
    if (side, dim) not in _stored():
        return None
    cycles, text = _stored()[side, dim]
    classes, signs = classes_of(side, dim, cycles)
    bits = np.unpackbits(np.frombuffer(base64.b64decode(text), np.uint8))
    stones: NDArray[np.uint8] = bits[classes] ^ signs
    lines = lines_of_one_colour(stones, side, dim)
    if lines or abs(2 * int(stones.sum()) - side**dim) > 1:
        raise CheckFailedError(f"the stored board {side}^{dim} has {lines} lines of one player")
    return stones


def stored_no_draw() -> NoDraw:
    """Return the proof that there is no full board of 3^3 without a line."""
    return read_no_draw(_stored_file("no-draw.oxo"))


def stored_filling(game: Game) -> Filling | None:
    """Return the proof that 3^4 has no draw to 15 lines or fewer; None for other games."""
    if str(game).partition(":")[0] != "3^4" or game.target == 1:
        return None
    found = replace(read_filling(_stored_file("filling-3-4.oxo")), game=game)
    same = game == Game(f"3^4:target={game.target}")
    return found if same and found.least_lines > 2 * (game.target - 1) else None


def stored_cases(game: Game) -> FillingCases | None:
    """Return the proof that 3^4 without its centre has no draw to 12 lines; None for others."""
    if str(game) != "3^4:target=12,blocked=centre":
        return None
    return read_filling_cases(_stored_file("filling-cases-3-4.oxo.xz"))


def classes_of(
    side: int, dim: int, cycles: tuple[int, ...]
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the class of each cell, and 1 for cells with the opposite player of their class."""
    # The class is the least image of the cell or of the cell opposite to it, under all cyclic
    # shifts of the coordinates within each block of `cycles`.
    cells = np.arange(side**dim)
    weights = side ** np.arange(dim - 1, -1, -1)
    digits = cells[:, None] // weights % side
    starts = np.cumsum((0, *cycles[:-1]))
    least = opposite = np.full(len(cells), len(cells))
    for turns in itertools.product(*map(range, cycles)):
        order = np.arange(dim)
        for start, length, turn in zip(starts, cycles, turns, strict=True):
            order[start : start + length] = start + (np.arange(length) + turn) % length
        image = digits[:, order] @ weights
        least = np.minimum(least, image)
        opposite = np.minimum(opposite, len(cells) - 1 - image)
    classes = np.unique(np.minimum(least, opposite), return_inverse=True)[1]
    return classes, (opposite < least).astype(np.uint8)


def lines_of(cells: NDArray[Any], side: int, dim: int) -> Iterator[NDArray[Any]]:
    """Yield the values on the lines of side^dim, ``[lines, side]`` for each direction."""
    # Along a line each coordinate stays, goes up or goes down, and the first that changes goes up.
    grid = cells.reshape((side,) * dim)
    for ways in itertools.product("=+-", repeat=dim):
        if next((way for way in ways if way != "="), "-") == "-":
            continue
        line = []
        for i in range(side):
            place: dict[str, slice | int] = {"=": slice(None), "+": i, "-": side - 1 - i}
            line.append(np.ravel(grid[tuple(place[way] for way in ways)]))
        yield np.stack(line, axis=1)


def lines_of_one_colour(stones: NDArray[np.uint8], side: int, dim: int) -> int:
    """Count the lines of side^dim on which all stones are 0 or all are 1."""
    totals = (line.sum(axis=1, dtype=np.int64) for line in lines_of(stones, side, dim))
    return sum(int(np.count_nonzero(total % side == 0)) for total in totals)
