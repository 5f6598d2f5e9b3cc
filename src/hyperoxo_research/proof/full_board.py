"""Proofs that a draw exists: a full board without a win, each player with their share of stones.

Played in any order, such a board ends a game in which no player ever had a line or, with a target
of several lines, as many as that. The file holds the owners of all cells in rows of 100, ``#`` for
blocked cells.

A plain n^d of two players may be written by *groups* of axes instead, ``groups 4,3``: cells have
one owner if within each group their coordinates are the same up to order. Then the file holds an
owner for each kind of cells: for the first group all ascending rows of coordinates in order, for
each of these all of the second group, and so on. The checker counts how many cells are of each
kind, and looks at one line of each kind of lines: in each group some coordinates are constant, some
count up and the others count down. So 12^8, with 429,981,696 cells and 522,903,680 lines, is
checked by 75,582 kinds of cells::

    hyperoxo-full-board 1           hyperoxo-full-board 1
    sha256 5d0c...                  sha256 91ab...
    game 3^2                        game 12^8
    groups -                        groups 8
    creator -                       creator -
    rows 1                          rows 756
    112221112                       1212...
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError, NotationError
from hyperoxo.game import Game, Requires, Trait
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema, number
from hyperoxo_research.proof.cubes import known_game, plain_cube

_ENDS = Requires(
    "a game that ends in a full board",
    {
        *(Trait.STRONG, Trait.MISERE, Trait.TWO_PLAYERS, Trait.SEVERAL_PLAYERS),
        *(Trait.ONE_LINE, Trait.SEVERAL_LINES),
    },
)
_WIDTH = 100
_MOST_KINDS = 2_000_000


@dataclass(frozen=True)
class DrawnBoard:
    """A full board without a win.

    Examples
    --------
    >>> check_full_board(DrawnBoard("3^2", "112221112")).proved
    True
    >>> check_full_board(DrawnBoard("3^2", "111221221")).reason
    'the line 0-1-2 is all of player 1'
    """

    game: str
    """The game in its canonical spelling; a plain n^d in groups may be of any size."""
    owners: str
    """The owner of each cell, or of each kind of cells."""
    groups: tuple[int, ...] = ()
    """Numbers of axes in each group; empty where each cell has its own owner."""

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return f"there is a full board of {self.game} on which no player has won"


def kinds_of_cells(side: int, groups: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the kinds of cells in their order, each as an ascending row for each group."""
    count = math.prod(math.comb(side + size - 1, size) for size in groups)
    if count > _MOST_KINDS:
        raise LimitError(f"{count:,} kinds of cells are more than {_MOST_KINDS:,}")
    rows = (itertools.combinations_with_replacement(range(side), size) for size in groups)
    return itertools.product(*map(list, rows))


def cells_of_kind(kind: tuple[tuple[int, ...], ...]) -> int:
    """Return the number of cells of a kind: a product of multinomial coefficients."""
    return math.prod(
        math.factorial(len(row)) // math.prod(map(math.factorial, Counter(row).values()))
        for row in kind
    )


@Checker
def check_full_board(found: DrawnBoard, _: set[bytes]) -> None:
    """Check shares of stones, and every line or every kind of lines."""
    if found.groups:
        _by_kinds(found)
        return
    game = Game(found.game)
    _ENDS.check(game)
    owners = found.owners
    blocked = tuple(cell for cell, owner in enumerate(owners) if owner == "#")
    if len(owners) != game.board.cell_count or blocked != game.blocked:
        raise CheckFailedError(f"the owners are not those of the cells of {game}")
    _check_shares(Counter(owners.replace("#", "")), game.players)
    board = game.board
    on_lines = np.frombuffer(owners.encode("ascii"), np.uint8)[board.line_cells]
    # A line is of one player if its least and its greatest owner are the same.
    least = np.minimum.reduceat(on_lines, board.line_ptr[:-1])
    most = np.maximum.reduceat(on_lines, board.line_ptr[:-1])
    full = np.flatnonzero(least == most)
    if game.target == 1 and len(full):
        at = int(full[0])
        cells = "-".join(map(str, board.line(at).tolist()))
        raise CheckFailedError(f"the line {cells} is all of player {chr(least[at])}")
    for owner, lines in Counter(least[full].tolist()).items():
        if lines >= game.target:
            raise CheckFailedError(f"player {chr(owner)} has {lines} lines")


def _check_shares(stones: Counter[str], players: int) -> None:
    """Check that the numbers of stones are those of players who took turns."""
    total = stones.total()
    for player in range(1, players + 1):
        share = (total + players - player) // players
        if stones[str(player)] != share:
            raise CheckFailedError(
                f"player {player} has {stones[str(player)]:,} stones, and not {share:,}"
            )


def _by_kinds(found: DrawnBoard) -> None:
    """Check a board n^d by kinds of cells and of lines."""
    # 1. The owners are those of all kinds, and the stones are shared.
    cube = plain_cube(found.game)
    if cube is None or sum(found.groups) != cube[1] or min(found.groups) < 1 or cube[0] < 2:
        raise CheckFailedError(f"the groups are not those of the axes of {found.game}")
    side, groups = cube[0], found.groups
    kinds = list(kinds_of_cells(side, groups))
    if len(kinds) != len(found.owners) or set(found.owners) - {"1", "2"}:
        raise CheckFailedError(f"the owners are not those of {len(kinds):,} kinds of cells")
    stones = Counter[str]()
    for kind, owner in zip(kinds, found.owners, strict=True):
        stones[owner] += cells_of_kind(kind)
    _check_shares(stones, 2)
    # 2. Kinds by their sorted codes, so that those on lines are found by binary search.
    codes = Codes(side, groups)
    keys = np.array([codes.of(kind) for kind in kinds])
    order = np.argsort(keys)
    keys = keys[order]
    firsts = (np.frombuffer(found.owners.encode("ascii"), np.uint8) == ord("1"))[order]
    # 3. All kinds of lines. Permutations of axes within a group carry every line to one of these
    #    and keep the owners, so no other line needs a check.
    for moving in codes.ways():
        fixed, steps = codes.lines(moving)
        of_one = np.ones(len(fixed), dtype=bool)
        of_two = np.ones(len(fixed), dtype=bool)
        for step in steps:
            at = np.searchsorted(keys, fixed + step)
            if (keys[at] != fixed + step).any():
                raise AssertionError("a cell on a line is of no kind")
            of_one &= firsts[at]
            of_two &= ~firsts[at]
        if (of_one | of_two).any():
            player = 1 if of_one.any() else 2
            ways = ", ".join(f"{up}+{down}" for up, down in moving)
            raise CheckFailedError(
                f"a line along which coordinates of the groups go up and down {ways} "
                f"is all of player {player}"
            )


Way = tuple[tuple[int, int], ...]


class Codes:
    """Codes of kinds of cells: the counts of each coordinate in each group, as digits."""

    def __init__(self, side: int, groups: tuple[int, ...]) -> None:
        self.side, self.groups = side, groups
        # weights[group][value]: a group of `size` axes has `side` digits in base size + 1. Codes
        # add up, so a step along a line adds the same number to all codes of its kind.
        weight = 1
        self.weights: list[list[int]] = []
        for size in groups:
            self.weights.append([weight * (size + 1) ** value for value in range(side)])
            weight *= (size + 1) ** side
        if weight >= 2**62:
            raise LimitError(f"boards of side {side} in {len(groups)} groups are too large")

    def of(self, kind: tuple[tuple[int, ...], ...]) -> int:
        """Return the code of a kind."""
        return sum(
            sum(weights[value] for value in row)
            for row, weights in zip(kind, self.weights, strict=True)
        )

    def ways(self) -> Iterator[Way]:
        """Yield the numbers of rising and falling coordinates by group; one of each reversal."""
        choices = [
            [(up, down) for up in range(size + 1) for down in range(size + 1 - up)]
            for size in self.groups
        ]
        for way in itertools.product(*choices):
            if way >= tuple((down, up) for up, down in way) and any(map(sum, way)):
                yield way

    def lines(self, way: Way) -> tuple[NDArray[np.int64], list[int]]:
        """Return the codes of the fixed coordinates of a kind of lines, and that of each step."""
        rest = [size - sum(moving) for size, moving in zip(self.groups, way, strict=True)]
        fixed = np.zeros(1, dtype=np.int64)
        for size, weights in zip(rest, self.weights, strict=True):
            rows = itertools.combinations_with_replacement(weights, size)
            sums = np.array([sum(row) for row in rows], dtype=np.int64)
            fixed = (fixed[:, None] + sums).ravel()
        steps = [
            sum(
                up * weights[at] + down * weights[self.side - 1 - at]
                for (up, down), weights in zip(way, self.weights, strict=True)
            )
            for at in range(self.side)
        ]
        return fixed, steps


def _put(found: DrawnBoard) -> tuple[dict[str, object], list[str]]:
    owners = found.owners
    groups = ",".join(map(str, found.groups)) or "-"
    return {"groups": groups}, [owners[at : at + _WIDTH] for at in range(0, len(owners), _WIDTH)]


def _take(head: dict[str, str], rows: list[str]) -> DrawnBoard:
    groups = head["groups"]
    sizes = () if groups == "-" else tuple(number(one, "a group") for one in groups.split(","))
    owners = "".join(rows)
    if set(owners) - set("12345678#"):
        raise NotationError("the rows are not owners of cells")
    return DrawnBoard(known_game(head["game"]), owners, sizes)


FILE = FileSchema("full-board", "game groups creator rows", _put, _take)
full_board_text, read_full_board = FILE.write, FILE.read_proof
