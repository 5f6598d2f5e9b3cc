"""Positions as environments render them: plain text, and a picture of pixels."""

from __future__ import annotations

import sys
from functools import lru_cache

import gymnasium
import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.options import choice_option
from hyperoxo.notation.stones import ICONS, INKS, NAMES, corners_of
from hyperoxo.position import BLOCKED, FREE, Position
from hyperoxo.rules import plan_of

__all__ = ["MODES", "Picture", "check_mode", "render"]

MODES = ("human", "ansi", "rgb_array")

Picture = NDArray[np.uint8]

_CELL, _SMALLEST, _LARGEST = 48, 4, 960
_PAPER, _WALL, _RULE, _GLOW = "#ffffff", "#cfc8b6", "#cfc8b6", "#ffe28a"
_STROKE, _TINT = 3.4, 0.22


def check_mode(mode: str | None) -> str | None:
    """Refuse a render mode that there is not."""
    return None if mode is None else choice_option("render_mode", mode, MODES)


def render(position: Position, mode: str | None) -> str | Picture | None:
    """Draw a position as a mode wants it; "human" writes the text to standard output."""
    if mode is None:
        gymnasium.logger.warn("render() draws nothing unless a render_mode is given")
        return None
    if mode == "human":
        sys.stdout.write(draw_text(position) + "\n\n")
        return None
    return draw_text(position) if mode == "ansi" else draw_pixels(position)


def draw_text(position: Position) -> str:
    """Draw a position in characters, with a line that says who moves or how the game ended."""
    plan = plan_of(position.game)
    xs, ys = zip(*plan.corners, strict=True)
    columns, rows = _places(xs, 2, 4), _places(ys, 1, 2)
    signs = {FREE: "·", BLOCKED: "#", **dict(enumerate(ICONS, start=1))}
    lines = [[" "] * (max(columns.values()) + 1) for _ in range(max(rows.values()) + 1)]
    for owner, x, y in zip(position.owners, xs, ys, strict=True):
        lines[rows[y]][columns[x]] = signs[owner]
    return "\n".join(["".join(line).rstrip() for line in lines] + [_state(position)])


def _places(along: tuple[float, ...], step: int, gap: int) -> dict[float, int]:
    """Return places of coordinates in a grid of characters; gaps are wider than in the plan."""
    return {at: int(step * rank + gap * (at - rank)) for rank, at in enumerate(sorted({*along}))}


def _state(position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return f"{NAMES[ICONS[position.to_move - 1]]} to move"
    if outcome.draw:
        return "A draw"
    winners = [NAMES[ICONS[player - 1]] for player in outcome.winners]
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} win"


def draw_pixels(position: Position) -> Picture:
    """Draw a position, uint8 ``[height, width, 3]``: last move tinted, winning lines marked."""
    plan = plan_of(position.game)
    fitting = int(_LARGEST / max(plan.width, plan.height))
    cell = max(_SMALLEST, min(_CELL, fitting))
    margin = cell // 3
    size = (round(cell * plan.height) + 2 * margin + 1, round(cell * plan.width) + 2 * margin + 1)
    picture = np.full((*size, 3), _rgb(_PAPER), dtype=np.uint8)
    won = {int(c) for line in position.winning_lines for c in position.game.board.line(line)}
    for number, (x, y) in enumerate(plan.corners):
        owner = position.owners[number]
        left, top = round(cell * x) + margin, round(cell * y) + margin
        picture[top : top + cell + 1, left : left + cell + 1] = _rgb(_RULE)
        ground = _rgb(_WALL if owner == BLOCKED else _GLOW if number in won else _PAPER)
        inside = np.tile(ground, (cell - 1, cell - 1, 1))
        if owner not in (FREE, BLOCKED):
            ink = _rgb(INKS[owner - 1])
            if number == position.last_move and number not in won:
                inside += _TINT * (ink - inside)
            inside += _stone(owner, cell - 1)[..., None] * (ink - inside)
        picture[top + 1 : top + cell, left + 1 : left + cell] = np.rint(inside)
    return picture


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


@lru_cache(maxsize=64)
def _stone(player: int, size: int) -> NDArray[np.float64]:
    """Return how much of each pixel a stone covers, ``[size, size]``, from 0 to 1."""
    unit = 24.0 / size
    y, x = (np.mgrid[:size, :size] + 0.5) * unit
    if player == 1:
        away = np.minimum(
            _from_segment(x, y, (6, 6), (18, 18)), _from_segment(x, y, (18, 6), (6, 18))
        )
    elif player == 2:
        away = np.abs(np.hypot(x - 12, y - 12) - 6.8)
    else:
        corners = corners_of(player)
        edges = zip(corners, [*corners[1:], corners[0]], strict=True)
        away = np.min([_from_segment(x, y, a, b) for a, b in edges], axis=0)
    covered: NDArray[np.float64] = np.clip((_STROKE / 2 - away) / unit + 0.5, 0.0, 1.0)
    return covered


def _from_segment(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    a: tuple[float, float],
    b: tuple[float, float],
) -> NDArray[np.float64]:
    """Return the distance of each pixel from a segment."""
    across, down = b[0] - a[0], b[1] - a[1]
    along = ((x - a[0]) * across + (y - a[1]) * down) / (across**2 + down**2)
    along = np.clip(along, 0.0, 1.0)
    found: NDArray[np.float64] = np.hypot(x - a[0] - along * across, y - a[1] - along * down)
    return found
