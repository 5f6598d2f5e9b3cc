"""Agent that plays by the stored proofs, with no search but that of the checkers."""

from __future__ import annotations

from hyperoxo.agents.base import Explanation, Randomness, ThinkingAgent, because, drawn, moves_of
from hyperoxo.errors import AgentError, LimitError
from hyperoxo.game import Game, Position, Why, completing_cells
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.forced import Search, forced_win, search_of
from hyperoxo.proof.stored import stored_endgames
from hyperoxo.proof.tables import THREATS
from hyperoxo.task import ALONE, Task

_NODES = 2_000_000


class ProofAgent(ThinkingAgent):
    """Plays by the stored proofs, at random in positions without one.

    It completes a line, stops one, plays a move that a stored proof lists or covers, searches an
    endgame, or begins a forced sequence. In positions won by a proof this agent wins.
    """

    name = "proof"
    opponents = ()

    def __init__(self) -> None:
        self._search: tuple[Game, Search] | None = None

    def check(self, game: Game) -> None:
        """Refuse a game for which no proof is stored; see :meth:`Agent.check`."""
        if not coverages(game):
            raise AgentError(f"'proof' needs a stored proof, and there is none for {game}")

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and explain it; see :meth:`Agent.think`."""
        legal = moves_of(position)
        self.check(position.game)
        known = self._known(position, legal)
        return Explanation.of(*known or (drawn(legal, rng), str(Why.STORED_PROOFS_SILENT())))

    def _known(self, position: Position, legal: tuple[int, ...]) -> tuple[int, str] | None:
        mover = position.to_move
        for player, why in ((mover, Why.COMPLETES), (3 - mover, Why.STOPS)):
            cells = [cell for cell in completing_cells(position, player) if cell in legal]
            if cells:
                return cells[0], because(why, position, cells[0])
        return proved_move(position) or self._endgame(position) or self._forced(position)

    def _endgame(self, position: Position) -> tuple[int, str] | None:
        strategy = stored_endgames(position.game)
        cell = None if strategy is None else strategy.reply(position)
        return None if cell is None else (cell, because(Why.ENDGAME_SEARCHED, position, cell))

    def _forced(self, position: Position) -> tuple[int, str] | None:
        if position.opening_restricts or not THREATS.accepts(position.game):
            return None
        if self._search is None or self._search[0] != position.game:
            self._search = position.game, search_of(position.game)
        # Table entries are for one attacker, so only player 1 gets the shared search.
        search = self._search[1] if position.to_move == 1 else None
        try:
            sequence = forced_win(position, search_in=search, nodes=_NODES)
        except LimitError:
            return None
        if sequence is None:
            return None
        why = because(Why.FORCED_SEQUENCE, position, sequence[0], moves=len(sequence))
        return sequence[0], why


def proved_move(position: Position) -> tuple[int, str] | None:
    """Return a move that wins by a stored proof and a sentence, or None if none is known."""
    for coverage in coverages(position.game):
        moves = coverage.winning_moves(position)
        if moves:
            listed = coverage.listed_move(position)
            move = moves[0] if listed is None else listed
            why = Why.STORED_PROOF_COVERS if listed is None else Why.STORED_PROOF_LISTS
            return move, because(why, position, move, statement=coverage.dictionary.statement)
    return None
