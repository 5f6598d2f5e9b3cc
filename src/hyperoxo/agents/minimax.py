"""Depth-limited minimax with a line heuristic, for two players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Agent, Explanation, Randomness, generator, moves_of
from hyperoxo.agents.options import choice_option, int_option, spelled
from hyperoxo.agents.scored import TIES
from hyperoxo.errors import AgentError
from hyperoxo.heuristics import LineHeuristic, as_heuristic, tabulate
from hyperoxo.position import Position
from hyperoxo.rules import Game

__all__ = ["MinimaxAgent"]

_MAX_DEPTH = 64


class MinimaxAgent(Agent):
    """Looks `depth` plies ahead by alpha-beta and values the leaves by a line heuristic.

    Among moves of the same value one is drawn at random. Wins are preferred sooner,
    losses later.

    Parameters
    ----------
    depth : int
        Plies looked ahead, 1 to 64.
    heuristic : str or LineHeuristic
        What lines are worth, to the player minus to his rival.
    ties : {"random", "lowest"}
        Which of several best moves.

    Examples
    --------
    >>> MinimaxAgent(depth=3).choose(Game("3^2").position("moves:4,0,2"), 0)
    6
    """

    name = "minimax"

    def __init__(
        self,
        depth: int | str = 4,
        heuristic: str | LineHeuristic = "kutner",
        ties: str = "random",
    ) -> None:
        self.depth = int_option("depth", depth, 1, _MAX_DEPTH)
        self.heuristic = as_heuristic(heuristic)
        if self.heuristic.by_ends:
            raise AgentError("minimax takes heuristics of stone counts, not of scans")
        self.ties = choice_option("ties", ties, TIES)

    @property
    def spec(self) -> str:
        """How the agent is spelled."""
        return spelled(
            self.name,
            depth=(self.depth, 4),
            heuristic=(self.heuristic.name, "kutner"),
            ties=(self.ties, "random"),
        )

    def check(self, game: Game) -> None:
        """Refuse games of more than two players."""
        if game.players != 2:
            raise AgentError(f"minimax plays games of two players, and {game} has {game.players}")

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a best move; see :meth:`Agent.choose`."""
        moves, values = self.move_values(position)
        best = np.flatnonzero(values == values.max())
        if self.ties == "lowest" or len(best) == 1:
            return moves[int(best[0])]
        return moves[int(generator(rng).choice(best))]

    def move_values(self, position: Position) -> tuple[tuple[int, ...], NDArray[np.float64]]:
        """Value the legal moves by search.

        Parameters
        ----------
        position : Position
            The game must not be over.

        Returns
        -------
        moves : tuple of int
            The legal moves, ascending.
        values : ndarray of float64
            Exact depth-limited value of each best move; an upper bound, below the best
            value, of the others.
        """
        from hyperoxo.kernels.minimax import search
        from hyperoxo.kernels.state import play, undo
        from hyperoxo.solve.arrays import state_of, tables_of

        self.check(position.game)
        moves = moves_of(position)
        t, s = tables_of(position.game), state_of(position)
        kinds, difference = self._difference(position.game)
        control = np.zeros(3, dtype=np.int64)
        variation = np.full(_MAX_DEPTH, -1, dtype=np.int32)
        values = np.empty(len(moves))
        best = -np.inf
        for i in self._order(position, moves):
            play(t, s, moves[i])
            # One unit in the last place below the best keeps equal moves exact.
            beta = -np.nextafter(best, -np.inf)
            values[i] = -search(
                t, s, difference, kinds, self.depth - 1, -np.inf, beta, variation, control
            )
            undo(t, s)
            best = max(best, values[i])
        return moves, values

    def _difference(self, game: Game) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        tables = tabulate(self.heuristic, game.board, 2)
        return tables.kinds, tables.weights - tables.weights.transpose(0, 2, 1)

    def _order(self, position: Position, moves: tuple[int, ...]) -> NDArray[np.intp]:
        degrees = position.game.board.degrees[list(moves)]
        return np.argsort(-degrees, kind="stable")

    def explain(self, position: Position, rng: Randomness = None) -> Explanation:
        """Choose a best move and say what the search found."""
        from hyperoxo.kernels.minimax import WIN

        moves, values = self.move_values(position)
        best = np.flatnonzero(values == values.max())
        move = moves[int(best[0] if self.ties == "lowest" else generator(rng).choice(best))]
        order = np.argsort(-values, kind="stable")
        candidates = tuple((moves[int(i)], float(values[i])) for i in order)
        plies = int(WIN - abs(values.max())) - position.ply if abs(values.max()) > WIN / 2 else 0
        if plies and values.max() > 0:
            reason = f"Cell {move} wins in {plies} {'ply' if plies == 1 else 'plies'}."
        elif plies:
            reason = f"Every move loses; cell {move} holds out for {plies} plies."
        else:
            reason = f"Cell {move} is best after {self.depth} plies by {self.heuristic.name}."
        return Explanation(move, candidates, reason)
