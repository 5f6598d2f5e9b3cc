"""Rating of a learned player: games against a fixed ladder of agents, after random openings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.games import play_out, random_opening
from hyperoxo.agents.scored import SCORING, seat_arrays
from hyperoxo.display import Result
from hyperoxo.game import Game, outcome_of
from hyperoxo.kernels.scored import scored_games
from hyperoxo.solvers.arrays import tables_of

LADDER = ("random", "greedy", "ising", "minimax:depth=2")
"""Reference opponents of learned players, the weakest first."""

_MOST_RATING = 1200.0


@dataclass(frozen=True)
class Score(Result):
    """Games of one player against copies of another, the same openings in every seat."""

    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Mean of the games: a win counts 1 shared among all who win, a draw 1/q, a loss 0."""


def opening_plies(game: Game) -> int:
    """Return the number of random opening plies: two rounds, fewer on tiny boards."""
    return min(2 * game.players, game.cells // 4)


def against(game: Game, learned: Agent, other: Agent, count: int, seed: int = 0) -> Score:
    """Play `count` random openings once in each seat against copies of another agent."""
    players = game.players
    games = wins = draws = 0
    score = 0.0
    for seat in range(players):
        agents = [learned if one == seat else other for one in range(players)]
        for winners in _winners(game, agents, count, seed):
            games += 1
            if not winners:
                draws += 1
                score += 1 / players
            elif seat + 1 in winners:
                wins += 1
                score += 1 / len(winners)
    return Score(other.spec, games, wins, draws, games - wins - draws, score / games)


def ladder(
    game: Game, learned: Agent, count: int, slow: int, seed: int = 0, more: Iterable[Agent] = ()
) -> list[Score]:
    """Play against the ladder and `more`: `count` openings, `slow` where games are not compiled."""
    scores = []
    for other in (*map(agent, LADDER), *more):
        compiled = SCORING.accepts(game) and None not in (learned.seat(game), other.seat(game))
        scores.append(against(game, learned, other, count if compiled else slow, seed))
    return scores


def rating_of(scores: Sequence[Score], players: int) -> float:
    """Return the Elo difference to the ladder as one opponent; 0 means equal strength."""
    # Equal players have the share 1/q, odds 1 : q - 1, so the odds are multiplied by q - 1. A share
    # of 0 or 1 is moved by half a point, as its rating would be infinite.
    games = sum(score.games for score in scores)
    share = sum(score.score for score in scores) / len(scores)
    share = min(max(share, 0.5 / games), 1 - 0.5 / games)
    rating = 400 * math.log10(share / (1 - share) * (players - 1))
    return round(min(max(rating, -_MOST_RATING), _MOST_RATING), 1)


def _winners(
    game: Game, agents: Sequence[Agent], count: int, seed: int
) -> Iterator[tuple[int, ...]]:
    """Play openings to their ends; yield the winners of each game."""
    seats = [one.seat(game) for one in agents]
    plies = opening_plies(game)
    if SCORING.accepts(game) and None not in seats:
        arrays = seat_arrays(game, [seat for seat in seats if seat is not None])
        out, lengths = np.zeros((2, count), dtype=np.int64)
        word = np.uint64(seed % 2**64)
        scored_games(tables_of(game), *arrays, count, word, 0, plies, word, out, lengths)
        outcomes = (outcome_of(result, game.players) for result in out.tolist())
        yield from (outcome.winners for outcome in outcomes if outcome is not None)
        return
    for number in range(count):
        start = random_opening(game, plies, [seed, number])
        yield play_out(start, agents, np.random.default_rng([seed, number, 1]))[0]
