"""A local session: a game in play at one screen, its agents and its analyses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hyperoxo.agents import Agent, Explanation, agent, default_opponent
from hyperoxo.display import as_data
from hyperoxo.errors import AgentError, HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.game.messages import at_once
from hyperoxo.jit import working_time
from hyperoxo.notation import Record
from hyperoxo.play import changes
from hyperoxo.play.game_in_play import MoveTree, apply, create
from hyperoxo.task import ALONE, Task

if TYPE_CHECKING:
    from hyperoxo.play.analysis import Analysis

HUMAN, LEVEL = "human", "level:3"
"""The seat of a person, and the default opponent."""


class Session:
    """A game in play at one screen; `state` is replaced by each change."""

    def __init__(
        self,
        position: Position,
        seats: Sequence[str],
        rng: np.random.Generator | None = None,
        *,
        resigned: int | None = None,
    ) -> None:
        game, history = position.game, position.history
        if len(seats) != game.players:
            raise SpecError(f"{game} has {game.players} seats, not {len(seats)}")
        self.rng = np.random.default_rng() if rng is None else rng
        self.agents: dict[str, Agent] = {}
        for seat in seats:
            if seat != HUMAN and seat not in self.agents:
                self.agents[seat] = agent(seat)
                self.agents[seat].check(game)
        self._begin(position.undo(len(history)), seats, history, resigned)

    @classmethod
    def of_record(cls, record: Record, rng: np.random.Generator | None = None) -> Self:
        """Continue a recorded game; names that are not agent specs become people's seats."""
        names = record.players or (HUMAN,) * record.game.players
        seats = [name if _can_play(name, record.game) else HUMAN for name in names]
        return cls(record.position, seats, rng, resigned=record.resigned)

    def _begin(
        self,
        first: Position,
        seats: Sequence[str],
        moves: tuple[int, ...] = (),
        resigned: int | None = None,
    ) -> None:
        self._started = working_time()
        self.analyses: dict[int, Analysis] = {}
        made = changes.Created(
            at=changes.ticks(),
            game=str(first.game),
            seats=tuple((seat, None if seat == HUMAN else seat, None) for seat in seats),
            setup=None if first.setup is None else first.text,
            moves=moves,
            ended=None if resigned is None else ("resigned", resigned),
        )
        self.state = create(made, first.game)

    def _do(self, change: changes.Change) -> None:
        self.state = apply(self.state, change)

    # State.

    @property
    def game(self) -> Game:
        """The game played."""
        return self.state.game

    @property
    def position(self) -> Position:
        """The position now."""
        return self.state.position

    @property
    def tree(self) -> MoveTree:
        """Every move that was tried."""
        return self.state.tree

    @property
    def seats(self) -> tuple[str, ...]:
        """Agent specs of the seats, or ``"human"``."""
        return tuple(seat.agent or HUMAN for seat in self.state.seats)

    @property
    def humans(self) -> tuple[int, ...]:
        """Players whose moves are typed."""
        return tuple(p for p, seat in enumerate(self.state.seats, start=1) if seat.is_person)

    @property
    def resigned(self) -> int | None:
        """Player who resigned."""
        return None if self.state.ending is None else self.state.ending.player

    @property
    def agent_to_move(self) -> str | None:
        """Spec of the agent to move, or None."""
        return None if self.state.mover is None else self.state.mover.agent

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

    def branches(self, node: int) -> tuple[int, ...]:
        """Return the siblings of a node, itself included."""
        return () if node == 0 else self.tree.children(self.tree.nodes[node].parent)

    # Actions.

    def play(self, cell: int) -> None:
        """Play a move for the player to move."""
        if self.state.ending is not None:
            raise IllegalMoveError("the game is over")
        # Refuses illegal moves: `apply` decides nothing.
        self.position.play(cell)
        player, node = self.position.to_move, self.tree.node
        self._do(changes.Moved(at=changes.ticks(), player=player, cell=int(cell), node=node))

    def think(self, *, explain: bool = False, task: Task = ALONE) -> tuple[int, Explanation | None]:
        """Let the agent to move play; return the move and, if requested, its explanation.

        The stop signal of a task requests the move immediately.
        """
        seat = self.agent_to_move
        assert seat is not None
        found = self.agents[seat].think(self.position, self.rng, task)
        said = found.reason if explain else at_once(found.reason)
        try:
            self.play(found.move)
        except IllegalMoveError as error:
            raise AgentError(f"agent '{seat}' broke the rules: {error}") from None
        return int(found.move), replace(found, reason=said) if said else None

    def go(self, node: int) -> None:
        """Jump to a position of the history; agents wait there."""
        self._do(changes.Went(at=changes.ticks(), node=node))

    def undo(self, turns: int = 1) -> int:
        """Go back to the last turn of a person, `turns` times; return the moves taken back."""
        # A resignation is taken back first.
        before, ended = self.tree.cursor, self.state.ending
        for _ in range(turns):
            here = None if self.state.ending is None else self.tree.node
            node = self.state.turn_before(self.humans) if here is None else here
            if node is None:
                break
            self.go(node)
        plies = before - self.tree.cursor
        if plies == 0 and ended is None:
            whose = "of yours " if self.humans else ""
            raise IllegalMoveError(f"There is no move {whose}to take back.")
        return plies

    def redo(self, turns: int = 1) -> int:
        """Replay moves taken back, up to a person's turn; return their number."""
        before = self.tree.cursor
        for _ in range(turns):
            node = self.state.turn_after(self.humans)
            if node is None:
                break
            self.go(node)
        if self.tree.cursor == before:
            raise IllegalMoveError("There is no move to play again.")
        return self.tree.cursor - before

    def resign(self) -> None:
        """Resign for the player to move; all others win."""
        if self.state.is_over:
            raise IllegalMoveError("The game is over.")
        self._do(changes.Ended(at=changes.ticks(), how="resigned", player=self.position.to_move))

    def pause(self, reason: str = "asked") -> None:
        """Pause agents."""
        self._do(changes.Paused(at=changes.ticks(), reason=reason))

    def resume(self) -> None:
        """Resume agents."""
        self._do(changes.Resumed(at=changes.ticks()))

    def restart(self) -> None:
        """Begin again at the first position."""
        self._begin(self.state.start, self.seats)

    def swap(self) -> None:
        """Rotate the players by one seat: player 1 becomes player 2."""
        self._do(changes.Swapped(at=changes.ticks()))

    # Output.

    def record(self, icons: Sequence[str] = ()) -> Record:
        """Return the record of the line up to here; the players' names are those of the seats."""
        return self.state.record(icons)

    def summary(self) -> dict[str, Any]:
        """Return the game as plain values, for JSON."""
        data = as_data(
            self, "game moves=position.history result=state.result winners=state.winners position"
        )
        data["seconds"] = round(working_time() - self._started, 3)
        data |= as_data(self, "lines_owned=position.lines_owned seats resigned")
        return {**data, "setup": self.record().setup}


def _can_play(name: str, game: Game) -> bool:
    """Return True if a name is the spec of an agent for a game."""
    try:
        agent(name).check(game)
    except HyperoxoError:
        return False
    return True


def seats_for(game: Game, agents: Sequence[str] = (), level: str = LEVEL) -> list[str]:
    """Return the seats of a game: a person first, then agents, unless all are named."""
    if not agents:
        opponent = level if _can_play(level, game) else default_opponent(game)
        return [HUMAN] + [opponent] * (game.players - 1)
    if len(agents) != game.players:
        raise SpecError(f"{game} has {game.players} seats, one agent each; {len(agents)} named")
    return list(agents)
