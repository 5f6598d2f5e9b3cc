"""Limits that choose between sources of knowledge, each with its reason.

Limits of a single search are in its module, such as `MOST_CELLS` of :mod:`.threats.search`.
"""

from __future__ import annotations

from hyperoxo.game import Position
from hyperoxo.solvers.theorems import bounds_by_theorems

SHALLOW = 20
"""Free cells up to which exact search goes straight to the end of the game. With more, it looks for
wins and losses of growing depth first, because a draw takes longest to prove."""

DEPTH_STEP = 2
"""Plies by which that depth grows: a win takes another move of both players."""

SURE_CELLS, SURE_NODES = 27, 250_000
"""Free cells up to which an analysis searches this number of positions even after its time limit, a
fraction of a second; on a board of 3^3 they decide all but the first moves."""

FEW = 12
"""Free cells up to which searches end in a moment, and run in the caller's thread."""

PROOF_CELLS = 36
"""Free cells from which proof search replaces exact search, which rarely ends on such boards."""

PROOF_MEGABYTES = 64
"""Memory of each of the two tables of a proof search that runs as one source of many."""

PROOF_SECONDS = 0.05
"""Seconds below which proof search is not begun: allocating its tables takes about as long."""

FIRST_WORK = 100_000
"""Positions visited in the search for distances before it first asks who wins."""

OTHER_MOVES = 300_000
"""Positions that other moves are searched for once a best move is known; more if that took more."""

WIN_SHARE = 0.4
"""Part of the time of a threat search for a win of the player to move; the rest is for replies."""

REPLY_NODES = 100_000
"""Positions that the search for a forced win after one move may visit, about 10 milliseconds."""

MAXN_CELLS, SURE_MAXN_CELLS = 14, 8
"""Free cells up to which max^n is tried, and up to which it always ends in a moment."""

THEOREM_CELLS = 10_000
"""Cells up to which theorems are tried where nothing else is: finding a pairing takes time."""


def suits(position: Position) -> bool:
    """True if a position suits proof search: supported, and too large for exact search.

    On the largest boards proof search runs only on request.
    """
    game = position.game
    if position.is_over or game.cells - position.ply < PROOF_CELLS:
        return False
    from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH
    from hyperoxo.solvers.threats.search import MOST_CELLS

    if not PROOF_SEARCH.accepts(game) or game.board.cell_count > MOST_CELLS:
        return False
    return not bounds_by_theorems(position).decided
