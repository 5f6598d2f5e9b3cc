"""A game in play: an immutable state, the fold of its changes (event sourcing).

Terminal, full screen and server all play on it. `create` makes the first state and `apply` the
next; history with branches, clocks, seats, requests and the ending are all in the state.
"""
# `apply` decides nothing: a change has been authorised before it is made, and replaying stored
# changes must give the same states again. So it depends on nothing but its arguments; times are
# in the changes.

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import Game, Position
from hyperoxo.notation import Record
from hyperoxo.play.changes import (
    Answered,
    Asked,
    Change,
    Created,
    Ended,
    Moved,
    Paused,
    Resumed,
    Seated,
    Swapped,
    Titled,
    Went,
)


@dataclass(frozen=True, slots=True)
class Node:
    """One move of the tree."""

    parent: int
    cell: int
    reason: str = ""


@dataclass(frozen=True)
class MoveTree:
    """Variation tree of a game with a cursor.

    Node 0 is the first position. A node represents its move and the position after it.
    """

    # `line` runs from the root through the cursor to a leaf: its part up to `cursor` is the game,
    # the rest are moves that were taken back. Nodes are only ever appended, so a node number
    # means the same position for good.

    nodes: tuple[Node, ...] = (Node(-1, -1),)
    line: tuple[int, ...] = (0,)
    cursor: int = 0

    @property
    def node(self) -> int:
        """Number of the current node."""
        return self.line[self.cursor]

    @property
    def path(self) -> tuple[int, ...]:
        """Node numbers from the root to the current node."""
        return self.line[: self.cursor + 1]

    @property
    def moves(self) -> tuple[int, ...]:
        """Cells played from the root to the current node."""
        return tuple(self.nodes[number].cell for number in self.line[1 : self.cursor + 1])

    @property
    def undone(self) -> tuple[int, ...]:
        """Node numbers after the current one on the line, nearest first."""
        return self.line[self.cursor + 1 :]

    def children(self, node: int) -> tuple[int, ...]:
        """Return the children of a node, oldest first."""
        return tuple(number for number, entry in enumerate(self.nodes) if entry.parent == node)

    def path_to(self, node: int) -> tuple[int, ...]:
        """Return the node numbers from the root to `node`."""
        if not 0 <= node < len(self.nodes):
            raise KeyError(node)
        path = [node]
        while path[-1] != 0:
            path.append(self.nodes[path[-1]].parent)
        return tuple(reversed(path))

    def play(self, cell: int, reason: str = "") -> MoveTree:
        """Play a move at the current node, along an existing branch or a new one."""
        for number in (*self.undone[:1], *self.children(self.node)):
            if self.nodes[number].cell == cell:
                return self.go(number)
        number = len(self.nodes)
        return MoveTree(
            (*self.nodes, Node(self.node, cell, reason)), (*self.path, number), self.cursor + 1
        )

    def go(self, node: int) -> MoveTree:
        """Move the cursor to a node; the line continues with the newest branches after it."""
        if node in self.line:
            return replace(self, cursor=self.line.index(node))
        path = list(self.path_to(node))
        cursor = len(path) - 1
        while branches := self.children(path[-1]):
            path.append(branches[-1])
        return replace(self, line=tuple(path), cursor=cursor)


@dataclass(frozen=True)
class Seat:
    """A seat: the person or agent who plays for one player."""

    name: str
    agent: str | None = None
    token: str | None = None

    @property
    def is_person(self) -> bool:
        """True if a person sits here."""
        return self.agent is None


@dataclass(frozen=True)
class Clock:
    """Time control: seconds per player, and increment per move."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True)
class Ending:
    """Ending other than by the moves: resignation, time, agreement."""

    how: str
    player: int | None


@dataclass(frozen=True)
class Request:
    """A pending request for consent; `waiting` are the players who have not answered."""

    number: int
    kind: str
    by: int
    node: int | None
    waiting: tuple[int, ...]


@dataclass(frozen=True)
class GameInPlay:
    """State of one game; made only by `create` and `apply`.

    Clocks run by `ticks` (milliseconds), `created` and `updated` are wall-clock times. `positions`
    and, with clocks, `clocks` (time left to each player) have one entry for each node.
    """

    game: Game
    positions: tuple[Position, ...]
    tree: MoveTree
    seats: tuple[Seat, ...]
    id: str = ""
    version: int = 1
    host: str = ""
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
    def start(self) -> Position:
        """The first position known."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[self.tree.node]

    @property
    def is_over(self) -> bool:
        """True if the game has ended, by its moves or otherwise."""
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
        """True if hints and analyses are allowed now."""
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
        """Return True if `token` is the host's."""
        return _same(self.host, token)

    def others(self, player: int) -> tuple[int, ...]:
        """Return the players held by people other than the person of `player`."""
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
        if not 0 <= node < len(self.positions):
            raise KeyError(node)
        return self.positions[node]

    def turn_before(self, players: Sequence[int]) -> int | None:
        """Node of the last turn, before here, of any of `players`; without any, one move back."""
        back = reversed(self.tree.path[:-1])
        return next((node for node in back if self._is_turn(node, players)), None)

    def turn_after(self, players: Sequence[int]) -> int | None:
        """Node of their next turn on the line, else its end; without any, one move on."""
        ahead = self.tree.undone
        turns = (node for node in ahead if self._is_turn(node, players))
        return next(turns, ahead[-1] if ahead else None)

    def _is_turn(self, node: int, players: Sequence[int]) -> bool:
        return not players or self.positions[node].to_move in players

    def record(self, icons: Sequence[str] = ()) -> Record:
        """Return the record of the moves up to the current node."""
        ending = self.ending
        resigned = ending.player if ending is not None and ending.how == "resigned" else None
        result = self.result if ending is not None and ending.how != "resigned" else None
        tags = {"Event": self.title} if self.title else {}
        if ending is not None and ending.how == "time":
            tags["Termination"] = "time forfeit"
        names = tuple(seat.name for seat in self.seats)
        record = Record.of(
            self.position,
            players=names,
            icons=icons,
            resigned=resigned,
            result=result,
            tags=tags,
        )
        reasons = tuple(
            (ply, self.tree.nodes[node].reason)
            for ply, node in enumerate(self.tree.path)
            if self.tree.nodes[node].reason
        )
        return replace(record, comments=reasons) if reasons else record


def _same(own: str, shown: str | None) -> bool:
    # In constant time, since tokens are secrets.
    return shown is not None and secrets.compare_digest(own.encode(), shown.encode())


def create(change: Created, game: Game | None = None) -> GameInPlay:
    """Return the first state of a game."""
    game = game or Game(change.game)
    start = game.start() if change.setup is None else game.position(change.setup)
    positions, tree = [start], MoveTree()
    for cell in change.moves:
        positions.append(positions[-1].play(cell))
        tree = tree.play(cell)
    clock = None if change.clock is None else Clock(*change.clock)
    remaining = () if clock is None else (round(clock.seconds * 1000),) * game.players
    ending = None if change.ended is None else Ending(*change.ended)
    return GameInPlay(
        id=change.id,
        game=game,
        positions=tuple(positions),
        tree=tree,
        seats=tuple(Seat(*seat) for seat in change.seats),
        host=change.host,
        title=change.title,
        listed=change.listed,
        pace=change.pace,
        seed=change.seed,
        clock=clock,
        remaining=remaining,
        clocks=() if clock is None else (remaining,) * len(tree.nodes),
        ending=ending,
        analysis=change.analysis,
        created=change.made,
        updated=change.made,
    )


def apply(state: GameInPlay, change: Change) -> GameInPlay:
    """Return the state after an authorised change."""
    after = _APPLY[type(change)](state, change)
    return replace(after, version=state.version + 1, updated=change.made)


_NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Errors of changes that do not fit, or hold values of other types."""


def replay(changes: Iterable[Change]) -> GameInPlay:
    """Fold all changes of a game, beginning with `Created`."""
    # `NotationError` if they do not follow from one another: their file has been damaged.
    state: GameInPlay | None = None
    for number, change in enumerate(changes, start=1):
        try:
            if state is None:
                assert isinstance(change, Created)
                state = create(change)
            else:
                state = apply(state, change)
        except _NONSENSE as error:
            why = error if isinstance(error, HyperoxoError) else "it does not follow"
            raise NotationError(f"change {number} of a game is invalid: {why}") from None
    if state is None:
        raise NotationError("a game has no changes")
    return state


def _moved(state: GameInPlay, change: Moved) -> GameInPlay:
    # 1. A known branch keeps its node and position; a new node is the last one.
    tree = state.tree.play(change.cell, change.reason)
    positions = state.positions
    if tree.node == len(positions):
        positions = (*positions, state.position.play(change.cell))
    # 2. The mover pays for the turn, and gains the increment if the clock was running: not on the
    #    first move, before which it is stopped.
    charged = _charge(state, change.at)
    remaining = charged.remaining
    if state.clock is not None and state.turn_since is not None:
        place, gained = change.player - 1, round(state.clock.increment * 1000)
        remaining = _put(remaining, place, remaining[place] + gained)
    # 3. Times are kept for each node (`_put` appends at a new one), for a jump back to it.
    clocks = state.clocks
    if state.clock is not None:
        clocks = _put(clocks, tree.node, remaining)
    return replace(
        charged,
        positions=positions,
        tree=tree,
        remaining=remaining,
        clocks=clocks,
        turn_since=None if state.clock is None or positions[tree.node].is_over else change.at,
        request=None,
        paused=None,
    )


def _stand(state: GameInPlay, node: int, at: int) -> GameInPlay:
    """Move to a node with its clocks; agents wait until they are resumed."""
    position = state.positions[node]
    seat = state.seats[position.to_move - 1] if not position.is_over else None
    waits = seat is not None and not seat.is_person
    # As in `_moved`, the clock does not run before the first move.
    runs = state.clock is not None and position.history and not position.is_over and not waits
    return replace(
        state,
        tree=state.tree.go(node),
        remaining=state.clocks[node] if state.clock is not None else (),
        ending=None,
        request=None,
        paused="history" if waits else None,
        turn_since=at if runs else None,
    )


def _end(state: GameInPlay, ending: Ending, at: int) -> GameInPlay:
    return replace(_charge(state, at), ending=ending, turn_since=None, request=None, paused=None)


def _asked(state: GameInPlay, change: Asked) -> GameInPlay:
    waiting = state.others(change.by)
    # Its number is the version that this change makes, so that no two requests share one.
    request = Request(state.version + 1, change.request, change.by, change.node, waiting)
    return replace(state, request=request)


def _answered(state: GameInPlay, change: Answered) -> GameInPlay:
    request = state.request
    assert request is not None
    if not change.yes:
        return replace(state, request=None)
    # A person may hold several seats, and answers for all of them.
    token = state.seats[change.by - 1].token
    waiting = tuple(p for p in request.waiting if state.seats[p - 1].token != token)
    if waiting:
        return replace(state, request=replace(request, waiting=waiting))
    if request.kind == "swap":
        return _swap(state)
    if request.kind == "draw":
        return _end(state, Ending("agreed", None), change.at)
    if request.kind == "help":
        return replace(state, request=None, analysis="always")
    assert request.node is not None
    return _stand(state, request.node, change.at)


def _swap(state: GameInPlay) -> GameInPlay:
    return replace(state, seats=state.seats[-1:] + state.seats[:-1], request=None)


def _seated(state: GameInPlay, change: Seated) -> GameInPlay:
    seat = Seat(change.name, change.agent, change.token)
    return replace(state, seats=_put(state.seats, change.player - 1, seat), request=None)


def _resumed(state: GameInPlay, change: Resumed) -> GameInPlay:
    runs = state.clock is not None and state.position.history and not state.is_over
    # `ticks` of the old process mean nothing in this one: begin to count again from now.
    if change.restart:
        return replace(state, turn_since=None if state.turn_since is None else change.at)
    return replace(state, paused=None, turn_since=change.at if runs else None)


def _charge(state: GameInPlay, at: int) -> GameInPlay:
    """Charge the time since the clock was started to the player to move."""
    if state.turn_since is None or state.is_over:
        return state
    place, spent = state.to_move - 1, max(0, at - state.turn_since)
    remaining = _put(state.remaining, place, state.remaining[place] - spent)
    return replace(state, remaining=remaining, turn_since=at)


Entry = TypeVar("Entry")


def _put(entries: tuple[Entry, ...], place: int, entry: Entry) -> tuple[Entry, ...]:
    """Return entries with one replaced, or appended at the end."""
    return (*entries[:place], entry, *entries[place + 1 :])


_APPLY: dict[type[Change], Callable[[GameInPlay, Any], GameInPlay]] = {
    Moved: _moved,
    Went: lambda state, to: _stand(state, to.node, to.at),
    Ended: lambda state, end: _end(state, Ending(end.how, end.player), end.at),
    Asked: _asked,
    Answered: _answered,
    Swapped: lambda state, _: _swap(state),
    Seated: _seated,
    Titled: lambda state, new: replace(state, title=new.title, listed=new.listed),
    Paused: lambda state, why: replace(_charge(state, why.at), paused=why.reason, turn_since=None),
    Resumed: _resumed,
}
