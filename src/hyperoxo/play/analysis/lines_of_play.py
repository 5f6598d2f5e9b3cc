"""Forced wins written out, from tables, exact search and threats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hyperoxo.kernels.minimax import WIN as WORTH
from hyperoxo.play.analysis.dangers import completing_cells, threats_of
from hyperoxo.play.analysis.findings import Step
from hyperoxo.play.analysis.stages import Clock
from hyperoxo.play.words import cell_name, enumerated
from hyperoxo.position import Position
from hyperoxo.solvers.exact.seat_value import ExactSearch, outcome_value
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.task import Task

__all__ = ["forced_by_search", "forced_by_table", "steps_of"]

_MOST_NAMED = 3

Worth = Callable[[Position], float]


def steps_of(position: Position, cells: Sequence[int]) -> tuple[Step, ...]:
    """Write a line of play as steps that say what each move does."""
    steps = []
    for cell in cells:
        player = position.to_move
        steps.append(Step(player, cell, _note(position, cell)))
        position = position.play(cell)
    return tuple(steps)


def _note(position: Position, cell: int) -> str:
    """Say what a move does, in a few words; nothing in misère play."""
    game, player = position.game, position.to_move
    if game.misere:
        return ""
    after = position.play(cell)
    if after.lines_owned[player - 1] > position.lines_owned[player - 1]:
        return "completes a line"
    others = (other for other in range(1, game.players + 1) if other != player)
    blocks = any(cell in completing_cells(position, other) for other in others)
    told = ["blocks"] if blocks else []
    aims = () if after.is_over else threats_of(after)[player - 1].cells
    if aims:
        named = [cell_name(game, aim) for aim in aims[:_MOST_NAMED]]
        more = len(aims) - len(named)
        told.append("threatens " + enumerated([*named, f"{more} more"] if more else named))
    return " and ".join(told)


def forced_by_table(position: Position) -> tuple[int, ...]:
    """Return best play to the end by the table of the game; empty where nobody wins."""
    found = lookup(position)
    if found is None or found[0] == "draw":
        return ()
    seat = position.to_move if found[0] == "win" else 3 - position.to_move

    def worth(after: Position) -> float:
        word, plies = lookup(after) or ("draw", 0)
        turn = after.ply % 2 + 1
        sign = {"win": 1, "draw": 0, "loss": -1}[word] * (1 if turn == seat else -1)
        return sign * (WORTH - after.ply - plies)

    return _walk(position, seat, worth)


def forced_by_search(position: Position, seat: int, clock: Clock) -> tuple[int, ...]:
    """Return play to the end in which a seat that can force a win does so at best."""
    search = ExactSearch(position.game)
    with Task.within(clock.left, clock.stop).watched(search.stop_flag):
        return _walk(position, seat, lambda after: search.value(after, seat))


def _walk(position: Position, seat: int, worth: Worth) -> tuple[int, ...]:
    """Follow best play for and against a seat; empty unless it ends in a win of the seat."""
    cells: list[int] = []
    while not position.is_over:
        mine = position.to_move == seat
        values = [(worth(position.play(cell)), cell) for cell in position.legal_moves]
        if any(math.isnan(value) for value, _ in values):
            return ()
        value, cell = min(values, key=lambda found: (-found[0] if mine else found[0], found[1]))
        if value <= 0:
            return ()
        cells.append(cell)
        position = position.play(cell)
    return tuple(cells) if outcome_value(position, seat) > 0 else ()
