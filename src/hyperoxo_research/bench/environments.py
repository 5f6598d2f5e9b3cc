"""Steps a second of the environments for other libraries, beside those libraries' own."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from hyperoxo_research.bench.rows import Row, random_play_of, rate

_SECONDS = 0.5
_ROUNDS = 3
_BOARDS = 1024


def rows(peers: bool) -> Iterator[Row]:
    """Random moves a second of processor time, each with all that it takes to choose it."""
    if importlib.util.find_spec("pettingzoo") is None:
        return
    from hyperoxo.adapters import gymnasium, openspiel, pettingzoo

    theirs = _tictactoe() if peers else None
    for name in ("env", "raw_env"):
        ours, peer = _paired(
            _turns(getattr(pettingzoo, name)()), theirs and _turns(getattr(theirs, name)())
        )
        yield Row(f"PettingZoo {name} 3^2", ours, "/s", peer, "tictactoe_v3 of PettingZoo, here")
    ours, _ = _paired(_turns(pettingzoo.env("4^3")), None)
    yield Row("PettingZoo env 4^3", ours, "/s")
    for spec in ("3^2", "4^3"):
        many = _boards(gymnasium.vector_env(_BOARDS, spec))
        ours, peer = _paired(many, _seat(gymnasium.SeatEnv(spec)))
        name = f"Gymnasium {spec}, {_BOARDS:,} boards against random play"
        yield Row(name, ours, "/s", peer, "one board at a time, here")
    peer_game = None
    if peers:
        import pyspiel
        from open_spiel.python.games import tic_tac_toe  # noqa: F401

        peer_game = _rate(random_play_of(pyspiel.load_game("python_tic_tac_toe")))
    ours, peer = _paired(_rate(random_play_of(openspiel.load("3^2"))), peer_game)
    yield Row("OpenSpiel 3^2", ours, "/s", peer, "python_tic_tac_toe of OpenSpiel, here")


Play = Callable[[float], float]
"""Plays for a few seconds and returns steps a second."""


def _paired(ours: Play, theirs: Play | None) -> tuple[float, float | None]:
    """Measure two alternately and return the best of each, so that noise affects both alike."""
    ours(0.0)
    found = [(ours(_SECONDS), theirs(_SECONDS) if theirs else None) for _ in range(_ROUNDS)]
    peers = [peer for _, peer in found if peer is not None]
    return max(mine for mine, _ in found), max(peers, default=None)


def _rate(game: Callable[[], int]) -> Play:
    """Play games that return their number of steps."""
    return lambda seconds: rate(game, seconds, time.process_time)


def _turns(env: Any) -> Play:
    rng = random.Random(0)

    def game() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                steps += 1
        return steps

    return _rate(game)


def _seat(env: Any) -> Play:
    rng = random.Random(0)

    def game() -> int:
        _, info = env.reset(seed=0)
        steps, over = 0, False
        while not over:
            action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
            _, _, over, _, info = env.step(action)
            steps += 1
        return steps

    return _rate(game)


def _boards(env: Any) -> Play:
    rng = np.random.default_rng(0)
    mask = env.reset(seed=0)[1]["action_mask"]

    def step() -> int:
        nonlocal mask
        chances = rng.random(mask.shape, dtype=np.float32) * mask
        mask = env.step(chances.argmax(axis=1))[4]["action_mask"]
        return _BOARDS

    return _rate(step)


def _tictactoe() -> Any:
    """PettingZoo's own game; it imports pygame, which only its pictures need."""
    absent = importlib.util.find_spec("pygame") is None
    if absent:
        sys.modules["pygame"] = ModuleType("pygame")
    try:
        from pettingzoo.classic.tictactoe import tictactoe
    finally:
        if absent:
            del sys.modules["pygame"]
    return tictactoe
