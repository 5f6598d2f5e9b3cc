"""How Breaker plays by a plan: the answer to each of Maker's moves, and what holds in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.proof import breaker_loops as loops
from hyperoxo.proof.breaker import BreakerPlan
from hyperoxo.proof.breaker_check import arrays_of
from hyperoxo.proof.breaker_regions import RegionStates

Flags = NDArray[np.bool_]
_ALL = (1 << 64) - 1
_KEPT = 1 << 17


@dataclass(frozen=True)
class Books:
    """What Breaker keeps track of, Maker to move.

    `counted` are Maker's counted stones, and `exchanges` those answered at once, with the answer
    and the line that the two were kept for. `partners` is the other cell of each pair once the keys
    are settled.
    """

    maker: int
    breaker: int
    counted: frozenset[int]
    exchanges: tuple[tuple[int, int, int], ...] = ()
    partners: Mapping[int, int] | None = field(default=None, compare=False)


class PlanPlay:
    """Plays by a plan, which the checker must have accepted."""

    def __init__(self, plan: BreakerPlan) -> None:
        self.plan, self.tables = plan, plan.tables
        self._lines = self.tables.lines
        self._states = RegionStates(plan) if plan.by_regions else arrays_of(plan)
        self._key_of = {cell: place for place, cell in enumerate(plan.keys)}
        self._place = lru_cache(_KEPT)(self._found)

    def begin(self) -> Books:
        """Return the books where the plan begins."""
        tables = self.tables
        counted = frozenset(tables.counted)
        return self._settled(Books(int(tables.maker), int(tables.breaker), counted))

    def answer(self, books: Books, cell: int) -> tuple[int | None, Books]:
        """Return the answer to a move of Maker's, None where any cell does, and the new books."""
        if books.partners is not None:
            return books.partners.get(cell), books
        if cell in self._key_of:
            key = 1 << self._key_of[cell]
            for reply in self._replies(books.maker | key, books.breaker, books.counted):
                after = replace(books, maker=books.maker | key, breaker=books.breaker | 1 << reply)
                return self.plan.keys[reply], self._settled(after)
            raise CheckFailedError(f"the plan has no answer to cell {cell}")
        counted = books.counted | {cell}
        if self._fit(self.decided(books), counted) is None:
            return self._exchange(books, cell)
        for reply in self._replies(books.maker, books.breaker, counted):
            after = replace(books, breaker=books.breaker | 1 << reply, counted=counted)
            if self._suffices(after):
                return self.plan.keys[reply], self._settled(after)
        raise CheckFailedError(f"the plan has no answer to cell {cell}")

    def settles(self, books: Books, cell: int) -> bool:
        """Tell whether pairs settle the rest after the answer to a key."""
        maker = books.maker | 1 << self._key_of[cell]
        for reply in self._replies(maker, books.breaker, books.counted):
            place = self._listed(maker, books.breaker | 1 << reply, books.counted)
            return bool(self._states.leaves[place])
        return False

    def rich(self, books: Books) -> Flags:
        """Live rich lines."""
        lines = self._lines
        found: Flags = (lines.kinds == loops.RICH) & (
            (lines.keys_on & np.uint64(books.breaker)) == 0
        )
        return found

    def decided(self, books: Books) -> Flags:
        """Live lines without a free key, but for main lines."""
        lines = self._lines
        taken = (lines.keys_on & ~np.uint64(books.maker)) == 0
        found: Flags = ((lines.kinds == loops.POOR) | self.rich(books)) & taken
        return found

    def invariants_hold(self, books: Books) -> bool:
        """Check what must hold whenever Maker is to move and the keys are not settled."""
        decided = self.decided(books)
        used = {cell for pair in books.exchanges for cell in pair[:2]}
        served = [line for _, _, line in books.exchanges]
        left = decided.copy()
        left[served] = False
        return (
            self._suffices(books)
            and self._fit(decided, books.counted) is not None
            and self._fit(left, books.counted | used) is not None
            and len(used) == 2 * len(set(served)) == 2 * len(served)
            and bool(decided[served].all())
            and all({x, y} <= set(self.tables.rows[line]) for x, y, line in books.exchanges)
            and not used & books.counted
        )

    def _replies(self, maker: int, breaker: int, counted: frozenset[int]) -> Iterator[int]:
        """Yield the places of the keys that lead to listed states."""
        for place in range(len(self.plan.keys)):
            reply = 1 << place
            if not (maker | breaker) & reply and self._listed(maker, breaker | reply, counted) >= 0:
                yield place

    def _listed(self, maker: int, breaker: int, counted: frozenset[int]) -> int:
        """Return the place of a state in the list, or -1."""
        if isinstance(self._states, RegionStates):
            return self._place(maker, breaker, tuple(self._states.made.counts(counted).tolist()))
        place = self._place(maker, breaker)
        return place if place < 0 or self._states.counts[place] >= len(counted) else -1

    def _found(self, maker: int, breaker: int, counts: tuple[int, ...] = ()) -> int:
        """Return the place of the stones on the keys in the list, or -1; those met are kept."""
        if isinstance(self._states, RegionStates):
            return self._states.ask(maker, breaker, np.array(counts, np.int64))
        form = loops.form_of(self.tables.images, np.uint64(maker), np.uint64(breaker))
        return int(loops.find(self._states.makers, self._states.breakers, *form))

    def _suffices(self, books: Books) -> bool:
        """Tell whether live rich lines, and by regions their pairs with poor ones, have room."""
        if self._fit(self.rich(books), books.counted) is None:
            return False
        if isinstance(self._states, RegionStates):
            return self._states.made.pairs_have_room(books.breaker, books.counted)
        return True

    def _fit(
        self, wanted: Flags, closed: frozenset[int] | set[int], taken: int = -1
    ) -> loops.Room | None:
        """Give each of the lines two cells that are not closed, by default off the keys."""
        room = self.tables.room()
        loops.close(self._lines, np.uint64(taken & _ALL), room)
        room.holder[list(closed)] = loops.CLOSED
        return room if loops.two_each(self._lines, wanted, room) else None

    def _exchange(self, books: Books, cell: int) -> tuple[int, Books]:
        """Answer a stone in a tight set in its pair."""
        left = self.decided(books)
        left[[line for _, _, line in books.exchanges]] = False
        used = {one for pair in books.exchanges for one in pair[:2]}
        room = self._fit(left, books.counted | used)
        if room is None:
            raise CheckFailedError(f"no line can be served after cell {cell}")
        other, line = _pairs(room)[cell]
        return other, replace(books, exchanges=(*books.exchanges, (cell, other, line)))

    def _settled(self, books: Books) -> Books:
        """Pair all cells where the state is settled."""
        place = self._listed(books.maker, books.breaker, books.counted)
        if place < 0 or not self._states.leaves[place]:
            return books
        live = (self._lines.keys_on & np.uint64(books.breaker)) == 0
        live[[line for _, _, line in books.exchanges]] = False
        used = {cell for pair in books.exchanges for cell in pair[:2]}
        room = self._fit(live, books.counted | used, books.maker | books.breaker)
        if room is None:
            raise CheckFailedError("the lines that are left cannot be paired")
        return replace(books, partners={one: two for one, (two, _) in _pairs(room).items()})


def _pairs(room: loops.Room) -> dict[int, tuple[int, int]]:
    """Return for each cell that a line holds the other one, and the line."""
    held: dict[int, list[int]] = {}
    for cell in np.flatnonzero(room.holder >= 0).tolist():
        held.setdefault(int(room.holder[cell]), []).append(cell)
    pairs = {one: (two, line) for line, (one, two) in held.items()}
    return {**pairs, **{two: (one, line) for one, (two, line) in pairs.items()}}
