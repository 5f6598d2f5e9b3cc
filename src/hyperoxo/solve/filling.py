"""How many lines of one colour every filling of a board by two colours has, by an exact bound.

With colours +1 and -1, a line of three cells a, b, c has ab + bc + ca = 3 if it is of one colour
and -1 if not. Summed up over L lines, of which m are of one colour, that is 4m - L; it is also half
of x'Ax, where A counts the lines through each pair of cells. If weights d on the cells make A + D
positive semidefinite, then x'Ax is at least minus their sum, and m at least L/4 - sum(d)/8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from hyperoxo.board import Board
from hyperoxo.errors import CheckFailedError, SpecError

__all__ = ["filling_bound", "is_semidefinite"]


def filling_bound(board: Board, weights: Mapping[int, Fraction | int]) -> Fraction:
    """Bound from below the lines of one colour in every filling by two colours.

    The weights are checked in rational numbers, so that the bound is proved; any weights that
    pass will do, and better ones give a better bound.

    Parameters
    ----------
    board : Board
        All its lines must have three cells.
    weights : mapping of int to Fraction or int
        Weight of each playable cell.

    Returns
    -------
    Fraction
        No filling has fewer lines of one colour, however the cells are divided among the
        colours; nor fewer than the next whole number.

    Raises
    ------
    SpecError
        If a line has not three cells, or the weights are not those of the playable cells.
    CheckFailedError
        If the weights prove nothing.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> board = ox.Game("3^3").board
    >>> filling_bound(board, dict.fromkeys(range(27), 3)), board.line_count
    (Fraction(17, 8), 49)
    """
    cells = [int(cell) for cell in board.playable]
    if set(weights) != set(cells):
        raise SpecError(f"there must be a weight for each of the {len(cells)} playable cells")
    if any(size != 3 for size in board.line_sizes):
        raise SpecError("the bound is for boards whose lines have three cells")
    place = {cell: number for number, cell in enumerate(cells)}
    form = [[Fraction(0)] * len(cells) for _ in cells]
    for cell, weight in weights.items():
        form[place[cell]][place[cell]] = Fraction(weight)
    for number in range(board.line_count):
        line = [place[int(cell)] for cell in board.line(number)]
        for one in line:
            for other in line:
                if one != other:
                    form[one][other] += 1
    if not is_semidefinite(form):
        raise CheckFailedError("the weights do not make the form semidefinite")
    total = sum((Fraction(weight) for weight in weights.values()), Fraction(0))
    return max(Fraction(0), Fraction(board.line_count, 4) - total / 8)


def is_semidefinite(matrix: Sequence[Sequence[Fraction | int]]) -> bool:
    """Tell whether a symmetric matrix is positive semidefinite, exactly.

    Symmetric elimination: every pivot must be positive, or zero together with all that is left
    of its row.

    Parameters
    ----------
    matrix : sequence of sequence of Fraction or int
        A symmetric matrix.

    Returns
    -------
    bool
        Whether no vector gives a negative value.

    Examples
    --------
    >>> is_semidefinite([[1, 1], [1, 1]]), is_semidefinite([[0, 1], [1, 5]])
    (True, False)
    """
    rows = [[Fraction(entry) for entry in row] for row in matrix]
    for step, pivots in enumerate(rows):
        pivot = pivots[step]
        if pivot < 0 or (pivot == 0 and any(pivots[step + 1 :])):
            return False
        if pivot == 0:
            continue
        for row in rows[step + 1 :]:
            if row[step]:
                factor = row[step] / pivot
                for i in range(step + 1, len(rows)):
                    row[i] -= factor * pivots[i]
    return True
