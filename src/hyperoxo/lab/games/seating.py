"""Who sits where, in which game, from which seed: all that decides how a row of games goes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hyperoxo.agents import Agent, agent
from hyperoxo.errors import HyperoxoError, SpecError, quoted
from hyperoxo.rules import Game
from hyperoxo.run_options import SCORINGS

if TYPE_CHECKING:
    from hyperoxo.lab.games.tally import Tally

__all__ = [
    "Entrant",
    "OwnSeating",
    "Seating",
    "derived_seed",
    "entrants",
    "seating_of",
]


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part, and whether its spec says all about it."""

    spec: str
    agent: Agent = field(compare=False)
    spelled: bool = True


def entrants(named: Sequence[Agent | str], game: Game) -> list[Entrant]:
    """Make entrants of agents and specs, and check that they can play."""
    found = [_entrant(one) for one in named]
    for entrant in found:
        entrant.agent.check(game)
    return found


def _entrant(named: Agent | str) -> Entrant:
    if isinstance(named, str):
        made = agent(named)
        return Entrant(made.spec, made)
    return Entrant(named.spec, named, _is_spelled(named))


def _is_spelled(one: Agent) -> bool:
    try:
        again = agent(one.spec)
    except HyperoxoError:
        return False
    same = again.spec == one.spec and type(again) is type(one)
    return same and getattr(again, "heuristic", None) == getattr(one, "heuristic", None)


@dataclass(frozen=True)
class Seating:
    """Agents on the seats of a game, and the seed of the games they play there."""

    game: str
    agents: tuple[str, ...]
    seed: int
    scoring: str = "rules"
    players: tuple[Agent, ...] | None = field(default=None, compare=False)


class OwnSeating(Seating):
    """A seating whose games are played by a compiled loop of its own, not by agents as such."""

    @property
    def chunk(self) -> int:
        """Ranges of games had better begin and end at multiples of it."""
        raise NotImplementedError

    def play(self, first: int, last: int) -> Tally:
        """Play games `first` to `last` - 1, the same wherever the range is cut."""
        raise NotImplementedError


def seating_of(
    game: Game, seated: Sequence[Entrant], seed: int, copy: int = 0, scoring: str = "rules"
) -> Seating:
    """Seat entrants; the seed of their games follows from who they are and the seed of the run."""
    if len(seated) != game.players:
        raise SpecError(f"{game} has {game.players} players, and {len(seated)} agents are given")
    if scoring not in SCORINGS:
        raise SpecError(f"scoring must be {' or '.join(SCORINGS)}, not {quoted(scoring)}")
    specs = tuple(entrant.spec for entrant in seated)
    spelled = all(entrant.spelled for entrant in seated)
    return Seating(
        str(game),
        specs,
        derived_seed(seed, str(game), *specs, str(copy)),
        scoring,
        None if spelled else tuple(entrant.agent for entrant in seated),
    )


def derived_seed(seed: int, *words: str) -> int:
    """Return a 64-bit seed that follows from another one and from what it is for."""
    text = "\n".join([str(seed), *words])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
