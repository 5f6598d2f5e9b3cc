"""Minimax of two players as a search that agents and analyses call."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.compiling import working_time
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.heuristics import LineHeuristic, PositionHeuristic, tabulate
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.custom import custom_search
from hyperoxo.kernels.minimax import (
    CONTROL_SIZE,
    EXACT,
    PRUNE,
    SHADOW,
    SYMMETRY_PLIES,
    WIN,
    search,
)
from hyperoxo.kernels.multiplayer import search_maxn, search_paranoid
from hyperoxo.kernels.state import play, undo
from hyperoxo.position import Position
from hyperoxo.rules import CLASSIC, Requires
from hyperoxo.solvers.arrays import (
    FEW_SYMMETRIES,
    SYMMETRY_WORK,
    evaluation_arrays,
    state_of,
    symmetries_of,
    tables_of,
)
from hyperoxo.task import Task

__all__ = [
    "MINIMAX",
    "WIN",
    "CustomSearch",
    "Deepening",
    "MinimaxResult",
    "MinimaxSearch",
    "MultiplayerSearch",
    "maxstates",
]

MINIMAX = Requires("minimax", CLASSIC)

_TABLE_BITS = 20
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class MinimaxResult:
    """What a search found at the root."""

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


def slack(value: float) -> float:
    return 0.0 if abs(value) > WIN / 2 else _TOLERANCE * max(1.0, abs(value))


@lru_cache(maxsize=32)
def _zobrist(cells: int) -> NDArray[np.uint64]:
    rng = np.random.default_rng(0x0E0)
    return rng.integers(0, 2**64, size=(2, cells), dtype=np.uint64)


class Deepening:
    """What searches share that go ever deeper until a limit."""

    def __init__(self, position: Position, node_limit: int) -> None:
        MINIMAX.check(position.game)
        self.position = position
        self._tables = tables_of(position.game)
        self._state = state_of(position)
        self._control = np.zeros(CONTROL_SIZE, dtype=np.int64)
        self._control[NODE_LIMIT] = node_limit
        self._result: MinimaxResult | None = None

    @property
    def result(self) -> MinimaxResult | None:
        """Result of the last search that was completed."""
        return self._result

    def stop(self) -> None:
        """End the search soon; any thread may call it."""
        self._control[STOP] = 1

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        raise NotImplementedError

    def _play(self, cell: int) -> None:
        play(self._tables, self._state, cell)

    def _undo(self) -> None:
        undo(self._tables, self._state)

    def _value(self, depth: int, best: float) -> float:
        """Value of the position after the move just made, at least exact above `best`."""
        raise NotImplementedError

    def _move_values(self, moves: tuple[int, ...], depth: int) -> NDArray[np.float64] | None:
        """Values of all moves by `_value`; None when a limit ended the search."""
        values = np.full(len(moves), -np.inf)
        for i in self._order():
            self._play(moves[i])
            value = self._value(depth - 1, float(values.max()))
            self._undo()
            if np.isnan(value):
                return None
            values[i] = value
        return values

    def _keep(
        self, moves: tuple[int, ...], values: NDArray[np.float64], depth: int, exact: bool
    ) -> MinimaxResult:
        nodes = int(self._control[NODES])
        best = (moves[int(values.argmax())],)
        self._result = MinimaxResult(moves, values, depth, exact, nodes, (), best)
        return self._result

    def _order(self) -> NDArray[np.intp]:
        if self._result is not None:
            return np.argsort(-self._result.values, kind="stable")
        degrees = self.position.game.board.degrees
        return np.argsort(-degrees[list(self.position.legal_moves)], kind="stable")

    def deepen(self, depth: int, seconds: float | None = None) -> MinimaxResult:
        """Search ever deeper until `depth`, an exact value, the node limit or the clock."""
        begin = working_time()
        limit, self._control[NODE_LIMIT] = int(self._control[NODE_LIMIT]), 0
        result = self.run(1)
        assert result is not None
        left = None
        if seconds is not None:
            left = max(0.001, seconds - (working_time() - begin))
        self._control[NODE_LIMIT] = limit
        with Task.within(left).watched(self._control[STOP : STOP + 1]):
            while result.depth < depth and not result.exact:
                deeper = self.run(result.depth + 1)
                if deeper is None:
                    break
                result = deeper
        return result


class _TableSearch(Deepening):
    """What searches share whose leaves are valued by tables."""

    def __init__(self, position: Position, heuristic: LineHeuristic, node_limit: int) -> None:
        if heuristic.by_ends:
            raise SpecError("minimax takes heuristics of stone counts, not of scans")
        super().__init__(position, node_limit)
        self._weights = tabulate(heuristic, position.game.board, position.game.players)
        self._weighed = self._tables, self._state
        if heuristic.on_neighbours:
            self._weighed = evaluation_arrays(position, self._weights)
            self._control[SHADOW] = 1

    def _play(self, cell: int) -> None:
        super()._play(cell)
        if self._control[SHADOW]:
            play(*self._weighed, cell)

    def _undo(self) -> None:
        super()._undo()
        if self._control[SHADOW]:
            undo(*self._weighed)


class MinimaxSearch(_TableSearch):
    """A search of one position of a two-player game."""

    def __init__(
        self,
        position: Position,
        heuristic: LineHeuristic,
        *,
        prune: bool = True,
        node_limit: int = 0,
    ) -> None:
        game = position.game
        if game.players != 2:
            raise AgentError(f"minimax plays games of two players, and {game} has {game.players}")
        super().__init__(position, heuristic, node_limit)
        self._difference = self._weights.weights - self._weights.weights.transpose(0, 2, 1)
        self._zobrist = _zobrist(game.board.cell_count)
        self._permutations = symmetries_of(game, FEW_SYMMETRIES if prune else 0)
        self._control[PRUNE] = prune
        group = len(self._permutations)
        self._control[SYMMETRY_PLIES] = SYMMETRY_WORK // group if group > 1 else 0
        free = game.cells - position.ply
        size = 1 << min(_TABLE_BITS, 2 * free) if prune and free > 4 else 1
        self._memory = (
            np.zeros(size, dtype=np.uint64),
            np.zeros(size, dtype=np.float64),
            np.zeros(size, dtype=np.int64),
        )

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        position = self.position
        free = position.game.cells - position.ply
        depth = min(depth, free)
        exact = depth == free
        self._control[EXACT] = exact
        moves = position.legal_moves
        values = np.full(len(moves), -np.inf)
        visits = np.zeros(depth + 1, dtype=np.int64)
        best, variation = -np.inf, ()
        line = np.full(depth + 2, -1, dtype=np.int32)
        weighed, stones = self._weighed
        keys, entries, notes = self._memory
        for i in self._order():
            beta = np.inf if best == -np.inf else -(np.nextafter(best, -np.inf) - slack(best))
            self._play(moves[i])
            value = -search(
                self._tables,
                self._state,
                weighed,
                stones,
                self._difference,
                self._weights.kinds,
                depth - 1,
                -np.inf,
                beta if self._control[PRUNE] else np.inf,
                self._zobrist,
                self._permutations,
                keys,
                entries,
                notes,
                visits[1:],
                line,
                self._control,
            )
            self._undo()
            if np.isnan(value):
                return None
            values[i] = value
            if value > best:
                best = value
                variation = (moves[i], *_until_end(line))
        visits[0] = 1
        self._result = MinimaxResult(
            moves,
            values,
            depth,
            exact or abs(best) > WIN / 2,
            int(self._control[NODES]),
            tuple(int(count) for count in visits),
            variation,
        )
        return self._result


class MultiplayerSearch(_TableSearch):
    """A search of one position of a game of three or more players."""

    def __init__(
        self, position: Position, heuristic: LineHeuristic, concept: str, *, node_limit: int = 0
    ) -> None:
        super().__init__(position, heuristic, node_limit)
        self._concept = concept

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        position = self.position
        free = position.game.cells - position.ply
        depth = min(depth, free)
        moves = position.legal_moves
        values = self._move_values(moves, depth)
        if values is None:
            return None
        decided = self._concept == "paranoid" and abs(values.max()) > WIN / 2
        return self._keep(moves, values, depth, depth == free or decided)

    def _value(self, depth: int, best: float) -> float:
        arrays = (self._tables, self._state, *self._weighed)
        weights, kinds = self._weights.weights, self._weights.kinds
        mover = self.position.to_move - 1
        if self._concept == "maxn":
            out = np.empty(self.position.game.players)
            done = search_maxn(*arrays, weights, kinds, depth, self._control, out)
            return float(out[mover]) if done else np.nan
        alpha = best if best == -np.inf else float(np.nextafter(best, -np.inf)) - slack(best)
        return search_paranoid(*arrays, weights, kinds, depth, mover, alpha, self._control)


class CustomSearch(Deepening):
    """A search whose leaves are valued by a position heuristic."""

    def __init__(
        self, position: Position, heuristic: PositionHeuristic, *, node_limit: int = 0
    ) -> None:
        game = position.game
        if game.players != 2:
            raise AgentError(f"minimax plays games of two players, and {game} has {game.players}")
        super().__init__(position, node_limit)
        self._evaluation = heuristic.compiled

    def run(self, depth: int) -> MinimaxResult | None:
        """Search `depth` plies; None when the node limit or a stop ended the search."""
        position = self.position
        free = position.game.cells - position.ply
        depth = min(depth, free)
        moves = position.legal_moves
        values = self._move_values(moves, depth)
        if values is None:
            return None
        return self._keep(moves, values, depth, depth == free or abs(values.max()) > WIN / 2)

    def _value(self, depth: int, best: float) -> float:
        beta = np.inf if best == -np.inf else -(np.nextafter(best, -np.inf) - slack(best))
        return -float(
            custom_search(
                self._tables, self._state, self._evaluation, depth, -np.inf, beta, self._control
            )
        )


def _until_end(line: NDArray[np.int32]) -> tuple[int, ...]:
    ends = np.flatnonzero(line < 0)
    return tuple(int(cell) for cell in line[: ends[0]])


def maxstates(squares: int, depth: int) -> int:
    """Most positions that plain minimax of fixed depth visits in a whole game.

    The first player looks `depth` plies ahead at each of his turns, and only the deepest
    positions are counted.
    """
    return sum(math.prod(range(free, free - depth, -1)) for free in range(squares, 0, -2))
