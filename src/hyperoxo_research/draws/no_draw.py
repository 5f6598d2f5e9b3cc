"""That no draw exists, by a SAT solver, with a proof; or else a full board without a line."""

from __future__ import annotations

from hyperoxo.game import Game
from hyperoxo.proof.no_draw import NoDraw, draw_clauses
from hyperoxo.task import Task
from hyperoxo_research.draws.sat import Clauses
from hyperoxo_research.proof.full_board import DrawnBoard

MOST_CELLS = 1_000
_MOST_SHARED = 400


def draw_or_none(game: Game, *, task: Task) -> DrawnBoard | NoDraw | None:
    """Find a drawn board, or prove that there is none; None if the time is up.

    First a board is looked for on which the players have any numbers of stones. That there is none
    is the easier proof, and holds for larger boards too.
    """
    playable = len(game.board.playable)
    if playable > MOST_CELLS:
        return None
    for stones in ("any", "shared") if playable <= _MOST_SHARED else ("any",):
        with Clauses(task, proof=True) as clauses:
            for clause in draw_clauses(game, stones):
                clauses.add(clause)
            holds = clauses.solve()
            if holds is None:
                return None
            if not holds:
                return NoDraw(game, stones, clauses.steps())
            true = clauses.true()
        if stones == "shared":
            return DrawnBoard(str(game), _owners(game, true))
    return None


def _owners(game: Game, true: set[int]) -> str:
    """Return the owners that the variables which hold stand for."""
    owners = ["#"] * game.board.cell_count
    for cell in game.board.playable.tolist():
        if game.players == 2:
            owners[cell] = "1" if cell + 1 in true else "2"
        else:
            players = range(1, game.players + 1)
            owners[cell] = next(str(p) for p in players if game.players * cell + p in true)
    return "".join(owners)
