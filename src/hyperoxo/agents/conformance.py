"""Conformance test for agents, also those of other packages."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hyperoxo.agents.base import Agent
from hyperoxo.errors import AgentError, CheckFailedError, NotSupportedError
from hyperoxo.game import Game, Position

CHECKED_GAMES = (
    "3^2",
    "2^3",  # any two cells are a line
    "3^2:misere",
    "3^2:players=3",
    "3^3:gravity",
    "3^2:blocked=centre,target=2",
    "3^2:opening=poor",
    "4,3,3:gravity",
    "4{0+1+2/2+3}",  # lines listed one by one, of two sizes
)
"""Games that :func:`check_agent` plays by default."""


def check_agent(agent: Agent, games: Iterable[str | Game] = CHECKED_GAMES, seed: int = 0) -> int:
    """Play whole games with an agent in every seat and check its moves.

    Every move must be legal, must be the same for the same seed (unless a clock decides), and
    must leave the position unchanged; an explanation must name a legal move and legal
    candidates. Games that the agent refuses with `AgentError` are skipped.

    Parameters
    ----------
    agent : Agent
        The agent to check.
    games : iterable of str or Game
        Games to play.
    seed : int
        Seed of its random choices.

    Returns
    -------
    int
        Number of games played.

    Raises
    ------
    CheckFailedError
        At the first wrong move; the message gives game and moves.

    Examples
    --------
    >>> from hyperoxo.agents import agent
    >>> check_agent(agent("greedy"))
    9
    """
    if not isinstance(agent, Agent):
        raise CheckFailedError(f"{agent!r} is not a hyperoxo.Agent")
    if type(agent.spec) is not str or not agent.spec:
        raise CheckFailedError("agent.spec must be a string that is not empty")
    played = 0
    for named in games:
        game = named if isinstance(named, Game) else Game(named)
        try:
            agent.check(game)
        except (AgentError, NotSupportedError):
            continue
        position = game.start()
        while not position.is_over:
            position = position.play(_checked_move(agent, position, seed))
        played += 1
    return played


def _checked_move(agent: Agent, position: Position, seed: int) -> int:
    where = f"{agent.spec} in {position.game} after {','.join(map(str, position.history)) or '-'}"
    before = position.owners, position.history
    move = agent.choose(position, np.random.default_rng(seed))
    if move not in position.legal_moves:
        raise CheckFailedError(f"{where}: {move!r} is not a legal move")
    # The second call meets all that the first has cached: state carried between moves shows here.
    again = agent.choose(position, np.random.default_rng(seed))
    if again != move and agent.repeatable:
        raise CheckFailedError(f"{where}: the same seed gave {move} and then {again}")
    if (position.owners, position.history) != before:
        raise CheckFailedError(f"{where}: the position was changed")
    explanation = agent.explain(position, np.random.default_rng(seed))
    if explanation is not None:
        named = {explanation.move, *(cell for cell, _ in explanation.candidates)}
        if not named <= set(position.legal_moves):
            raise CheckFailedError(f"{where}: the explanation names moves that are not legal")
    return move
