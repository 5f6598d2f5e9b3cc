"""Breaker's stored plan on the real board: games against Makers who try to get a line.

For some Makers the games are compiled once pairs settle the rest: these play as the agent
`adversary` does, or at random; Breaker plays by the plan and its pairs, and at random if these
leave the choice open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.lab.games import OwnSeating, Tally, derived_seed
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.runs import Run
from hyperoxo_research.agents.adversary import MORE, aims_of
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay
from hyperoxo_research.proof.keyplan.stored import stored_plan
from hyperoxo_research.study.parts import Bench, Cell, Section, Study, Table


class PlanSeating(OwnSeating):
    """A Maker against the stored plan of a game."""

    chunk = 50
    """Games of a range; each has its own random stream."""

    def play(self, first: int, last: int) -> Tally:
        """Play games `first` to `last` - 1."""
        contest = _contest(Game(self.game))
        wins, plies, begin = [0, 0, 0], 0, working_time()
        for number in range(first, last):
            winner, moves = contest.game(self.agents[0], self.seed, number)
            wins[winner] += 1
            plies += len(moves)
        seconds = working_time() - begin
        return Tally(last - first, (wins[1], wins[2]), wins[0], plies, seconds)


class PlanContest:
    """The board of a game, its checked plan, and Maker's aims."""

    def __init__(self, game: Game) -> None:
        plan = stored_plan(game)
        if plan is None or plan.seat != 2 or plan.begins is not None:
            raise SpecError(f"no plan of player 2 is stored for {game}")
        verdict = check_key_plan(plan)
        if not verdict.proved:
            raise CheckFailedError(f"the plan does not hold: {verdict.reason}")
        self.play, self.aim = PlanPlay(plan), aims_of(game, plan.keys)
        self.cells = game.board.cell_count

    def game(self, maker: str, seed: int, number: int) -> tuple[int, Longs]:
        """Play a game; return the winner, 0 in a draw, and the moves."""
        # By the plan in Python until its state is a leaf, then by its pairs in a compiled kernel.
        # One random stream runs through both.
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

    def _maker_moves(self, aim: str, books: Bookkeeping, owners: Bytes, state: Words) -> int:
        """Return Maker's move before the plan reaches a leaf."""
        from hyperoxo_research.kernels.plan_games import any_cell, best_cell

        if aim == "keys":
            cell = best_cell(self.aim.of_keys(self.play, books, owners, 1), state)
        else:
            cell = best_cell(self.aim.values(owners, 1, aim), state) if aim else -1
        if aim and cell < 0:
            cell = best_cell(self.aim.values(owners, 1, "lines"), state)
        return cell if cell >= 0 else any_cell(owners, int((owners == 0).sum()), state)


_contest = lru_cache(maxsize=4)(PlanContest)


def plan_games(game: str, maker: str, games: int, seed: int, **means: Any) -> Tally:
    """Play games of a Maker, ``random`` or ``adversary:at=...``, against the stored plan."""
    agents = maker, "breaker"
    seating = PlanSeating(game, agents, derived_seed(seed, game, *agents, "plan"))
    asked = {"agents": [*agents], "games": games, "by": "plan"}
    with Run(RunRequest("program", game, asked, seed), **means) as run:
        (tally,) = run.play([(seating, games)])
    return tally


GAME = "7^3"
COMPILED = {
    "random": (2_000, 40_000),
    "adversary:at=keys": (500, 13_000),
    "adversary:at=rich": (500, 13_000),
    "adversary:at=poor": (500, 13_000),
    "adversary:at=lines": (500, 13_000),
}
"""Makers of compiled games, and the games of a short run and of a full one."""
MAKERS = {
    "greedy": (100, 5_000),
    "ising": (50, 2_200),
    "greedy:threats=on": (50, 500),
    "mcts:simulations=100": (10, 300),
}
"""The same of agents; in a full run there are 10^5 games in all."""


def breaker(bench: Bench) -> Iterator[Section]:
    """Check the plan, and let every Maker play against it."""
    plan = stored_plan(Game(GAME))
    assert plan is not None
    verdict = check_key_plan(plan)
    rows: list[tuple[Cell, ...]] = []
    for maker, sizes in {**COMPILED, **MAKERS}.items():
        games = bench.size(*sizes)
        found: Tally | MatchResult
        if maker in COMPILED:
            found, command = bench.played(plan_games, GAME, maker, games)
            plies = found.plies / games
        else:
            found, command = bench.match(GAME, [maker, "breaker"], games)
            plies = found.plies
        lost, won = found.wins
        rows.append((maker, games, lost, found.draws, won, round(plies, 1), command))
    games, lost = (sum(int(row[at] or 0) for row in rows) for at in (1, 2))
    columns = ("Maker", "games", "Maker's lines", "drawn", "won", "moves", "command")
    text = f"In {games:,} games Maker completed {lost:,} lines."
    yield Section(
        f"Games on {GAME}",
        f"{plan.statement}: {'proved' if verdict.proved else verdict.reason}. {_TEXT}",
        Table("games", "Breaker against several Makers", columns, tuple(rows), text),
    )


_TEXT = (
    "Breaker answers by the plan, and at random where the plan has no entry. Maker moves first: at "
    "random; at the weakest points of the plan, which `adversary` knows; to get the best lines; "
    "by threat search; or by simulated games. A line completed by Maker would show that the plan, "
    "its checker or its player is wrong. Breaker may complete a line too, and wins by it."
)


STUDY = Study(
    "breaker",
    "Breaker's plan on the real board",
    "That 7^3 is a draw was published by Cain, Raymond and Kållersjö (2025); the plan and its "
    "games are ours.",
    breaker,
)
