"""Lines of play in an analysis: forced wins written out, and cells that complete a line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hyperoxo.game import Position, Value, lacking_cells, playable_cells
from hyperoxo.game.sentences import enumerated
from hyperoxo.game.words import cell_name
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.play.analysis.findings import PlayerThreats, Step
from hyperoxo.solvers.exact.seat_value import ExactSearch, outcome_value
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.task import Task

_MOST_NAMED = 3


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
    blocks = any(cell in lacking_cells(position, other) for other in others)
    does = ["blocks"] if blocks else []
    aims = () if after.is_over else threats_of(after)[player - 1].cells
    if aims:
        named = [cell_name(game, aim) for aim in aims[:_MOST_NAMED]]
        more = len(aims) - len(named)
        does.append("threatens " + enumerated([*named, f"{more} more"] if more else named))
    return " and ".join(does)


def forced_by_table(position: Position) -> tuple[int, ...]:
    """Return best play to the end by the table of the game; empty where nobody wins."""
    found = lookup(position)
    if found is None or found[0] is Value.DRAW:
        return ()
    seat = position.to_move if found[0] is Value.WIN else 3 - position.to_move

    def worth(after: Position) -> float:
        value, plies = lookup(after) or (Value.DRAW, 0)
        sign = value.sign if after.ply % 2 + 1 == seat else -value.sign
        return sign * (WIN - after.ply - plies)

    return _walk(position, seat, worth)


def forced_by_search(position: Position, seat: int, task: Task) -> tuple[int, ...]:
    """Return play to the end in which a seat that can force a win does so at best."""
    search = ExactSearch(position.game)
    with task.watched(search.stop_flag):
        return _walk(position, seat, lambda after: search.value(after, seat))


def _walk(position: Position, seat: int, worth: Callable[[Position], float]) -> tuple[int, ...]:
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


def threats_of(position: Position) -> tuple[PlayerThreats, ...]:
    """Return where each player would complete a line; nothing when the game is over."""
    if position.is_over:
        return ()
    found = []
    for player in range(1, position.game.players + 1):
        cells = lacking_cells(position, player)
        playable = set(playable_cells(position, player)) if cells else set()
        now = tuple(cell for cell in cells if cell in playable)
        found.append(PlayerThreats(player, now, tuple(c for c in cells if c not in playable)))
    return tuple(found)
