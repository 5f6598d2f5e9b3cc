"""Rating of a learned player: games against a fixed ladder of agents, after random openings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.games import play_out, random_opening
from hyperoxo.agents.scored import SCORING, seat_arrays
from hyperoxo.display import Result
from hyperoxo.game import Game
from hyperoxo.kernels.scored import scored_games
from hyperoxo.kernels.state import DRAW
from hyperoxo.solvers.arrays import tables_of

LADDER = ("random", "greedy", "ising", "minimax:depth=2")
"""Agents that learned players meet, the weakest first."""

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
    """Return the random plies with which games begin: two rounds, less on tiny boards."""
    return min(2 * game.players, game.cells // 4)


def against(game: Game, learned: Agent, other: Agent, count: int, seed: int = 0) -> Score:
    """Play `count` random openings once in each seat against copies of another agent."""
    q = game.players
    results: list[int] = []
    for seat in range(q):
        agents = [learned if one == seat else other for one in range(q)]
        results += [_from_seat(result, seat, q) for result in _results(game, agents, count, seed)]
    wins, draws = sum(result > 0 for result in results), results.count(0)
    score = sum(1 / result if result > 0 else (result == 0) / q for result in results)
    games = len(results)
    return Score(other.spec, games, wins, draws, games - wins - draws, score / games)


def ladder(game: Game, learned: Agent, count: int, slow: int, seed: int = 0) -> list[Score]:
    """Play against the whole ladder: `count` openings, `slow` where games are not compiled."""
    scores = []
    for other in map(agent, LADDER):
        compiled = SCORING.holds(game) and None not in (learned.seat(game), other.seat(game))
        scores.append(against(game, learned, other, count if compiled else slow, seed))
    return scores


def rating_of(scores: Sequence[Score], players: int) -> float:
    """Return the Elo rating over the ladder, taken as one opponent; 0 is as good as the ladder."""
    games = sum(score.games for score in scores)
    share = sum(score.score for score in scores) / len(scores)
    share = min(max(share, 0.5 / games), 1 - 0.5 / games)
    rating = 400 * math.log10(share / (1 - share) * (players - 1))
    return round(min(max(rating, -_MOST_RATING), _MOST_RATING), 1)


def _from_seat(result: int, seat: int, players: int) -> int:
    """Return how many share a win of a seat, 0 for a draw, -1 for a loss, of a kernel's result."""
    if result == DRAW:
        return 0
    alone = abs(result) - 1 == seat
    if result > 0:
        return 1 if alone else -1
    return -1 if alone else players - 1


def _results(game: Game, agents: Sequence[Agent], count: int, seed: int) -> list[int]:
    """Play openings to their ends; return the results as kernels give them."""
    seats = [one.seat(game) for one in agents]
    plies = opening_plies(game)
    if SCORING.holds(game) and None not in seats:
        arrays = seat_arrays(game, [seat for seat in seats if seat is not None])
        out, lengths = np.zeros((2, count), dtype=np.int64)
        word = np.uint64(seed % 2**64)
        scored_games(tables_of(game), *arrays, count, word, 0, plies, word, out, lengths)
        return [int(result) for result in out]
    found = []
    for number in range(count):
        start = random_opening(game, plies, [seed, number])
        winners, _ = play_out(start, agents, np.random.default_rng([seed, number, 1]))
        losers = [player for player in range(1, game.players + 1) if player not in winners]
        found.append((winners[0] if len(winners) == 1 else -losers[0]) if winners else DRAW)
    return found
