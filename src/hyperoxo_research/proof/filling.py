"""Proofs that no draw exists by a semidefinite bound: every full board has too many lines.

All lines have three cells. With stones x of +1 and -1, a line of cells a, b, c has ab + bc + ca = 3
if it is of one player, else -1. Over all L lines, of which m are of one player, that is 4m - L, and
half of x'Ax, where A counts the lines through each pair of cells. So a bound of x'Ax is one of m.
Three kinds of rows may be listed:

- A weight d for each playable cell. If the weights on the diagonal make A + D positive
  semidefinite, x'Ax is at least minus their sum (C. Delorme and S. Poljak, Laplacian eigenvalues
  and the maximum cut problem, 1993).
- ``odd``: a weight w, not below 0, and whole numbers s for some cells whose sum is odd. Then s'x is
  odd too, and (s'x)^2 at least 1 (as for the cut polytope; M. Deza and M. Laurent, Geometry of Cuts
  and Metrics, 1997). The row stands for one image of s under each of the G symmetries in the
  header, and each of these has the weight: an image that several symmetries give counts once for
  each of them, so that the row adds G w to the sum of all w. If A + D less the sum of all w ss' is
  semidefinite, x'Ax is at least the sum of all w less that of the d.
- ``shared``: a weight of the square of the sum of x, which is 0 or 1 where each player has their
  share of stones. It is added to the form, and taken off the bound if the number of playable cells
  is odd.

m is at least L/4 and an eighth of the bound of x'Ax, rounded up. If that is more than two players
have who are both below the target, one of them reaches it. The checker eliminates in whole
numbers::

    hyperoxo-filling 1
    sha256 5d0c...
    game 3^4:target=15
    creator -
    symmetries 384
    weights 221
    0 1195/256
    ...
    odd 13/16384 0:1,1:-1,40:1
    ...
    shared 20
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.game import Game, Requires, Trait
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema, number
from hyperoxo.proof.images import inverses_of

LINES_OF_FULL_BOARDS = Requires(
    "lines of full boards",
    {
        *(Trait.STRONG, Trait.MISERE, Trait.ANY_CELL, Trait.GRAVITY),
        *(Trait.ONE_LINE, Trait.SEVERAL_LINES),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    },
)
_WEIGHT = re.compile(r"(0|-?[1-9][0-9]{0,17})(/[1-9][0-9]{0,17})?")
_TIMES = re.compile(r"-?[1-9][0-9]?")
_ODD, _SHARED = "odd", "shared"


@dataclass(frozen=True)
class OddSum:
    """A weighted square of an odd sum of stones, with its images under all symmetries.

    Examples
    --------
    >>> str(OddSum(Fraction(1, 8), ((0, 1), (4, -1), (8, 1))))
    'odd 1/8 0:1,4:-1,8:1'
    """

    weight: Fraction
    """The weight of the image under each symmetry, not below 0. Equal images add up."""
    times: tuple[tuple[int, int], ...]
    """Cells, ascending, and how often each is counted; not 0, and together an odd number."""

    def __str__(self) -> str:
        return f"{_ODD} {self.weight} " + ",".join(f"{cell}:{count}" for cell, count in self.times)


@dataclass(frozen=True)
class Filling:
    """Weights by which every full board has many lines of one player.

    Examples
    --------
    >>> found = Filling(Game("3{0+1+2}"), tuple((cell, Fraction(2)) for cell in range(3)))
    >>> found.least_lines
    0
    """

    game: Game
    """A game of two players, whose lines have three cells."""
    weights: tuple[tuple[int, Fraction], ...]
    """Playable cells, ascending, and their weights."""
    odd: tuple[OddSum, ...] = ()
    """Sums that are odd on every full board."""
    shared: Fraction = Fraction(0)
    """Weight of the square of the sum of all stones; with 0 the claim holds for any numbers of
    stones."""

    @property
    def least_lines(self) -> int:
        """Lines of one player on every full board, if the weights hold."""
        form = -sum((weight for _, weight in self.weights), Fraction(0))
        form += len(inverses_of(self.game)) * sum(one.weight for one in self.odd)
        form -= self.shared * (len(self.weights) % 2)
        return max(0, math.ceil(Fraction(self.game.board.line_count, 4) + form / 8))

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        lines, all_lines = self.least_lines, self.game.board.line_count
        shared = " on which both have their share of stones" if self.shared else ""
        return (
            f"on every full board of {self.game}{shared} at least {lines} of the {all_lines} lines "
            "are each of one player, so that none of its games is drawn"
        )


@Checker
def check_filling(found: Filling, _: set[bytes]) -> None:
    """Check that the form is semidefinite, and that the lines are enough."""
    # 1. The theorem is for lines of three cells, and needs a weight for each playable cell.
    game, board = found.game, found.game.board
    LINES_OF_FULL_BOARDS.check(game)
    if any(size != 3 for size in board.line_sizes.tolist()):
        raise CheckFailedError(f"not all lines of {game} have three cells")
    if [cell for cell, _ in found.weights] != board.playable.tolist():
        raise CheckFailedError(f"the weights are not those of the playable cells of {game}")
    # 2. (s'x)^2 >= 1 needs an odd sum, and multiplies into a bound only by a weight that is not
    #    below 0. A cell that is listed twice would break the form, so they ascend.
    for odd in found.odd:
        listed = [cell for cell, _ in odd.times]
        if sorted({*listed} & {*board.playable.tolist()}) != listed:
            raise CheckFailedError(f"'{odd}' does not list playable cells in ascending order")
        if odd.weight < 0 or sum(times for _, times in odd.times) % 2 == 0:
            raise CheckFailedError(f"'{odd}' is not a weight and an odd sum")
    # 3. The bound that the weights claim is enough, and the form makes it true.
    if found.least_lines <= 2 * (game.target - 1):
        raise CheckFailedError(
            f"{found.least_lines} lines are no more than {game.target - 1} of each player"
        )
    if not is_semidefinite(_form(found)):
        raise CheckFailedError("the weights do not make the form semidefinite")


def _form(found: Filling) -> list[list[int]]:
    """Return A + D, less the odd sums, plus the shared stones, scaled to whole numbers."""
    board, cells = found.game.board, [cell for cell, _ in found.weights]
    every = (*(one for _, one in found.weights), *(one.weight for one in found.odd), found.shared)
    scale = math.lcm(*(weight.denominator for weight in every))
    place = {cell: at for at, cell in enumerate(cells)}
    rows = [[int(found.shared * scale)] * len(place) for _ in place]
    for at, (_, of_cell) in enumerate(found.weights):
        rows[at][at] += int(of_cell * scale)
    for line_number in range(board.line_count):
        line = [place[cell] for cell in board.line(line_number).tolist()]
        for one in line:
            for other in line:
                if one != other:
                    rows[one][other] += scale
    for odd in found.odd:
        weight = int(odd.weight * scale)
        for row, squares in zip(rows, _squares(found.game, odd, cells), strict=True):
            for at, square in enumerate(squares):
                row[at] -= weight * square
    return rows


def _squares(game: Game, odd: OddSum, cells: list[int]) -> list[list[int]]:
    """Return the sum of ss' over the images s of an odd sum under all symmetries."""
    # Equal images add up, for the bound counts the weight once for each symmetry. Soundness does
    # not depend on the permutations: every one leaves the sum odd.
    images, size = inverses_of(game), game.board.cell_count  # a group has all inverses
    squares = np.zeros((size, size), dtype=np.int64)
    for (one, times), (other, more) in product(odd.times, repeat=2):
        np.add.at(squares, (images[:, one], images[:, other]), times * more)
    found: list[list[int]] = squares[np.ix_(cells, cells)].tolist()
    return found


def is_semidefinite(rows: list[list[int]]) -> bool:
    """Return whether a symmetric matrix is positive semidefinite (fraction-free elimination)."""
    # Bareiss: after step k each entry is a minor of order k + 1, so dividing by the pivot before is
    # exact. Each step takes a Schur complement, which is semidefinite if and only if the matrix is,
    # for a pivot above 0. With a pivot of 0 the rest of its row must be 0, else some vector of the
    # two coordinates has a negative value; the row is then dropped and the divisor stays.
    before, rows = 1, [row[at:] for at, row in enumerate(rows)]  # those above it are the same
    while rows:
        (pivot, *first), *rest = rows
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        if pivot:
            rows = [
                [(pivot * x - y * z) // before for x, z in zip(row, first[at:], strict=True)]
                for at, (row, y) in enumerate(zip(rest, first, strict=True))
            ]
            before = pivot
        else:
            rows = rest
    return True


def _put(found: Filling) -> tuple[dict[str, object], list[str]]:
    rows = [f"{cell} {weight}" for cell, weight in found.weights]
    rows += map(str, found.odd)
    return {}, rows + ([f"{_SHARED} {found.shared}"] if found.shared else [])


def _take(head: dict[str, str], rows: list[str]) -> Filling:
    weights, odd, shared = [], [], Fraction(0)
    for row in rows:
        name, _, rest = row.partition(" ")
        if name == _ODD:
            weight, _, times = rest.partition(" ")
            odd.append(OddSum(_weight(weight), tuple(map(_counted, times.split(",")))))
        elif name == _SHARED:
            shared = _weight(rest)
        else:
            weights.append((number(name, "a cell"), _weight(rest)))
    return Filling(Game(head["game"]), tuple(weights), tuple(odd), shared)


def _weight(text: str) -> Fraction:
    if not _WEIGHT.fullmatch(text):
        raise NotationError(f"{quoted(text)} is not a weight")
    return Fraction(text)


def _counted(text: str) -> tuple[int, int]:
    cell, _, times = text.partition(":")
    if not _TIMES.fullmatch(times):
        raise NotationError(f"{quoted(text)} is not a cell and its count")
    return number(cell, "a cell"), int(times)


FILE = FileSchema("filling", "game creator symmetries weights", _put, _take)
filling_text, read_filling = FILE.write, FILE.read_proof
