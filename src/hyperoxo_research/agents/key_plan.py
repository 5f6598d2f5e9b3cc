"""Agents that play by a key plan, stored or from a file."""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.agents.base import Explanation, Randomness, ThinkingAgent, because, drawn, moves_of
from hyperoxo.errors import AgentError, CheckFailedError
from hyperoxo.game import Game, Position, Why
from hyperoxo.task import ALONE, Task
from hyperoxo_research.proof.keyplan.file import check_key_plan, read_plan
from hyperoxo_research.proof.keyplan.play import Bookkeeping, PlanPlay
from hyperoxo_research.proof.keyplan.stored import stored_claim, stored_plan


@lru_cache(maxsize=4)
def _stored(game: Game) -> PlanPlay | None:
    plan = stored_plan(game)
    return None if plan is None else PlanPlay(plan)


@lru_cache(maxsize=4)
def _checked(path: str) -> PlanPlay:
    plan = read_plan(path)
    verdict = check_key_plan(plan)
    if not verdict.proved:
        raise CheckFailedError(f"the plan does not hold: {verdict.reason}")
    return PlanPlay(plan)


class PlanAgent(ThinkingAgent):
    """Base of agents that know a key plan: a stored one, or that of a file."""

    opponents = ()

    def __init__(self, plan: str | None = None) -> None:
        self.plan = plan
        self._last: tuple[Game, tuple[int, ...], Bookkeeping] | None = None

    def check(self, game: Game) -> None:
        """Refuse a game for which there is no plan; see :meth:`Agent.check`."""
        if self.plan is not None or stored_claim(game) is None:
            self.play_of(game)

    def play_of(self, game: Game) -> PlanPlay:
        """Return the plan of a game, ready to play."""
        play = _stored(game) if self.plan is None else _checked(self.plan)
        if play is None or play.plan.game != game:
            raise AgentError(f"'{self.spec}' has no plan for {game}")
        return play

    def books_before(self, play: PlanPlay, position: Position, plies: int) -> Bookkeeping | None:
        """Return the books with Maker to move `plies` ago; None after a move against the plan."""
        # 1. Resume from the last call if its moves are a prefix; else start at the plan's position.
        begins, moves = play.plan.position, position.history
        done = len(moves) - plies
        known = self._last
        if known is not None and known[0] == position.game and moves[: len(known[1])] == known[1]:
            at, books = len(known[1]), known[2]
        else:
            at, books = begins.ply - (position.ply - len(moves)), play.begin()
            if at < 0 or position.undo(len(moves) - at).owners != begins.owners:
                return None
        # 2. Replay: Breaker must have played the plan's answer. If the plan has none, or the answer
        #    was taken before, any move was right.
        for place in range(at, done - 1, 2):
            answer, books = play.answer(books, moves[place])
            if answer not in (None, moves[place + 1]) and answer not in moves[:place]:
                return None
        self.note(position.game, moves[:done], books)
        return books

    def note(self, game: Game, moves: tuple[int, ...], books: Bookkeeping) -> None:
        """Keep the books after moves, Maker to move."""
        self._last = game, moves, books


class KeyPlanAgent(PlanAgent):
    """Keeps the other player from any line by a plan: a stored one, or that of a file.

    It moves at random in the other seat, and after a move against the plan.
    """

    name = "breaker"

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and explain it; see :meth:`Agent.think`."""
        legal = moves_of(position)
        game, moves = position.game, position.history
        play, books, answer = self.play_of(game), None, None
        if position.to_move == play.plan.seat and moves:
            books = self.books_before(play, position, 1)
        if books is not None:
            answer, books = play.answer(books, moves[-1])
        planned = answer is not None and answer in legal
        move = answer if answer is not None and planned else drawn(legal, rng)
        if books is not None:
            self.note(game, (*moves, move), books)
        why = because(Why.PLAN_ANSWERS, position, move) if planned else str(Why.PLAN_SILENT())
        return Explanation.of(move, why)
