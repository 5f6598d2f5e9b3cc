"""A person at the keyboard, as an agent."""

from __future__ import annotations

from collections.abc import Callable

from hyperoxo.agents.base import Agent, Randomness
from hyperoxo.errors import AgentError
from hyperoxo.game import Position


class HumanAgent(Agent):
    """Asks a person for each move."""

    name = "human"
    title = "Person"
    opponents = ()

    def __init__(self, ask: Callable[[Position], int] | None = None) -> None:
        if ask is not None and not callable(ask):
            raise AgentError("ask must be a function of a position")
        self.ask = ask

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Ask the person; see :meth:`Agent.choose`."""
        if self.ask is None:
            raise AgentError("'human' plays only where a person can be asked, as in 'oxo play'")
        return self.ask(position)
