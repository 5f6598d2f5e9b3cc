"""State of a game for its page: the view of the HTTP interface with a few sentences."""

from __future__ import annotations

import re
from typing import Any

from hyperoxo.game.sentences import at_once
from hyperoxo.play.look import Look
from hyperoxo.play.words import as_sentence, result_sentence
from hyperoxo_web.server import GameInPlay, LiveRoom
from hyperoxo_web.server.live import BEGINNERS, Update

_SPOKEN = (
    (re.compile("stops a line"), "I had to stop a line."),
    (re.compile(r"the best of (.*?) looked at, of ([\d,]+)"), r"I looked at \1, of \2."),
)


def page_state(
    at: LiveRoom | Update, you: tuple[int, ...] = (), *, host: bool = False
) -> dict[str, Any]:
    """Return the page state of a live game or of an update."""
    state = dict(at.state)
    state.update(
        you=list(you),
        host=host,
        start=at.room.start.text,
        said=said(at.room),
        hurried=at_once(state["reason"]),
        says=spoken(at.room),
    )
    del state["setup"], state["reason"]
    return state


def spoken(room: GameInPlay) -> dict[str, Any] | None:
    """Return the player and reason of the last move, if a beginner level made it."""
    node = room.tree.nodes[room.tree.node]
    player = room.position.owners[node.cell] if node.cell >= 0 else 0
    if not player or room.is_over or room.seats[player - 1].agent not in BEGINNERS:
        return None
    for pattern, words in _SPOKEN:
        if found := pattern.search(node.reason):
            return {"player": player, "words": found.expand(words)}
    return None


def said(room: GameInPlay) -> str:
    """Describe the end of a game; empty while it goes on."""
    if not room.is_over:
        return ""
    look = Look.of(room.game.players)
    ending = room.ending
    if ending is None:
        return result_sentence(room.position, look)
    if ending.how == "agreed" or ending.player is None:
        return "A draw was agreed."
    if ending.how == "resigned":
        return result_sentence(room.position, look, resigned=ending.player)
    lost = f"{look.name(ending.player)}'s time has run out"
    return as_sentence(lost)
