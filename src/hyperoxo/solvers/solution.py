"""The result of solving a position: its value, that of its moves, and the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from hyperoxo.display import Result, as_text, number_of, text_of
from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Game, Position, Reason, move_name
from hyperoxo.game.messages import can_force, range_of, short

if TYPE_CHECKING:
    from hyperoxo.proof import Proof


class Question(Enum):
    """Question about a position: the knowledge at which the search ends."""

    VALUE = "its value"
    BEST_MOVE = "its value, the plies to the end, and a best move"
    CHEAP_MOVES = "the same, and of other moves what takes little more work"
    EVERY_VALUE = "values of all moves"
    EVERY_MOVE = "values and plies of all moves"

    @classmethod
    def of(cls, *, value_only: bool, moves: bool | None) -> Question:
        """Return the question that the options of `solve` ask."""
        if value_only and moves:
            raise SpecError("value_only and moves=True exclude each other")
        if value_only:
            return cls.VALUE
        if moves is None:
            return cls.CHEAP_MOVES
        return cls.EVERY_MOVE if moves else cls.BEST_MOVE


class Valued(Result):
    """A result about a value, as far as that is known."""

    known: Bounds

    @property
    def value(self) -> str:
        """``"win"``, ``"draw"``, ``"loss"`` (``"nothing"`` with three or more), ``"unknown"``."""
        return self.known.word

    @property
    def bounds(self) -> tuple[str, str]:
        """Lowest and highest value that is possible."""
        return self.known.pair


@dataclass(frozen=True)
class MoveValue(Valued):
    """Value of one legal move for the player who makes it.

    Attributes
    ----------
    cell : int
        The move.
    known : Bounds
        Bounds of its value.
    remoteness : int or None
        Plies of the game under best play, this move included, where established.
    """

    cell: int
    known: Bounds
    remoteness: int | None = None

    _data = "cell value remoteness bounds"


@dataclass(frozen=True, repr=False)
class Solution(Valued):
    """The value of a position as far as it is known.

    Attributes
    ----------
    position : Position
        The position solved.
    player : int
        The player to move.
    known : Bounds
        Bounds of what the player to move can force, of three or more players against all others
        together, and the reasons: each theorem and search used.
    remoteness : int or None
        Plies until the end under best play: the winner shortens the game, the loser prolongs
        it, and draws run to the full board. None if not known.
    moves : tuple of MoveValue
        Every legal move, ascending.
    nodes : int
        Positions visited.
    seconds : float
        Time taken.
    strategy : Proof or None
        The proof of the value, if requested: a strategy, a pairing, mirroring, or the replies of
        all the others.
    proof : str or None
        The file it was written to.
    complete : bool
        Whether all that was asked is known; False if a limit or an interrupt left some of it,
        or other moves, open.
    interrupted : bool
        Whether it was an interrupt.
    """

    position: Position
    player: int
    known: Bounds
    remoteness: int | None
    moves: tuple[MoveValue, ...]
    nodes: int
    seconds: float
    strategy: Proof | None = None
    proof: str | None = None
    complete: bool = True
    interrupted: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return self.position.game

    @property
    def winner(self) -> int | None:
        """The winner under best play, 0 where no win is forced; None if not decided."""
        return self.known.winner(self.player, self.game.players)

    @property
    def best(self) -> int | None:
        """The first proved best move, or None.

        It has the value of the position, and its remoteness where that is established.
        """
        for move in self.moves if self.known.decided else ():
            if move.value == self.value and self.remoteness in (None, move.remoteness):
                return move.cell
        return None

    @property
    def evidence(self) -> tuple[str, ...]:
        """Each theorem and search used, a sentence each."""
        return tuple(map(str, self.known.reasons))

    def __repr__(self) -> str:
        return f"<Solution {self.game}: player {self.player} {self._claim}>"

    def __str__(self) -> str:
        return f"{text_of(self.position, self._notes)}\n\n{as_text(self)}"

    def _repr_svg_(self) -> str | None:
        from hyperoxo.pictures import drawn

        return drawn(self.position, self._notes)

    @property
    def _notes(self) -> dict[int, str]:
        """Value of each move, for its cell in a drawing."""
        return {move.cell: short(move.value, move.remoteness) for move in self.moves}

    _data = (
        "game position.text player value winner remoteness bounds best moves evidence nodes "
        "seconds:6 proof complete"
    )
    _text = """
player {player}, to move, {_claim}
*evidence   {}
|rows| move | alike? | value={told} | plies={remoteness} |
?more {more}
{nodes:#position}; {seconds:.2f} s
"""

    @property
    def _claim(self) -> str:
        plies = "" if (n := self.remoteness) is None else f", {number_of(n, 'move')} to the end"
        return can_force(self.known) + plies

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of the table of moves: names, and values in words."""
        return [
            {**one.as_data(), "move": move_name(self.game, one.cell), "told": _describe_move(one)}
            for one in self.moves
        ]


def because(solution: Solution, reason: Reason, **changes: Any) -> Solution:
    """Return a solution with one more reason, and other changes."""
    reasons = (*solution.known.reasons, reason)
    return replace(solution, known=replace(solution.known, reasons=reasons), **changes)


def _describe_move(move: MoveValue) -> str:
    return move.value if move.known.decided else f"unknown ({range_of(move.known)})"


SolutionCallback = Callable[[Solution], object]
"""Called with the solution so far."""
