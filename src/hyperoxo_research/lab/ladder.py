"""Strength ladders: tests that more search, or more knowledge, never plays worse.

A ladder is a row of agents, each meant to be no weaker than the one before. Neighbours play a match
with rotating seats: with q players one of the stronger kind against q - 1 of the weaker. Among the
decided games, equal strength gives the stronger a share of 1/q; it counts as weaker if the whole
95 % interval lies below that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hyperoxo.display import Result
from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.match import match
from hyperoxo.task import Progress, Task, in_order


def _ladders(
    depths: tuple[int, ...], simulations: tuple[int, ...], *knowledge: str
) -> dict[str, tuple[str, ...]]:
    """Return ladders by the parameter that grows; depth 0 stands for no limit."""
    return {
        "depth": tuple(f"minimax:depth={depth}" if depth else "minimax" for depth in depths),
        "simulations": tuple(f"mcts:simulations={count}" for count in simulations),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", *knowledge),
    }


_TO_4 = "minimax:depth=4"
LADDERS: dict[str, dict[str, tuple[str, ...]]] = {
    "3^2": _ladders((1, 2, 4, 0), (10, 100, 1000, 10000), _TO_4, "minimax"),
    "4^2": _ladders((1, 2, 4, 8), (10, 100, 1000), _TO_4),
    "3^3": _ladders((1, 2, 4, 7), (10, 100, 1000), _TO_4, "minimax"),
    "4^3": _ladders((1, 2, 4, 6), (100, 1000, 10000), "minimax:depth=2", "expert:simulations=2000"),
    "3^4": _ladders((1, 2, 4), (10, 100, 1000), "minimax:depth=3"),
    "3^2:players=3": _ladders((1, 2, 3, 6), (10, 100, 1000), "minimax:depth=3"),
    "3^3:players=3": _ladders((1, 2, 3), (100, 1000, 10000), "minimax:depth=3"),
}
"""Ladders by game and by the parameter that grows."""


@dataclass(frozen=True)
class Rung(Result):
    """Two neighbours of a ladder and the match between them."""

    game: str
    kind: str
    weaker: str
    stronger: str
    games: int
    won: int
    lost: int
    draws: int
    players: int

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the stronger's share of decided games."""
        return wilson_interval(self.won, self.won + self.lost)

    @property
    def holds(self) -> bool:
        """True unless the stronger is weaker beyond the interval."""
        return self.interval[1] >= 1 / self.players

    _data = "game kind weaker stronger games won lost draws interval equal holds"

    @property
    def equal(self) -> float:
        """The share of equally strong agents."""
        return 1 / self.players


def climb(
    games: tuple[str, ...] = (),
    *,
    count: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[Rung]:
    """Play the matches of the ladders."""
    for named in games:
        if named not in LADDERS:
            raise SpecError(f"there is no ladder for {named}; there are {', '.join(LADDERS)}")
    pairs = [
        (spec, kind, weaker, stronger, count, seed)
        for spec in games or tuple(LADDERS)
        for kind, row in LADDERS[spec].items()
        for weaker, stronger in pairwise(row)
    ]
    yield from in_order(Task.of(progress).spread(_rung, pairs))


def _rung(spec: str, kind: str, weaker: str, stronger: str, count: int, seed: int, _: Task) -> Rung:
    """Play the match of two neighbours."""
    game = Game(spec)
    # Wins are counted by agent, whatever its seat: the first are those of the stronger kind.
    agents = [stronger, *[weaker] * (game.players - 1)]
    result = match(game, agents, count, seed, swap=True)
    lost = sum(result.wins[1:])
    won, drawn = result.wins[0], result.draws
    return Rung(spec, kind, weaker, stronger, count, won, lost, drawn, game.players)
