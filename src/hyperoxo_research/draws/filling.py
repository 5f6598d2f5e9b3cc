"""How many lines of one colour every filling of a board by two colours has, by an exact bound.

With colours +1 and -1, a line of three cells a, b, c has ab + bc + ca = 3 if it is of one colour
and -1 if not. Summed up over L lines, of which m are of one colour, that is 4m - L; it is also half
of x'Ax, where A counts the lines through each pair of cells. If weights d on the cells make A + D
positive semidefinite, then x'Ax is at least minus their sum, and m at least L/4 - sum(d)/8.

If two players of a game share out the whole board and m is over 2(t - 1), one of them has t lines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board import Board
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof.forms import forms_of
from hyperoxo_research.proof.filling import is_semidefinite

_MOST_CELLS = 100
_TRIES = 20
_NEWTON_STEPS = 50
_STILL = 0.3
_LEAST_BARRIER = 1e-6
_DENOMINATOR = 256


def filling_bound(board: Board, weights: Mapping[int, Fraction | int]) -> Fraction:
    """Bound from below the lines of one colour in every filling by two colours.

    The weights are checked in rational numbers, so that the bound is proved; any weights that
    pass will do, and better ones give a better bound.
    """
    cells = [int(cell) for cell in board.playable]
    if set(weights) != set(cells):
        raise SpecError(f"there must be a weight for each of the {len(cells)} playable cells")
    if any(size != 3 for size in board.line_sizes):
        raise SpecError("the bound is for boards whose lines have three cells")
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights.values()))
    form = (pairs_of_cells(board).astype(object) * scale).tolist()
    for number, cell in enumerate(cells):
        form[number][number] = int(weights[cell] * scale)
    if not is_semidefinite(form):
        raise CheckFailedError("the weights do not make the form semidefinite")
    total = sum((Fraction(weight) for weight in weights.values()), Fraction(0))
    return max(Fraction(0), Fraction(board.line_count, 4) - total / 8)


def pairs_of_cells(board: Board) -> NDArray[np.int64]:
    """Count the lines through each pair of playable cells."""
    on = np.zeros((board.line_count, board.cell_count), dtype=np.int64)
    on[np.repeat(np.arange(board.line_count), board.line_sizes), board.line_cells] = 1
    form: NDArray[np.int64] = (on.T @ on)[np.ix_(board.playable, board.playable)]
    np.fill_diagonal(form, 0)
    return form


def images_of(game: Game) -> NDArray[np.int64]:
    """Return the places of the playable cells under each symmetry that proofs use."""
    board = game.board
    place = np.zeros(board.cell_count, np.int64)
    place[board.playable] = np.arange(len(board.playable))
    rows = forms_of(game).inverses or (range(board.cell_count),)
    images: NDArray[np.int64] = place[np.array([list(one) for one in rows])[:, board.playable]]
    return images


def few_lines(board: Board, tries: int, seed: int = 0) -> int:
    """Look for a filling by two colours with few lines of one colour.

    Each try begins with random colours and changes the cell that helps most while one does.
    """
    form = pairs_of_cells(board)
    rng = np.random.default_rng(seed)
    best = board.line_count
    for _ in range(tries):
        colours = rng.choice((-1, 1), len(form))
        while len(form) and (gain := colours * (form @ colours)).max() > 0:
            colours[gain.argmax()] *= -1
        best = min(best, (int(colours @ form @ colours) // 2 + board.line_count) // 4)
    return best


def least_weights(board: Board) -> dict[int, Fraction]:
    """Look for weights with a good bound, equal on cells that symmetries exchange.

    The least sum of weights is found by Newton's method with a logarithmic barrier, in
    floating point; the weights are then rounded up. It is for `filling_bound` to say whether they
    prove anything.
    """
    form = pairs_of_cells(board).astype(float)
    place = {int(cell): number for number, cell in enumerate(board.playable)}
    orbits = [orbit for orbit in board.symmetry.orbits() if orbit[0] in place]
    members = np.zeros((len(orbits), len(form)))
    for number, orbit in enumerate(orbits):
        members[number, [place[cell] for cell in orbit]] = 1
    weights = np.full(len(orbits), 1.0 + form.sum(axis=1).max(initial=0))
    barrier = 1.0
    while barrier > _LEAST_BARRIER:
        for _ in range(_NEWTON_STEPS):
            weights, moved = _newton(form, members, weights, barrier)
            if moved < _STILL:
                break
        barrier /= 4
    rounded = [Fraction(math.ceil(weight * _DENOMINATOR), _DENOMINATOR) for weight in weights]
    number_of = members.argmax(axis=0)
    return {cell: rounded[number_of[number]] for cell, number in place.items()}


def _newton(
    form: NDArray[np.float64],
    members: NDArray[np.float64],
    weights: NDArray[np.float64],
    barrier: float,
) -> tuple[NDArray[np.float64], float]:
    """Make one step for the sum of weights less `barrier` times the logarithm of the determinant.

    A step as long as the decrement allows stays where the form is definite.
    """
    inverse = np.linalg.inv(form + np.diag(weights @ members))
    slope = members.sum(axis=1) / barrier - members @ np.diag(inverse)
    curve = members @ inverse**2 @ members.T
    step = np.linalg.solve(curve, slope)
    decrement = math.sqrt(max(0.0, float(slope @ step)))
    return weights - step / (1 + decrement), decrement


@lru_cache(maxsize=64)
def lines_in_fillings(board: Board, wanted: int) -> int | None:
    """Try to prove that every filling by two colours has `wanted` lines of one colour."""
    # Fillings by chance have a quarter of the lines in the mean; no bound is above that.
    if 4 * (wanted - 1) >= board.line_count or len(board.playable) > _MOST_CELLS:
        return None
    if any(size != 3 for size in board.line_sizes) or few_lines(board, _TRIES) < wanted:
        return None
    try:
        proved = math.ceil(filling_bound(board, least_weights(board)))
    except CheckFailedError:
        return None
    return proved if proved >= wanted else None
