"""Draws that a rule of answering proves: pairings, and mirroring in misère play.

Both fit on a page, so that their checkers walk through nothing: a theorem says what has to be
looked at, and that is looked at here.

*Pairing.* Each line that the rival could still complete holds a pair of free cells of its own.
Whenever he plays on one cell of a pair the seat plays on the other, and no such line is ever
all his. He completes no line, so he does not win.

*Mirroring* (after S. Golomb and A. Hales, "Hypercube tic-tac-toe", 2002). In misère play to one
line the seat answers each move on the cell that a permutation gives. The permutation swaps
cells in pairs. Player 2 needs one that keeps no playable cell in its place. Player 1 needs one
that keeps exactly one, on which he begins. Each line either holds both cells of some pair, so
that it can never be all the seat's, or avoids the cell he began on and is sent to another line:
by the time the seat would complete the first, the rival has completed the second, and lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from hyperoxo.errors import CheckFailedError, HyperoxoError, SpecError
from hyperoxo.position import FREE, Position
from hyperoxo.proof.beginning import BeginsSomewhere
from hyperoxo.proof.verdict import Verdict
from hyperoxo.rules import Game, Requires, Trait

__all__ = ["Mirroring", "Pairing", "check_mirroring", "check_pairing"]

_PAIRING = Requires(
    "pairing",
    {
        *(Trait.ONE_LINE, Trait.SEVERAL_LINES),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    },
)
_MIRRORING = Requires("mirroring", {Trait.MISERE})


@dataclass(frozen=True)
class Pairing(BeginsSomewhere):
    """Pairs of cells by which a seat draws.

    Attributes
    ----------
    game : Game
        A game of two players.
    seat : int
        The player who answers inside the pair, 1 or 2.
    pairs : tuple of (int, int)
        The pairs.
    begins : Position or None
        Where he begins to; None at the start of the game.

    Raises
    ------
    SpecError
        If there are not two players, or no such seat.

    Examples
    --------
    >>> Pairing(Game("3{0+1}"), 2, ((0, 1),)).statement
    'player 2 gets at least a draw in 3{0+1} by pairing'
    """

    game: Game
    seat: int
    pairs: tuple[tuple[int, int], ...]
    begins: Position | None = None

    def __post_init__(self) -> None:
        _check_seat(self.game, self.seat)
        self._check_beginning()

    @property
    def claim(self) -> str:
        """What is proved, as for strategies."""
        return "draw"

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return f"player {self.seat} gets at least a draw in {self.game}{self._from} by pairing"


@dataclass(frozen=True)
class Mirroring:
    """The permutation by which a seat never loses a misère game.

    Attributes
    ----------
    game : Game
        A misère game of two players.
    seat : int
        The player who mirrors, 1 or 2.
    images : tuple of int
        The cell that each cell is answered with; for player 1 the one playable cell that is its
        own image is the one he begins on.

    Raises
    ------
    SpecError
        If there are not two players, or no such seat.

    Examples
    --------
    >>> Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1))).statement
    'player 1 gets at least a draw in 3^2:misere by mirroring'
    """

    game: Game
    seat: int
    images: tuple[int, ...]

    def __post_init__(self) -> None:
        _check_seat(self.game, self.seat)

    @property
    def claim(self) -> str:
        """What is proved, as for strategies."""
        return "draw"

    @property
    def position(self) -> Position:
        """Where the seat begins to answer: the start of the game."""
        return self.game.start()

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return f"player {self.seat} gets at least a draw in {self.game} by mirroring"


def _check_seat(game: Game, seat: int) -> None:
    if game.players != 2:
        raise SpecError(f"such an answer is for two players, and {game} has {game.players}")
    if seat not in (1, 2):
        raise SpecError(f"seat must be 1 to 2, not {seat}")


def check_pairing(pairing: Pairing, *, begin: float | None = None) -> Verdict:
    """Check a pairing.

    Parameters
    ----------
    pairing : Pairing
        The pairs.
    begin : float, optional
        When the clock started, as `time.perf_counter` told; now if it is not given.

    Returns
    -------
    Verdict
        The verdict; its positions are 1, the one that was looked at.

    Examples
    --------
    >>> check_pairing(Pairing(Game("3{0+1}"), 2, ((0, 1),))).proved
    True
    >>> check_pairing(Pairing(Game("3^2"), 2, ((0, 1),))).reason
    'the line 0-3-6 holds no pair'
    """
    begin = time.perf_counter() if begin is None else begin
    return _verdict(pairing.statement, partial(_pairs_hold, pairing), begin)


def check_mirroring(mirroring: Mirroring, *, begin: float | None = None) -> Verdict:
    """Check that answering by a permutation never loses.

    Parameters
    ----------
    mirroring : Mirroring
        The permutation.
    begin : float, optional
        When the clock started, as `time.perf_counter` told; now if it is not given.

    Returns
    -------
    Verdict
        The verdict; its positions are 1, the one that was looked at.

    Examples
    --------
    >>> check_mirroring(Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1)))).proved
    True
    >>> check_mirroring(Mirroring(Game("3^2:misere"), 2, tuple(range(8, -1, -1)))).reason
    'cell 4 is its own answer'
    """
    begin = time.perf_counter() if begin is None else begin
    return _verdict(mirroring.statement, partial(_mirror_holds, mirroring), begin)


def _verdict(statement: str, work: Callable[[], None], begin: float) -> Verdict:
    verdict, reason = "proved", ""
    try:
        work()
    except HyperoxoError as error:
        verdict, reason = "rejected", str(error)
    return Verdict(statement, verdict, reason, 1, time.perf_counter() - begin)


def _pairs_hold(pairing: Pairing) -> None:
    game, position, seat = pairing.game, pairing.position, pairing.seat
    _PAIRING.check(game)
    if position.is_over:
        raise CheckFailedError(f"the game is over at {position.text}")
    moved = -(-position.ply // 2)
    if seat == 1 and moved < game.opening_moves:
        raise CheckFailedError("player 1 cannot answer everywhere while the opening is restricted")
    other: dict[int, int] = {}
    for one, two in pairing.pairs:
        for cell in (one, two):
            if not 0 <= cell < len(position.owners) or position.owners[cell] != FREE:
                raise CheckFailedError(f"cell {cell} is not free")
        if one == two or one in other or two in other:
            raise CheckFailedError(f"the pair {one}-{two} shares a cell with itself or another")
        other[one], other[two] = two, one
    for number in range(game.board.line_count):
        line = game.board.line(number).tolist()
        if any(position.owners[cell] == seat for cell in line):
            continue
        if not any(other.get(cell) in line for cell in line):
            raise CheckFailedError(f"the line {_joined(line)} holds no pair")


def _mirror_holds(mirroring: Mirroring) -> None:
    game, images, blocked = mirroring.game, mirroring.images, set(mirroring.game.blocked)
    _MIRRORING.check(game)
    cells = range(game.board.cell_count)
    if sorted(images) != list(cells) or any(images[images[cell]] != cell for cell in cells):
        raise CheckFailedError("the permutation does not swap cells in pairs")
    for cell in cells:
        if (cell in blocked) != (images[cell] in blocked):
            raise CheckFailedError(f"cell {cell} and its answer are not both playable")
    kept = [cell for cell in cells if images[cell] == cell and cell not in blocked]
    if len(kept) != 2 - mirroring.seat:
        raise CheckFailedError(_kept_sentence(kept))
    board = game.board
    lines = {frozenset(board.line(number).tolist()) for number in range(board.line_count)}
    for line in sorted(map(sorted, lines)):
        both = any(images[cell] in line for cell in line if images[cell] != cell)
        avoids = not any(cell in line for cell in kept)
        if not both and not (avoids and frozenset(images[cell] for cell in line) in lines):
            raise CheckFailedError(
                f"the line {_joined(line)} may become all player {mirroring.seat}'s"
            )


def _kept_sentence(kept: list[int]) -> str:
    if len(kept) == 1:
        return f"cell {kept[0]} is its own answer"
    return f"{len(kept) or 'no'} cells are their own answers"


def _joined(line: list[int]) -> str:
    return "-".join(map(str, line))
