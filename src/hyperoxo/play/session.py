"""A game being played: seats, position, moves taken back, and how it ended."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hyperoxo.agents import Agent, Explanation, agent, default_opponent
from hyperoxo.errors import AgentError, IllegalMoveError, SpecError
from hyperoxo.notation import Record
from hyperoxo.position import Position
from hyperoxo.rules import Game

if TYPE_CHECKING:
    import numpy as np

__all__ = ["HUMAN", "Session", "seats_for"]

HUMAN = "human"
"""How a seat is spelled whose moves are typed."""


class Session:
    """A game being played by people and agents; the position changes as they move."""

    def __init__(
        self,
        position: Position,
        seats: Sequence[str],
        rng: np.random.Generator,
    ) -> None:
        players = position.game.players
        if len(seats) != players:
            raise SpecError(f"{position.game} has {players} seats, not {len(seats)}")
        self.seats = tuple(seats)
        self.position = position
        self.resigned: int | None = None
        self.rng = rng
        self._undone: list[int] = []
        self._started = time.perf_counter()
        self._agents: dict[str, Agent] = {}
        for seat in self.seats:
            if seat != HUMAN and seat not in self._agents:
                self._agents[seat] = agent(seat)
                self._agents[seat].check(position.game)

    @property
    def game(self) -> Game:
        """The game played."""
        return self.position.game

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because a player gave up."""
        return self.resigned is not None or self.position.is_over

    @property
    def humans(self) -> tuple[int, ...]:
        """Players whose moves are typed."""
        return tuple(p for p, seat in enumerate(self.seats, start=1) if seat == HUMAN)

    def human_to_move(self) -> bool:
        """Whether the next move is typed by a person."""
        return not self.is_over and self.position.to_move in self.humans

    def seat(self, player: int) -> str:
        """Return the agent spec of `player`, or ``"human"``."""
        return self.seats[player - 1]

    @property
    def answers(self) -> tuple[int, ...]:
        """Moves of agents since a person last moved; else the last move alone."""
        history, ply, turns = self.position.history, self.position.ply, self.game.turns
        count = 0
        while count < min(len(history), len(turns.cycle) - 1) and self.humans:
            if turns.mover(ply - count - 1) in self.humans:
                break
            count += 1
        return history[len(history) - max(count, 1) :] if history else ()

    def play(self, cell: int) -> None:
        """Play a move for whoever is to move."""
        if self.resigned is not None:
            raise IllegalMoveError("the game is over")
        self.position = self.position.play(cell)
        if self._undone and self._undone[-1] == cell:
            self._undone.pop()
        else:
            self._undone.clear()

    def think(self, *, explain: bool = False) -> tuple[int, Explanation | None]:
        """Let the agent whose turn it is move; return the move and, if asked, why."""
        seat = self.seat(self.position.to_move)
        explanation = None
        if explain:
            explanation = self._agents[seat].explain(self.position, self.rng)
        if explanation is None:
            cell = self._agents[seat].choose(self.position, self.rng)
        else:
            cell = explanation.move
        try:
            self.play(cell)
        except IllegalMoveError as error:
            raise AgentError(f"agent '{seat}' broke the rules: {error}") from None
        return int(cell), explanation

    def undo(self, turns: int = 1) -> int:
        """Go back to the last turn of a person, `turns` times; return the moves taken back."""
        if self.resigned is not None:
            self.resigned = None
            if turns == 1:
                return 0
            turns -= 1
        plies = 0
        for _ in range(turns):
            plies += self._plies_back(plies)
        if plies == 0:
            raise IllegalMoveError("There is no move of yours to take back.")
        kept = len(self.position.history) - plies
        self._undone += reversed(self.position.history[kept:])
        self.position = self.position.undo(plies)
        return plies

    def _plies_back(self, already: int) -> int:
        """Plies to go back, besides `already`, until a person is to move."""
        for ply in range(1, len(self.position.history) - already + 1):
            mover = self.game.turns.mover(self.position.ply - already - ply)
            if mover in self.humans or not self.humans:
                return ply
        return 0

    def redo(self, turns: int = 1) -> int:
        """Play moves again that were taken back, up to a person's turn; return their number."""
        plies = 0
        for _ in range(turns):
            while self._undone:
                self.play(self._undone[-1])
                plies += 1
                if self.human_to_move() or not self.humans:
                    break
        if plies == 0:
            raise IllegalMoveError("There is no move to play again.")
        return plies

    def resign(self) -> None:
        """Give up for the player to move; all others win."""
        if self.is_over:
            raise IllegalMoveError("The game is over.")
        self.resigned = self.position.to_move

    def restart(self) -> None:
        """Begin again: at the first position known."""
        self.position = self.position.undo(len(self.position.history))
        self.resigned = None
        self._undone.clear()
        self._started = time.perf_counter()

    def swap(self) -> None:
        """Move everybody on by one seat: who played first plays second."""
        self.seats = self.seats[-1:] + self.seats[:-1]

    @property
    def winners(self) -> tuple[int, ...]:
        """Players who won; empty in a draw and while the game goes on."""
        if self.resigned is not None:
            return tuple(p for p in range(1, self.game.players + 1) if p != self.resigned)
        return self.position.outcome.winners if self.position.outcome else ()

    @property
    def result(self) -> str:
        """Winners joined by ``+``, ``=`` for a draw, ``*`` while the game goes on."""
        if not self.is_over:
            return "*"
        return "+".join(map(str, self.winners)) or "="

    def record(self, icons: Sequence[str] = ()) -> Record:
        """Return the record of the game so far; the names of players are those of the seats."""
        return Record.of(self.position, players=self.seats, icons=icons, resigned=self.resigned)

    def summary(self) -> dict[str, Any]:
        """Return the game as plain values, for JSON."""
        position = self.position
        record = self.record()
        return {
            "game": str(self.game),
            "moves": list(position.history),
            "result": self.result,
            "winners": list(self.winners),
            "position": position.text,
            "seconds": round(time.perf_counter() - self._started, 3),
            "lines_owned": list(position.lines_owned),
            "seats": list(self.seats),
            "resigned": self.resigned,
            "setup": record.setup,
        }


def seats_for(game: Game, agents: Sequence[str] = ()) -> list[str]:
    """Fill the seats of a game: you first and agents after you, unless all are named."""
    if not agents:
        return [HUMAN] + [default_opponent(game)] * (game.players - 1)
    if len(agents) != game.players:
        raise SpecError(f"{game} has {game.players} seats, one agent each; {len(agents)} named")
    return list(agents)
