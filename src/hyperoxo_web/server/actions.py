"""Authorisation of actions: each function returns an allowed change or refuses it.

The functions are pure: from a game and a token they return the change, which
:func:`hyperoxo.play.game_in_play.apply` then makes, or raise `RefusedError`.

Rights:

- A person moves, resigns and answers for the seats of their token.
- Going back, jumping, playing again and swapping seats need the others' consent, unless one
  person holds all seats of people; so do a draw, and hints in games without them.
- The host, who created the game, navigates games of agents alone, seats agents, sets the
  title, and pauses the game.
"""

from __future__ import annotations

from hyperoxo.errors import IllegalMoveError
from hyperoxo.play import changes
from hyperoxo.play.game_in_play import GameInPlay, Seat
from hyperoxo_web.server.refusal import RefusedError

_TEXT = 80


def move(
    room: GameInPlay,
    token: str | None,
    cell: int,
    at: int,
    *,
    node: int | None = None,
    ply: int | None = None,
) -> changes.Moved:
    """Play a cell for the player to move."""
    own = seats_of_token(room, token)
    here, made = room.tree.node, len(room.position.history)
    if (node is not None and node != here) or (ply is not None and ply != made):
        raise RefusedError("late", "the game has moved on; this move answers an earlier position")
    if room.is_over:
        raise RefusedError("over", "the game is over")
    if room.to_move not in own:
        raise RefusedError("wrong-seat", f"it is player {room.to_move}'s turn")
    left = room.time_left(room.to_move, at)
    if left is not None and left <= 0:
        raise RefusedError("time", f"player {room.to_move}'s time has run out")
    return _moved(room, cell, at)


def agent_move(room: GameInPlay, node: int, cell: int, at: int, reason: str = "") -> changes.Moved:
    """Play the answer of an agent that was asked at `node`."""
    mover = room.mover
    if node != room.tree.node or mover is None or mover.is_person or room.paused is not None:
        raise RefusedError("late", "that answer is no longer wanted")
    return _moved(room, cell, at, reason)


def _moved(room: GameInPlay, cell: int, at: int, reason: str = "") -> changes.Moved:
    try:
        room.position.play(cell)
    except IllegalMoveError as error:
        raise RefusedError("illegal", str(error)) from None
    most = 20 * room.game.cells + 1000
    if len(room.tree.nodes) > most:
        raise RefusedError("limit", f"this game has {most:,} moves in its history; begin another")
    return changes.Moved(
        at=at, player=room.to_move, cell=int(cell), node=room.tree.node, reason=reason
    )


def resign(
    room: GameInPlay, token: str | None, at: int, player: int | None = None
) -> changes.Ended:
    """Resign for `player`, by default the player to move, or else the first seat held."""
    own = seats_of_token(room, token)
    if room.is_over:
        raise RefusedError("over", "the game is over")
    if player is None:
        player = room.to_move if room.to_move in own else own[0]
    if player not in own:
        raise RefusedError("wrong-seat", f"this token does not hold the seat of player {player}")
    return changes.Ended(at=at, how="resigned", player=player)


def flag(room: GameInPlay, at: int) -> changes.Ended:
    """End the game of a player whose time has run out."""
    left = None if room.is_over else room.time_left(room.to_move, at)
    if left is None or left > 0:
        raise RefusedError("nothing-to-do", "no player has run out of time")
    return changes.Ended(at=at, how="time", player=room.to_move)


def go(room: GameInPlay, token: str | None, node: int, at: int) -> changes.Went | changes.Asked:
    """Jump to a node of the history, or request it."""
    by, free = _guide(room, token)
    if not 0 <= node < len(room.tree.nodes):
        raise RefusedError(
            "no-node", f"there is no position {node}; there are {len(room.tree.nodes)}"
        )
    if node == room.tree.node and room.ending is None:
        raise RefusedError("nothing-to-do", "the game is at that position already")
    return changes.Went(at=at, node=node, by=by) if free else _request(room, "go", by, at, node)


def undo(room: GameInPlay, token: str | None, at: int) -> changes.Went | changes.Asked:
    """Take back to the requester's last turn; a resignation is taken back first."""
    ended, before = room.ending is not None, room.turn_before(room.seats_of(token))
    node = room.tree.node if ended else before
    return _turn(room, token, at, node, "you have no move to take back")


def redo(room: GameInPlay, token: str | None, at: int) -> changes.Went | changes.Asked:
    """Replay moves taken back, to the requester's next turn."""
    node = room.turn_after(room.seats_of(token))
    return _turn(room, token, at, node, "there is no move to play again")


def _turn(
    room: GameInPlay, token: str | None, at: int, node: int | None, none: str
) -> changes.Went | changes.Asked:
    if node is not None:
        return go(room, token, node, at)
    _guide(room, token)
    raise RefusedError("nothing-to-do", none)


def request(room: GameInPlay, token: str | None, kind: str, at: int) -> changes.Change:
    """Request ``"undo"``, ``"redo"``, ``"swap"``, ``"draw"`` or ``"help"``."""
    # Without others to agree it is done at once; a draw and help are agreements and need others.
    alone = {"undo": undo, "redo": redo, "swap": swap}
    if kind in alone:
        return alone[kind](room, token, at)
    if kind not in ("draw", "help"):
        raise RefusedError("bad-request", "a request is undo, redo, swap, draw or help")
    own = seats_of_token(room, token)
    if room.is_over:
        raise RefusedError("over", "the game is over")
    if kind == "help" and room.may_analyse:
        raise RefusedError("nothing-to-do", "this game has hints and analysis already")
    if not room.others(own[0]):
        what = "a draw" if kind == "draw" else "help"
        raise RefusedError("nothing-to-do", f"there is no other player to agree on {what} with")
    return _request(room, kind, own[0], at)


def _request(
    room: GameInPlay, kind: str, by: int, at: int, node: int | None = None
) -> changes.Asked:
    if room.request is not None:
        raise RefusedError("nothing-to-do", "another request still waits for an answer")
    return changes.Asked(at=at, request=kind, by=by, node=node)


def answer(
    room: GameInPlay, token: str | None, *, yes: bool, at: int, number: int | None = None
) -> changes.Answered:
    """Accept or decline a request; its requester withdraws it by declining."""
    own = seats_of_token(room, token)
    request = room.request
    if request is None or (number is not None and number != request.number):
        raise RefusedError("no-request", "there is no such request any more")
    waiting = [player for player in request.waiting if player in own]
    if not waiting and (yes or request.by not in own):
        raise RefusedError("no-request", "no answer is expected from you")
    return changes.Answered(at=at, by=waiting[0] if waiting else request.by, yes=yes)


def swap(room: GameInPlay, token: str | None, at: int) -> changes.Swapped | changes.Asked:
    """Rotate the players by one seat, or request it."""
    by, free = _guide(room, token)
    return changes.Swapped(at=at, by=by) if free else _request(room, "swap", by, at)


def pause(room: GameInPlay, token: str | None, at: int) -> changes.Paused:
    """Stop agents and clocks."""
    _alone(room, token)
    if room.is_over or room.paused is not None:
        raise RefusedError("nothing-to-do", "there is nothing to pause")
    return changes.Paused(at=at, reason="asked")


def resume(room: GameInPlay, token: str | None, at: int) -> changes.Resumed:
    """Let agents and clocks go on."""
    _alone(room, token)
    if room.paused is None:
        raise RefusedError("nothing-to-do", "the game is not paused")
    return changes.Resumed(at=at)


def rename(room: GameInPlay, token: str | None, player: int, name: str, at: int) -> changes.Seated:
    """Give a seat another name: its own holder or, for agents, the host."""
    own = room.seats_of(token)
    old = _seat(room, player)
    if player not in own and not (room.is_host(token) and not old.is_person):
        raise RefusedError("wrong-seat", f"this token does not hold the seat of player {player}")
    return changes.Seated(at=at, player=player, name=text(name), agent=old.agent, token=old.token)


def seat(
    room: GameInPlay,
    token: str | None,
    player: int,
    at: int,
    *,
    name: str,
    agent: str | None,
    new_token: str | None = None,
) -> changes.Seated:
    """Seat another agent, or a person with a new token; host only."""
    old = _seat(room, player)
    if old.is_person and player not in room.seats_of(token):
        raise RefusedError("wrong-seat", f"this token does not hold the seat of player {player}")
    if not old.is_person and not room.is_host(token):
        raise RefusedError("not-host", "only the host of the game may do this")
    return changes.Seated(at=at, player=player, name=text(name), agent=agent, token=new_token)


def title(
    room: GameInPlay, token: str | None, name: str, at: int, *, listed: bool = True
) -> changes.Titled:
    """Name the game; host only."""
    if not room.is_host(token):
        raise RefusedError("not-host", "only the host of the game may do this")
    return changes.Titled(at=at, title=text(name), listed=listed)


def text(words: str) -> str:
    """Return a name as it is kept: one line of at most 80 characters."""
    if len(name := line(words)) > _TEXT:
        raise RefusedError("bad-request", f"a name has at most {_TEXT} characters")
    return name


def line(words: str) -> str:
    """Return words in one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def _seat(room: GameInPlay, player: int) -> Seat:
    if not 1 <= player <= room.game.players:
        raise RefusedError("bad-request", f"there is no player {player}")
    return room.seats[player - 1]


def seats_of_token(room: GameInPlay, token: str | None) -> tuple[int, ...]:
    """Return the players whose seats a token holds; refuse one that holds none."""
    players = room.seats_of(token)
    if not players:
        raise RefusedError("no-seat", "this token holds no seat in this game")
    return players


def _guide(room: GameInPlay, token: str | None) -> tuple[int, bool]:
    """Return the requesting player (0 for the host alone), and whether consent is unnecessary."""
    if room.is_host(token) and not any(seat.is_person for seat in room.seats):
        return 0, True
    by, *_ = seats_of_token(room, token)
    return by, not room.others(by)


def _alone(room: GameInPlay, token: str | None) -> None:
    """Refuse all but the host and a person who plays alone."""
    if room.is_host(token):
        return
    _, free = _guide(room, token)
    if not free:
        raise RefusedError("not-host", "only the host of the game may do this while others play")
