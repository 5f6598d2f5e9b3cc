"""The reading ``published`` of minimax: the search of a C++ report, faithful to the letter."""

from __future__ import annotations

import numpy as np

from hyperoxo.agents.base import Explanation, Randomness, because, moves_of
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.agents.scored import simpler_move
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import CLASSIC, Game, Position, Requires, Trait, Why
from hyperoxo.kernels.alphabeta import CONTROL_SIZE
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.exact.minimax import MinimaxResult
from hyperoxo.task import ALONE, Stop, Task
from hyperoxo_research.kernels.published_minimax import WORTH, published_search

_NODES = 50_000_000
_PUBLISHED = Requires("the published minimax", CLASSIC - {Trait.SEVERAL_PLAYERS})


def published_minimax(
    position: Position, node_limit: int, stop: Stop | None = None
) -> tuple[int, int, int] | None:
    """Search as the published program does; return the move, the program's value, and nodes.

    The value is that to player 2, 100,000 for a win less the program's discounts. None if it was
    stopped: the search has no move before its end.
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
    # If no move beats the initial value, the program would play on an invalid cell.
    return int(best[0]) if best[0] >= 0 else position.legal_moves[0], value, int(control[NODES])


class PublishedMinimax(MinimaxAgent):
    """Alpha-beta of a C++ report: no transposition table, no depth limit.

    It has its own discount by depth and its own choice among equals. Its only other option is
    `nodes`; it gives up after 50 million positions.
    """

    def _check_options(self) -> None:
        plain = f"nodes={self.nodes}," if self.nodes else ""
        if self.spec != f"{self.name}:{plain}reading=published":
            raise SpecError("reading=published takes no other option but nodes")

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        return self.think(position, rng).move

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move; a stopped search has none, see :meth:`Agent.think`."""
        moves_of(position)
        found = published_minimax(position, self.nodes or _NODES, task.stop)
        if found is None:
            return simpler_move(position, rng)
        move, value, _ = found
        own = float(value if position.to_move == 2 else -value)
        return Explanation.of(move, because(Why.SEARCHED_AS_PUBLISHED, position, move), own)

    def search(self, position: Position, task: Task = ALONE) -> MinimaxResult:
        """Refuse: the published search returns a move alone."""
        raise AgentError("the published minimax says its move and nothing else")

    def quick(self, game: Game) -> bool:
        """Return False: no move is quick."""
        return False
