"""Key plans as the explorer reads them."""

from __future__ import annotations

from typing import Any

from hyperoxo.game import FREE, Position
from hyperoxo.play.explorer.readers import FollowedReader, Found, Moves
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay


class KeyPlanReader(FollowedReader):
    """Answers on the keys, exchanges, and pairs once the keys are settled."""

    def __init__(self, plan: KeyPlan) -> None:
        super().__init__(plan)
        self.play = PlanPlay(plan)

    def _found(self, position: Position) -> Found:
        moves = self._moves(position)
        before = self._books(moves[:-1])
        cell, after = self.play.answer(before, moves[-1])
        self._remember(moves, after)
        paired = before.partners is not None or len(after.exchanges) > len(before.exchanges)
        return cell, "pair" if paired else "listed"

    def _books(self, moves: Moves) -> Bookkeeping:
        """Return the books with the other player to move."""
        found: Bookkeeping | None = self._known.get(moves[:-1])
        if found is None:
            found = self.play.begin()
            if moves:
                found = self.play.answer(self._books(moves[:-2]), moves[-2])[1]
            self._remember(moves[:-1], found)
        return found

    def plan_state(self, position: Position) -> dict[str, Any]:
        """Return counted stones, exchanges, and the pairs that are left."""
        books, owners = self._books(self._moves(position)), position.owners
        pairs = {tuple(sorted(pair)) for pair in (books.partners or {}).items()}
        free = sorted(pair for pair in pairs if all(owners[cell] == FREE for cell in pair))
        return {
            "counted": sorted(books.counted),
            "exchanges": [[one, two] for one, two, _ in books.exchanges],
            "settled": books.partners is not None,
            "pairs": [list(pair) for pair in free],
        }
