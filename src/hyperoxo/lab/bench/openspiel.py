"""OpenSpiel as a peer: its gomoku with connect = size, driven from Python."""

from __future__ import annotations

import random
import time
from typing import Any

from hyperoxo.errors import MissingExtraError


def load_gomoku(side: int, dim: int) -> Any:
    """Load the n^d game of OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        raise MissingExtraError("adapters", "comparing with OpenSpiel") from None
    return pyspiel.load_game("gomoku", {"size": side, "dims": dim, "connect": side})


def random_games_per_second(side: int, dim: int, seconds: float = 0.5) -> float:
    """Play random games through OpenSpiel's Python interface and count them."""
    game = load_gomoku(side, dim)
    rng = random.Random(0)
    games = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        games += 1
    return games / (time.perf_counter() - begin)
