"""Certificates of what all the others together keep one seat from."""

from __future__ import annotations

import numpy as np

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.kernels.coalition import FAILS, proving_move
from hyperoxo.kernels.control import STOP
from hyperoxo.position import Position
from hyperoxo.proof import Prevention, completes, contained, forms_of, replies
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.coalition.search import WIN, Forcing, keys_of, proof_table, search_control
from hyperoxo.task import Stop, Task

__all__ = ["prevention_of"]

_MOST_MOVES = 200_000


def prevention_of(
    position: Position,
    seat: int,
    goal: int,
    found: Forcing,
    *,
    most: int = _MOST_MOVES,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Prevention:
    """Return the replies by which the others keep a seat from a goal."""
    if found.forced is not False:
        raise CheckFailedError(f"it was not shown that player {seat} cannot force that")
    game = position.game
    keys, forms, tables = keys_of(game), forms_of(game), tables_of(game)
    control = search_control(keys)
    arguments = (keys.codes, keys.perms, *proof_table(found), control)
    scratch = np.empty(game.board.cell_count, dtype=np.int32)
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [position]
    with Task.within(seconds, stop).watched(control[STOP : STOP + 1]):
        while waiting:
            here = waiting.pop()
            if here.is_over or completes(here, seat):
                continue
            form, cells = forms.locate(here.owners)
            if form in seen:
                continue
            seen.add(form)
            if here.to_move == seat:
                waiting += [here.play(cell) for cell in replies(here, seat)]
            elif goal != WIN or not contained(here, seat):
                move = proving_move(
                    *(tables, state_of(here), seat - 1, goal, found.width, FAILS),
                    *(*arguments, scratch),
                )
                if move < 0 or control[STOP]:
                    raise LimitError("the proof was not found within the limit")
                if len(moves) == most:
                    raise LimitError(f"the proof has more than {most:,} replies")
                moves[form] = list(cells).index(move)
                waiting.append(here.play(move))
    claim = "no-win" if goal == WIN else "no-draw"
    return Prevention(game, seat, claim, moves, position)
