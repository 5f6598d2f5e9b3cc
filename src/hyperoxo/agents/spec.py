"""Agent specs: ``name[:option=value,...]`` to agents, by a table and entry points.

A server offers agents under its own names, so that clients see no files or options.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.alphazero import AlphazeroAgent
from hyperoxo.agents.base import Agent, Explanation, HumanAgent, Randomness, Seat
from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.level import LevelAgent
from hyperoxo.agents.mcts import MctsAgent, PuctAgent
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.options import read_options
from hyperoxo.agents.pairing import PairingAgent
from hyperoxo.agents.proof import ProofAgent
from hyperoxo.agents.scored import SCORING, GreedyAgent, IsingAgent, RandomAgent, TdAgent
from hyperoxo.agents.threats import ThreatAgent, WrappedAgent
from hyperoxo.errors import AgentError, CheckFailedError, HyperoxoError, SpecError, meant, quoted
from hyperoxo.extensions import extensions, missing
from hyperoxo.game import Game, Position
from hyperoxo.task import ALONE, Task

AGENTS: dict[str, Callable[..., Agent]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "ising": IsingAgent,
    "td": TdAgent,
    "minimax": MinimaxAgent,
    "mcts": MctsAgent,
    "puct": PuctAgent,
    "expert": ExpertAgent,
    "proof": ProofAgent,
    "pairing": PairingAgent,
    "alphazero": AlphazeroAgent,
    "level": LevelAgent,
    "human": HumanAgent,
}
"""The agents of this package; others come from the entry-point group."""

OFFERED = "HYPEROXO_OPPONENTS"
"""Environment variable with names and specs, for the processes of a server."""

_GROUP = "hyperoxo.agents"
_RESEARCH = ("breaker", "adversary", "ppo")
"""Agents of hyperoxo_research, listed after ``proof``."""
_READINGS = ("minimax:published", "ising:doubled")
"""Readings of these agents in hyperoxo_research."""
_SEARCHED_CELLS = 1_000


class OfferedAgent(WrappedAgent):
    """An agent that plays under another name."""

    def __init__(self, name: str, inner: Agent) -> None:
        super().__init__(inner)
        self.offered = name

    @property
    def spec(self) -> str:
        """Spelling of the agent: its name."""
        return self.offered

    def quick(self, game: Game) -> bool:
        """True if every move is quick."""
        return self.inner.quick(game)

    def seat(self, game: Game) -> Seat | None:
        """Return the agent's settings for compiled games."""
        return self.inner.seat(game)

    def check(self, game: Game) -> None:
        """Refuse the games that the agent refuses; hide its reason, which may name a file."""
        try:
            super().check(game)
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
        """Choose a move, with the agent's explanation."""
        return self.inner.explain(position, rng)

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move until the task ends; see :meth:`Agent.think`."""
        return self.inner.think(position, rng, task)


def registered() -> dict[str, Callable[..., Agent]]:
    """Return all agents but people: offered ones, levels, the strongest of this package, others."""
    found = {name: _offered(name) for name in offers()}
    ours, others = _names()
    for name in (*reversed(ours), *others):
        if name != "human":
            with suppress(AgentError):
                found[name] = _maker(name)
    return found


def title(name: str, maker: Callable[..., Agent]) -> str:
    """Return the name of an agent in forms."""
    return getattr(maker, "title", "") or name[:1].upper() + name[1:]


def offers() -> dict[str, str]:
    """Return the specs of offered agents by name."""
    return dict(json.loads(os.environ.get(OFFERED, "") or "{}"))


def _offered(name: str) -> Callable[..., Agent]:
    def maker() -> Agent:
        """Is offered by this server."""
        return OfferedAgent(name, agent(offers()[name]))

    return maker


@cache
def opponents() -> tuple[tuple[str, str], ...]:
    """Return the opponents in forms: titles and agent specs."""
    # Forms offer the `opponents` of each agent. The page of a new game and the full screen offer
    # people `LEVELS` of agents/level.py first; `oxo play` begins with `LEVEL` of play/session.py.
    # A command takes any spec.
    found: list[tuple[str, str]] = []
    for name, maker in registered().items():
        offered = getattr(maker, "opponents", None)
        found += [(title(name, maker), name)] if offered is None else offered
    return tuple(found)


def _names() -> tuple[list[str], list[str]]:
    """Return the names of our agents, those of the research package included, and of others."""
    ours, added = list(AGENTS), extensions(_GROUP)
    place = ours.index("proof") + 1
    ours[place:place] = [name for name in _RESEARCH if name in added]
    return ours, [name for name in added if name not in ours]


def agent_names() -> tuple[str, ...]:
    """Return the names of all agents, those of other packages last."""
    ours, others = _names()
    return (*ours, *others, *offers())


def agent(spec: str, **options: object) -> Agent:
    """Make an agent from its spec.

    Parameters
    ----------
    spec : str
        ``name[:option=value,...]`` such as ``"ising:bias=0.5"`` or ``"level:3"``. With
        ``threats=on`` every agent first completes lines, plays forced wins and stops lines.
    **options
        Options as Python values; they may be objects, such as a line heuristic.

    Returns
    -------
    Agent
        The agent.

    Raises
    ------
    SpecError
        If the name, an option or a value is wrong; the message says which.

    Examples
    --------
    >>> agent("ising:bias=0.5").spec
    'ising:bias=0.5'
    >>> agent("greedy", attack=0.5).spec
    'greedy:attack=0.5'
    """
    name = str(spec).partition(":")[0]
    maker = _maker(name)
    values = read_options("agent", spec, getattr(maker, "alone", ""))
    bad = f"bad agent {quoted(spec)}"
    if twice := [key for key in values if key in options]:
        raise SpecError(f"{bad}: option {quoted(twice[0])} is given twice")
    threats = str(values.pop("threats", options.pop("threats", "off")))
    if threats not in ("on", "off"):
        raise SpecError(f"{bad}: threats must be on or off")
    given = {
        key: os.fspath(value) if isinstance(value, os.PathLike) else value
        for key, value in {**values, **options}.items()
    }
    signature = inspect.signature(maker)
    for key in given:
        if key not in signature.parameters:
            options_are = [*signature.parameters, "threats"]
            listed = meant(key, options_are) or f"options are {', '.join(options_are)}"
            raise SpecError(f"{bad}: '{name}' has no option {quoted(key)}; {listed}")
    try:
        signature.bind(**given)
    except TypeError as error:
        raise SpecError(f"{bad}: {error}") from None
    try:
        made = _in_reading(name, given.get("reading"), maker)(**given)
    except HyperoxoError as error:
        raise SpecError(f"{bad}: {error}") from None
    except OSError as error:
        raise SpecError(f"{bad}: {quoted(error.filename)}: {error.strerror}") from None
    return ThreatAgent(made) if threats == "on" else made


def is_spelled(one: Agent) -> bool:
    """Return whether the spec of an agent describes it completely."""
    # Workers and runs recreate agents from their specs; objects as options cannot be spelled.
    try:
        again = agent(one.spec)
    except HyperoxoError:
        return False
    same = again.spec == one.spec and type(again) is type(one)
    inner, like = (getattr(each, "inner", each) for each in (one, again))
    return same and getattr(like, "heuristic", None) == getattr(inner, "heuristic", None)


def file_stamps(spec: str) -> tuple[int, ...]:
    """Return the times of the files that a spec names; they change when one is written again."""
    found = []
    for value in re.findall("=([^,]+)", spec):
        with suppress(OSError, ValueError):
            found.append(Path(value).stat().st_mtime_ns)
    return tuple(found)


def _in_reading(name: str, reading: object, maker: Callable[..., Agent]) -> Callable[..., Agent]:
    """Return the factory of an agent for a reading of another package; else the usual one."""
    asked = f"{name}:{reading}"
    if asked in extensions("hyperoxo.readings"):
        made: Callable[..., Agent] = extensions("hyperoxo.readings")[asked].load()
        return made
    if asked in _READINGS:
        raise SpecError(missing(f"reading={reading}"))
    return maker


def _maker(name: str) -> Callable[..., Agent]:
    # This package's names come first: neither an offer nor another package can take one over.
    if name in AGENTS:
        return AGENTS[name]
    if name in offers():
        return _offered(name)
    if name in extensions(_GROUP):
        try:
            made: Callable[..., Agent] = extensions(_GROUP)[name].load()
        except CheckFailedError as error:
            raise AgentError(f"agent {error}") from error
        return made
    if name in _RESEARCH:
        raise AgentError(missing(f"agent '{name}'"))
    listed = meant(name, agent_names()) or f"known are {', '.join(agent_names())}"
    raise SpecError(f"unknown agent {quoted(name)}; {listed}")


def default_opponent(game: Game) -> str:
    """Return the spec of the agent a person plays against unless they choose one."""
    if game.cells <= _SEARCHED_CELLS:
        return "expert"
    return "greedy" if SCORING.accepts(game) else "random"
