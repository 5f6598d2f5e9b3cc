"""A game is the fold of its changes: `apply` makes the next state from a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hyperoxo.play.game_tree import MoveTree
from hyperoxo.rules import Game
from hyperoxo.server.changes import (
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
from hyperoxo.server.room import Clock, Ending, GameRoom, Request, Seat

__all__ = ["apply", "create", "replay"]


def create(change: Created, game: Game | None = None) -> GameRoom:
    """Return the first state of a game."""
    game = game or Game(change.game)
    start = game.start() if change.setup is None else game.position(change.setup)
    position, tree = start, MoveTree()
    for cell in change.moves:
        position, tree = position.play(cell), tree.play(cell, change.at)
    clock = None if change.clock is None else Clock(*change.clock)
    remaining = () if clock is None else (round(clock.seconds * 1000),) * game.players
    ending = None if change.ended is None else Ending(*change.ended)
    return GameRoom(
        id=change.id,
        version=1,
        game=game,
        start=start,
        position=position,
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
        created=change.at,
        updated=change.at,
    )


def apply(room: GameRoom, change: Change) -> GameRoom:
    """Return the state after a change; the change must be one that `actions` allows."""
    after = _APPLY[type(change)](room, change)
    return replace(after, version=room.version + 1, updated=change.at)


def replay(changes: Iterable[Change]) -> GameRoom:
    """Return the state after all changes of a game, the first of which makes it."""
    steps = iter(changes)
    first = next(steps)
    assert isinstance(first, Created)
    room = create(first)
    for change in steps:
        room = apply(room, change)
    return room


def _moved(room: GameRoom, change: Moved) -> GameRoom:
    position = room.position.play(change.cell)
    charged = _charge(room, change.at)
    remaining = charged.remaining
    if room.clock is not None and room.turn_since is not None:
        gained = round(room.clock.increment * 1000)
        remaining = tuple(
            left + gained if player == change.player else left
            for player, left in enumerate(remaining, start=1)
        )
    tree = room.tree.play(change.cell, change.at, change.reason)
    clocks = room.clocks
    if room.clock is not None:
        clocks = (*clocks[: tree.node], remaining, *clocks[tree.node + 1 :])
    return replace(
        charged,
        position=position,
        tree=tree,
        remaining=remaining,
        clocks=clocks,
        turn_since=None if room.clock is None or position.is_over else change.at,
        request=None,
        paused=None,
    )


def _went(room: GameRoom, change: Went) -> GameRoom:
    return _stand(room, change.node, change.at)


def _stand(room: GameRoom, node: int, at: int) -> GameRoom:
    """Stand at a node with the time of then; agents wait until somebody lets them go on."""
    position = room.position_at(node)
    seat = room.seats[position.to_move - 1] if not position.is_over else None
    waits = seat is not None and not seat.is_person
    runs = room.clock is not None and position.history and not position.is_over and not waits
    return replace(
        room,
        position=position,
        tree=room.tree.go(node),
        remaining=room.clocks[node] if room.clock is not None else (),
        ending=None,
        request=None,
        paused="history" if waits else None,
        turn_since=at if runs else None,
    )


def _ended(room: GameRoom, change: Ended) -> GameRoom:
    return _end(room, Ending(change.how, change.player), change.at)


def _end(room: GameRoom, ending: Ending, at: int) -> GameRoom:
    return replace(_charge(room, at), ending=ending, turn_since=None, request=None, paused=None)


def _asked(room: GameRoom, change: Asked) -> GameRoom:
    waiting = room.others(change.by)
    request = Request(room.version + 1, change.request, change.by, change.node, waiting)
    return replace(room, request=request)


def _answered(room: GameRoom, change: Answered) -> GameRoom:
    request = room.request
    assert request is not None
    if not change.yes:
        return replace(room, request=None)
    token = room.seats[change.by - 1].token
    waiting = tuple(p for p in request.waiting if room.seats[p - 1].token != token)
    if waiting:
        return replace(room, request=replace(request, waiting=waiting))
    if request.kind == "swap":
        return _swap(room)
    if request.kind == "draw":
        return _end(room, Ending("agreed"), change.at)
    assert request.node is not None
    return _stand(room, request.node, change.at)


def _swap(room: GameRoom) -> GameRoom:
    return replace(room, seats=room.seats[-1:] + room.seats[:-1], request=None)


def _seated(room: GameRoom, change: Seated) -> GameRoom:
    seat = Seat(change.name, change.agent, change.token)
    at = change.player - 1
    return replace(room, seats=(*room.seats[:at], seat, *room.seats[at + 1 :]), request=None)


def _titled(room: GameRoom, change: Titled) -> GameRoom:
    return replace(room, title=change.title, listed=change.listed)


def _paused(room: GameRoom, change: Paused) -> GameRoom:
    return replace(_charge(room, change.at), paused=change.reason, turn_since=None)


def _resumed(room: GameRoom, change: Resumed) -> GameRoom:
    runs = room.clock is not None and room.position.history and not room.is_over
    if change.restart:
        return replace(room, turn_since=None if room.turn_since is None else change.at)
    return replace(room, paused=None, turn_since=change.at if runs else None)


def _charge(room: GameRoom, at: int) -> GameRoom:
    """Take the time since the running clock was started off the player to move."""
    if room.turn_since is None or room.is_over:
        return room
    spent = max(0, at - room.turn_since)
    remaining = tuple(
        left - spent if player == room.to_move else left
        for player, left in enumerate(room.remaining, start=1)
    )
    return replace(room, remaining=remaining, turn_since=at)


_APPLY: dict[type[Change], Callable[[GameRoom, Any], GameRoom]] = {
    Moved: _moved,
    Went: _went,
    Ended: _ended,
    Asked: _asked,
    Answered: _answered,
    Swapped: lambda room, _: _swap(room),
    Seated: _seated,
    Titled: _titled,
    Paused: _paused,
    Resumed: _resumed,
}
