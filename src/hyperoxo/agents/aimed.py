"""The player who knows a plan of Breaker's and tries it where it promises least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Randomness, generator, moves_of
from hyperoxo.agents.breaker import PlanAgent
from hyperoxo.agents.options import choice_option
from hyperoxo.position import FREE, Position, Reason, Why
from hyperoxo.proof.breaker_loops import POOR, RICH
from hyperoxo.proof.breaker_play import PlanPlay

_AIMS = {
    "keys": "the keys",
    "rich": "the lines with keys and other cells",
    "poor": "the lines without keys",
    "lines": "the lines that lack least",
}
_MORE = 4.0
"""How many times as much a line is worth with one stone more."""
_OPEN = 10.0
"""The same of a key after whose answer pairs do not settle the rest yet."""
_KINDS = {"rich": RICH, "poor": POOR}


class AimedAgent(PlanAgent):
    """Knows the plan that keeps it from any line, and plays where the plan has least to spare.

    It aims at keys, at first those that keep the plan from settling the rest by pairs; at rich
    lines or at poor ones, off the keys; or at the lines that lack least, as it does where nothing
    else is left. All of it is a little random.
    """

    name = "aimed"

    def __init__(self, plan: str | None = None, at: str = "any") -> None:
        super().__init__(plan)
        self.at = choice_option("at", at, ("any", *_AIMS))

    def chosen(self, position: Position, rng: Randomness) -> tuple[int, float, Reason]:
        """Choose a move; see :meth:`PlanAgent.chosen`."""
        cells, rng = np.array(moves_of(position)), generator(rng)
        play = self.play_of(position.game)
        aim = [*_AIMS][rng.integers(len(_AIMS))] if self.at == "any" else self.at
        worth = self._worth(play, position, aim)[cells]
        if not worth.any():
            aim, worth = "lines", self._worth(play, position, "lines")[cells]
        worth *= rng.uniform(0.8, 1.2, len(worth))
        best = int(worth.argmax())
        cell = int(cells[best])
        return cell, float(worth[best]), Why.AIMED(cell=cell, aim=_AIMS[aim])

    def _worth(self, play: PlanPlay, position: Position, aim: str) -> NDArray[np.float64]:
        """Value all cells, with more than 0 for those that are aimed at."""
        owners, keys = np.frombuffer(position.owners, np.uint8), list(play.plan.keys)
        lines, worth = play.tables.lines, np.zeros(len(owners))
        stones, begins = owners[lines.cells], lines.starts[:-1]
        mine = np.add.reduceat(stones == position.to_move, begins)
        live = np.add.reduceat(stones == 3 - position.to_move, begins) == 0
        if aim in _KINDS:
            live &= lines.kinds == _KINDS[aim]
        of_line = np.where(live, _MORE**mine, 0.0)
        worth += np.bincount(lines.cells, np.repeat(of_line, np.diff(lines.starts)), len(owners))
        if aim in _KINDS:
            worth[keys] = 0
        return worth * self._open(play, position) if aim == "keys" else worth

    def _open(self, play: PlanPlay, position: Position) -> NDArray[np.float64]:
        """Factors of the free keys while the plan is followed and has not settled all by pairs."""
        factors, books = np.zeros(len(position.owners)), None
        if position.to_move != play.plan.seat:
            books = self.books_before(play, position, 0)
        if books is not None and books.partners is None:
            for cell in play.plan.keys:
                if position.owners[cell] == FREE:
                    factors[cell] = 1 if play.answer(books, cell)[1].partners is not None else _OPEN
        return factors
