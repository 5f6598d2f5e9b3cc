"""Alpha-beta and max^n: exact values of positions, and searches of limited depth.

`MinimaxSearch`, for agents and analyses, has a depth limit; `ExactSearch` searches to the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import CLASSIC, Game, Position, Requires, Trait
from hyperoxo.heuristics import (
    HeuristicTables,
    LineHeuristic,
    PositionHeuristic,
    kutner_heuristic,
    tabulate,
)
from hyperoxo.jit import working_time
from hyperoxo.kernels import alphabeta
from hyperoxo.kernels.alphabeta import search
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.evaluation import WIN, Weighed
from hyperoxo.kernels.maxn import search_maxn
from hyperoxo.kernels.scored import stage_of
from hyperoxo.kernels.state import play, undo
from hyperoxo.solvers.arrays import (
    COMPILED,
    FEW_SYMMETRIES,
    SYMMETRY_WORK,
    evaluation_arrays,
    state_of,
    symmetries_of,
    tables_of,
    zobrist_of,
)
from hyperoxo.solvers.draws.pairing import line_possible
from hyperoxo.solvers.exact.gravity import ColumnSearch, searches_columns
from hyperoxo.task import Stop, Task

_BY_LINES = CLASSIC | {Trait.EXACT_ROWS}
MINIMAX, MAXN = Requires("minimax", _BY_LINES), Requires("max^n", _BY_LINES)
_EXACT = Requires("exact search", COMPILED.accepted)
_TWO_IN_TURN = Requires("alpha-beta of two players in turn", _BY_LINES - {Trait.SEVERAL_PLAYERS})

_TABLE_BITS, _EXACT_BITS = 20, 22
_SOON = 8
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class MinimaxResult:
    """Values of the root moves, and the principal variation, of one completed search."""

    moves: tuple[int, ...]
    values: NDArray[np.float64]
    depth: int
    exact: bool
    nodes: int
    visits: tuple[int, ...]
    variation: tuple[int, ...]

    @property
    def best(self) -> NDArray[np.intp]:
        """Indices of the best moves."""
        top = self.values.max()
        return np.flatnonzero(self.values >= top - slack(float(top)))

    @property
    def plies_to_end(self) -> int | None:
        """Plies of the forced win or loss, or None."""
        top = float(self.values.max())
        return int(WIN - abs(top)) if abs(top) > WIN / 2 else None


def alphabeta_table(game: Game, size: int, few: int, control: NDArray[np.int64]) -> alphabeta.Table:
    """Return an empty transposition table; write the ply limit for symmetries into `control`."""
    # Groups of more than `few` symmetries are not used. Key, value and note of an entry are
    # adjacent in memory. A table of two entries means none. (One of a single entry would have
    # another type.)
    permutations = symmetries_of(game, few)
    group = len(permutations)
    control[alphabeta.SYMMETRY_PLIES] = SYMMETRY_WORK // group if group > 1 else 0
    table = np.zeros(size, dtype=[("key", np.uint64), ("value", np.float64), ("note", np.int64)])
    return alphabeta.Table(
        zobrist_of(game), permutations, table["key"], table["value"], table["note"]
    )


def slack(value: float) -> float:
    """Return the tolerance within which values count as equal."""
    return 0.0 if abs(value) > WIN / 2 else _TOLERANCE * max(1.0, abs(value))


class MinimaxSearch:
    """Iterative deepening of one position.

    The player to move plays against all others together (paranoid search), and leaves are worth the
    player's lines less `bias` times the mean of the others'. With `maxn` all play for themselves.
    """

    def __init__(
        self,
        position: Position,
        heuristic: LineHeuristic | PositionHeuristic,
        *,
        prune: bool = True,
        node_limit: int = 0,
        bias: float = 1.0,
        maxn: bool = False,
    ) -> None:
        game = position.game
        MINIMAX.check(game)
        prune = prune and not maxn
        self.position, self._maxn, self._bias = position, maxn, bias
        self._tables = tables_of(game)
        self._state = state_of(position)
        self._weighed = self._tables, self._state
        self._control = np.zeros(alphabeta.CONTROL_SIZE, dtype=np.int64)
        self._control[NODE_LIMIT] = node_limit
        self._control[alphabeta.PRUNE] = prune
        self._lines: HeuristicTables | None = None
        self._weights, difference, evaluation = np.zeros((0, 1, 1)), None, None
        if isinstance(heuristic, PositionHeuristic):
            evaluation = heuristic.compiled
        else:
            self._lines = tabulate(heuristic, game.board, game.players)
            self._weights = self._lines.weights
            if heuristic.on_neighbours:
                self._weighed = evaluation_arrays(position, self._lines)
                self._control[alphabeta.SHADOW] = 1
            if game.players == 2:
                # Leaves are valued for the player to move at the root, who may weigh the rival's
                # lines differently. One table of differences serves, as player 1 sees them.
                own, rival = (1.0, bias) if position.to_move == 1 else (bias, 1.0)
                difference = own * self._weights - rival * self._weights.transpose(0, 2, 1)
        self._kernel = search if evaluation is None else alphabeta.search_by_function
        self._leaf = difference, evaluation
        self._kinds = np.zeros(0, dtype=np.int32)
        # A user's function need not respect symmetries, so no images are formed then.
        few = FEW_SYMMETRIES if prune and evaluation is None else 0
        free = game.cells - position.ply
        size = 1 << min(_TABLE_BITS, 2 * free) if prune and free > 4 else 2
        self._table = alphabeta_table(game, size, few, self._control)
        self.result: MinimaxResult | None = None
        """Result of the last search that was completed."""

    @property
    def stop_flag(self) -> NDArray[np.int64]:
        """The flag that ends the search when any thread sets it, int64 ``[1]``."""
        return self._control[STOP : STOP + 1]

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        free = self.position.game.cells - self.position.ply
        depth = min(depth, free)
        self._control[alphabeta.EXACT] = depth == free
        if self._lines is not None:
            # All leaves have as many stones, so they belong to one stage of the game.
            kinds, game = self._lines.kinds, self.position.game
            self._kinds = kinds[stage_of(self.position.ply + depth, game.cells, len(kinds))]
        moves = self.position.legal_moves
        values = np.full(len(moves), -np.inf)
        visits = np.zeros(depth + 1, dtype=np.int64)
        line = np.full(depth + 2, -1, dtype=np.int32)
        # Root moves in the order of the last iteration. After the first, a value matters only if it
        # is at least the best so far: such values are exact, others are upper bounds.
        best, variation = -np.inf, ()
        for i in self._order():
            # Values that equal the best within rounding must be exact, too.
            least = best if best == -np.inf else float(np.nextafter(best, -np.inf)) - slack(best)
            self._play(moves[i])
            value = self._value(depth - 1, least, visits[1:], line)
            self._undo()
            if np.isnan(value):
                return None
            values[i] = value
            if value > best:
                best, variation = value, (moves[i], *line[: int((line < 0).argmax())].tolist())
        visits[0] = visits.any()
        self.result = MinimaxResult(
            moves,
            values,
            depth,
            depth == free or (not self._maxn and abs(best) > WIN / 2),
            int(self._control[NODES]),
            tuple(visits.tolist()) if visits[0] else (),
            variation,
        )
        return self.result

    def _play(self, cell: int) -> None:
        play(self._tables, self._state, cell)
        if self._control[alphabeta.SHADOW]:
            play(*self._weighed, cell)

    def _undo(self) -> None:
        undo(self._tables, self._state)
        if self._control[alphabeta.SHADOW]:
            undo(*self._weighed)

    def _value(
        self, depth: int, least: float, visits: NDArray[np.int64], line: NDArray[np.int32]
    ) -> float:
        """Value of the position after the move just made, exact if above `least`."""
        # NaN when a limit ended the search. `visits` gains the positions by depth, where they are
        # counted, and `line` gets the principal variation.
        leaves = Weighed(self._weights, self._kinds, self._bias, *self._weighed)
        if self._maxn:
            out = np.empty(self.position.game.players)
            done = search_maxn(self._tables, self._state, leaves, depth, self._control, out)
            return float(out[self.position.to_move - 1]) if done else np.nan
        return self._kernel(
            self._tables,
            self._state,
            self.position.to_move - 1,
            depth,
            least if self._control[alphabeta.PRUNE] else -np.inf,
            np.inf,
            *self._leaf,
            leaves,
            self._table,
            visits,
            line,
            self._control,
        )

    def _order(self) -> NDArray[np.intp]:
        if self.result is not None:
            return np.argsort(-self.result.values, kind="stable")
        degrees = self.position.game.board.degrees
        return np.argsort(-degrees[list(self.position.legal_moves)], kind="stable")

    def deepen(
        self,
        depth: int,
        seconds: float | None = None,
        stop: Stop | None = None,
        tell: Callable[[MinimaxResult], object] | None = None,
    ) -> MinimaxResult:
        """Search ever deeper until `depth`, an exact value, the node limit, the clock or a stop."""
        # `tell` is called with the result of each search before the next begins.
        # Depth 1 runs without a node limit, so that there is always a result.
        begin = working_time()
        limit, self._control[NODE_LIMIT] = int(self._control[NODE_LIMIT]), 0
        result = self.run(1)
        assert result is not None
        left = None
        if seconds is not None:
            left = max(0.001, seconds - (working_time() - begin))
        self._control[NODE_LIMIT] = limit
        if seconds is not None and not line_possible(self.position):
            return result  # every move is worth the same
        with Task.within(left, stop).watched(self.stop_flag):
            while result.depth < depth and not result.exact:
                if tell is not None:
                    tell(result)
                deeper = self.run(result.depth + 1)
                if deeper is None:
                    break
                result = deeper
        return result


def maxstates(squares: int, depth: int) -> int:
    """Upper bound of the positions that plain minimax of fixed depth visits in a whole game.

    The first player looks `depth` plies ahead at each of their turns, and only the deepest
    positions are counted.
    """
    return sum(math.prod(range(free, free - depth, -1)) for free in range(squares, 0, -2))


# To the end of the game: one seat against all others.


def outcome_value(position: Position, seat: int) -> int:
    """Value of a finished game to a seat: 1 won, 0 drawn, -1 won by others only."""
    outcome = position.outcome
    assert outcome is not None
    return 1 if seat in outcome.winners else 0 if outcome.draw else -1


class ExactSearch:
    """Exact search of positions of one game, with one table for all of them.

    Two-player games under gravity are searched on bitboards (`ColumnSearch`) where possible.
    """

    def __init__(self, game: Game, nodes: int = 0) -> None:
        _EXACT.check(game)
        self.game = game
        columns = searches_columns(game)
        self.in_turn = _TWO_IN_TURN.accepts(game)
        """True if a depth can limit the search: two players alternate, a cell a turn."""
        self.deepest = _SOON if columns else game.cells
        """Depth up to which searching for wins and losses first pays."""
        self.control = np.zeros(alphabeta.CONTROL_SIZE, dtype=np.int64)
        """Counters and limits of the kernels."""
        self.control[alphabeta.PRUNE] = 1
        self.control[NODE_LIMIT] = nodes
        self._columns = ColumnSearch(game, self.control) if columns else None
        if columns:
            return  # all else is for alpha-beta
        self._seat, self._table = 1, self._new_table()
        weights = np.zeros((0, 1, 1))
        kinds = np.zeros(0, dtype=np.int32)
        self._leaf: tuple[Any, None, Any, Any, float] = (None, None, weights, kinds, 1.0)
        if self.in_turn:
            lines = tabulate(kutner_heuristic(), game.board, 2)
            difference = lines.weights - lines.weights.transpose(0, 2, 1)
            self._leaf = (difference, None, weights, lines.kinds[0], 1.0)

    def _new_table(self) -> alphabeta.Table:
        size = 1 << max(4, min(_EXACT_BITS, 2 * self.game.cells))
        return alphabeta_table(self.game, size, FEW_SYMMETRIES, self.control)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self.control[NODES])

    @property
    def stop_flag(self) -> NDArray[np.int64]:
        """The flag that ends the search when any thread sets it, int64 ``[1]``."""
        return self.control[STOP : STOP + 1]

    @property
    def stopped(self) -> bool:
        """True if the flag is set or the nodes are used up."""
        limit = int(self.control[NODE_LIMIT])
        return bool(self.control[STOP]) or 0 < limit < self.nodes

    def is_set(self) -> bool:
        """True if the search must end: other work that takes a `Stop` can watch it."""
        return self.stopped

    def count(self, nodes: int) -> None:
        """Count positions that another search has visited in place of this one."""
        self.control[NODES] += nodes

    @property
    def nodes_left(self) -> int:
        """Positions that may still be visited, 0 for no limit; at least 1 where there is one."""
        limit = int(self.control[NODE_LIMIT])
        return max(1, limit - self.nodes) if limit else 0

    def value(
        self,
        position: Position,
        seat: int,
        *,
        depth: int | None = None,
        low: float = -math.inf,
        high: float = math.inf,
    ) -> float:
        """Return the value of a position for a seat against all others together."""
        if position.is_over:
            return outcome_value(position, seat) * (WIN - position.ply)
        if self.stopped:
            return math.nan
        if self._columns is not None:
            if seat == position.to_move:
                return self._columns.value(position, low, high, depth)
            return 0.0 - self._columns.value(position, -high, -low, depth)
        # A two-player game is zero-sum: always search for seat 1, so that one table serves both.
        # With more players a table belongs to one seat.
        turned = self.game.players == 2 and seat == 2
        if turned:
            seat, low, high = 1, -high, -low
        if seat != self._seat:
            self._seat, self._table = seat, self._new_table()
        free = self.game.cells - position.ply
        plies = max(1, min(depth, free)) if depth is not None and self.in_turn else free
        self.control[alphabeta.EXACT] = plies == free
        tables, state = tables_of(self.game), state_of(position)
        value = search(
            tables,
            state,
            seat - 1,
            plies,
            float(low),
            float(high),
            *self._leaf[:2],
            Weighed(*self._leaf[2:], tables, state),
            self._table,
            np.zeros(plies + 1, dtype=np.int64),
            np.full(plies + 2, -1, dtype=np.int32),
            self.control,
        )
        return 0.0 - value if turned else float(value)


def maxn_values(search: ExactSearch, position: Position) -> tuple[float, ...] | None:
    """Max^n values: each player takes the first of their best moves; None at a limit."""
    game = position.game
    MAXN.check(game)
    if position.is_over:
        seats = range(1, game.players + 1)
        return tuple(outcome_value(position, seat) * (WIN - position.ply) for seat in seats)
    tables, state = tables_of(game), state_of(position)
    weights = tabulate(kutner_heuristic(), game.board, game.players)
    out = np.empty(game.players)
    depth = game.cells - position.ply
    leaves = Weighed(weights.weights, weights.kinds[0], 1.0, tables, state)
    done = search_maxn(tables, state, leaves, depth, search.control, out)
    return tuple(float(value) for value in out) if done else None
