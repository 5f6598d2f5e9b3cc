"""Play by a plan with zones: the answer to every move, listed or not.

A move that is not listed is taken for a listed one that it is refuted with: one whose plan rests on
a zone without it. So the plan is played on a board as it is *believed*, where the rival may have
stones that were never put there, and others are left out; the zones say that neither matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import FREE, Known, Requires, Trait
from hyperoxo.proof.envelope import with_stone
from hyperoxo.proof.zones import Step, Walker, ZonePlan, by_lines, lines_of, on_board

PLAYED = Requires(
    "playing by a plan with zones",
    {Trait.STRONG, Trait.MAKER_BREAKER, *Known.STARTS, *Known.TARGETS, *Known.OPENINGS},
)
"""Games with one cell a turn."""

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TrackedBoard:
    """The board as the plan has it: owners, stones played, and pairs once these do the rest.

    It is the image that the walk has met first, since zones are not the same for all symmetries;
    `cells` has the cell of the real board for each of its cells. Pairs are real ones.
    """

    owners: bytes
    ply: int
    cells: tuple[int, ...]
    pairs: Pairs | None = None


class ZonePlay:
    """Player of a plan that the checker has accepted."""

    def __init__(self, plan: ZonePlan) -> None:
        PLAYED.check(plan.game)
        self.plan, self.lines = plan, lines_of(plan)
        self.walker = Walker(plan, self.lines)
        self.rival = 3 - plan.seat

    def begin(self) -> TrackedBoard:
        """Return the first board of the plan."""
        owners = self.plan.position.owners
        return self._first(owners, self.plan.position.ply, tuple(range(len(owners))))

    def zone(self, board: TrackedBoard, real: bytes) -> frozenset[int]:
        """Return the zone of the plan, with the rival to move."""
        if board.pairs is None:
            found = self.walker.zone(board.owners, board.ply)
            return frozenset(board.cells[cell] for cell in found)
        live, _ = self.lines.live_lines(real)
        inside = frozenset[int]().union(*live)
        free = (pair for pair in board.pairs if all(real[cell] == FREE for cell in pair))
        held = tuple(pair for pair in free if inside.issuperset(pair))
        return self.lines.leaf_zone(live, True, 1, held) or frozenset()

    def move(self, board: TrackedBoard, real: bytes) -> tuple[int | None, TrackedBoard]:
        """Return the plan's own move, None if any cell will do, and the board after it."""
        live, _ = self.lines.live_lines(board.owners)
        if self.lines.missing(live) <= 0 or not any(live):
            return None, replace(board, ply=board.ply + 1)
        ready = self._ready(board, live, real)
        if ready is not None:
            return self._done(board, ready)
        step = self._step(board)
        if step is not None and step.move is None and step.pairs is not None:
            pairs = _real(step.pairs, board)
            return self._heaviest(real, pairs), replace(board, ply=board.ply + 1, pairs=pairs)
        if step is None or step.move is None:
            raise CheckFailedError("the plan has no move here")
        owners = with_stone(board.owners, step.move, self.plan.seat)
        cell, ply = board.cells[step.move], board.ply + 1
        if step.pairs is not None:
            return cell, TrackedBoard(owners, ply, board.cells, _real(step.pairs, board))
        return cell, self._first(owners, ply, board.cells)

    def answer(
        self, board: TrackedBoard, real: bytes, cell: int
    ) -> tuple[int | None, TrackedBoard]:
        """Return the answer to a rival's move on the real board, and the believed board after."""
        if board.pairs is not None:
            return self._in_leaf(real, cell, board.pairs), board
        live, _ = self.lines.live_lines(board.owners)
        if self.lines.missing(live) <= 0 or not any(live):
            return None, board
        step = self._step(board)
        if step is not None and step.pairs is not None:
            pairs = _real(step.pairs, board)
            return self._in_leaf(real, cell, pairs), replace(board, pairs=pairs)
        ready = self._ready(board, live, real)
        if ready is not None:
            return self._done(board, ready)
        # Find a listed reply whose zone has no real stone of the rival that the believed board
        # lacks, `move` itself excepted: that plan holds on the real board, whatever `cell` was.
        more = {
            at
            for at, owner in enumerate(board.owners)
            if real[board.cells[at]] == self.rival != owner
        }
        for move in by_lines(set[int]().union(*live), live):
            after, ply = with_stone(board.owners, move, self.rival), board.ply + 1
            if self.walker.listed(after, ply):
                zone = self.walker.zone(after, ply)
                if not (more - {move}) & zone:
                    return self.move(self._first(after, ply, board.cells), real)
        raise CheckFailedError(f"the plan has no answer to cell {cell}")

    def _first(self, owners: bytes, ply: int, cells: tuple[int, ...]) -> TrackedBoard:
        """Return the image of a board that the walk met first."""
        # The walk must have met the position, and zones are those of the image met first: renumber
        # the cells from one image to the other through the form that both share.
        self.walker.zone(owners, ply)
        form, here = self._located(owners)
        first = self.walker.first[form, ply % len(self.walker.turns.cycle)]
        there = self._located(first)[1]
        at = dict(zip(there, here, strict=True))
        return TrackedBoard(first, ply, tuple(cells[at[cell]] for cell in range(len(cells))))

    def _located(self, owners: bytes) -> tuple[bytes, bytes | range]:
        """Return the form of a board, and its cells in the order of the form."""
        return self.walker.forms.locate(self.lines.live_lines(owners)[1])

    def _step(self, board: TrackedBoard) -> Step | None:
        """Return the row for a board, on its own cells."""
        form, cells = self._located(board.owners)
        step = self.plan.steps.get((form, board.ply % len(self.walker.turns.cycle)))
        return None if step is None else on_board(step, cells)

    def _ready(self, board: TrackedBoard, live: list[frozenset[int]], real: bytes) -> int | None:
        """Return a free cell that completes the last line that the plan's player needs."""
        if self.plan.seat != self.lines.maker:
            return None
        threats = (min(line) for line in self.lines.threats(live, 1))
        return next((cell for cell in threats if real[board.cells[cell]] == FREE), None)

    def _done(self, board: TrackedBoard, cell: int) -> tuple[int, TrackedBoard]:
        """Complete the last line."""
        owners = with_stone(board.owners, cell, self.plan.seat)
        return board.cells[cell], replace(board, owners=owners, ply=board.ply + 1)

    def _in_leaf(self, real: bytes, cell: int, pairs: Pairs) -> int | None:
        """Answer inside the pair, or else on the cell that weighs most."""
        partners = {**dict(pairs), **{two: one for one, two in pairs}}
        other = partners.get(cell)
        if other is not None:
            return other if real[other] == FREE else None
        return self._heaviest(real, pairs)

    def _heaviest(self, real: bytes, pairs: Pairs) -> int | None:
        """Return the unpaired cell of greatest weight, None if all weights are 0."""
        partners = {cell for pair in pairs for cell in pair}
        live, _ = self.lines.live_lines(real)
        weights = dict[int, float]()
        for free in live:
            if any(one in free and two in free for one, two in pairs):
                continue
            for at in free - partners:
                weights[at] = weights.get(at, 0.0) + 2.0 ** -len(free - partners)
        return min(weights, key=lambda at: (-weights[at], at)) if weights else None


def _real(pairs: Pairs, board: TrackedBoard) -> Pairs:
    return tuple((board.cells[one], board.cells[two]) for one, two in pairs)
