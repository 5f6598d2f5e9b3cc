"""The agent that plays by a line table learned from games against itself."""

from __future__ import annotations

from hyperoxo.agents.options import spelled
from hyperoxo.agents.scored import ScoredAgent
from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.heuristics import LineHeuristic
from hyperoxo.heuristics.tables import LineTable, read_table, shipped_heuristic, shipped_table


class TdAgent(ScoredAgent):
    """Plays the move whose lines are worth most by a learned table, without looking ahead.

    Without `checkpoint` it plays the tables that come with this package.
    """

    name = "td"
    title = "Learned table"

    def __init__(
        self,
        checkpoint: str | LineTable | None = None,
        ties: str = "random",
        seconds: float | str | None = None,
    ) -> None:
        self.checkpoint = checkpoint
        self._table = read_table(checkpoint) if isinstance(checkpoint, str) else checkpoint
        if self._table is None:
            heuristic = shipped_heuristic()
        else:
            heuristic = self._table.heuristic(str(checkpoint))
        super().__init__(heuristic, 0.0, ties, seconds=seconds)
        self._known: dict[Game, LineHeuristic] = {}

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        return spelled(self, checkpoint=None if self._table is None else self.heuristic.name)

    def check(self, game: Game) -> None:
        """Refuse games for which it has no table."""
        super().check(game)
        self.heuristic_of(game)

    def heuristic_of(self, game: Game) -> LineHeuristic:
        """Return the table of a game as a heuristic."""
        if game not in self._known:
            self._known[game] = self._found_for(game)
        return self._known[game]

    def _found_for(self, game: Game) -> LineHeuristic:
        table = self._table
        name = self.heuristic.name
        if table is None:
            sizes = game.board.line_sizes.tolist()
            table = shipped_table(str(game), sizes, game.players, misere=game.misere)
            return table.heuristic(name)
        if table.players != game.players or table.misere != game.misere:
            raise SpecError(
                f"the line table {quoted(name)} was learned on {table.game} and does not fit {game}"
            )
        if table.classes and Game(table.game).board != game.board:
            raise SpecError(
                f"the line table {quoted(name)} has classes of the lines of {table.game}, "
                f"not of {game}"
            )
        return table.heuristic(name)
