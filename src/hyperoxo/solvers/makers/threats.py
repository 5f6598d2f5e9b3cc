"""Wins of the Maker's by threats alone, one cell a turn, with either player to move.

The Breaker completes nothing, so that a forced win of the Maker's rests on its own cells and on no
others: stones of the Breaker's elsewhere change nothing. With the Breaker to move, a forced win
after one move therefore answers every move outside its cells as well, and only those inside
have to be tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Known, Position, Requires, Trait
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.solvers.makers.search import Found
from hyperoxo.solvers.threats.search import ThreatSearch

MOST_CELLS = 2_000

BY_THREATS = Requires(
    "winning by threats as the Maker", {Trait.MAKER_BREAKER, *Known.STARTS, *Known.OPENINGS}
)
"""Under gravity a stone elsewhere does change something."""

_NODES_OF_A_LINE = 50_000


class MakerThreats:
    """A search for wins by threats in one game, asked like `MakerSearch`; a win is all it finds."""

    maker = 1
    most_nodes = 1 << 16
    """Of a position: who is to move decides by fewer, or not at all."""

    def __init__(self, game: Game) -> None:
        BY_THREATS.check(game)
        if game.board.cell_count > MOST_CELLS:
            raise LimitError(f"wins by threats take at most {MOST_CELLS:,} cells, unlike {game}")
        self.game = game
        self._search = ThreatSearch(game)
        self._lines_through = np.diff(game.board.cell_ptr).tolist()

    def decide(self, owners: bytes, ply: int, control: NDArray[np.int64]) -> Found:
        """Search the position with these owners of cells, after `ply` moves.

        `control` holds the limit on nodes and the stop flag, and counts nodes.
        """
        position = Position.from_owners(self.game, owners)
        assert position.ply == ply
        zone = self._zone(position, control)
        return Found(True if zone else None, int(control[NODES]), zone)

    def line(self, position: Position, control: NDArray[np.int64]) -> tuple[int, ...]:
        """Return a forced win of the Maker, who is to move, or nothing."""
        left = min(_NODES_OF_A_LINE, int(control[NODE_LIMIT] - control[NODES]))
        if left <= 0 or control[STOP]:
            return ()
        found = self._search.forced_win(position, node_limit=left, shortest=True)
        control[NODES] += found.nodes
        return found.line

    def kept_by(self, owners: bytes, ply: int) -> None:
        """Return pairs that show that the breaker wins: none are found here."""

    def _zone(self, position: Position, control: NDArray[np.int64]) -> frozenset[int]:
        """Return the cells that a win rests on, none where none is found."""
        if position.to_move == self.maker:
            return frozenset(self.line(position, control))
        zone = frozenset[int]()
        open_moves = set(position.legal_moves)
        while open_moves:
            move = max(open_moves, key=self._lines_through.__getitem__)
            cells = frozenset(self.line(position.play(move), control))
            if not cells:
                return cells
            open_moves &= cells - {move}
            zone |= cells
        return zone
