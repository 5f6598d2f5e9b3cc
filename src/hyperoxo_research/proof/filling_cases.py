"""Proofs that no draw exists by cases: on every full board one player reaches the target.

If one bound for all full boards (see `hyperoxo_research.proof.filling`) is not enough, stones
are placed one after another. All lines have three cells, and both players have their share of
stones, the first player one more where the cells are odd in number. The cases form a tree, listed
in preorder; in each, some stones are given:

- ``case C P``: either the stone on cell C is player P's, which is the case that follows, or it is
  not. A symmetry of the board that takes the given stones to themselves, with the players
  exchanged or not, takes full boards of the case to full boards of the case; so in the second case
  none of the images of that stone is there. Players are exchanged only where their shares are
  equal. If the images of the stone have each a partner of the other player, there is no second
  case. A case in which a player has the target in lines, or more than their share of stones, is
  settled, and not listed.
- ``end A B D...,D S...``: with m and n the lines of the two players, A m + B n is above (A +
  B)(target - 1) here, so that not both are below the target. If all cells of a line are free, it
  is of one player if the stones a, b, c, +1 and -1 of the two, have ab + bc + ca = 3, else that is
  -1; such a line counts as the smaller of A and B. If a stone of the line is given, so is the
  player who can have it, and the count is exact. So 8 (A m + B n) is at least a constant and a form
  x'Fx, where x has 1 for the given stones, and then the free ones. The rest is as in
  `hyperoxo_research.proof.filling`: weights D, one for the given stones together and one for each
  free cell, and odd sums S, such as ``3:0-1+40``, of the stones on an odd number of cells, given
  ones among them, with their weights; all in 8192ths. Here each sum counts by itself, without
  images. If the form with D on the diagonal, less the squares of the sums times their weights, is
  semidefinite, x'Fx is at least the weights of the sums less those of D. The sum of all stones less
  1, or less 0 where the cells are even in number, is 0; 20 (A + B) times its square is added to the
  form.

The form is definite if it is LL' and a form whose diagonal outweighs the rest of each row. Whatever
L is, that is so; it is taken from a decomposition in floating point, and all else is done in
whole numbers::

    hyperoxo-filling-cases 1
    sha256 5d0c...
    game 3^4:target=12,blocked=centre
    creator -
    symmetries 384
    rows 12003
    case 1 1
    ...
    end 1 1 83,210,... 12:0-1+2 3:...
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.game import Game
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema, number
from hyperoxo_research.proof.filling import LINES_OF_FULL_BOARDS

UNIT = 8192
"""Denominator of weights."""

SHARED = 20
"""Weight of the square of the sum of all stones, which is 0, in a form."""

NO_END = "of the cases have no end"
"""End of the message for rows that stop too early."""

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,8}")
_CELLS = re.compile(r"-?(0|[1-9][0-9]{0,3})([+-](0|[1-9][0-9]{0,3}))*")
_CASE, _END = "case", "end"
# Bounds against overflow of int64: of listed numbers, and of entries of a form. Then `definite`:
# bits of a square of the rounded root, what is taken off the diagonal first, relative to it, and
# the bound on what is left.
_MOST = 1 << 24
_LARGEST = 1 << 55
_BITS, _SPARE, _SMALL = 60, 2.0**-22, 1 << 50


@dataclass(frozen=True)
class Case:
    """A branch on a stone: present, or absent together with all its images."""

    cell: int
    """Its cell."""
    player: int
    """Its player, 1 or 2."""

    def __str__(self) -> str:
        return f"{_CASE} {self.cell} {self.player}"


@dataclass(frozen=True)
class End:
    """A leaf: weights by which a case has no draw."""

    lines: tuple[int, int]
    """Counts of a line of player 1 and of player 2; above 0."""
    weights: tuple[int, ...]
    """Of the given stones together and of each free cell, ascending, in 8192ths."""
    sums: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()
    """The weight of each odd sum, above 0, in 8192ths; its cells, ascending, each with 1 or -1."""

    def __str__(self) -> str:
        listed = (
            f"{weight}:" + "".join(f"{'-+'[sign > 0]}{cell}" for cell, sign in cells).lstrip("+")
            for weight, cells in self.sums
        )
        return " ".join((_END, *map(str, self.lines), ",".join(map(str, self.weights)), *listed))


@dataclass(frozen=True)
class FillingCases:
    """Cases by which no full board of a game is a draw.

    Examples
    --------
    >>> FillingCases(Game("3{0+1+2}"), ()).statement.partition("stones ")[2]
    'one of them has a line'
    """

    game: Game
    """A game of two players, whose lines have three cells."""
    rows: tuple[Case | End, ...]
    """The cases in preorder."""

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        target = self.game.target
        lines = "a line" if target == 1 else f"{target} lines"
        return (
            f"on every full board of {self.game} on which both have their share of stones one of "
            f"them has {lines}"
        )


@Checker
def check_filling_cases(
    found: FillingCases, _: set[bytes], progress: Callable[[int, int], object] | None = None
) -> None:
    """Check that the cases are complete, and that each has its end."""
    _Check(found).walk(progress)


class _Check:
    """The checker: cells, lines and symmetries of a game, and the walk through its cases."""

    def __init__(self, found: FillingCases) -> None:
        self.game, self.rows = found.game, found.rows
        game, board = self.game, self.game.board
        LINES_OF_FULL_BOARDS.check(game)
        if any(size != 3 for size in board.line_sizes.tolist()):
            raise CheckFailedError(f"not all lines of {game} have three cells")
        self.lines = board.line_cells.astype(np.int64).reshape(board.line_count, 3)
        self.cells: list[int] = board.playable.tolist()
        self.shares = (len(self.cells) + 1) // 2, len(self.cells) // 2
        inverses = canonical_forms_of(game).inverses or (range(board.cell_count),)
        # Inverse permutations: they are the same set of symmetries.
        self.images = np.array([list(one) for one in inverses])

    def walk(self, progress: Callable[[int, int], object] | None) -> None:
        """Check the rows in preorder with a stack of open cases."""
        # Each entry has a cell's stone: 1 of the first player, -1 of the second, 0 none yet.
        left = [np.zeros(self.game.board.cell_count, np.int64)]
        for at, row in enumerate(self.rows):
            if progress is not None:
                progress(at, len(self.rows))
            if not left:
                raise CheckFailedError(f"row {at + 1}, {quoted(row)}, is of no case")
            stones = left.pop()
            try:
                if isinstance(row, End):
                    self._check_end(row, stones)
                else:
                    left += reversed([one for one in self._cases(row, stones) if self._open(one)])
            except CheckFailedError as error:
                raise CheckFailedError(f"row {at + 1}, {quoted(row)}: {error}") from error
        if left:
            raise CheckFailedError(f"{len(left)} {NO_END}")

    def _open(self, stones: NDArray[np.int64]) -> bool:
        """Return whether both have at most their share of stones, and less than the target."""
        of_lines = stones[self.lines].sum(axis=1)
        return all(
            np.count_nonzero(stones == sign) <= share
            and np.count_nonzero(of_lines == 3 * sign) < self.game.target
            for sign, share in ((1, self.shares[0]), (-1, self.shares[1]))
        )

    def _cases(self, row: Case, stones: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Yield the case with the stone, and the one without it and its images, if any."""
        if row.cell not in self.cells or stones[row.cell] or row.player not in (1, 2):
            raise CheckFailedError("the stone of a case is not on a free cell")
        stone = 1 if row.player == 1 else -1
        # 1. Images of the stone under symmetries that keep the given stones, with the players
        #    exchanged (sign -1) only if their shares are equal.
        images = set()
        for sign in (1, -1) if self.shares[0] == self.shares[1] else (1,):
            keep = (sign * stones[self.images] == stones).all(axis=1)
            images |= {(cell, sign * stone) for cell in self.images[keep, row.cell].tolist()}
        # 2. The stone is there. A board with any image of it is such a board after a symmetry.
        first = stones.copy()
        first[row.cell] = stone
        yield first
        # 3. No image is there, so each cell of one has the other player. If an image is on the same
        #    cell with the other player, no board is left.
        if (row.cell, -stone) in images:
            return
        second = stones.copy()
        for cell, sign in images:
            second[cell] = -sign
        yield second

    def _check_end(self, end: End, stones: NDArray[np.int64]) -> None:
        """Check that one player has the target on every full board with these stones."""
        # 1. The numbers are those of an end: weights for each entry, odd sums of given and free
        #    cells, each once.
        free = [cell for cell in self.cells if not stones[cell]]
        if min(end.lines) < 1 or len(end.weights) != 1 + len(free):
            raise CheckFailedError(f"there are no weights of lines and of {len(free)} free cells")
        numbers = (*end.lines, *end.weights, *(weight for weight, _ in end.sums))
        if max(map(abs, numbers)) >= _MOST:
            raise CheckFailedError("a weight is too large")
        for weight, cells in end.sums:
            listed = [cell for cell, _ in cells]
            if weight < 1 or len(listed) % 2 == 0 or sorted({*listed} & {*self.cells}) != listed:
                raise CheckFailedError("a sum is not of an odd number of cells, ascending")
        # 2. No overflow. Entries of the form are below these together; the lines of a cell are
        #    fewer than the squares of cells, and the distance from a whole word makes up for them.
        entries = SHARED * (len(self.cells) + 1) ** 2
        squares = sum(weight * len(cells) ** 2 for weight, cells in end.sums)
        if UNIT * sum(end.lines) * entries + squares >= _LARGEST:
            raise CheckFailedError("the weights are too large for a word")
        # 3. A m + B n is at least an eighth of `total`, and must be above (A + B)(target - 1).
        constant, form = self._form(end, stones, free)
        total = UNIT * constant - sum(end.weights) + sum(weight for weight, _ in end.sums)
        if total <= 8 * UNIT * sum(end.lines) * (self.game.target - 1):
            raise CheckFailedError("the weights leave both players below the target")
        if not definite(form):
            raise CheckFailedError("the weights do not make the form definite")

    def _form(
        self, end: End, stones: NDArray[np.int64], free: list[int]
    ) -> tuple[int, NDArray[np.int64]]:
        """Return the constant, and the form in 8192ths, weights, sums and shares included."""
        # 1. The lines that one player can still have, with the count of each.
        of_cells = stones[self.lines]
        given, total = np.count_nonzero(of_cells, axis=1), of_cells.sum(axis=1)
        alive = np.abs(total) == given
        count = np.array((min(end.lines), *end.lines))[np.sign(total[alive])]
        # 2. Of one player: (1 + ab + bc + ca)/4, (1 + sa)(1 + sb)/4, (1 + sa)/2 or 1. Times eight,
        #    each pair of cells that are not both given has the count, with the sign of the stone.
        constant = int((count * np.array((2, 2, 4, 8))[given[alive]]).sum())
        form = np.zeros((1 + len(free), 1 + len(free)), np.int64)
        place, sign = np.zeros(len(stones), np.int64), np.where(stones == 0, 1, stones)
        place[free] = np.arange(1, len(form))
        for one, two in itertools.permutations(self.lines[alive].T, 2):
            np.add.at(form, (place[one], place[two]), count * sign[one] * sign[two])
        form[0, 0] = 0
        form *= UNIT
        form[np.diag_indices_from(form)] += end.weights
        # 3. A sum's given stones fall together into entry 0, where x is 1; its square is at
        #    least 1.
        times = np.zeros((len(end.sums), len(form)), np.int64)
        of_sum = np.repeat(np.arange(len(times)), [len(cells) for _, cells in end.sums])
        listed = [one for _, cells in end.sums for one in cells]
        cell, signed = np.array(listed, np.int64).reshape(len(listed), 2).T
        np.add.at(times, (of_sum, place[cell]), signed * sign[cell])
        form -= times.T * np.array([weight for weight, _ in end.sums], np.int64) @ times
        # 4. The shares of stones.
        shares = np.ones(len(form), np.int64)
        shares[0] = int(stones.sum()) - len(self.cells) % 2
        form += SHARED * UNIT * sum(end.lines) * np.outer(shares, shares)
        return constant, form


def definite(form: NDArray[np.int64]) -> bool:
    """Return True only for a positive semidefinite form; one that only just is may be refused.

    The form is LL' and a rest that is diagonally dominant, both in whole numbers; L comes from a
    Cholesky decomposition in floating point, and any L will do.
    """
    # 1. Scale rows and columns by powers of two, so that the entries of the diagonal are alike:
    #    that keeps the signature, and the rounding errors are as small in each row.
    lengths = np.frexp(form.diagonal())[1]
    longest = int(lengths.max())
    shifts = (longest - lengths) // 2
    shifts = shifts[:, None] + shifts
    # 2. Decompose a little less than the form, which leaves a diagonal for the rest to outweigh.
    lowered = np.ldexp(form, shifts) - np.ldexp(_SPARE, longest) * np.eye(len(form))
    try:
        root = np.linalg.cholesky(lowered)
    except np.linalg.LinAlgError:
        return False
    # 3. The rest, exactly. No entry of a definite form is above its diagonal, and no sum of
    #    products below is larger than the square of a row of the root: all are below 2**62.
    bits = (_BITS - longest) // 2
    whole = np.rint(np.ldexp(root, bits)).astype(np.int64)
    return outweighs((form << shifts + 2 * bits) - whole @ whole.T)


def outweighs(form: NDArray[np.int64]) -> bool:
    """Return whether a form is diagonally dominant, and so semidefinite."""
    # Sums of larger entries might be too large for a word.
    small = np.abs(form).max() < _SMALL
    return bool(small and (2 * form.diagonal() >= np.abs(form).sum(axis=1)).all())


def _row(text: str) -> Case | End:
    name, *words = text.split(" ")
    if name == _CASE and len(words) == 2:
        return Case(number(words[0], "a cell"), number(words[1], "a player"))
    if name != _END or len(words) < 3:
        raise NotationError(f"{quoted(text)} is neither a case nor an end")
    lines = number(words[0], "a weight"), number(words[1], "a weight")
    return End(lines, tuple(map(_whole, words[2].split(","))), tuple(map(_sum, words[3:])))


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise NotationError(f"{quoted(text)} is not a weight")
    return int(text)


def _sum(text: str) -> tuple[int, tuple[tuple[int, int], ...]]:
    weight, _, cells = text.partition(":")
    if not _CELLS.fullmatch(cells):
        raise NotationError(f"{quoted(text)} is not an odd sum")
    return number(weight, "a weight"), tuple(map(_stone, re.findall("[+-]?[0-9]+", cells)))


# There are few stones, and proofs have them a million times.
@cache
def _stone(text: str) -> tuple[int, int]:
    return int(text.lstrip("+-")), -1 if text.startswith("-") else 1


FILE = FileSchema[FillingCases](
    "filling-cases",
    "game creator symmetries rows",
    lambda found: ({}, list(map(str, found.rows))),
    lambda head, rows: FillingCases(Game(head["game"]), tuple(map(_row, rows))),
)
filling_cases_text, read_filling_cases = FILE.write, FILE.read_proof
