"""A game in progress for environments: compiled state, with a lazily updated position."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import Game, Outcome, Position, outcome_of
from hyperoxo.kernels.state import PLIES, RESULT, S_HISTORY, T_MOVERS, undo
from hyperoxo.kernels.step import ILLEGAL, OVER, observe, step
from hyperoxo.notation import read_json, record_from_dict
from hyperoxo.solvers.arrays import state_of, tables_of

__all__ = ["ILLEGAL_MOVES", "Running", "first_of", "position_of", "rewards_of", "start_of"]

ILLEGAL_MOVES = ("lose", "raise")
"""Effects of an illegal move in an environment."""


class Running:
    """A game in progress.

    The state is advanced in compiled loops, about ten times as fast as positions are; `position`
    catches up with the moves made since it was last asked for.
    """

    def __init__(self, start: Position) -> None:
        self.restart(start)

    def restart(self, start: Position) -> None:
        """Begin again from a position that is not the end of a game."""
        if start.is_over:
            raise SpecError("the position to start from is the end of a game")
        self._tables = tables_of(start.game)
        self._position = start
        self._state = state_of(start)
        self.mover = start.to_move - 1

    def __deepcopy__(self, memo: dict[int, Any]) -> Running:
        """Copy the data that a move changes and share the rest."""
        other = object.__new__(Running)
        other.__dict__.update(self.__dict__, _state=self._state.copy())
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the moves of the game, not the tables of its rules."""
        position = self.position
        forfeited = self.is_over and not position.is_over
        return _again, (str(self.game), position.setup, position.history, forfeited)

    def play(self, action: Any, *, strict: bool = False) -> bool:
        """Play a cell; return False, with nothing changed, if that is illegal.

        An action that is not a cell raises an error, and with `strict` an illegal move does too.
        """
        if isinstance(action, np.ndarray) and action.size == 1:
            action = action.item()  # as learners that act in batches of one give it
        try:
            cell = operator.index(action)
        except TypeError:  # a name or coordinates; anything else is refused
            cell = self.position.play(action).history[-1]
        status = step(self._tables, self._state, cell)
        if status == ILLEGAL:
            if strict or not 0 <= cell < self.game.board.cell_count:
                self.position.play(action)
            return False
        self.mover = status
        return True

    def undo(self) -> int:
        """Take the last move back, and return its cell."""
        t, s = self._tables, self._state
        # The position may lag behind the state, and must not be ahead of it.
        if s[PLIES] == self._position.ply:
            self._position = self._position.undo()
        undo(t, s)
        self.mover = int(t[t[T_MOVERS] + s[PLIES]])
        # The cell is still in the history, one place past its end.
        return int(s[t[S_HISTORY] + s[PLIES]])

    def forfeit(self) -> None:
        """End the game as lost by the player to move, after an illegal move."""
        self._state[RESULT] = -(self.mover + 1)
        self.mover = OVER

    @property
    def game(self) -> Game:
        """The game played."""
        return self._position.game

    @property
    def is_over(self) -> bool:
        """True if the game has ended; `mover`, from 0, is then -1."""
        return self.mover == OVER

    @property
    def position(self) -> Position:
        """The position reached."""
        made = self._state[self._tables[S_HISTORY] :]
        for cell in made[self._position.ply : self._state[PLIES]].tolist():
            self._position = self._position.play(cell)
        return self._position

    @property
    def legal_moves(self) -> list[int]:
        """Legal moves, ascending."""
        found: list[int] = np.flatnonzero(self.observe(self.mover)[1]).tolist()
        return found

    @property
    def rewards(self) -> list[float]:
        """Rewards of the players, which sum to zero; see :func:`rewards_of`."""
        players = self.game.players
        return rewards_of(outcome_of(int(self._state[RESULT]), players), players)

    def observe(self, observer: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return a player's observation: stones ``[N, q]``, legal moves ``[N]`` if to move."""
        game = self.game
        cells = game.board.cell_count
        planes = np.zeros((cells, game.players), np.int8)
        mask = np.zeros(cells, np.int8)
        observe(self._tables, self._state, observer, planes, mask)
        return planes, mask


def rewards_of(outcome: Outcome | None, players: int) -> list[float]:
    """Return the reward of each player: winners share 1, the others lose 1.

    All zero in a draw, and while the game goes on (`outcome` None).
    """
    if outcome is None or outcome.draw:
        return [0.0] * players
    won, lost = 1 / len(outcome.winners), -1 / (players - len(outcome.winners))
    return [won if player in outcome.winners else lost for player in range(1, players + 1)]


def _again(spec: str, setup: bytes | None, history: tuple[int, ...], forfeited: bool) -> Running:
    game = Game(spec)
    running = Running(game.start() if setup is None else Position.from_owners(game, setup))
    for cell in history:
        running.play(cell)
    if forfeited:
        running.forfeit()
    return running


first_of = lru_cache(maxsize=32)(Game.start)
"""The first position of a game, made once."""


def start_of(game: Game, options: Mapping[str, Any] | None) -> Position:
    """Return the starting position: that of the option ``"position"``, or the empty board."""
    given = (options or {}).get("position")
    return first_of(game) if given is None else position_of(game, given)


def position_of(game: Game, given: object) -> Position:
    """Return a position of a game, given as a position, as text, or as a JSON record."""
    position = given
    if isinstance(given, Mapping):
        position = record_from_dict(given).position
    elif isinstance(given, str) and given.lstrip().startswith("{"):
        position = read_json(given)[0].position
    elif isinstance(given, str):
        position = game.position(given)
    if not isinstance(position, Position) or position.game != game:
        raise SpecError(f"the position to start from must be one of {game}, not {quoted(given)}")
    return position
