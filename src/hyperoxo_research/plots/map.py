"""The nested map of optimal moves: each cell holds the board after the best answer.

Read it so: the large stone on the board is your move. Look where your opponent plays, go into the
board in that cell, and there again the strong stone of your colour is your answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Position, Requires, Value, layout_of
from hyperoxo.pictures.alt_text import name_of
from hyperoxo.pictures.svg import board_svg, sheet, text_svg
from hyperoxo.solvers.states.layers import VALUES
from hyperoxo.solvers.states.tables import ValueTable, table_of

MOST_BOARDS = 4000
"""Boards in one map; deeper ones are left out."""

_MAPS = Requires("a map", VALUES.accepted)

_WIDTH = 1400.0
_MARGIN = 40.0
_HEAD = 64.0
_INSIDE = 0.92


def draw_map(
    game: Game, seat: int = 1, depth: int | None = None, start: Position | None = None
) -> str:
    """Draw the map of optimal moves for one seat, beginning with a position."""
    start = game.start() if start is None else start
    free = game.cells - start.ply
    if game.players != 2:
        raise SpecError(f"maps are for two players, {game} has {game.players}")
    _MAPS.check(game)
    if seat not in (1, 2):
        raise SpecError(f"seat must be 1 or 2, not {seat}")
    table = table_of(game) or table_of(game, build=True)
    assert table is not None
    if depth is None:
        depth = next(d for d in count(1) if d >= free or _boards(free, d + 1) > MOST_BOARDS)
    elif _boards(free, depth) > 10 * MOST_BOARDS:
        raise LimitError(
            f"a map of {game} {depth} boards deep may have {_boards(free, depth):,} boards, "
            f"over {10 * MOST_BOARDS:,}; take a smaller depth"
        )
    plan = layout_of(game)
    cell = (_WIDTH - 2 * _MARGIN) / max(plan.width, plan.height)
    width, height = cell * plan.width + 2 * _MARGIN, cell * plan.height + _MARGIN + _HEAD
    value, plies = table.lookup(start) or (Value.DRAW, 0)
    wins = (value is Value.WIN) == (seat == start.to_move)
    mark, other = name_of(seat), name_of(3 - seat)
    title = f"{game}: best moves of {mark}"
    if start.ply:
        title += f" after {', '.join(map(str, start.history))}" if start.history else " from here"
    if seat == start.to_move and not start.is_over:
        start = start.play(best_answer(table, start))
    parts = [
        text_svg(_MARGIN, 32, 24, title, 'font-weight="650"'),
        text_svg(_MARGIN, 52, 14, _result(value, plies, mark, other, wins=wins), 'class="soft"'),
        *_nested(table, start, (_MARGIN, _HEAD, cell), depth, -1),
    ]
    return sheet(game, width, height, title, parts)


def best_answer(table: ValueTable, position: Position) -> int:
    """Return the move of best value; among equals the one with most losing answers."""

    def score(cell: int) -> tuple[int, int, int, int]:
        child = position.play(cell)
        value, plies = table.lookup(child) or (Value.DRAW, 0)
        sooner = plies if value is Value.WIN else -plies
        answers = (table.lookup(child.play(answer)) for answer in child.legal_moves)
        traps = sum(found is not None and found[0] is Value.WIN for found in answers)
        return -value.sign, sooner, traps, -cell

    return max(position.legal_moves, key=score)


def _result(value: Value, plies: int, mark: str, other: str, *, wins: bool) -> str:
    if value is Value.DRAW:
        end = "draws against best play"
    else:
        end = f"{'wins' if wins else 'loses'} after {plies} moves of both, against best play"
    return (
        f"{mark} {end}. Where {other} plays, go into that cell: "
        f"the strong {mark.lower()} there is the answer."
    )


def _boards(free: int, depth: int) -> int:
    """Most boards that a map of that depth has."""
    total, layer = 0, 1
    # A board has one inside for each reply; a reply and its answer fill two cells.
    for _ in range(depth):
        total += layer
        layer *= max(free, 0)
        free -= 2
    return total


def _nested(
    table: ValueTable, position: Position, box: tuple[float, float, float], depth: int, played: int
) -> Iterator[str]:
    """Draw a board after the stone on `played`, the opponent to move, and those in its cells."""
    last = {cell for cell in position.history[-1:] if cell != played}
    stones = {cell for cell, owner in enumerate(position.owners) if owner in (1, 2)}
    yield board_svg(position, box, faint=set() if position.is_over else stones - last)
    if position.is_over or depth <= 1:
        return
    plan, (left, top, cell) = layout_of(position.game), box
    small = _INSIDE * cell / max(plan.width, plan.height)
    for move in position.legal_moves:
        x, y = plan.corners[move]
        inner = (
            left + x * cell + (cell - small * plan.width) / 2,
            top + y * cell + (cell - small * plan.height) / 2,
            small,
        )
        after = position.play(move)
        if not after.is_over:
            after = after.play(best_answer(table, after))
        yield from _nested(table, after, inner, depth - 1, move)
