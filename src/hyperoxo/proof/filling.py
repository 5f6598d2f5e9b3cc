"""No draw exists: every full board of two players has too many lines of one of them.

All lines have three cells. With stones +1 and -1, a line of cells a, b, c has ab + bc + ca = 3 if
it is of one player, else -1. Over all L lines, of which m are of one player, that is 4m - L, and
half of x'Ax, where A counts the lines through each pair of cells. The file lists a weight for each
playable cell. If the weights on the diagonal make A + D positive semidefinite, x'Ax is at least
minus their sum, so that m is at least L/4 - sum/8, rounded up (C. Delorme and S. Poljak, Laplacian
eigenvalues and the maximum cut problem, 1993). If that is more than two players have who are both
below the target, one of them reaches it. The checker eliminates in whole numbers::

    hyperoxo-filling 1
    sha256 5d0c...
    game 3^4:target=9,blocked=centre
    creator -
    weights 80
    0 1195/256
    ...
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.proof.claim import Verdict, judged
from hyperoxo.proof.envelope import Schema, creator_text, number, text_creator
from hyperoxo.rules import Game, Requires, Trait

_GAMES = Requires(
    "lines of full boards",
    {
        *(Trait.STRONG, Trait.MISERE, Trait.ANY_CELL, Trait.GRAVITY),
        *(Trait.ONE_LINE, Trait.SEVERAL_LINES),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    },
)
_FILE = Schema("filling", "game creator weights")
_WEIGHT = re.compile(r"(0|-?[1-9][0-9]{0,8})(/[1-9][0-9]{0,5})?")


@dataclass(frozen=True)
class Filling:
    """Weights by which every full board has many lines of one player.

    Attributes
    ----------
    game : Game
        A game of two players, whose lines have three cells.
    weights : tuple of (int, Fraction)
        Playable cells, ascending, and their weights.

    Examples
    --------
    >>> found = Filling(Game("3{0+1+2}"), tuple((cell, Fraction(2)) for cell in range(3)))
    >>> found.least_lines
    0
    """

    game: Game
    weights: tuple[tuple[int, Fraction], ...]

    @property
    def least_lines(self) -> int:
        """Lines of one player on every full board, if the weights hold."""
        total = sum((weight for _, weight in self.weights), Fraction(0))
        return max(0, math.ceil(Fraction(self.game.board.line_count, 4) - total / 8))

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        lines, all_lines = self.least_lines, self.game.board.line_count
        return (
            f"on every full board of {self.game} at least {lines} of the {all_lines} lines are "
            "each of one player, so that none of its games is drawn"
        )


def check_filling(found: Filling, *, begin: float | None = None) -> Verdict:
    """Check that the form is semidefinite, and that the lines are enough."""
    return judged(found.statement, lambda _: _enough(found), begin)


def _enough(found: Filling) -> None:
    game, board = found.game, found.game.board
    _GAMES.check(game)
    if any(size != 3 for size in board.line_sizes.tolist()):
        raise CheckFailedError(f"not all lines of {game} have three cells")
    if [cell for cell, _ in found.weights] != board.playable.tolist():
        raise CheckFailedError(f"the weights are not those of the playable cells of {game}")
    if found.least_lines <= 2 * (game.target - 1):
        raise CheckFailedError(
            f"{found.least_lines} lines are no more than {game.target - 1} of each player"
        )
    scale = math.lcm(*(weight.denominator for _, weight in found.weights))
    place = {cell: at for at, (cell, _) in enumerate(found.weights)}
    rows = [[0] * len(place) for _ in place]
    for at, (_, weight) in enumerate(found.weights):
        rows[at][at] = int(weight * scale)
    for line_number in range(board.line_count):
        line = [place[cell] for cell in board.line(line_number).tolist()]
        for one in line:
            for other in line:
                if one != other:
                    rows[one][other] += scale
    if not _semidefinite(rows):
        raise CheckFailedError("the weights do not make the form semidefinite")


def _semidefinite(rows: list[list[int]]) -> bool:
    """Whether a symmetric matrix is positive semidefinite, by elimination without fractions.

    A pivot below 0, or one of 0 whose row has something else, is a vector of negative value.
    """
    before = 1
    while rows:
        (pivot, *first), *rest = rows
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        if pivot:
            rows = [
                [(pivot * x - y * z) // before for x, z in zip(row[1:], first, strict=True)]
                for row, y in zip(rest, first, strict=True)
            ]
            before = pivot
        else:
            rows = [row[1:] for row in rest]
    return True


def filling_text(found: Filling, *, creator: str = "") -> bytes:
    """Write the content of a file."""
    rows = [f"{cell} {weight}" for cell, weight in found.weights]
    return _FILE.text((found.game, creator_text(creator)), rows)


def read_filling(data: bytes) -> Filling:
    """Read the content of a file."""
    (spec, creator), rows = _FILE.read(data)
    weights = []
    for row in rows:
        cell, _, weight = row.partition(" ")
        if not _WEIGHT.fullmatch(weight):
            raise NotationError(f"{quoted(weight)} is not a weight")
        weights.append((number(cell, "a cell"), Fraction(weight)))
    found = Filling(Game(spec), tuple(weights))
    _FILE.check(data, filling_text(found, creator=text_creator(creator)))
    return found
