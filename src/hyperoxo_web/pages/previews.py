"""Link previews (Open Graph), and the state of a game in a few sentences."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from hyperoxo.game import Game, Position
from hyperoxo.game.describe import describe_rules
from hyperoxo.game.messages import at_once, enumerated
from hyperoxo.pictures import described
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.describe import as_sentence, result_sentence
from hyperoxo.play.presets import PRESETS
from hyperoxo_web.server import GameInPlay, GameSession
from hyperoxo_web.server.game_session import BEGINNERS, GameMessage
from hyperoxo_web.server.view import game_path

CARD = (1200, 630)
"""Width and height of preview pictures in pixels."""

_SITE = "hyperoxo"
_EXAMPLE = next(preset for preset in PRESETS if preset.spec == "4^3")
_NAMES = {str(Game(preset.spec)): preset.name for preset in PRESETS}


def path_of(position: Position) -> str:
    """Return the address of a position, without the ending of a picture."""
    moves = ",".join(map(str, position.history)) if position.setup is None else position.text
    spec = quote(str(position.game), safe=",:=")
    return f"/p/{spec}" + (f"/{quote(moves, safe=',')}" if moves else "")


def file_name(game: Game, moves: int, ending: str = "") -> str:
    """Return a portable file name for a game after some moves."""
    head, _, options = str(game).partition(":")
    side, power, dim = head.partition("^")
    size = "x".join([side] * int(dim)) if power and dim.isdigit() else head
    words = re.findall(r"[0-9A-Za-z]+", f"{size} {options}")
    return f"{'-'.join(words)[:60]}-move-{moves}{ending}"


@dataclass(frozen=True)
class Preview:
    """Title, description, path of the page, path of the picture."""

    title: str = "Tic-tac-toe in two, three and four dimensions"
    about: str = "Play against the computer or a friend, solve puzzles, and see what is proved."
    path: str = ""
    image: str = path_of(Game(_EXAMPLE.spec).position(f"moves:{_EXAMPLE.example}")) + ".png"

    def meta(self, origin: str) -> list[tuple[str, str, str]]:
        """Return meta elements: attribute, name, content; `origin` begins addresses."""
        wide, high = CARD
        properties = {
            "og:site_name": _SITE,
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.about,
            "og:image": f"{origin}{self.image}?card=true",
            "og:image:type": "image/png",
            "og:image:width": str(wide),
            "og:image:height": str(high),
            "og:image:alt": self.about,
        }
        if self.path:
            properties["og:url"] = origin + self.path
        names = {"description": self.about, "twitter:card": "summary_large_image"}
        return [
            (kind, key, value)
            for kind, pairs in (("property", properties), ("name", names))
            for key, value in pairs.items()
        ]


def of_position(position: Position) -> Preview:
    """Preview a position."""
    path = path_of(position)
    name = _NAMES.get(str(position.game), f"A game of {position.game}")
    return Preview(name, _about(position), path, f"{path}.png")


def of_new_game(game: Game) -> Preview:
    """Preview the page that begins a game."""
    shown = of_position(game.start())
    return Preview(f"A new game: {shown.title}", shown.about, "", shown.image)


def of_game(room: GameInPlay) -> Preview:
    """Preview a stored game, without tokens."""
    names = [seat.name for seat in room.seats]
    who = " against ".join(names) if len(names) == 2 else enumerated(names)
    ended = room.is_over and not room.position.is_over
    about = _about(room.position, ended=ended)
    if ended:
        about = f"{ending_sentence(room)} {about}"
    path = game_path(room.id)
    return Preview(room.title or who, about, path, f"{path}.png")


def of_puzzle(date: dt.date) -> Preview:
    """Preview the puzzle of a day."""
    about = "Qubic, four in a row in a cube: find the first move of a forced win."
    return Preview("The puzzle of the day", about, "/puzzles", f"/puzzles/{date.isoformat()}.png")


def _about(position: Position, *, ended: bool = False) -> str:
    return " ".join([described(position, ended=ended) + ".", *describe_rules(position.game)])


# Reasons that beginners give for their moves, and how a person would say them.
_SPOKEN = (
    (re.compile("stops a line"), "I had to stop a line."),
    (re.compile(r"the best of (.*?) looked at, of ([\d,]+)"), r"I looked at \1, of \2."),
)


def page_state(
    at: GameSession | GameMessage, you: tuple[int, ...] = (), *, host: bool = False
) -> dict[str, Any]:
    """Return the page state of a live game or of an update."""
    state = dict(at.state)
    state.update(
        you=list(you),
        host=host,
        start=at.room.start.text,
        result_text=ending_sentence(at.room),
        hurried=at_once(state["reason"]),
        remark=spoken(at.room),
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


def ending_sentence(room: GameInPlay) -> str:
    """Describe the end of a game; empty while it goes on."""
    if not room.is_over:
        return ""
    style = BoardStyle.of(room.game.players)
    ending = room.ending
    if ending is None:
        return result_sentence(room.position, style)
    if ending.how == "agreed" or ending.player is None:
        return "A draw was agreed."
    if ending.how == "resigned":
        return result_sentence(room.position, style, resigned=ending.player)
    lost = f"{style.name(ending.player)}'s time has run out"
    return as_sentence(lost)
