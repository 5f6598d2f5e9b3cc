"""Strategies under gravity whose endgames are left to the checker."""

from __future__ import annotations

import math

from hyperoxo.errors import LimitError
from hyperoxo.game import FREE, Game, Position, lacking_cells
from hyperoxo.proof.endgame_loops import MOST_CELLS
from hyperoxo.proof.endgames import ENDGAME_SEARCH, EndgameStrategy, urgent_move
from hyperoxo.proof.forms import Forms, forms_of
from hyperoxo.solvers.exact.gravity import searches_columns
from hyperoxo.solvers.exact.seat_value import ExactSearch
from hyperoxo.task import Task

_FREE = 22
"""Free cells of the endgames: the checker searches one in some milliseconds."""
_MANY = 26
"""Free cells from which a strategy that lists all moves would be long."""


def leaves_endgames(position: Position) -> bool:
    """Return whether a strategy from here is better without its endgames."""
    game: Game = position.game
    free = position.owners.count(FREE)
    return (
        free >= _MANY
        and ENDGAME_SEARCH.holds(game)
        and game.board.cell_count <= MOST_CELLS
        and searches_columns(game)
    )


def endgame_strategy(
    search: ExactSearch, position: Position, seat: int, claim: str, task: Task
) -> EndgameStrategy:
    """Find moves that keep what a seat is known to force, down to endgames of 22 free cells."""
    forms = forms_of(position.game)
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [position]
    while waiting:
        here = waiting.pop()
        form, cells = forms.locate(here.owners)
        if form in seen or here.is_over or here.owners.count(FREE) <= _FREE:
            continue
        seen.add(form)
        if here.to_move != seat:
            waiting += [here.play(cell) for cell in here.legal_moves]
            continue
        move = urgent_move(here)
        if move is None:
            move = _keeping_move(search, here, claim, forms, seen)
            moves[form] = list(cells).index(move)
            task.tell(len(moves), 0)
        waiting.append(here.play(move))
    return EndgameStrategy(position.game, seat, claim, moves, position, _FREE)


def _keeping_move(
    search: ExactSearch, position: Position, claim: str, forms: Forms, seen: set[bytes]
) -> int:
    """Return a move that keeps a claim: to a position that is known, or with many threats."""
    seat = position.to_move
    after = {cell: position.play(cell) for cell in position.legal_moves}
    for cell, following in after.items():
        if forms.of(following.owners) in seen:
            return cell
    degrees = position.game.board.degrees
    order = sorted(
        after, key=lambda cell: (-len(lacking_cells(after[cell], seat)), -int(degrees[cell]))
    )
    low, high = (0.0, 1.0) if claim == "win" else (-1.0, 0.0)
    for cell in order:
        value = search.value(after[cell], seat, low=low, high=high)
        if math.isnan(value):
            raise LimitError("the proof was not found within the limit")
        if value > low:
            return cell
    raise AssertionError("the search contradicts itself")
