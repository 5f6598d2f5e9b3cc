"""Matches: many games of the same agents, counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.base import Seat
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.lab.compiled import Batch, play_batch
from hyperoxo.lab.intervals import wilson_interval
from hyperoxo.rules import Game

__all__ = ["MatchResult", "match"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class MatchResult:
    """What a match came to.

    Attributes
    ----------
    game : str
        The game.
    agents : tuple of str
        Spec of each agent, in the order given.
    games : int
        Games played.
    wins : tuple of int
        Wins by seat or, when the seats were rotated, by agent. In misère play of three
        or more all who share a win have it.
    draws : int
        Drawn games.
    plies : float
        Mean length of a game.
    seconds : float
        Time of the games, without compilation.
    seed : int
        Seed of all random choices.
    swap : bool
        Whether the seats were rotated.
    """

    game: str
    agents: tuple[str, ...]
    games: int
    wins: tuple[int, ...]
    draws: int
    plies: float
    seconds: float
    seed: int
    swap: bool
    compiled: bool = field(default=False)

    @property
    def games_per_second(self) -> float:
        """Speed of the match."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def interval(self) -> tuple[tuple[float, float], ...]:
        """95 % Wilson interval of each win rate."""
        return tuple(wilson_interval(won, self.games) for won in self.wins)


def match(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int = 100,
    seed: int = 0,
    *,
    swap: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match.

    Parameters
    ----------
    game : Game or str
        The game.
    agents : sequence of Agent or str
        One agent a player; the first takes seat 1.
    games : int
        Number of games.
    seed : int
        Seed; the same seed gives the same games whatever `threads` is.
    swap : bool
        Rotate the seats from game to game, and count by agent.
    threads : int
        Threads for agents that run in compiled loops.
    progress : callable, optional
        Called with (games done, games).

    Returns
    -------
    MatchResult
        Wins, draws, intervals and speed.

    Raises
    ------
    SpecError
        If the number of agents or of games does not fit.
    AgentError
        If an agent cannot play the game.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> result = ox.match("3^2", ["ising", "random"], games=1000, seed=0)
    >>> result.games, result.wins[0] > 900
    (1000, True)
    """
    game = game if isinstance(game, Game) else Game(game)
    players = [agent(named) if isinstance(named, str) else named for named in agents]
    if len(players) != game.players:
        raise SpecError(f"{game} has {game.players} players, and {len(players)} agents are given")
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}")
    for player in players:
        player.check(game)
    seats = [player.seat(game) for player in players]
    compiled = [seat for seat in seats if seat is not None]
    if len(compiled) == len(players):
        wins, draws, plies, seconds = _compiled_match(
            game, compiled, games, seed, swap, threads, progress
        )
    else:
        wins, draws, plies, seconds = _plain_match(game, players, games, seed, swap, progress)
    return MatchResult(
        str(game),
        tuple(player.spec for player in players),
        games,
        tuple(wins),
        draws,
        plies / games,
        seconds,
        seed,
        swap,
        len(compiled) == len(players),
    )


def _compiled_match(
    game: Game,
    seats: list[Seat],
    games: int,
    seed: int,
    swap: bool,
    threads: int,
    progress: Progress | None,
) -> tuple[list[int], int, int, float]:
    play_batch(game, seats, 1, seed)
    wins = [0] * game.players
    draws = plies = done = 0
    start = time.perf_counter()
    for rotation in range(game.players if swap else 1):
        rotated = seats[rotation:] + seats[:rotation]
        share = len(range(rotation, games, game.players)) if swap else games
        report = None if progress is None else _shifted(progress, done, games)
        batch: Batch = play_batch(
            game, rotated, share, seed + rotation * 0x9E3779B97F4A7C15, threads, report
        )
        for seat in range(game.players):
            wins[(seat + rotation) % game.players] += int(batch.wins[seat])
        draws += batch.draws
        plies += int(batch.lengths @ np.arange(len(batch.lengths)))
        done += share
    return wins, draws, plies, time.perf_counter() - start


def _shifted(progress: Progress, done: int, games: int) -> Progress:
    return lambda part, _: progress(done + part, games)


def _plain_match(
    game: Game,
    players: list[Agent],
    games: int,
    seed: int,
    swap: bool,
    progress: Progress | None,
) -> tuple[list[int], int, int, float]:
    for player in players:
        # Compiles what the agent needs, so that the clock measures play alone.
        player.choose(game.start(), np.random.default_rng(0))
    wins = [0] * game.players
    draws = plies = 0
    start = time.perf_counter()
    for number in range(games):
        rotation = number % game.players if swap else 0
        seated = players[rotation:] + players[:rotation]
        winners, length = _one_game(game, seated, np.random.default_rng([seed % 2**64, number]))
        for winner in winners:
            wins[(winner - 1 + rotation) % game.players] += 1
        draws += not winners
        plies += length
        if progress is not None:
            progress(number + 1, games)
    return wins, draws, plies, time.perf_counter() - start


def _one_game(
    game: Game, seated: list[Agent], rng: np.random.Generator
) -> tuple[tuple[int, ...], int]:
    position = game.start()
    while (outcome := position.outcome) is None:
        player = seated[position.to_move - 1]
        move = player.choose(position, rng)
        if move not in position.legal_moves:
            raise AgentError(f"{player.spec} chose {move!r}, which is not a legal move")
        position = position.play(move)
    return outcome.winners, position.ply
