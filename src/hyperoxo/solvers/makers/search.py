"""Who wins a Maker-Breaker game, and whether a player of an ordinary game completes a line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.limits import memory_limit
from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.kernels.makers import BREAKER, HEAD, MAKER, PART, leaf
from hyperoxo.kernels.makers_search import SYMMETRY_PLIES, prove
from hyperoxo.position import FREE, Position
from hyperoxo.rules import Game, Requires, Trait
from hyperoxo.solvers.arrays import FEW_SYMMETRIES, SYMMETRY_WORK, symmetries_of
from hyperoxo.task import Stop, Task

_RULES = {
    *(Trait.ONE_LINE, Trait.SEVERAL_LINES, Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS),
    *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    *(Trait.ALTERNATE, Trait.BIASED),
}
MAKERS = Requires("Maker-Breaker search", {Trait.MAKER_BREAKER, *_RULES})
BREAKERS = Requires("Breaker search", {Trait.STRONG, Trait.MAKER_BREAKER, *_RULES})
"""In an ordinary game, who completes no line may still win or draw by another one."""

MOST_CELLS = 400
MOST_LINES = 20_000

_LARGEST_TABLE = 21


@dataclass(frozen=True)
class Found:
    """What a search found: whether the maker wins, None where a limit came first."""

    maker_wins: bool | None
    nodes: int
    zone: frozenset[int] = frozenset()


def weights_of(maker: int, breaker: int, longest: int) -> list[int]:
    """Return (1 + b)^(-k/a) for k = 0, 1, ..., rounded up, in parts of 2^40."""
    found = []
    for k in range(longest + 1):
        # The least w with w^a (1 + b)^k >= 2^(40 a).
        low, high = 1, PART
        while low < high:
            middle = (low + high) // 2
            if middle**maker * (1 + breaker) ** k >= PART**maker:
                high = middle
            else:
                low = middle + 1
        found.append(low)
    return found


@lru_cache(maxsize=32)
def _rules(game: Game, maker: int, target: int) -> NDArray[np.int64]:
    """Return the rules of a game for one player as the maker, for the kernels."""
    board, turns, last = game.board, game.turns, game.cells
    mine, other = turns.bias[maker - 1], turns.bias[2 - maker]
    head = (board.cell_count, board.line_count, last, target, mine, other, len(turns.cycle))
    movers = [int(turns.mover(ply) != maker) for ply in range(last + 1)]
    lefts = [turns.left(ply) for ply in range(last + 1)]
    weights = weights_of(mine, other, int(board.line_sizes.max(initial=1)))
    return np.array([*head, *movers, *lefts, *weights], dtype=np.int64)


def _state(game: Game, placed: bytes, ply: int, maker: int) -> NDArray[np.int32]:
    """Return stones, of which `ply` were placed, as the kernels take them."""
    board = game.board
    owners = np.frombuffer(placed, dtype=np.uint8)
    cells, lines = board.cell_count, board.line_count
    state = np.zeros(HEAD + 3 * cells + 2 * lines, dtype=np.int32)
    mine, free = owners == maker, owners == FREE
    state[HEAD : HEAD + cells] = np.where(free, -1, np.where(mine, 0, 1))
    state[HEAD + 2 * cells : HEAD + 3 * cells] = -1
    lacking, stopped = np.zeros(lines, np.int32), np.zeros(lines, np.int32)
    line_of = np.repeat(np.arange(lines), np.diff(board.line_ptr))
    np.add.at(lacking, line_of, ~mine[board.line_cells])
    np.add.at(stopped, line_of, ~mine[board.line_cells] & ~free[board.line_cells])
    state[HEAD + 3 * cells : HEAD + 3 * cells + lines] = lacking
    state[HEAD + 3 * cells + lines :] = stopped
    live = stopped[line_of] == 0
    np.add.at(state[HEAD + cells : HEAD + 2 * cells], board.line_cells[live], 1)
    state[0], state[1] = ply, int(((lacking == 0) & (stopped == 0)).sum())
    return state


class MakerSearch:
    """A search of one game for one of its players as the maker, with a table that stays."""

    def __init__(self, game: Game, maker: int, *, bits: int | None = None) -> None:
        BREAKERS.check(game)
        board = game.board
        if not game.convention.counts(maker):
            raise NotSupportedError(f"lines of player {maker} do not count in {game}")
        if board.cell_count > MOST_CELLS or board.line_count > MOST_LINES:
            raise LimitError(
                f"Maker-Breaker search takes {MOST_CELLS} cells and {MOST_LINES:,} lines at most"
            )
        self.game, self.maker = game, maker
        self.target = game.target if MAKERS.holds(game) else 1
        self._rules = _rules(game, maker, self.target)
        self._graph: tuple[Any, ...] = tuple(
            np.ascontiguousarray(array, dtype=np.int32)
            for array in (board.cell_ptr, board.cell_lines, board.line_ptr, board.line_cells)
        )
        self._perms = symmetries_of(game, FEW_SYMMETRIES)
        rng = np.random.default_rng(0x3A6)
        self._codes = rng.integers(0, 2**64, size=(5, board.cell_count), dtype=np.uint64)
        words = -(-board.cell_count // 64)
        if bits is None:
            bits = min(_LARGEST_TABLE, max(10, 2 * game.cells))
            while (28 + 8 * words) << bits > memory_limit() // 4 and bits > 10:
                bits -= 1
        self._table: tuple[Any, ...] = (
            np.zeros((1 << bits, 2), dtype=np.uint64),
            np.zeros((1 << bits, 3), dtype=np.int32),
            np.zeros((1 << bits, words), dtype=np.uint64),
        )

    def find(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        nodes: int = 0,
        stop: Stop | None = None,
        flag: NDArray[np.int64] | None = None,
    ) -> Found:
        """Search a position until it is decided or a limit comes."""
        if position.ply < self.game.opening_plies:
            raise NotSupportedError("Maker-Breaker search begins where the opening is over")
        found = [Found(None, 0)]
        control = np.array([0, nodes, 0, 0], np.int64)

        def work() -> None:
            found[0] = self.decide(position.owners, position.ply, control)

        if not Task.within(seconds, stop).run(work, control[STOP : STOP + 1]):
            raise KeyboardInterrupt
        return found[0]

    def decide(self, owners: bytes, ply: int, control: NDArray[np.int64]) -> Found:
        """Search stones, of which `ply` were placed; `control` has the limit and counts."""
        group = len(self._perms)
        control[SYMMETRY_PLIES] = SYMMETRY_WORK // group if group > 1 else 0
        zone = np.zeros(self.game.board.cell_count, dtype=np.uint8)
        state = _state(self.game, owners, ply, self.maker)
        arrays: tuple[Any, ...] = (
            *(self._rules, state, *self._graph, self._codes, self._perms, *self._table),
            *(control, zone),
        )
        won = prove(*arrays)
        cells = frozenset(np.flatnonzero(zone).tolist()) if won else frozenset[int]()
        maker_wins = {MAKER: True, BREAKER: False}.get(int(won))
        return Found(maker_wins, int(control[NODES]), cells)

    def kept_by(self, owners: bytes, ply: int) -> tuple[tuple[int, int], ...] | None:
        """Return the pairs by which, with weights, the breaker wins at once; None where not."""
        cells, lines = self.game.board.cell_count, self.game.board.line_count
        state = _state(self.game, owners, ply, self.maker)
        scratch: tuple[Any, ...] = (
            *(np.zeros(cells, np.int64), np.zeros(cells + 3 * lines, np.int32)),
            *(np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)),
        )
        won = leaf(self._rules, state, *self._graph[2:], *scratch)
        if won != BREAKER:
            return None
        pair_of = state[HEAD + 2 * cells : HEAD + 3 * cells]
        found = [np.flatnonzero(pair_of == line) for line in np.unique(pair_of[pair_of >= 0])]
        return tuple(sorted((int(pair[0]), int(pair[1])) for pair in found))
