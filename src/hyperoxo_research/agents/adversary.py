"""An adversary of key plans: a Maker who knows the plan and plays at its weakest points."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Explanation, Randomness, because, generator, moves_of
from hyperoxo.agents.options import choice_option
from hyperoxo.game import FREE, Game, Position, Why
from hyperoxo.task import ALONE, Task
from hyperoxo_research.agents.key_plan import PlanAgent
from hyperoxo_research.kernels.incidence import Incidence
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay

AIMS = {
    "keys": "the keys",
    "rich": "the lines with keys and other cells",
    "poor": "the lines without keys",
    "lines": "the lines that lack least",
}
"""Aims, described in words."""

MORE = 4.0
"""Factor of a line's value for each stone."""
_OPEN = 10.0
"""Factor of a key after whose answer pairs do not yet settle the rest."""


class Aim:
    """Values of cells for a Maker, by aim and the keys of a plan."""

    def __init__(self, game: Game, keys: tuple[int, ...]) -> None:
        board = game.board
        on_key = np.isin(board.line_cells, keys).astype(np.int64)
        # Keys of each line, whose cells lie end to end from `line_ptr` on.
        count = np.add.reduceat(on_key, board.line_ptr[:-1]) if board.line_count else on_key
        self.board = Incidence(board.line_ptr, board.line_cells, board.cell_ptr, board.cell_lines)
        every = np.ones(board.line_count, np.bool_)
        rich = (count > 0) & (count < board.line_sizes)
        self.lines = {"keys": every, "lines": every, "rich": rich, "poor": count == 0}
        self.keys = list(keys)

    def values(self, owners: NDArray[np.uint8], mover: int, aim: str) -> NDArray[np.float64]:
        """Return the values of all cells, above 0 for those of the aim."""
        from hyperoxo_research.kernels.plan_games import line_values

        worth = np.zeros(len(owners))
        line_values(self.board, self.lines[aim], owners, mover, MORE, worth)
        if aim in ("rich", "poor"):
            worth[self.keys] = 0
        return worth

    def of_keys(
        self, play: PlanPlay, books: Bookkeeping | None, owners: NDArray[np.uint8], mover: int
    ) -> NDArray[np.float64]:
        """Return the values of free keys; 0 off the plan, or once pairs settle the rest."""
        factors = np.zeros(len(owners))
        if books is not None and books.partners is None:
            for cell in self.keys:
                if owners[cell] == FREE:
                    factors[cell] = 1 if play.is_settled_after(books, cell) else _OPEN
        return factors * self.values(owners, mover, "keys")


aims_of = lru_cache(maxsize=8)(Aim)
"""The aims of a game and its keys."""


class AdversaryAgent(PlanAgent):
    """Knows the plan that keeps it from any line, and plays where the plan has least to spare.

    It aims at keys, first those that keep the plan from settling the rest by pairs; at rich or poor
    lines, off the keys; or at the lines that lack least, which is also the fallback. Values have
    some noise.
    """

    name = "adversary"

    def __init__(self, plan: str | None = None, at: str = "any") -> None:
        super().__init__(plan)
        self.at = choice_option("at", at, ("any", *AIMS))

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and explain it; see :meth:`Agent.think`."""
        cells, rng = np.array(moves_of(position)), generator(rng)
        play = self.play_of(position.game)
        found = aims_of(position.game, play.plan.keys)
        owners, mover = np.frombuffer(position.owners, np.uint8), position.to_move
        aim = [*AIMS][rng.integers(len(AIMS))] if self.at == "any" else self.at
        if aim == "keys":
            books = None if mover == play.plan.seat else self.books_before(play, position, 0)
            worth = found.of_keys(play, books, owners, mover)[cells]
        else:
            worth = found.values(owners, mover, aim)[cells]
        if not worth.any():
            aim, worth = "lines", found.values(owners, mover, "lines")[cells]
        # At most a factor of 1.5 between two cells: less than one stone more in a line, MORE.
        worth = worth * rng.uniform(0.8, 1.2, len(worth))
        cell = int(cells[worth.argmax()])
        why = because(Why.AIMED, position, cell, aim=AIMS[aim])
        return Explanation.of(cell, why, float(worth.max()))
