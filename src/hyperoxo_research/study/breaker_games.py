"""Games against a plan of Breaker's, counted: compiled once pairs settle the rest.

Maker plays as the agent `aimed` does, or at random; Breaker by the plan and its pairs, and at
random where these leave the choice open.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.lab.games import OwnSeating, Tally, derived_seed
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.runs import Run
from hyperoxo_research.agents.aimed import MORE, aim_of
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.play import Books, PlanPlay
from hyperoxo_research.proof.keyplan.stored import stored_plan

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]

_CHUNK = 50


class PlanSeating(OwnSeating):
    """A Maker against the stored plan of a game."""

    @property
    def chunk(self) -> int:
        """Games of a range; each has a random stream of its own."""
        return _CHUNK

    def play(self, first: int, last: int) -> Tally:
        """Play games `first` to `last` - 1."""
        table = _table(self.game)
        wins, plies, begin = [0, 0, 0], 0, working_time()
        for number in range(first, last):
            winner, moves = table.game(self.agents[0], self.seed, number)
            wins[winner] += 1
            plies += len(moves)
        seconds = working_time() - begin
        return Tally(last - first, (wins[1], wins[2]), wins[0], plies, seconds)


class Table:
    """The board of a game, its plan and what Maker aims at."""

    def __init__(self, game: Game) -> None:
        plan = stored_plan(game)
        if plan is None or plan.seat != 2 or plan.begins is not None:
            raise SpecError(f"no plan of player 2 is stored for {game}")
        verdict = check_key_plan(plan)
        if not verdict.proved:
            raise CheckFailedError(f"the plan does not hold: {verdict.reason}")
        self.play, self.aim = PlanPlay(plan), aim_of(game, plan.keys)
        self.cells = game.board.cell_count

    def game(self, maker: str, seed: int, number: int) -> tuple[int, Longs]:
        """Play a game; return who wins, 0 in a draw, and the moves."""
        from hyperoxo.kernels.rng import stream
        from hyperoxo_research.kernels.plan_games import completes, play_pairs

        aim, state = maker.partition("at=")[2], np.array([stream(np.uint64(seed), number)])
        owners, worth = np.zeros(self.cells, np.uint8), np.zeros(self.cells)
        moves, partners = np.zeros(self.cells, np.int64), np.full(self.cells, -1, np.int64)
        ply, books = 0, self.play.begin()
        while books.partners is None:
            cell = self._maker_moves(aim, books, owners, state)
            answer, books = self.play.answer(books, cell)
            if answer is None or owners[cell] or owners[answer] or cell == answer:
                raise CheckFailedError(f"the plan answers cell {cell} by {answer}")
            for mover, played in ((1, cell), (2, answer)):
                owners[played], moves[ply], ply = mover, played, ply + 1
                if completes(self.aim.board, owners, played):
                    return mover, moves[:ply]
        partners[[*books.partners]] = [*books.partners.values()]
        board, kinds = self.aim.board, self.aim.lines
        winner = play_pairs(
            board, kinds[aim or "lines"], kinds["lines"], MORE if aim else 0.0, partners, 2,
            owners, worth, moves, ply, state,
        )  # fmt: skip
        return winner, moves[: np.count_nonzero(owners)]

    def _maker_moves(self, aim: str, books: Books, owners: Bytes, state: Words) -> int:
        """Choose Maker's move while the keys are not settled."""
        from hyperoxo_research.kernels.plan_games import any_cell, best_cell

        if aim == "keys":
            cell = best_cell(self.aim.of_keys(self.play, books, owners, 1), state)
        else:
            cell = best_cell(self.aim.worth(owners, 1, aim), state) if aim else -1
        if aim and cell < 0:
            cell = best_cell(self.aim.worth(owners, 1, "lines"), state)
        return cell if cell >= 0 else any_cell(owners, int((owners == 0).sum()), state)


@lru_cache(maxsize=4)
def _table(game: str) -> Table:
    return Table(Game(game))


def plan_games(game: str, maker: str, games: int, seed: int, **means: Any) -> Tally:
    """Play games of a Maker, ``random`` or ``aimed:at=...``, against the stored plan of a game."""
    agents = maker, "breaker"
    seating = PlanSeating(game, agents, derived_seed(seed, game, *agents, "plan"))
    asked = {"agents": [*agents], "games": games, "by": "plan"}
    with Run(RunRequest("program", game, asked, seed), **means) as run:
        (tally,) = run.play([(seating, games)])
    return tally
