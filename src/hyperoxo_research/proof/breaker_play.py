"""How Breaker plays by a plan: the answer to each of Maker's moves, and what holds in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker import BreakerPlan
from hyperoxo_research.proof.breaker_check import arrays_of
from hyperoxo_research.proof.breaker_line_blocks import blocks_hold
from hyperoxo_research.proof.breaker_line_forms import MANY
from hyperoxo_research.proof.breaker_line_loops import decided_hold
from hyperoxo_research.proof.breaker_line_stones import sets_to_answer
from hyperoxo_research.proof.breaker_lines import LineStates

Flags = NDArray[np.bool_]
_ALL = (1 << 64) - 1
_KEPT = 1 << 17


@dataclass(frozen=True)
class Books:
    """What Breaker keeps track of, Maker to move.

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

    def __init__(self, plan: BreakerPlan) -> None:
        self.plan, self.tables = plan, plan.tables
        self._lines = self.tables.lines
        self._states = LineStates(plan) if plan.by_lines else arrays_of(plan)
        self._key_of = {cell: place for place, cell in enumerate(plan.keys)}
        self._place = lru_cache(_KEPT)(self._found)

    def begin(self) -> Books:
        """Return the books where the plan begins."""
        tables = self.tables
        books = Books(int(tables.maker), int(tables.breaker), frozenset(tables.counted))
        if isinstance(self._states, LineStates):
            made = self._states.made
            near = tuple(made.beginning()[1 : 1 + len(made.cells)].tolist())
            warm = frozenset(made.full(books.breaker, books.counted))
            books = replace(books, near=near, warm=warm)
        return self._settled(books)

    def answer(self, books: Books, cell: int) -> tuple[int | None, Books]:
        """Return the answer to a move of Maker's, None where any cell does, and the new books."""
        if books.partners is not None:
            return books.partners.get(cell), books
        if cell in self._key_of:
            for reply, after in self._after_key(books, cell):
                return self.plan.keys[reply], self._settled(after)
            raise CheckFailedError(f"the plan has no answer to cell {cell}")
        if self._fit(self.decided(books), books.counted | {cell}) is None:
            return self._exchange(books, cell)
        for reply, after in self._after_stone(books, cell):
            if self._suffices(after):
                return self.plan.keys[reply], self._settled(after)
        raise CheckFailedError(f"the plan has no answer to cell {cell}")

    def settles(self, books: Books, cell: int) -> bool:
        """Tell whether pairs settle the rest after the answer to a key."""
        for _, after in self._after_key(books, cell):
            return self._is_settled(after)
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

    def _after_key(self, books: Books, cell: int) -> Iterator[tuple[int, Books]]:
        """Yield the answers to a key, by their places among the keys, and the books after them."""
        maker, states = books.maker | 1 << self._key_of[cell], self._states
        for reply, after in self._replies(replace(books, maker=maker)):
            if isinstance(states, LineStates):
                earlier, now = np.uint64(books.maker), np.uint64(maker)
                given = self._lines, states.made.regions, earlier, now, np.uint64(after.breaker)
                row = self._row(after)
                if not blocks_hold(*given, row):
                    continue
                if not decided_hold(*given, row, self.tables.room()):
                    continue
            yield reply, after

    def _after_stone(self, books: Books, cell: int) -> Iterator[tuple[int, Books]]:
        """Yield the answers to a counted stone, and the books after them."""
        counted, states = books.counted | {cell}, self._states
        if not isinstance(states, LineStates):
            yield from self._replies(replace(books, counted=counted))
            return
        made, through = states.made, states.made.near(books.breaker, cell)
        if not through:
            yield from self._replies(replace(books, counted=counted))
            return
        # 1. One stone more in the region, and the lines that become full among those that are warm.
        region, bit = int(made.regions.of_line[through[0]]), made.regions.bit
        near = list(books.near)
        near[region] = min(MANY, near[region] + 1)
        fresh = sum(1 << int(bit[line]) for line in self._full(books, counted) - books.warm)
        undecided = self.rich(books) & ~self.decided(books)
        events = [line for line in through if line in books.warm and undecided[line]]
        # 2. Of plans for the stone and for events on its lines, those that fit.
        for event in (-1, *events):
            at = -1 if event < 0 else int(bit[event])
            keys, row = np.uint64(books.breaker), self._row(books)
            for some in sets_to_answer(self._lines, made.regions, keys, row, region, at).tolist():
                if fresh & ~some:
                    continue
                new = {one for place, one in enumerate(made.members[region]) if some >> place & 1}
                after = replace(books, counted=counted, near=tuple(near), warm=books.warm | new)
                for reply, then in self._replies(after):
                    if event < 0 or int(self._lines.keys_on[event]) >> reply & 1:
                        yield reply, then

    def _replies(self, books: Books) -> Iterator[tuple[int, Books]]:
        """Yield the places of the keys that lead to won states, and the books after them.

        Those to listed states come first.
        """
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

    def _normal(self, books: Books) -> Books:
        """Forget regions without live lines, and warm lines that are not live."""
        if not isinstance(self._states, LineStates):
            return books
        live = self._states.made.live(books.breaker)
        near = tuple(n if row else 0 for n, row in zip(books.near, live, strict=True))
        return replace(books, near=near, warm=books.warm & {one for row in live for one in row})

    def _row(self, books: Books) -> NDArray[np.int64]:
        """Return the row of a state by lines."""
        assert isinstance(self._states, LineStates)
        return self._states.made.row(len(books.counted), books.near, books.warm)

    def _full(self, books: Books, counted: frozenset[int]) -> set[int]:
        """Return the lines that bear all the stones that they may."""
        assert isinstance(self._states, LineStates)
        return self._states.made.full(books.breaker, counted)

    def _listed(self, books: Books) -> int:
        """Return the place of a state in the list, or -1."""
        if isinstance(self._states, LineStates):
            return self._place(books.maker, books.breaker, tuple(self._row(books).tolist()))
        place = self._place(books.maker, books.breaker)
        return place if place < 0 or self._states.counts[place] >= len(books.counted) else -1

    def _found(self, maker: int, breaker: int, row: tuple[int, ...] = ()) -> int:
        """Return the place of the stones on the keys in the list, or -1; those met are kept."""
        if isinstance(self._states, LineStates):
            return self._states.ask(maker, breaker, np.array(row, np.int64))
        form = loops.form_of(self.tables.images, np.uint64(maker), np.uint64(breaker))
        return int(loops.find(self._states.makers, self._states.breakers, *form))

    def _is_settled(self, books: Books) -> bool:
        """Tell whether pairs settle a state, by lines also one that is not listed."""
        states, place = self._states, self._listed(books)
        if not isinstance(states, LineStates):
            return place >= 0 and bool(states.leaves[place])
        if place < 0:
            return states.settles(books.maker, books.breaker, len(books.counted))
        return bool(states.listed.leaves[place])

    def _suffices(self, books: Books) -> bool:
        """Tell whether live rich lines have room, and by lines what else is said of the stones."""
        if self._fit(self.rich(books), books.counted) is None:
            return False
        if not isinstance(self._states, LineStates):
            return True
        made, full = self._states.made, self._full(books, books.counted)
        known = {
            line
            for row, stones in zip(made.members, books.near, strict=True)
            for line in row
            if stones < MANY
        }
        fine = full <= books.warm and books.warm & known <= full
        stones = books.breaker, books.counted
        fine &= made.pairs_have_room(*stones)
        return fine and made.blocks_have_room(books.maker, *stones)

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
        if not self._is_settled(books):
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
