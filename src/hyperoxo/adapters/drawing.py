"""Rendering and spaces of environments: plain text, pixels, planes of stones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.agents.options import choice_option
from hyperoxo.game import BLOCKED, FREE, Game, Position, layout_of
from hyperoxo.notation.stones import ICONS
from hyperoxo.pictures import standing
from hyperoxo.pictures.pixels import Canvas, Picture

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["METADATA", "Picture", "check_mode", "draw_text", "render", "space_of"]

MODES = ("human", "ansi", "rgb_array")
METADATA = {"render_modes": [*MODES], "render_fps": 1}

_CELL, _LARGEST = 48, 960


def check_mode(mode: str | None) -> str | None:
    """Validate a render mode."""
    return None if mode is None else choice_option("render_mode", mode, MODES)


def space_of(game: Game) -> spaces.Dict:
    """Return the space of observations: stones as planes, and the mask of legal moves."""
    from gymnasium import spaces

    cells = game.board.cell_count
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (cells, game.players), np.int8),
            "action_mask": spaces.Box(0, 1, (cells,), np.int8),
        }
    )


def render(position: Position, mode: str | None) -> str | Picture | None:
    """Render a position in a mode; "human" writes the text to standard output."""
    if mode is None:
        import gymnasium

        gymnasium.logger.warn("render() draws nothing unless a render_mode is given")
        return None
    if mode == "human":
        sys.stdout.write(draw_text(position) + "\n\n")
        return None
    if mode == "ansi":
        return draw_text(position)
    return np.array(Canvas.fitted(position.game, _LARGEST, largest=_CELL).draw(position))


def draw_text(position: Position) -> str:
    """Draw a position in characters, with a line about the player to move or the result."""
    plan = layout_of(position.game)
    xs, ys = zip(*plan.corners, strict=True)
    columns, rows = _places(xs, 2, 8), _places(ys, 1, 4)
    signs = {FREE: "·", BLOCKED: "#", **dict(enumerate(ICONS, start=1))}
    lines = [[" "] * (max(columns.values()) + 1) for _ in range(max(rows.values()) + 1)]
    for owner, x, y in zip(position.owners, xs, ys, strict=True):
        lines[rows[y]][columns[x]] = signs[owner]
    return "\n".join(["".join(line).rstrip() for line in lines] + [standing(position)])


def _places(along: tuple[float, ...], step: int, gap: int) -> dict[float, int]:
    """Return places of coordinates in a grid of characters; gaps are wider than in the plan."""
    return {at: int(step * rank + gap * (at - rank)) for rank, at in enumerate(sorted({*along}))}
