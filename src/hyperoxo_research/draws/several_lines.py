"""Draws of games to several lines: proofs that none exists by exact bounds, or a full board."""

from __future__ import annotations

import math
import os

import numpy as np

from hyperoxo.game import Game
from hyperoxo.task import Task
from hyperoxo_research.draws.filling import least_weights, lines_in_fillings, odd_filling
from hyperoxo_research.draws.filling_cases import filling_by_cases
from hyperoxo_research.draws.full_boards import Stones, board_of
from hyperoxo_research.draws.stored import stored_cases, stored_filling
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard

_MOST_LINES = 20_000
_ROUNDS = 200
_SWAPS = 4_000
_HOT, _COLD = 1.5, 0.15
_PART = 0.3
"""Fraction of the time left that one attempt gets, or leaves."""
_MOST_EXCHANGING, _MOST_WEIGHING = 5.0, 120.0
"""Seconds for a first search for a board below the target, and for one bound of all boards."""


def by_several_lines(
    game: Game,
    *,
    task: Task,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Filling | FillingCases | DrawnBoard | None:
    """Prove that a game to several lines has no draw, or find one."""
    # A bound by weights, stored proofs and a short search for a board come first, then odd sums and
    # cases, each for a fraction of the time; cases are resumed from a checkpoint.

    def below(most: float) -> DrawnBoard | None:
        return board_below_target(game, task=task.share(_PART, most), seed=seed)

    found: Filling | FillingCases | DrawnBoard | None = no_draw_by_bound(game)
    found = found or stored_filling(game) or stored_cases(game) or below(_MOST_EXCHANGING)
    if found is None:
        most = task.share(1 - _PART, _MOST_WEIGHING)
        found = odd_filling(game, 2 * game.target - 1, task=most, seed=seed)
    if found is None:
        found = filling_by_cases(game, task=task.share(1 - _PART), checkpoint=checkpoint)
    return found or below(math.inf)


def no_draw_by_bound(game: Game) -> Filling | None:
    """Find weights by which one of two players has enough lines on every full board."""
    if lines_in_fillings(game.board, 2 * game.target - 1) is None:
        return None
    weights = least_weights(game.board)
    return Filling(game, tuple(sorted(weights.items())))


def board_below_target(game: Game, *, task: Task, seed: int = 0) -> DrawnBoard | None:
    """Look for a full board on which both players have fewer lines than the target."""
    # By simulated annealing over exchanges of two stones (S. Kirkpatrick et al. 1983).
    board, rng = game.board, np.random.default_rng(seed)
    cells = board.playable.tolist()
    if board.line_count > _MOST_LINES or len(cells) < 2:
        return None
    players = 1 + np.arange(len(cells)) % 2
    for _ in range(_ROUNDS):
        stones = Stones(game)
        for cell, player in zip(cells, rng.permutation(players).tolist(), strict=True):
            stones.put(cell, player)
        for step in range(_SWAPS):
            if max(stones.full_of) < game.target:
                return board_of(game, stones.owners)
            if step % 64 == 0 and task.over:
                return None
            heat = _HOT * (_COLD / _HOT) ** (step / _SWAPS)
            one, other = rng.choice(cells, 2).tolist()
            if stones.owners[one] == stones.owners[other]:
                continue
            before = len(stones.full)
            stones.exchange(one, other)
            worse = len(stones.full) - before
            if worse > 0 and rng.random() >= math.exp(-worse / heat):
                stones.exchange(one, other)
    return None
