"""Views of games and boards for clients, as plain values without tokens, and the paths of pages."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from math import ceil, prod, sqrt
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import Field

from hyperoxo.display import as_data, number_of
from hyperoxo.errors import NotationError, quoted
from hyperoxo.game import Game, Position
from hyperoxo.game.describe import describe_rules
from hyperoxo.game.layout import Layout, courses, layout_of, layouts_of, sides_of
from hyperoxo.game.names import cell_name, move_name
from hyperoxo.play.changes import Change, Created, Seated
from hyperoxo.play.game_in_play import Ending, GameInPlay, Request
from hyperoxo_web.server.answer import Answer, Read

_MARK = secrets.token_hex(16)
_CHANGES = {change.kind: change for change in Change.__subclasses__()}


@dataclass(frozen=True)
class Written:
    """A value that has been written as JSON before."""

    text: str


def as_json(value: Any) -> bytes:
    """Encode a value as compact JSON; parts may be `Written` already."""
    # A written part becomes a string with a secret mark, which is replaced afterwards: a large
    # geometry is encoded once, and no client can write the mark into a name.
    texts: list[str] = []

    def mark(part: Any) -> str:
        if not isinstance(part, Written):
            raise TypeError(f"{type(part).__name__} has no JSON")
        texts.append(part.text)
        return f"{_MARK}{len(texts)}."

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=mark)
    for number, part in enumerate(texts, start=1):
        text = text.replace(f'"{_MARK}{number}."', part)
    # A lone surrogate has no UTF-8; `backslashreplace` writes it as JSON does, \udXXX.
    return text.encode(errors="backslashreplace")


def geometry_of(game: Game) -> dict[str, Any]:
    """Return a board as plain values."""
    board, opening, cells = game.board, None, range(game.board.cell_count)
    if game.opening is not None:
        allowed = sorted(game.opening)
        opening = {"player": game.first, "moves": game.opening_moves, "cells": allowed}
    names, moves = ([name(game, cell) for cell in cells] for name in (cell_name, move_name))
    return {
        **miniature(game),
        "layouts": [_layout(game, plan) for plan in layouts_of(game)],
        "courses": courses(sides_of(game), game.gravity),
        "game": str(game),
        "lines": [board.line(number).tolist() for number in range(board.line_count)],
        "beyond": board.beyond.tolist() if game.exact else None,
        "names": names,
        "move_names": None if moves == names else moves,
        "opening": opening,
        "players": game.players,
        "counting": [p for p in range(1, game.players + 1) if game.convention.counts(p)],
        **as_data(game, "turns=turns.cycle target misere"),
        "rules": describe_rules(game),
    }


def pictured(game: Game) -> dict[str, Any]:
    """Return the geometry of a board with a line of facts and the starting position."""
    facts = [f"{number_of(game.cells, 'cell')}, {number_of(game.board.line_count, 'line')}."]
    geometry = geometry_of(game)
    facts += geometry["rules"]
    return {**geometry, "facts": " ".join(facts), "start": game.start().text}


def miniature(game: Game) -> dict[str, Any]:
    """Return the geometry of a small picture of a board."""
    side = sides_of(game)[0]
    plan = layout_of(game, side if side < 4 else ceil(sqrt(side)))
    found = as_data(game, "cells=board.cell_count shape=board.shape blocked=board.blocked gravity")
    return {**found, "layout": _layout(game, plan)}


def _layout(game: Game, plan: Layout) -> dict[str, Any]:
    """Return a layout by offsets: x and y of each coordinate along each axis, which add up."""
    shape, (left, top) = sides_of(game), plan.corners[0]
    corners = [plan.corners[:: prod(shape[axis + 1 :])][:side] for axis, side in enumerate(shape)]
    offsets = [[[x - left, y - top] for x, y in row] for row in corners[1:]]
    found = as_data(plan, "heads width height")
    return {**found, "offsets": [corners[0], *offsets]}


class SeatAnswer(Answer):
    """One place at a board."""

    player: int
    name: str
    agent: str | None = Field(description="The agent's spec; null for a person.")


class Tree(Answer):
    """All nodes of the history."""

    parents: Annotated[list[int], Read(lambda tree: [node.parent for node in tree.nodes])]
    cells: Annotated[list[int], Read(lambda tree: [node.cell for node in tree.nodes])]


class ClockAnswer(Answer):
    """The clock of a game."""

    seconds: float
    increment: float
    left: list[float]
    running: int


class PublicState(Answer):
    """Public state of a game, without its history."""

    position: Annotated[str, Read(lambda room: room.position.text)]
    last_move: Annotated[int | None, Read(lambda room: room.position.last_move)]
    ply: Annotated[int, Read(lambda room: room.tree.cursor)]
    to_move: int
    over: Annotated[bool, Read(lambda room: room.is_over)]
    result: str
    winners: list[int]
    winning_lines: Annotated[list[list[int]], Read(lambda room: winning_lines(room.position))]
    updated: int


class State(PublicState):
    """State of a game."""

    id: str
    version: int
    game: Annotated[str, Read(lambda room: str(room.game))]
    players: Annotated[int, Read(lambda room: room.game.players)]
    title: str
    seats: Annotated[
        list[SeatAnswer],
        Read(lambda room: [SeatAnswer.of(one, player=n) for n, one in enumerate(room.seats, 1)]),
    ]
    you: list[int]
    host: bool
    setup: Annotated[
        str | None, Read(lambda room: None if room.start.setup is None else room.start.text)
    ]
    moves: Annotated[list[int], Read(lambda room: list(room.tree.moves))]
    node: Annotated[int, Read(lambda room: room.tree.node)]
    line: Annotated[list[int], Read(lambda room: list(room.tree.line))]
    tree: Tree
    thinking: int
    legal_moves: Annotated[
        list[int], Read(lambda room: [] if room.is_over else list(room.position.legal_moves))
    ]
    lines_owned: Annotated[list[int], Read(lambda room: list(room.position.lines_owned))]
    reason: Annotated[str, Read(lambda room: room.tree.nodes[room.tree.node].reason)]
    ending: Ending | None
    request: Request | None
    paused: str | None
    analysis: Literal["always", "after"]
    clock: ClockAnswer | None
    created: int


def winning_lines(position: Position) -> list[list[int]]:
    """Return the cells of all winning lines."""
    return [position.game.board.line(line).tolist() for line in position.winning_lines]


def state_view(room: GameInPlay, now: int, token: str | None = None) -> dict[str, Any]:
    """Return the state of a game as plain values for JSON."""
    clock = None
    if room.clock is not None:
        left = [room.time_left(player, now) for player in range(1, room.game.players + 1)]
        running = room.to_move if room.turn_since is not None else 0
        seconds = [max(0, time or 0) / 1000 for time in left]
        clock = ClockAnswer.of(room.clock, left=seconds, running=running)
    you, host = list(room.seats_of(token)), room.is_host(token)
    return State.of(room, you=you, host=host, clock=clock)


def change_to_dict(change: Change) -> dict[str, Any]:
    """Return a change as a plain object for JSON."""
    return {"kind": change.kind, **vars(change)}


def change_from_dict(data: dict[str, Any]) -> Change:
    """Read the output of `change_to_dict`."""
    try:
        values = {"made": data["at"], **data}  # earlier versions knew one time only
        variant = _CHANGES[values.pop("kind")]
        return variant(**{name: _frozen(value) for name, value in values.items()})
    except (KeyError, TypeError, ValueError):
        raise NotationError(f"{quoted(data)} is not a change of a game") from None


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def change_view(change: Change) -> dict[str, Any]:
    """Return a change as plain values for JSON, without tokens."""
    if isinstance(change, Created):
        return {"kind": change.kind, "at": change.made}
    shown = change_to_dict(change)
    shown["at"] = shown.pop("made")
    if isinstance(change, Seated):
        del shown["token"]
    return shown


def game_path(game: str, token: str | None = None) -> str:
    """Return the path of a game's page; with a seat's token it is an invitation."""
    return f"/game/{quote(game)}" + (f"?seat={quote(token)}" if token else "")


def class_path(code: str, token: str | None = None) -> str:
    """Return the path of a class: with the teacher's token that of all its boards."""
    return f"/class/{quote(code)}" + (f"?teacher={quote(token)}" if token else "")


def run_path(run: int) -> str:
    """Return the path of the page of a run of the laboratory."""
    return f"/run/{run}"
