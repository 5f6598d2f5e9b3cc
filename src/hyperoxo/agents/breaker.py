"""The player of a plan of Breaker's, who keeps the other from any line."""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.agents.base import Agent, Explanation, Randomness, drawn, moves_of
from hyperoxo.errors import AgentError, CheckFailedError
from hyperoxo.position import Position, Why
from hyperoxo.proof.breaker import BreakerPlan, check_breaker, read_plan
from hyperoxo.proof.breaker_play import Books, PlanPlay
from hyperoxo.proof.breaker_stored import stored_plan
from hyperoxo.rules import Game


@lru_cache(maxsize=4)
def _checked(path: str) -> PlanPlay:
    return _play(read_plan(path))


@lru_cache(maxsize=4)
def _stored(game: Game) -> PlanPlay | None:
    plan = stored_plan(game)
    return None if plan is None else _play(plan)


def _play(plan: BreakerPlan) -> PlanPlay:
    verdict = check_breaker(plan)
    if not verdict.proved:
        raise CheckFailedError(f"the plan does not hold: {verdict.reason}")
    return PlanPlay(plan)


class BreakerAgent(Agent):
    """Keeps the other player from any line by a plan: a stored one, or that of a file.

    It moves at random in the other seat, and where the moves so far are not those of the plan.
    """

    name = "breaker"
    opponents = ()

    def __init__(self, plan: str | None = None) -> None:
        self.plan = plan
        self._last: tuple[Game, tuple[int, ...], Books] | None = None

    @property
    def spec(self) -> str:
        """How the agent is spelled."""
        return self.name if self.plan is None else f"{self.name}:plan={self.plan}"

    def check(self, game: Game) -> None:
        """Refuse a game for which there is no plan; see :meth:`Agent.check`."""
        if self._play_of(game) is None:
            raise AgentError(f"'{self.spec}' has no plan for {game}")

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        return self.explain(position, rng).move

    def explain(self, position: Position, rng: Randomness = None) -> Explanation:
        """Choose a move and say how it was found; see :meth:`Agent.explain`."""
        legal = moves_of(position)
        play = self._play_of(position.game)
        if play is None:
            raise AgentError(f"'{self.spec}' has no plan for {position.game}")
        answer, books = self._answer(play, position)
        planned = answer is not None and answer in legal
        move = answer if answer is not None and planned else drawn(legal, rng)
        if books is not None:
            self._last = position.game, (*position.history, move), books
        why = Why.PLAN_ANSWERS(cell=move) if planned else Why.PLAN_SILENT()
        return Explanation(move, ((move, 0.0),), str(why))

    def _play_of(self, game: Game) -> PlanPlay | None:
        play = _stored(game) if self.plan is None else _checked(self.plan)
        return play if play is not None and play.plan.game == game else None

    def _answer(self, play: PlanPlay, position: Position) -> tuple[int | None, Books | None]:
        """Return the answer to the last move and the books after it, None where there is none."""
        moves = position.history
        if position.to_move != play.plan.seat or not moves:
            return None, None
        if self._last is not None and self._last[:2] == (position.game, moves[:-1]):
            books: Books | None = self._last[2]
        else:
            books = _replayed(play, position)
        return (None, None) if books is None else play.answer(books, moves[-1])


def _replayed(play: PlanPlay, position: Position) -> Books | None:
    """Return the books before the last move; None where the moves are not those of the plan."""
    begins = play.plan.position
    books, moves = play.begin(), position.history
    start = begins.ply - (position.ply - len(moves))
    if start < 0 or position.undo(len(moves) - start).owners != begins.owners:
        return None
    for at in range(start, len(moves) - 1, 2):
        answer, after = play.answer(books, moves[at])
        if answer not in (None, moves[at + 1]) and answer not in moves[:at]:
            return None
        books = after
    return books
