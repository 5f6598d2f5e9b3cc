"""Agents that a server offers by names of its own, so that visitors see no files or options."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Agent, Explanation, Randomness, Seat
from hyperoxo.errors import AgentError, HyperoxoError, SpecError, quoted
from hyperoxo.game import Game, Position
from hyperoxo.task import ALONE, Task

OFFERED = "HYPEROXO_OPPONENTS"
"""The environment variable that takes names and specs to processes that a server begins."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class OfferedAgent(Agent):
    """An agent that plays under another name."""

    def __init__(self, name: str, inner: Agent) -> None:
        self.offered, self.inner = name, inner

    @property
    def spec(self) -> str:
        """Spelling of the agent: its name."""
        return self.offered

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same move."""
        return self.inner.repeatable

    def quick(self, game: Game) -> bool:
        """Whether every move is quick."""
        return self.inner.quick(game)

    def seat(self, game: Game) -> Seat | None:
        """Return how compiled games play the agent."""
        return self.inner.seat(game)

    def check(self, game: Game) -> None:
        """Refuse what the agent refuses, without its reason, which may name a file."""
        try:
            self.inner.check(game)
        except HyperoxoError:
            raise AgentError(f"{quoted(self.offered)} does not play {game}") from None

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        return self.inner.choose(position, rng)

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each position; see :meth:`Agent.choose_many`."""
        return self.inner.choose_many(positions, rng)

    def explain(self, position: Position, rng: Randomness = None) -> Explanation | None:
        """Choose a move and say why, in the agent's own words."""
        return self.inner.explain(position, rng)

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move until the task ends; see :meth:`Agent.think`."""
        return self.inner.think(position, rng, task)


def read_offers(texts: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Read offers, each ``NAME=AGENTSPEC``; names that are `known` stand for other agents."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        if not equals or not spec:
            raise SpecError(f"{quoted(text)} is not NAME=AGENTSPEC")
        if not _NAME.fullmatch(name):
            raise SpecError(f"a name has up to 40 letters, digits, - and _, not {quoted(name)}")
        if name in known or name in found:
            raise SpecError(f"there is an agent {quoted(name)} already")
        found[name] = spec
    return found


def publish(offers: Mapping[str, str]) -> None:
    """Let agents be seated by these names, here and in processes that begin from now on."""
    os.environ[OFFERED] = json.dumps(dict(offers))


def offers() -> dict[str, str]:
    """Return the agents that are offered, by name."""
    found: dict[str, str] = json.loads(os.environ.get(OFFERED, "") or "{}")
    return found
