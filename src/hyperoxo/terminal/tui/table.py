"""The game on the table: seats, a tree of moves, and who moves next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hyperoxo.agents import Agent, agent
from hyperoxo.errors import HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.notation import Record
from hyperoxo.play.analysis import Analysis
from hyperoxo.play.game_tree import MoveTree
from hyperoxo.play.session import HUMAN, seats_for
from hyperoxo.position import Position
from hyperoxo.rules import Game

__all__ = ["Table"]


@dataclass
class Table:
    """A game being played, with everything that was tried in it."""

    start: Position
    seats: tuple[str, ...]
    tree: MoveTree = field(default_factory=MoveTree)
    resigned: int | None = None
    analyses: dict[int, Analysis] = field(default_factory=dict)
    agents: dict[str, Agent] = field(default_factory=dict, repr=False)
    _positions: dict[int, Position] = field(default_factory=dict, repr=False)

    @classmethod
    def new(cls, start: Position, seats: Sequence[str] = ()) -> Table:
        """Set a game up; agents are made and asked whether they play it."""
        game = start.game
        chosen = tuple(seats_for(game, seats))
        table = cls(start, chosen)
        for seat in chosen:
            if seat != HUMAN and seat not in table.agents:
                table.agents[seat] = agent(seat)
                table.agents[seat].check(game)
        return table

    @classmethod
    def of_record(cls, record: Record) -> Table:
        """Go on with a recorded game, in its seats where their names are agent specs."""
        try:
            table = cls.new(record.start, record.players)
        except HyperoxoError:
            table = cls.new(record.start, seats_for(record.game))
        for cell in record.moves:
            table.tree = table.tree.play(cell)
        table.resigned = record.resigned
        return table

    @property
    def game(self) -> Game:
        """The game played."""
        return self.start.game

    @property
    def node(self) -> int:
        """Where the game stands in the tree."""
        return self.tree.node

    @property
    def position(self) -> Position:
        """The position now."""
        return self.position_at(self.node)

    def position_at(self, node: int) -> Position:
        """Return the position after the move of a node."""
        if node == 0:
            return self.start
        if node not in self._positions:
            entry = self.tree.nodes[node]
            self._positions[node] = self.position_at(entry.parent).play(entry.cell)
        return self._positions[node]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because a player gave up."""
        return self.resigned is not None or self.position.is_over

    @property
    def humans(self) -> tuple[int, ...]:
        """Players whose moves are made at the keyboard."""
        return tuple(p for p, seat in enumerate(self.seats, start=1) if seat == HUMAN)

    @property
    def agent_to_move(self) -> str | None:
        """Spec of the agent whose turn it is, None where it is a person's or nobody's."""
        if self.is_over:
            return None
        seat = self.seats[self.position.to_move - 1]
        return None if seat == HUMAN else seat

    def play(self, cell: int) -> int:
        """Play a move; return its node."""
        if self.resigned is not None:
            raise IllegalMoveError("the game is over")
        after = self.position.play(cell)
        self.tree = self.tree.play(cell)
        self._positions[self.node] = after
        return self.node

    def back(self) -> int:
        """Go back to the last turn of a person, or one move where there is none."""
        if self.resigned is not None:
            self.resigned = None
            return self.node
        path = self.tree.path[:-1]
        if not path:
            raise IllegalMoveError("There is no move to take back.")
        turns = (n for n in reversed(path) if self.position_at(n).to_move in self.humans)
        self.tree = self.tree.go(next(turns, path[-1]))
        return self.node

    def forward(self) -> int:
        """Go on along the line to the next turn of a person, or to its end."""
        ahead = self.tree.undone
        if not ahead:
            raise IllegalMoveError("There is no move to play again.")
        turns = (n for n in ahead if self.position_at(n).to_move in self.humans)
        self.tree = self.tree.go(next(turns, ahead[-1]) if self.humans else ahead[0])
        return self.node

    def go(self, node: int) -> None:
        """Stand at a node."""
        self.resigned = None
        self.tree = self.tree.go(node)

    def branches(self, node: int) -> tuple[int, ...]:
        """Return the moves that were tried where a node was played, that node included."""
        return () if node == 0 else self.tree.children(self.tree.nodes[node].parent)

    def resign(self) -> None:
        """Give up for the player to move."""
        if self.is_over:
            raise IllegalMoveError("The game is over.")
        self.resigned = self.position.to_move

    def record(self, icons: Sequence[str] = ()) -> Record:
        """Return the record of the line up to here."""
        return Record.of(self.position, players=self.seats, icons=icons, resigned=self.resigned)

    def sit(self, seats: Sequence[str]) -> None:
        """Change who sits where."""
        if len(seats) != self.game.players:
            raise SpecError(f"{self.game} has {self.game.players} seats, not {len(seats)}")
        fresh = Table.new(self.start, seats)
        self.seats, self.agents = fresh.seats, fresh.agents
