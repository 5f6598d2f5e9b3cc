"""Play by a key plan: the answer to each of Maker's moves, and the invariants in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo_research.proof.keyplan.board import POOR, RICH, Flags
from hyperoxo_research.proof.keyplan.check import (
    States,
    beginning,
    blocks_have_spare_cells,
    full_lines,
    images_for,
    lines_near,
    live_lines,
    pairs_have_spare_cells,
    row_of,
    two_each,
)
from hyperoxo_research.proof.keyplan.examine import is_safe_after_key, is_wide_won
from hyperoxo_research.proof.keyplan.matching import Scratch
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.states import MANY, State
from hyperoxo_research.proof.keyplan.stones import sets_to_answer

_KEPT = 1 << 17


@dataclass(frozen=True)
class Bookkeeping:
    """Breaker's bookkeeping, Maker to move.

    `counted` are Maker's counted stones, and `exchanges` those answered at once, with the answer
    and the line that the two were kept for. `partners` is the other cell of each pair once the keys
    are settled. By lines, `near` are the stones of the regions, and `warm` the warm lines.
    """

    maker: int
    breaker: int
    counted: frozenset[int]
    exchanges: tuple[tuple[int, int, int], ...] = ()
    partners: Mapping[int, int] | None = field(default=None, compare=False)
    near: tuple[int, ...] = ()
    warm: frozenset[int] = frozenset()


class PlanPlay:
    """Plays by a plan, which the checker must have accepted."""

    def __init__(self, plan: KeyPlan) -> None:
        self.plan, self.tables, self.states = plan, plan.tables, States(plan)
        self._lines, self._by_lines = self.tables.lines, plan.by_lines
        self._key_of = {cell: place for place, cell in enumerate(plan.keys)}
        self._find = lru_cache(_KEPT)(
            lambda maker, breaker, row: self.states.find(maker, breaker, np.array(row))
        )

    def begin(self) -> Bookkeeping:
        """Return the books where the plan begins."""
        tables = self.tables
        books = Bookkeeping(int(tables.maker), int(tables.breaker), frozenset(tables.counted))
        if self._by_lines:
            near = beginning(tables, by_lines=True)[1 : 1 + len(tables.members)]
            warm = full_lines(tables, books.breaker, books.counted)
            books = replace(books, near=tuple(near.tolist()), warm=frozenset(warm))
        return self._pair_all(books)

    def answer(self, books: Bookkeeping, cell: int) -> tuple[int | None, Bookkeeping]:
        """Return the answer to Maker move, None where any cell will do, and the new books."""
        if books.partners is not None:
            return books.partners.get(cell), books
        if cell in self._key_of:
            for reply, after in self._after_key(books, cell):
                return self.plan.keys[reply], self._pair_all(after)
            raise CheckFailedError(f"the plan has no answer to cell {cell}")
        if two_each(self.tables, self.decided(books), books.counted | {cell}) is None:
            return self._exchange(books, cell)
        for reply, after in self._after_stone(books, cell):
            if self._suffices(after):
                return self.plan.keys[reply], self._pair_all(after)
        raise CheckFailedError(f"the plan has no answer to cell {cell}")

    def is_settled_after(self, books: Bookkeeping, cell: int) -> bool:
        """Return whether pairs settle the rest after the answer to a key."""
        for _, after in self._after_key(books, cell):
            return self._is_settled(after)
        return False

    def rich(self, books: Bookkeeping) -> Flags:
        """Live rich lines."""
        live = (self._lines.keys_on & np.uint64(books.breaker)) == 0
        found: Flags = (self._lines.kinds == RICH) & live
        return found

    def decided(self, books: Bookkeeping) -> Flags:
        """Live lines without a free key, but for main lines."""
        taken = (self._lines.keys_on & ~np.uint64(books.maker)) == 0
        found: Flags = ((self._lines.kinds == POOR) | self.rich(books)) & taken
        return found

    def _after_key(self, books: Bookkeeping, cell: int) -> Iterator[tuple[int, Bookkeeping]]:
        """Yield the answers to a key, by their places among the keys, and the books after them."""
        maker, board = books.maker | 1 << self._key_of[cell], self.states.board
        for reply, after in self._replies(replace(books, maker=maker)):
            state = State(np.uint64(maker), np.uint64(after.breaker), self._row(after))
            if is_safe_after_key(board, np.uint64(books.maker), state, self.states.work.room):
                yield reply, after

    def _after_stone(self, books: Bookkeeping, cell: int) -> Iterator[tuple[int, Bookkeeping]]:
        """Yield the answers to a counted stone, and the books after them."""
        counted, tables = books.counted | {cell}, self.tables
        through = lines_near(tables, books.breaker, cell) if self._by_lines else []
        if not through:
            yield from self._replies(replace(books, counted=counted))
            return
        # 1. One stone more in the region, and the lines that become full among those that are warm.
        regions = self.states.board.regions
        region, bit = int(regions.of_line[through[0]]), regions.bit
        near = list(books.near)
        near[region] = min(MANY, near[region] + 1)
        full = full_lines(tables, books.breaker, counted)
        fresh = sum(1 << int(bit[line]) for line in full - books.warm)
        undecided = self.rich(books) & ~self.decided(books)
        events = [line for line in through if line in books.warm and undecided[line]]
        state = State(np.uint64(books.maker), np.uint64(books.breaker), self._row(books))
        # 2. Of plans for the stone and for events on its lines, those that fit.
        for event in (-1, *events):
            at = -1 if event < 0 else int(bit[event])
            for some in sets_to_answer(self.states.board, state, region, at).tolist():
                if fresh & ~some:
                    continue
                new = {line for at, line in enumerate(tables.members[region]) if some >> at & 1}
                after = replace(books, counted=counted, near=tuple(near), warm=books.warm | new)
                for reply, then in self._replies(after):
                    if event < 0 or int(self._lines.keys_on[event]) >> reply & 1:
                        yield reply, then

    def _replies(self, books: Bookkeeping) -> Iterator[tuple[int, Bookkeeping]]:
        """Yield the places of the keys that lead to won states, and the books after them."""
        # Those to listed states come first.
        others = []
        for place in range(len(self.plan.keys)):
            reply = 1 << place
            if not (books.maker | books.breaker) & reply:
                after = self._normal(replace(books, breaker=books.breaker | reply))
                if self._listed(after) >= 0:
                    yield place, after
                else:
                    others.append((place, after))
        yield from (one for one in others if self._is_settled(one[1]))

    def _normal(self, books: Bookkeeping) -> Bookkeeping:
        """Forget regions without live lines, and warm lines that are not live."""
        if not self._by_lines:
            return books
        live = live_lines(self.tables, books.breaker)
        near = tuple(n if row else 0 for n, row in zip(books.near, live, strict=True))
        return replace(books, near=near, warm=books.warm & {one for row in live for one in row})

    def _row(self, books: Bookkeeping) -> NDArray[np.int64]:
        if not self._by_lines:
            return np.array([len(books.counted)])
        return row_of(self.tables, len(books.counted), books.near, books.warm)

    def _listed(self, books: Bookkeeping) -> int:
        """Return the place of a state in the list, or -1; those met are remembered."""
        return self._find(books.maker, books.breaker, tuple(self._row(books).tolist()))

    def _is_settled(self, books: Bookkeeping) -> bool:
        """Return whether pairs settle a state, by lines also one that is not listed."""
        if (place := self._listed(books)) >= 0:
            return bool(self.states.listed.leaves[place])
        board, work = self.states.board, self.states.work
        given = images_for(board, books.maker), np.uint64(books.breaker), len(books.counted)
        return self._by_lines and bool(is_wide_won(board, work, *given))

    def _suffices(self, books: Bookkeeping) -> bool:
        """Return whether live rich lines have room, and by lines the other invariants hold."""
        tables = self.tables
        if two_each(tables, self.rich(books), books.counted) is None:
            return False
        if not self._by_lines:
            return True
        full = full_lines(tables, books.breaker, books.counted)
        known = {
            line
            for row, stones in zip(tables.members, books.near, strict=True)
            for line in row
            if stones < MANY
        }
        return (
            full <= books.warm
            and books.warm & known <= full
            and pairs_have_spare_cells(tables, books.breaker, books.counted)
            and blocks_have_spare_cells(tables, books.maker, books.breaker, books.counted)
        )

    def _exchange(self, books: Bookkeeping, cell: int) -> tuple[int, Bookkeeping]:
        """Answer a stone in a tight set in its pair."""
        left, used = self._unexchanged(self.decided(books), books)
        room = two_each(self.tables, left, books.counted | used)
        if room is None:
            raise CheckFailedError(f"no line can be served after cell {cell}")
        other, line = _pairs(room)[cell]
        return other, replace(books, exchanges=(*books.exchanges, (cell, other, line)))

    def _pair_all(self, books: Bookkeeping) -> Bookkeeping:
        """Pair all cells where the state is settled."""
        if not self._is_settled(books):
            return books
        live = (self._lines.keys_on & np.uint64(books.breaker)) == 0
        left, used = self._unexchanged(live, books)
        room = two_each(self.tables, left, books.counted | used, books.maker | books.breaker)
        if room is None:
            raise CheckFailedError("the lines that are left cannot be paired")
        return replace(books, partners={one: two for one, (two, _) in _pairs(room).items()})

    @staticmethod
    def _unexchanged(lines: Flags, books: Bookkeeping) -> tuple[Flags, set[int]]:
        """Return the lines without those of exchanges, and the cells of these."""
        lines[[line for _, _, line in books.exchanges]] = False
        return lines, {cell for pair in books.exchanges for cell in pair[:2]}


def _pairs(room: Scratch) -> dict[int, tuple[int, int]]:
    """Return for each cell that a line holds the other one, and the line."""
    held: dict[int, list[int]] = {}
    for cell in np.flatnonzero(room.holder >= 0).tolist():
        held.setdefault(int(room.holder[cell]), []).append(cell)
    pairs = {one: (two, line) for line, (one, two) in held.items()}
    return {**pairs, **{two: (one, line) for one, (two, line) in pairs.items()}}
