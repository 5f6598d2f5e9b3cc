"""Threat-space search for forced wins: chains of threats, each with a single answer.

A player *threatens* when their next stone could complete a line. A forced win is a sequence of
threat moves, each answered in the one cell that stops it, up to a move that makes two threats.
If an answer makes a threat itself, the next move must stop that and threaten as well; in
Maker-Breaker games answers threaten nothing, and the Breaker has no forced wins. Such a win holds
against every defence; its absence says nothing about other ways to win.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Known, Position, Requires, Trait
from hyperoxo.kernels.cell_sets import cells_of
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.threat_bits import (
    CUT,
    FOREVER,
    STOPPED,
    bit_board,
    find_win_bits,
    forget_bits,
    new_bit_work,
)
from hyperoxo.kernels.threats import LEVELS, completing_cells, find_win, new_work
from hyperoxo.solvers.arrays import state_of, tables_of

_MEMO_BITS = 14

MOST_CELLS = 256
"""Largest boards searched by bit sets; kernels are compiled for every width."""

WIDEST = 1_000
"""Largest boards for which bit sets are built at all, for the proof search."""


THREATS = Requires(
    "threat search",
    {Trait.STRONG, Trait.MAKER_BREAKER, *Known.STARTS, *Known.PLACEMENTS, *Known.OPENINGS},
)
"""Supported games; later moves restricted by an opening leave the answer open."""


@dataclass(frozen=True)
class ThreatResult:
    """Result of a threat search."""

    status: str
    line: tuple[int, ...]
    nodes: int
    forced: tuple[int, ...]
    immediate: tuple[int, ...]


@lru_cache(maxsize=32)
def bit_board_of(game: Game) -> NDArray[np.uint64] | None:
    """Return the masks of a game for `find_win_bits`, None for unsupported games."""
    board = game.board
    if board.cell_count > WIDEST or game.below is not None:
        return None
    words: NDArray[np.uint64] = bit_board(
        board.cell_count,
        [board.line(line).tolist() for line in range(board.line_count)],
        attacker_only=game.convention.maker_only,
    )
    words.flags.writeable = False
    return words


class ThreatSearch:
    """Threat search of one game, with a transposition table kept between calls.

    One search at a time: every thread needs its own object. On boards of more than
    256 cells and under gravity, failures are remembered by a 128-bit key of the position,
    on all others by the position itself.
    """

    def __init__(self, game: Game, *, memo_bits: int = _MEMO_BITS) -> None:
        THREATS.check(game)
        self.game = game
        self.control = np.zeros(3, dtype=np.int64)
        self._tables = tables_of(game)
        self._line = np.zeros(game.board.cell_count + 2, dtype=np.int32)
        self._bits = bit_board_of(game) if game.board.cell_count <= MOST_CELLS else None
        self._deepest = FOREVER
        if self._bits is not None:
            self._words = new_bit_work(self._bits, memo_bits)
        else:
            self._work = new_work(self._tables)
            self._deepest = int(self._work[LEVELS]) - 1
            self._words = np.zeros(3 << memo_bits, dtype=np.uint64)

    @property
    def stop_flag(self) -> NDArray[np.int64]:
        """Flag that any thread may set to end a search; it must be cleared before the next."""
        return self.control[STOP : STOP + 1]

    def forget(self) -> None:
        """Clear the table, so that node counts do not depend on earlier calls."""
        if self._bits is not None:
            forget_bits(self._words)
        else:
            self._words[:] = 0

    def forced_win(
        self,
        position: Position,
        *,
        node_limit: int | None = None,
        shortest: bool = False,
        most_threats: int | None = None,
    ) -> ThreatResult:
        """Search a forced win of the player to move."""
        immediate = immediate_wins(position) if position.to_move else ()
        forced = _completions(position, 3 - position.to_move) if position.to_move else ()
        if immediate:
            return ThreatResult("win", immediate[:1], 0, forced, immediate)
        if not position.to_move or not self.game.convention.counts(position.to_move):
            return ThreatResult("none", (), 0, forced, ())
        # An opening restriction applies to this or a later move of the first player.
        if (position.ply + 1) // 2 < self.game.opening_moves:
            return ThreatResult("unknown", (), 0, forced, ())
        self.control[NODES] = 0
        self.control[NODE_LIMIT] = node_limit or 0
        length = self._deepen(position, shortest, most_threats)
        status = "win" if length > 0 else "unknown" if length in (STOPPED, CUT) else "none"
        line = tuple(int(cell) for cell in self._line[: max(length, 0)])
        return ThreatResult(status, line, int(self.control[NODES]), forced, ())

    def _deepen(self, position: Position, shortest: bool, most_threats: int | None) -> int:
        most = self._deepest if most_threats is None else min(most_threats, self._deepest)
        if not shortest:
            return self._run(position, most)
        # Iterative deepening by the number of threats; a search that was not cut is final.
        threats = 0
        length = CUT
        while length == CUT and threats < most:
            threats += 1
            length = self._run(position, threats)
        return length

    def _run(self, position: Position, threats: int) -> int:
        control, line = self.control, self._line
        if self._bits is None:
            arrays = self._tables, state_of(position), self._work, self._words
            return int(find_win(*arrays, control, threats, line))
        cells, mover = self.game.board.cell_count, position.to_move
        own, other = (cells_of(one, cells) for one in words_of_owners(position.owners, mover))
        return int(find_win_bits(self._bits, self._words, control, own, other, threats, line))


def begun_by(
    position: Position, cell: int, search: Callable[[Position], ThreatResult]
) -> ThreatResult:
    """Search for a forced win that begins with a move; `immediate` has the cells it threatens."""
    # The move must leave no completion to the rival, and threaten: two cells win, one forces the
    # answer, after which the search goes on.
    after = position.play(cell)
    aims = () if immediate_wins(after) else immediate_wins(after, position.to_move)
    if len(aims) != 1:
        line = (cell, *aims[:2]) if aims else ()
        return ThreatResult("win" if aims else "none", line, 0, aims[:1], aims)
    if aims[0] not in after.legal_moves:
        return ThreatResult("unknown", (), 0, aims, aims)
    found = search(after.play(aims[0]))
    line = (cell, aims[0], *found.line) if found.status == "win" else ()
    return ThreatResult(found.status, line, found.nodes, aims, aims)


def immediate_wins(position: Position, player: int | None = None) -> tuple[int, ...]:
    """Return the cells where a player may complete a line with the next stone."""
    THREATS.check(position.game)
    if player not in (None, 1, 2):
        raise SpecError(f"there is no player {player}; players are 1 to 2")
    if position.is_over:
        return ()
    return _completions(position, position.to_move if player is None else player)


def _completions(position: Position, player: int) -> tuple[int, ...]:
    tables, state = tables_of(position.game), state_of(position)
    found = np.empty(position.game.board.cell_count, dtype=np.int32)
    count = completing_cells(tables, state, player - 1, found)
    return tuple(sorted(int(cell) for cell in found[:count]))


def words_of_owners(owners: bytes, player: int) -> tuple[int, int]:
    """Return the stones of a player and of the other one of two as words."""
    own = sum(1 << cell for cell, owner in enumerate(owners) if owner == player)
    other = sum(1 << cell for cell, owner in enumerate(owners) if owner == 3 - player)
    return own, other
