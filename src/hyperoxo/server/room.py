"""A game with its seats, history, clocks and requests: one frozen value."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from hyperoxo.notation import Record
from hyperoxo.play.game_tree import MoveTree
from hyperoxo.position import Position
from hyperoxo.rules import Game

__all__ = ["Clock", "Ending", "GameRoom", "Request", "Seat", "new_token"]


def new_token() -> str:
    """Return a text that nobody can guess: 144 random bits."""
    return secrets.token_urlsafe(18)


@dataclass(frozen=True)
class Seat:
    """Who plays one of the players."""

    name: str
    agent: str | None = None
    token: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return self.agent is None


@dataclass(frozen=True)
class Clock:
    """How much time each player has."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True)
class Ending:
    """How a game ended other than by its moves."""

    how: str
    player: int | None = None


@dataclass(frozen=True)
class Request:
    """Something that the other people at the board must agree to."""

    number: int
    kind: str
    by: int
    node: int | None
    waiting: tuple[int, ...]


@dataclass(frozen=True)
class GameRoom:
    """Everything about one game at one moment.

    Made by :func:`hyperoxo.server.apply.apply` from changes, and by nothing else.
    """

    id: str
    version: int
    game: Game
    start: Position
    position: Position
    tree: MoveTree
    seats: tuple[Seat, ...]
    host: str
    title: str = ""
    listed: bool = True
    pace: float = 0.0
    seed: int = 0
    clock: Clock | None = None
    remaining: tuple[int, ...] = ()
    clocks: tuple[tuple[int, ...], ...] = ()
    turn_since: int | None = None
    ending: Ending | None = None
    request: Request | None = None
    paused: str | None = None
    analysis: str = "always"
    created: int = 0
    updated: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its moves or otherwise."""
        return self.ending is not None or self.position.is_over

    @property
    def to_move(self) -> int:
        """Player to move, or 0 when the game is over."""
        return 0 if self.is_over else self.position.to_move

    @property
    def mover(self) -> Seat | None:
        """Seat of the player to move, or None when the game is over."""
        return None if self.is_over else self.seats[self.position.to_move - 1]

    @property
    def thinking(self) -> int:
        """Player whose agent is about to move, or 0."""
        mover = self.mover
        asked = mover is not None and not mover.is_person and self.paused is None
        return self.to_move if asked else 0

    @property
    def may_analyse(self) -> bool:
        """Whether hints and analyses of the game are given now."""
        return self.analysis == "always" or self.is_over

    @property
    def winners(self) -> tuple[int, ...]:
        """Players who won; empty in a draw and while the game goes on."""
        if self.ending is None:
            return self.position.outcome.winners if self.position.outcome else ()
        if self.ending.player is None:
            return ()
        return tuple(p for p in range(1, self.game.players + 1) if p != self.ending.player)

    @property
    def result(self) -> str:
        """Winners joined by ``+``, ``=`` for a draw, ``*`` while the game goes on."""
        if not self.is_over:
            return "*"
        return "+".join(map(str, self.winners)) or "="

    def seats_of(self, token: str | None) -> tuple[int, ...]:
        """Return the players for whom the holder of `token` moves."""
        return tuple(
            player
            for player, seat in enumerate(self.seats, start=1)
            if seat.token is not None and _same(seat.token, token)
        )

    def is_host(self, token: str | None) -> bool:
        """Whether `token` is that of whoever made the game."""
        return _same(self.host, token)

    def others(self, player: int) -> tuple[int, ...]:
        """Return the players of the people who are not the person of `player`."""
        own = self.seats[player - 1].token
        return tuple(
            number
            for number, seat in enumerate(self.seats, start=1)
            if seat.is_person and seat.token != own
        )

    def time_left(self, player: int, now: int) -> int | None:
        """Return the milliseconds left to `player` at the time `now`; None without clocks."""
        if self.clock is None:
            return None
        left = self.remaining[player - 1]
        running = self.turn_since is not None and player == self.to_move
        return left - (now - (self.turn_since or 0)) if running else left

    def position_at(self, node: int) -> Position:
        """Return the position at a node."""
        if node == self.tree.node:
            return self.position
        position = self.start
        for cell in self.tree.moves_to(node):
            position = position.play(cell)
        return position

    def record(self) -> Record:
        """Return the record of the moves up to where the game stands."""
        ending = self.ending
        resigned = ending.player if ending is not None and ending.how == "resigned" else None
        result = self.result if ending is not None and ending.how != "resigned" else None
        tags = {"Event": self.title} if self.title else {}
        if ending is not None and ending.how == "time":
            tags["Termination"] = "time forfeit"
        names = tuple(seat.name for seat in self.seats)
        record = Record.of(
            self.position, players=names, resigned=resigned, result=result, tags=tags
        )
        reasons = tuple(
            (ply, self.tree.nodes[node].reason)
            for ply, node in enumerate(self.tree.path)
            if self.tree.nodes[node].reason
        )
        return replace(record, comments=reasons) if reasons else record


def _same(own: str, shown: str | None) -> bool:
    return shown is not None and secrets.compare_digest(own.encode(), shown.encode())
