"""Layouts of boards in flat pictures, as pages lay their cells out.

The place of a cell is a sum over its coordinates, so a layout has few numbers: how far each
coordinate along each axis moves a cell to the right and down.
"""

from __future__ import annotations

from math import ceil, prod, sqrt
from typing import Any

from hyperoxo.game import Game
from hyperoxo.game.plan import Plan, arrangements, courses, plan_of


def _shape(game: Game) -> tuple[int, ...]:
    """Return the sides of a board; one without coordinates is a block."""
    count, wide = game.board.cell_count, ceil(sqrt(game.board.cell_count))
    return game.board.shape or (ceil(count / wide), wide)


def _layout(game: Game, plan: Plan) -> dict[str, Any]:
    shape = _shape(game)
    left, top = plan.corners[0]
    offsets = []
    for axis, side in enumerate(shape):
        step = prod(shape[axis + 1 :])
        corners = [plan.corners[at * step] for at in range(side)]
        offsets.append([[x - left, y - top] for x, y in corners])
    offsets[0] = [[x + left, y + top] for x, y in offsets[0]]
    return {"heads": plan.heads, "width": plan.width, "height": plan.height, "offsets": offsets}


def small_layout(game: Game) -> dict[str, Any]:
    """Return the layout of a small picture, which has no names of layers."""
    side = _shape(game)[0]
    return _layout(game, plan_of(game, side if side < 4 else ceil(sqrt(side))))


def layouts(game: Game) -> dict[str, Any]:
    """Return the layouts of a board, one of which suits a window, and how its axes run."""
    shape = _shape(game)
    # Names of several coordinates are too wide to stand aside.
    heads = ("above", "aside") if len(shape) == 3 else ("above",)
    plans = [
        plan_of(game, across, one) for across in arrangements(shape) or (None,) for one in heads
    ]
    return {
        "layouts": [_layout(game, plan) for plan in plans],
        "courses": courses(shape, game.gravity),
    }
