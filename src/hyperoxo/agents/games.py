"""Single games among agents, from a position to the end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hyperoxo.agents.base import Agent
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position

_TRIES = 1000


def random_opening(game: Game, plies: int, seed: Sequence[int]) -> Position:
    """Return an unfinished position after random plies."""
    rng = np.random.default_rng(seed)
    # By rejection: a game that ends within the plies is dropped, not cut, so that all openings of
    # this length keep their probabilities relative to each other.
    for _ in range(_TRIES):
        position = game.start()
        while not position.is_over and position.ply < plies:
            position = position.play(int(rng.choice(position.legal_moves)))
        if not position.is_over:
            return position
    raise SpecError(f"no game of {game} was found that goes on after {plies:,} random plies")


def play_out(
    position: Position, seated: Sequence[Agent], rng: np.random.Generator
) -> tuple[tuple[int, ...], int]:
    """Play a game to its end; return the winners and the number of plies."""
    while (outcome := position.outcome) is None:
        player = seated[position.to_move - 1]
        move = player.choose(position, rng)
        if move not in position.legal_moves:
            raise AgentError(f"{player.spec} chose {move!r}, which is not a legal move")
        position = position.play(move)
    return outcome.winners, position.ply
