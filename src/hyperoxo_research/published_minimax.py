"""The reading ``published`` of minimax: the search of a C++ report as that is written."""

from __future__ import annotations

import numpy as np

from hyperoxo.errors import AgentError
from hyperoxo.game import CLASSIC, Position, Requires, Trait
from hyperoxo.kernels.alphabeta import CONTROL_SIZE
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.task import Stop, Task
from hyperoxo_research.kernels.published_minimax import WORTH, published_search

_PUBLISHED = Requires("the published minimax", CLASSIC - {Trait.SEVERAL_PLAYERS})


def published_minimax(
    position: Position, node_limit: int, stop: Stop | None = None
) -> tuple[int, int, int] | None:
    """Search as the published program does; return the move, its value to it, and positions.

    The value is the program's: to player 2, 100,000 for a win less ten for each ply of its way
    that the program counts. None where it was stopped: until its end it has no move.
    """
    _PUBLISHED.check(position.game)
    t, s = tables_of(position.game), state_of(position)
    best, control = np.full(1, -1, dtype=np.int64), np.zeros(CONTROL_SIZE, dtype=np.int64)
    control[NODE_LIMIT] = node_limit
    second = position.to_move == 2
    with Task(stop=stop).watched(control[STOP : STOP + 1]):
        value = published_search(t, s, 0, -WORTH, WORTH, second, best, control)
    if control[STOP]:
        return None
    if control[NODES] > node_limit:
        raise AgentError(
            f"the published minimax looks ahead to the end of every game; {node_limit:,} positions "
            f"were not enough in {position.game}"
        )
    # The program would play on a cell of no number where it takes no move.
    return int(best[0]) if best[0] >= 0 else position.legal_moves[0], value, int(control[NODES])
