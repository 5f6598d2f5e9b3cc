"""Tuning of line tables by evolution: on the guided tree of a small game, or on games.

Only what lines gain by a stone decides the moves of an agent that does not look ahead, and only up
to a factor. So tables change by their gains, as one vector of unit length.

- On the tree, one child at a time replaces its parent unless it has more losing leaves over all
  seats, every tie tried. The steps are of all sizes, so that the search leaves plateaus.
- On games, the best of each generation are averaged: their score against the opponents, all after
  the same random openings. Openings change with the generation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import Game
from hyperoxo.heuristics import LineHeuristic, kinds_of, tabulate
from hyperoxo.kernels.guide import Scorer, count_guided
from hyperoxo.kernels.table import place_of
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.coalition.search import keys_of

Vector = NDArray[np.float64]
_TREE_BITS = 14
_SMALLEST, _LARGEST = 0.01, 3.0
_WIDE, _NARROW = 0.6, 0.1


class Gains:
    """The gains of line tables ``[K, W, W]`` as a vector, and back."""

    def __init__(self, game: Game, classes: str, weights: Vector, stages: int = 1) -> None:
        known, _ = kinds_of(game.board, classes, stages)
        self._base = weights
        self._places = [
            (kind, own, rivals)
            for kind, (_, size, _) in enumerate(known)
            for own in range(size)
            for rivals in range(size - own)
            if own < size - 1
        ]

    def of_table(self) -> Vector:
        """Return the gains of the table it was made of."""
        w = self._base
        return _unit(np.array([w[k, own + 1, b] - w[k, own, b] for k, own, b in self._places]))

    def table(self, gains: Vector) -> Vector:
        """Return a table with these gains; what lines without own stones are worth stays."""
        weights = self._base.copy()
        weights[:, 1:] = 0.0
        for (kind, own, rivals), gain in zip(self._places, gains, strict=True):
            weights[kind, own + 1, rivals] = weights[kind, own, rivals] + gain
        return weights


def losing_leaves(game: Game, heuristic: LineHeuristic) -> int:
    """Count the losing leaves of the guided trees of all seats, every tie tried."""
    tables, keys = tabulate(heuristic, game.board, game.players), keys_of(game)
    sign = -1.0 if game.misere else 1.0
    scorer = Scorer(tables.weights, tables.kinds, int(tables.by_ends), 0.0, sign, False)
    losses = 0
    for seat in range(game.players):
        names = np.zeros(1 << _TREE_BITS, dtype=np.uint64)
        used = np.zeros(1 << _TREE_BITS, dtype=np.uint8)
        leaves = np.zeros((1 << _TREE_BITS, 3), dtype=np.int64)
        count_guided(
            tables_of(game), state_of(game.start()), seat, scorer, False, keys.codes, keys.perms,
            names, used, leaves, np.zeros(1, dtype=np.int64),
        )  # fmt: skip
        root = np.uint64(keys.names(game.start(), 1).min())
        losses += int(leaves[place_of(names, used, root), 2])
    return losses


def next_on_tree(
    gains: Vector, losses: Callable[[Vector], int], rng: np.random.Generator, children: int
) -> Vector:
    """Return what comes of a table after some children."""
    least = losses(gains)
    for _ in range(children):
        if not least:
            break
        size = _single(np.exp(rng.uniform(np.log(_SMALLEST), np.log(_LARGEST))))
        child = _unit(gains + size * _single(rng.normal(size=len(gains))))
        found = losses(child)
        if found <= least:
            gains, least = child, found
    return gains


def next_by_games(
    gains: Vector,
    score: Callable[[Vector], float],
    rng: np.random.Generator,
    children: int,
    done: float,
) -> Vector:
    """Return the mean of the best quarter of a generation; `done` is the part of the run behind."""
    step = (_WIDE + (_NARROW - _WIDE) * done) * (0.5 * np.abs(gains) + 0.2)
    drawn = (_single(rng.normal(size=len(gains))) for _ in range(children))
    family = [gains, *(gains + step * one for one in drawn)]
    scores = [score(member) for member in family]
    best = np.argsort(-np.array(scores), kind="stable")[: max(children // 4, 1)]
    return _unit(np.mean([family[i] for i in best], axis=0))


def _single(values: Any) -> Vector:
    """Round to single precision.

    The last bits of NumPy's exponentials, and of the tails of its normal distribution, depend on
    the processor and the C library; single precision does not keep them.
    """
    return np.asarray(np.float32(values), dtype=np.float64)


def _unit(gains: Vector) -> Vector:
    size = np.sqrt((gains**2).mean())
    return gains / size if size > 0 else gains
