"""Answers of proofs in a position, and the base of their readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hyperoxo.game import Position
from hyperoxo.proof.dictionary_check import Edges


@dataclass(frozen=True)
class Answer:
    """What a proof plays, and by what means; without a cell, why it need not play any more.

    Where play goes on `by` is `listed` or `block`. Else it is what settles the game: `line`,
    `forced` with its `sequence`, `over`, `completion` or `potential`; for pairings, mirroring and
    plans every answer is `listed`, `pair`, `image` or `free`.
    """

    cell: int | None
    by: str
    sequence: tuple[int, ...] = ()


class SeatReader:
    """A proof for one seat, from where its claim begins; see `Reader`."""

    def __init__(self, proof: Any) -> None:
        self.start: Position = proof.position
        self.seat: int = proof.seat
        self.statement: str = proof.statement

    def ours(self, position: Position) -> bool:
        """See `Reader`."""
        return position.to_move == self.seat

    def goes_on(self, position: Position) -> bool:
        """See `Reader`."""
        return self.ours(position) and not position.is_over

    def edges(self, progress: Any) -> Edges | None:
        """See `Reader`."""
        return None


class CellReader(SeatReader):
    """A proof that answers each move on a cell that belongs to it, or on any free one."""

    own_cells = True

    def answer(self, position: Position) -> Answer | None:
        """See `Reader`."""
        if position.is_over:
            return Answer(None, "over")
        cell, by = self._found(position)
        if cell is None or cell not in position.legal_moves:
            return Answer(position.legal_moves[0], "free")
        return Answer(cell, by)

    def _found(self, position: Position) -> tuple[int | None, str]:
        """Return the cell that answers the last move, and by what it does."""
        raise NotImplementedError
