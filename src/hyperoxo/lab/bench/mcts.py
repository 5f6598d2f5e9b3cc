"""Monte-Carlo tree search and random games, beside OpenSpiel's gomoku with connect = size."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from hyperoxo.errors import MissingExtraError
from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.rules import Game

_PEER = "OpenSpiel MCTSBot in C++, one rollout, here"
_SEEDS = 20
_PEER_SIMULATIONS = 5_000
_PEER_PROOF_SIMULATIONS = 5_000_000


def mcts(peers: bool) -> Iterator[Row]:
    """Simulations a second with random playouts, and seconds to prove 3^3 won."""
    from hyperoxo.agents.tree_search import TreeSettings, grow_tree

    for side, dim, simulations, target in ((3, 3, 2_000, 6e5), (4, 3, 20_000, 3e5)):
        start = Game(side=side, dim=dim).start()
        settings = TreeSettings(simulations=simulations)
        grow_tree(start, settings, 0)
        begin = time.perf_counter()
        done = sum(grow_tree(start, settings, seed).simulations for seed in range(_SEEDS))
        ours = done / (time.perf_counter() - begin)
        theirs = _peer_rate(side, dim) if peers else None
        yield Row(f"mcts simulations {side}^{dim}", ours, "/s", theirs, _PEER, target)
    start = Game("3^3").start()
    proof = TreeSettings(simulations=1_000_000)
    seconds = best_seconds(lambda: [grow_tree(start, proof, seed) for seed in range(_SEEDS)])
    theirs = _peer_seconds(3, 3, _PEER_PROOF_SIMULATIONS) if peers else None
    yield Row("mcts proves 3^3 won, mean", seconds / _SEEDS, "s", theirs, _PEER, 1.0)


def _peer_rate(side: int, dim: int) -> float:
    return _PEER_SIMULATIONS / _peer_seconds(side, dim, _PEER_SIMULATIONS)


def _peer_seconds(side: int, dim: int, simulations: int) -> float:
    game = _gomoku(side, dim)
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 8000, True, 0, False)
    state = game.new_initial_state()
    begin = time.perf_counter()
    bot.mcts_search(state)
    return time.perf_counter() - begin


def _gomoku(side: int, dim: int) -> Any:
    """Load the n^d game of OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        raise MissingExtraError("adapters", "comparing with OpenSpiel") from None
    return pyspiel.load_game("gomoku", {"size": side, "dims": dim, "connect": side})


def random_games_per_second(side: int, dim: int, seconds: float = 0.5) -> float:
    """Play random games through OpenSpiel's Python interface and count them."""
    game = _gomoku(side, dim)
    rng = random.Random(0)
    games = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        games += 1
    return games / (time.perf_counter() - begin)
