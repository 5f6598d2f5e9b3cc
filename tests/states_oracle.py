"""All positions of a small game by walking positions.

Each game is walked once in a process; nothing may change what is found.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

from hyperoxo.game import Game, Position


@dataclass(eq=False)
class Walked:
    """Positions by ply with the number of games that lead there."""

    layers: list[dict[bytes, Position]] = field(default_factory=list)
    games: list[Counter[bytes]] = field(default_factory=list)


@cache
def walk(start: Game | Position, plies: int | None = None) -> Walked:
    first = start.start() if isinstance(start, Game) else start
    found = Walked([{first.owners: first}], [Counter({first.owners: 1})])
    while (plies is None or len(found.layers) <= plies) and any(
        not position.is_over for position in found.layers[-1].values()
    ):
        layer: dict[bytes, Position] = {}
        games: Counter[bytes] = Counter()
        for owners, position in found.layers[-1].items():
            for cell in position.legal_moves:
                child = position.play(cell)
                layer.setdefault(child.owners, child)
                games[child.owners] += found.games[-1][owners]
        found.layers.append(layer)
        found.games.append(games)
    return found


def finals(found: Walked, players: int, *, by_games: bool) -> tuple[tuple[int, ...], int]:
    wins, draws = [0] * players, 0
    for layer, games in zip(found.layers, found.games, strict=True):
        for owners, position in layer.items():
            if position.outcome is not None:
                weight = games[owners] if by_games else 1
                draws += weight * position.outcome.draw
                for winner in position.outcome.winners:
                    wins[winner - 1] += weight
    return tuple(wins), draws
