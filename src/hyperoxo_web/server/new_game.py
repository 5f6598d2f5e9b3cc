"""The parameters of a new game, and its first change."""

from __future__ import annotations

import inspect
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from hyperoxo.board.limits import allowing, check_allowed
from hyperoxo.board.registry import size_of
from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Position
from hyperoxo.game.spec import parse_game_spec
from hyperoxo.notation import Record
from hyperoxo.play.changes import Created, ticks
from hyperoxo.play.game_in_play import GameInPlay, create
from hyperoxo_web.server.actions import text
from hyperoxo_web.server.answer import Name
from hyperoxo_web.server.limits import Limits
from hyperoxo_web.server.refusal import RefusedError

_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
_CLOCK = 7 * 24 * 3600.0


def new_token() -> str:
    """Return an unguessable token: 144 random bits."""
    return secrets.token_urlsafe(18)


@dataclass(frozen=True)
class SeatSpec:
    """The player of one seat; an agent's spec, or "human", is short for the object.

    Without a name it is "Player 1", or the agent's title; without a holder, a token is its own.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: Name = ""
    agent: Name | None = None
    holder: Annotated[Name, Field(description="People with the same holder share one token.")] = ""


@dataclass(frozen=True)
class NewGame:
    """A game to be made; `title`, `listed` and `pace` as in `GameInPlay`."""

    game: str = "3^2"
    seats: Sequence[SeatSpec] = ()  # one per player; empty for people everywhere
    position: str | None = None
    record: Record | None = None
    """A record to continue, instead of `game` and `position`; its names fill in missing ones."""
    title: str = ""
    listed: bool = True
    pace: float = 0.0
    clock: tuple[float, float] | None = None
    """Seconds of each player for the game, and seconds given back after each move."""
    analysis: str = "always"  # or "after": hints and analyses when the game is over
    seed: int | None = None  # None for a fresh seed of the agents


def game_of(spec: str, limits: Limits) -> Game:
    """Return the game of a spec, within the size limit."""
    with _within(limits):
        return Game(spec)


def position_of(spec: str, text: str | None, limits: Limits) -> Position:
    """Return a position of a game by its text, the initial one by default."""
    game = game_of(spec, limits)
    return game.start() if text is None else game.position(text)


def check_size(spec: str, limits: Limits) -> None:
    """Refuse a game whose board is too large, without building it."""
    with _within(limits):
        check_allowed(size_of(parse_game_spec(spec).board))


@contextmanager
def _within(limits: Limits) -> Iterator[None]:
    try:
        with allowing(limits.boards):
            yield
    except LimitError as error:
        raise RefusedError("limit", str(error)) from None


def agent_spec(spec: str | None, game: Game, limits: Limits) -> str | None:
    """Return the validated spec of an agent for `game`, or None for a person."""
    if spec is None or spec.strip() in ("", "human"):
        return None
    spec = spec.strip()
    if "checkpoint=" in spec or ".json" in spec.lower() or len(spec) > 200:
        raise RefusedError("bad-request", "this server plays agents that need no files")
    # Imported here: it loads compiled code, which games among people do without.
    from hyperoxo.agents import agent as make_agent

    made = make_agent(spec)
    made.check(game)
    seconds = made.seconds_a_move
    if seconds is not None and seconds > limits.agent_seconds:
        raise RefusedError(
            "limit", f"agents take at most {limits.agent_seconds:g} seconds a move on this server"
        )
    return spec


@cache
def agent_options() -> dict[str, dict[str, Any]]:
    """Return the agents' options with their defaults, None where that is not a plain value."""
    from hyperoxo.agents import agent_names, registered

    factories = registered()
    return {
        name: {
            key: one.default if isinstance(one.default, str | int | float) else None
            for key, one in inspect.signature(factories[name]).parameters.items()
        }
        for name in agent_names()
        if name in factories
    }


def position_at(spec: str, moves: str, limits: Limits) -> Position:
    """Return a position by its moves or its text."""
    listed = "moves:" if re.fullmatch(r"[0-9,]*", moves) else ""
    return position_of(spec, f"{listed}{moves}" if moves else None, limits)


def unstored_game(spec: str, moves: str, limits: Limits) -> tuple[Created, GameInPlay]:
    """Return an unstored game at a position, with one token for all seats."""
    position = position_at(spec, moves, limits)
    seats = [SeatSpec(holder="you") for _ in range(position.game.players)]
    return created(NewGame(record=Record.of(position), seats=seats, listed=False), limits)


def created(new: NewGame, limits: Limits, guest: bool = False) -> tuple[Created, GameInPlay]:
    """Validate a new game; return its first change and first state."""
    record = new.record or Record.of(position_of(new.game, new.position, limits))
    if new.record is not None:
        game_of(str(record.game), limits)
    game = record.game
    seats = list(new.seats) or [SeatSpec() for _ in range(game.players)]
    if len(seats) != game.players:
        raise RefusedError("bad-request", f"{game} has {game.players} seats, not {len(seats)}")
    if new.clock is not None and not (0 < new.clock[0] <= _CLOCK and 0 <= new.clock[1] <= 3600):
        raise RefusedError("bad-request", "a clock has up to 7 days, and up to 3600 seconds a move")
    change = Created(
        at=ticks(),
        id="".join(secrets.choice(_ALPHABET) for _ in range(12)),
        game=str(game),
        host=new_token(),
        seats=_seats(seats, record, limits),
        setup=record.setup,
        moves=record.moves,
        title=text(new.title or record.tag("Event") or ""),
        listed=new.listed,
        pace=new.pace,
        seed=secrets.randbits(32) if new.seed is None else int(new.seed) & 0xFFFFFFFF,
        clock=new.clock,
        ended=_ended(record),
        analysis=new.analysis,
        guest=guest,
    )
    return change, create(change, game)


@cache
def _titles() -> dict[str, str]:
    from hyperoxo.agents import LEVELS

    return {level.spec: level.title for level in LEVELS}


def _seats(
    seats: Sequence[SeatSpec], record: Record, limits: Limits
) -> tuple[tuple[str, str | None, str | None], ...]:
    tokens: dict[str, str] = {}
    found = []
    for player, entry in enumerate(seats, start=1):
        agent = agent_spec(entry.agent, record.game, limits)
        name = entry.name or (record.players[player - 1] if record.players else "")
        name = text(name) or (agent and _titles().get(agent, agent)) or f"Player {player}"
        token = None
        if agent is None:
            token = tokens.setdefault(entry.holder or f"\n{player}", new_token())
        found.append((name, agent, token))
    return tuple(found)


def _ended(record: Record) -> tuple[str, int | None] | None:
    """Return the ending of a recorded game if its moves do not imply it."""
    if record.resigned is not None:
        return "resigned", record.resigned
    if record.result is None or record.position.outcome is not None:
        return None
    if record.result == "=":
        return "agreed", None
    winners = record.result.split("+")
    losers = [p for p in range(1, record.game.players + 1) if str(p) not in winners]
    if len(losers) != 1:
        return None
    how = "time" if "time" in (record.tag("Termination") or "") else "resigned"
    return how, losers[0]
