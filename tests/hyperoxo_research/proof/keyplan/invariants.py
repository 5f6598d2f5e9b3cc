"""The invariants of the books that a player of a key plan keeps."""

from __future__ import annotations

from hyperoxo_research.proof.keyplan.check import two_each
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay


def invariants_hold(play: PlanPlay, books: Bookkeeping) -> bool:
    """Check what must hold whenever Maker is to move and the keys are not settled."""
    decided = play.decided(books)
    used = {cell for pair in books.exchanges for cell in pair[:2]}
    served = [line for _, _, line in books.exchanges]
    left = decided.copy()
    left[served] = False
    return (
        play._suffices(books)
        and two_each(play.tables, decided, books.counted) is not None
        and two_each(play.tables, left, books.counted | used) is not None
        and len(used) == 2 * len(set(served)) == 2 * len(served)
        and bool(decided[served].all())
        and all({x, y} <= set(play.tables.rows[line]) for x, y, line in books.exchanges)
        and not used & books.counted
    )
