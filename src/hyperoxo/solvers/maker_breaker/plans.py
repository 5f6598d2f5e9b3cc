"""Proof plans for Maker-Breaker games, in the form of `hyperoxo.proof.zones`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import Game, Position, spelled
from hyperoxo.jit import working_time
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.envelope import with_stone
from hyperoxo.proof.zones import Lines, Step, Walker, ZonePlan, by_lines, lines_of
from hyperoxo.solvers.draws.pairing import pairs_of
from hyperoxo.solvers.maker_breaker.search import (
    MAKERS,
    MakerProgress,
    MakerSearch,
    MakerThreats,
    new_control,
)
from hyperoxo.task import ALONE, Task

_FIRST_NODES = 50
_MOST_ROWS = 200_000


Key = tuple[bytes, int]
"""A position in the form that proofs list, and the ply within a cycle of turns."""


def _row(lines: Lines, owners: bytes, ply: int, step: Step) -> tuple[Key, Step]:
    """Return the row of a position: its key, and the step on the cells of its form."""
    form, cells = canonical_forms_of(lines.game).locate(lines.live_lines(owners)[1])
    at = {cell: i for i, cell in enumerate(cells)}
    pairs = step.pairs
    if pairs is not None:
        images = (sorted((at[a], at[b])) for a, b in pairs)
        pairs = tuple(sorted((a, b) for a, b in images))
    key = form, ply % len(lines.game.turns.cycle)
    return key, Step(None if step.move is None else at[step.move], pairs)


class _Builder(Walker):
    """The checker's walk through a plan; searches for missing rows and adds them."""

    def __init__(
        self,
        plan: ZonePlan,
        lines: Lines,
        search: MakerSearch | MakerThreats,
        control: NDArray[np.int64],
    ) -> None:
        super().__init__(plan, lines)
        self.steps: dict[Key, Step] = dict(plan.steps)
        self.search, self.control = search, control
        self.added = self.nodes = 0

    def _list(self, owners: bytes, ply: int, step: Step, *, used: bool = True) -> Step:
        """Add a row for a position to the plan, and return its step."""
        key, listed = _row(self.lines, owners, ply, step)
        if len(self.steps) == _MOST_ROWS:
            raise LimitError(f"the proof has more than {_MOST_ROWS:,} rows")
        self.steps[key] = listed
        if used:
            self.used.add(key)
        self.added += 1
        return step

    def _own(
        self, owners: bytes, ply: int, live: list[frozenset[int]], step: Step | None
    ) -> frozenset[int]:
        if step is None:
            step = self._list(owners, ply, self._step(owners, ply, live))
        return super()._own(owners, ply, live, step)

    def _step(self, owners: bytes, ply: int, live: list[frozenset[int]]) -> Step:
        """Find a winning move, preferably one after which pairs and weights suffice."""
        # 1. Breaker: the heaviest cell after which a leaf holds ends the plan at once.
        seat = self.plan.seat
        cells = by_lines({cell for free in live for cell in free}, live)
        weight = {cell: sum(2.0 ** -len(free) for free in live if cell in free) for cell in cells}
        cells.sort(key=lambda cell: -weight[cell])
        if seat != self.lines.maker:
            for cell in cells:
                pairs = self._pairs(with_stone(owners, cell, seat), ply + 1)
                if pairs is not None:
                    return Step(cell, pairs)
        # 2. A search by threats gives the whole line; its first move is the row.
        if isinstance(self.search, MakerThreats):
            self._limit(self.search.most_nodes)
            position = Position.from_owners(self.lines.game, owners, reached=True)
            if line := self.search.line(position, self.control):
                return Step(line[0])
        # 3. Any winning move will do: try all with few nodes before any with many, since moves that
        # are easy to prove tend to need few rows below them.
        most = _FIRST_NODES
        while True:
            for cell in cells:
                if self._won(with_stone(owners, cell, seat), ply + 1, most):
                    return Step(cell)
            most *= 8
            if most > self.search.most_nodes:
                raise CheckFailedError(f"player {seat} keeps no win in {spelled(owners)}")

    def _won(self, owners: bytes, ply: int, most: int) -> bool:
        self._limit(most)
        found = self.search.decide(owners, ply, self.control)
        self.nodes += found.nodes
        return found.maker_wins is (self.plan.seat == self.lines.maker)

    def _limit(self, most: int) -> None:
        """Begin a search of at most this many positions."""
        if self.control[STOP]:
            raise LimitError("the proof was not found within the limit")
        self.control[NODES], self.control[NODE_LIMIT] = 0, most

    def _pairs(self, owners: bytes, ply: int) -> tuple[tuple[int, int], ...] | None:
        """Return pairs that the checker accepts as a leaf, or None."""
        pairs = self.search.leaf_pairs(owners, ply)
        if pairs is None:
            return None
        live, _ = self.lines.live_lines(owners)
        making, left = self.turns.mover(ply) == self.lines.maker, self.turns.left(ply)
        for tried in (pairs, ()):
            if self.lines.leaf_zone(live, making, left, tried) is not None:
                return tried
        return None

    def _rivals(
        self, owners: bytes, ply: int, live: list[frozenset[int]], left: int
    ) -> frozenset[int]:
        if self.plan.seat != self.lines.maker:
            pairs = self._pairs(owners, ply)
            if pairs is not None:
                self._list(owners, ply, Step(None, pairs))
                return self._leaf(owners, ply, pairs)
        return super()._rivals(owners, ply, live, left)

    def _answered(
        self,
        owners: bytes,
        ply: int,
        live: list[frozenset[int]],
        open_moves: set[int],
        zone: set[int],
    ) -> None:
        # Answer each remaining move by its own plan, and drop the moves outside its zone. If
        # the rival has more cells in the turn, an empty row marks the position as listed.
        for move in by_lines(open_moves, live):
            if move not in open_moves:
                continue
            after = with_stone(owners, move, 3 - self.plan.seat)
            if self.turns.mover(ply + 1) != self.plan.seat:
                self._list(after, ply + 1, Step(), used=False)
            found = self.zone(after, ply + 1)
            open_moves &= found - {move}
            zone |= found


def plan_by_weights(position: Position, seat: int) -> ZonePlan:
    """Return a plan of weights or pairs, preceded by the heaviest cells of this turn if needed."""
    # The checker decides if it keeps the other from the target.
    game, turns = position.game, position.game.turns
    plan = ZonePlan(game, seat, "win" if MAKERS.accepts(game) else "draw", {}, position)
    lines, steps = lines_of(plan), dict[Key, Step]()
    # Place the rest of this turn on the heaviest cells, until a leaf of weights or pairs holds. On
    # the rival's turn the checker decides about the pairs.
    here = position
    pairs: tuple[tuple[int, int], ...] | None = None
    while pairs is None and not here.is_over:
        live, _ = lines.live_lines(here.owners)
        mine, left = here.to_move == seat, turns.left(here.ply)
        cells = by_lines({cell for free in live for cell in free}, live)
        if not cells:
            break
        if lines.leaf_zone(live, not mine, left, ()) is not None:
            pairs = ()
        elif not mine:
            pairs = pairs_of(here, seat) or ()
        move, before = None, here
        if pairs is None:
            longest = max(map(len, live))
            worth = dict.fromkeys(cells, 0)
            for free in live:
                for cell in free:
                    worth[cell] += (1 + lines.breaker_cells) ** (longest - len(free))
            move = max(cells, key=worth.__getitem__)
            here = here.play(move)
        steps.update([_row(lines, before.owners, before.ply, Step(move, pairs))])
    return ZonePlan(game, seat, plan.claim, steps, position)


def plan_of_line(position: Position, line: tuple[int, ...]) -> ZonePlan:
    """Return the plan of a forced win of the Maker, to move; `line` has both sides in turn."""
    # No position occurs twice, even with dead cells given away: each answer kills a line.
    game = position.game
    plan = ZonePlan(game, position.to_move, "win", {}, position)
    lines, steps = lines_of(plan), dict[Key, Step]()
    here = position
    for move, answer in zip(line[:-1:2], line[1::2], strict=True):
        steps.update([_row(lines, here.owners, here.ply, Step(move))])
        here = here.play(move).play(answer)
    return replace(plan, steps=steps)


def plan_of(
    search: MakerSearch | MakerThreats, position: Position, seat: int, task: Task = ALONE
) -> ZonePlan:
    """Return a plan that proves that a seat wins, or that it keeps the other from any line."""
    # The position is walked through as the checker does it, and missing rows are searched and
    # added. Positions are listed up to symmetry, so a new row may also answer moves that were
    # walked before, and the checker would count its zone there as well. So the walk is repeated
    # until no row is added.
    game: Game = search.game
    control, began = new_control(), working_time()
    claim = "win" if MAKERS.accepts(game) else "draw"
    first = ZonePlan(game, seat, claim, {}, position)
    if first.maker != search.maker or (claim == "draw" and seat == search.maker):
        raise CheckFailedError(f"player {seat} has no plan against lines of player {search.maker}")
    builders: list[_Builder] = []

    def report() -> None:
        if builders:
            rows = len(builders[-1].steps)
            nodes = sum(builder.nodes for builder in builders)
            task.report(MakerProgress(nodes, 0, 0, rows, working_time() - began))

    def work() -> ZonePlan:
        plan = first
        while True:
            builder = _Builder(plan, lines_of(plan), search, control)
            builders.append(builder)
            builder.zone(position.owners, position.ply)
            steps = {key: step for key, step in builder.steps.items() if key in builder.used}
            plan = replace(plan, steps=steps)
            if not builder.added:
                return plan

    return task.result(work, control[STOP : STOP + 1], report)
