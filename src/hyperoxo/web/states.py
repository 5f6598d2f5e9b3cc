"""The state of a game and of its board for a page: the interface's view, and a few sentences."""

from __future__ import annotations

from typing import Any

from hyperoxo.play.look import Look
from hyperoxo.play.words import as_sentence, resignation, result_sentence
from hyperoxo.position.sentences import at_once
from hyperoxo.server import GameInPlay, state_view


def page_state(
    room: GameInPlay,
    now: int,
    you: tuple[int, ...] = (),
    *,
    host: bool = False,
    present: tuple[int, ...] = (),
    watchers: int = 0,
    thought: dict[str, Any] | None = None,
    shared: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the state of a game for its page."""
    state = dict(shared) if shared is not None else state_view(room, now)
    state.update(
        you=list(you),
        host=host,
        start=room.start.text,
        said=said(room),
        present=list(present),
        watchers=watchers,
        thought=thought,
        hurried=at_once(state["reason"]),
    )
    del state["setup"], state["reason"]
    return state


def said(room: GameInPlay) -> str:
    """Say how a game ended; empty while it goes on."""
    if not room.is_over:
        return ""
    look = Look.of(room.game.players)
    ending = room.ending
    if ending is None:
        return result_sentence(room.position, look)
    if ending.how == "agreed" or ending.player is None:
        return "A draw was agreed."
    if ending.how == "resigned":
        return resignation(ending.player, room.game.players, look)
    lost = f"{look.name(ending.player)}'s time has run out"
    return as_sentence(lost)
