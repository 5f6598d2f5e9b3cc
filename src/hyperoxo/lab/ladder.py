"""Strength ladders: whether more search, or more knowledge, ever plays worse.

A ladder is a row of agents, each meant to be no weaker than the one before. Neighbours
play a match with rotating seats: with q players one of the stronger kind against q - 1 of
the weaker. Among the games that somebody won, equal strength gives the stronger a share
of 1/q; he is weaker beyond the interval when the whole 95 % interval lies below that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hyperoxo.errors import SpecError
from hyperoxo.lab.intervals import wilson_interval
from hyperoxo.lab.match import match
from hyperoxo.rules import Game
from hyperoxo.task import Progress, Task

LADDERS: dict[str, dict[str, tuple[str, ...]]] = {
    "3^2": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=4", "minimax"),
        "simulations": (
            "mcts:simulations=10",
            "mcts:simulations=100",
            "mcts:simulations=1000",
            "mcts:simulations=10000",
        ),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=4", "minimax"),
    },
    "4^2": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=4", "minimax:depth=8"),
        "simulations": ("mcts:simulations=10", "mcts:simulations=100", "mcts:simulations=1000"),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=4"),
    },
    "3^3": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=4", "minimax:depth=7"),
        "simulations": ("mcts:simulations=10", "mcts:simulations=100", "mcts:simulations=1000"),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=4", "minimax"),
    },
    "4^3": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=4", "minimax:depth=6"),
        "simulations": ("mcts:simulations=100", "mcts:simulations=1000", "mcts:simulations=10000"),
        "knowledge": (
            "random",
            "greedy:heuristic=lines",
            "greedy",
            "minimax:depth=2",
            "expert:simulations=2000",
        ),
    },
    "3^4": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=4"),
        "simulations": ("mcts:simulations=10", "mcts:simulations=100", "mcts:simulations=1000"),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=3"),
    },
    "3^2:players=3": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=3", "minimax:depth=6"),
        "simulations": ("mcts:simulations=10", "mcts:simulations=100", "mcts:simulations=1000"),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=3"),
    },
    "3^3:players=3": {
        "depth": ("minimax:depth=1", "minimax:depth=2", "minimax:depth=3"),
        "simulations": ("mcts:simulations=100", "mcts:simulations=1000", "mcts:simulations=10000"),
        "knowledge": ("random", "greedy:heuristic=lines", "greedy", "minimax:depth=3"),
    },
}
"""Rows of agents by game and by what grows along them."""


@dataclass(frozen=True)
class Rung:
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
        """95 % Wilson interval of the stronger's share of the games that somebody won."""
        return wilson_interval(self.won, self.won + self.lost)

    @property
    def holds(self) -> bool:
        """Whether the stronger is not weaker beyond the interval."""
        return self.interval[1] >= 1 / self.players

    def as_data(self) -> dict[str, Any]:
        """Return the rung as plain values; `equal` is the share of equally strong agents."""
        data = {name: value for name, value in vars(self).items() if name != "players"}
        equal = 1 / self.players
        return {**data, "interval": list(self.interval), "equal": equal, "holds": self.holds}


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
        (spec, kind, weaker, stronger)
        for spec in games or tuple(LADDERS)
        for kind, row in LADDERS[spec].items()
        for weaker, stronger in pairwise(row)
    ]
    task = Task(progress)
    for done, (spec, kind, weaker, stronger) in enumerate(pairs, start=1):
        game = Game(spec)
        agents = [stronger, *[weaker] * (game.players - 1)]
        result = match(game, agents, count, seed, swap=True)
        lost = sum(result.wins[1:])
        yield Rung(
            spec,
            kind,
            weaker,
            stronger,
            count,
            result.wins[0],
            lost,
            result.draws,
            game.players,
        )
        task.tell(done, len(pairs))
