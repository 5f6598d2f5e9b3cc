"""Plans that are followed from where they begin: an answer depends on the moves so far."""

from __future__ import annotations

from typing import Any, ClassVar

from hyperoxo.game import FREE, Position
from hyperoxo.play.explorer.answer import CellReader
from hyperoxo.proof import Proof, ZonePlan
from hyperoxo.proof.zones_play import Believed, ZonePlay

_KEPT = 5_000
Moves = tuple[int, ...]
Found = tuple[int | None, str]


class FollowedReader(CellReader):
    """A plan that is followed from where it begins, one move after the other.

    What it has come to is kept by the moves up to the last one that it answered.
    """

    details: ClassVar[dict[str, str]] = {
        "listed": "the plan lists what is reached by this move, or an image of it",
        "pair": "the other cell of a pair, or the cell that weighs most on the lines without one",
    }

    def __init__(self, plan: Proof) -> None:
        super().__init__(plan)
        self._known: dict[Moves, Any] = {}

    def shown(self, position: Position) -> dict[str, Any]:
        """Return what the plan rests on, with the other player to move, as plain values."""
        raise NotImplementedError

    def _keep(self, moves: Moves, state: Any) -> None:
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[moves] = state

    def _moves(self, position: Position) -> Moves:
        return position.history[len(self.start.history) :]


class ZoneReader(FollowedReader):
    """Answers to moves inside the zone, and what holds where it leaves pairs."""

    def __init__(self, plan: ZonePlan) -> None:
        super().__init__(plan)
        self.play = ZonePlay(plan)

    def _found(self, position: Position) -> Found:
        moves = self._moves(position)
        if not moves:
            cell, after = self.play.move(self.play.begin(), position.owners)
            self._keep((), after)
            return cell, "listed"
        before = self._board(position.undo(1))
        cell, after = self.play.answer(before, position.owners, moves[-1])
        self._keep(moves, after)
        return cell, "listed" if after.pairs is None or after.pairs != before.pairs else "pair"

    def _board(self, position: Position) -> Believed:
        """Return what is believed with the other player to move."""
        moves = self._moves(position)
        if not moves:
            return self.play.begin()
        if moves[:-1] not in self._known:
            self._found(position.undo(1))
        found: Believed = self._known[moves[:-1]]
        return found

    def shown(self, position: Position) -> dict[str, Any]:
        """Return the free cells of the zone, and the pairs that are left."""
        board, owners = self._board(position), position.owners
        pairs = board.pairs or ()
        held = [list(pair) for pair in pairs if all(owners[cell] == FREE for cell in pair)]
        zone = self.play.zone(board, owners)
        return {
            "zone": sorted(cell for cell in zone if owners[cell] == FREE),
            "settled": board.pairs is not None,
            "pairs": held,
        }
