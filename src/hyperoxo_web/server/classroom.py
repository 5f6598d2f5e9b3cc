"""Classes: one link, many boards, and a teacher who sees all of them.

A class is one JSON value in the store; its boards are ordinary unlisted games.
"""
# A class is an immutable value, replaced as a whole. Every change is read, decide, write with
# `await`s in between, so one lock over all classes is held: changes are rare, and two pupils must
# not get one seat, nor two classes one code. Besides `class CODE` the store has `desk GAME`, the
# way back from a game to its class; it is written first, and one without a board in the class does
# no harm.

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, TypeAdapter

from hyperoxo.game import Position
from hyperoxo.play.changes import now
from hyperoxo_web.server import actions
from hyperoxo_web.server.answer import Answer, Body, Name, Read, Spec
from hyperoxo_web.server.budget import Meter, Meters
from hyperoxo_web.server.game_session import GameSession
from hyperoxo_web.server.limits import Limits, Recent
from hyperoxo_web.server.new_game import NewGame, SeatSpec, agent_spec, new_token, position_of
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import PublicState, class_path, game_path

if TYPE_CHECKING:
    from hyperoxo_web.server.core import Core, Invitation

_SIGNS = "23456789BCDFGHJKMNPQRSTVWXYZ"  # no look-alikes; no vowels, so codes spell no words
_LENGTH = 6
FREE_SEAT = "Free seat"
"""The name of a seat that waits for a pupil."""


class NewClass(Body):
    """A class to be made."""

    game: Spec = "4^3"
    opponent: Name | None = Field(
        default="level:3", description="Agent at the other seats; null: pupils play each other."
    )
    position: Spec | None = Field(
        default=None, description="Start of all games; the empty board if null."
    )
    title: Name = ""
    boards: int | None = Field(default=None, ge=1, description="Maximum number of boards.")
    help: bool = Field(default=False, description="Allow hints during the games.")


@dataclass(frozen=True)
class Desk:
    """One board of a class: a game, its tokens, and the players of free seats."""

    game: str
    host: str
    tokens: tuple[str | None, ...]
    free: tuple[int, ...]


@dataclass(frozen=True)
class Classroom:
    """State of one class."""

    code: str
    teacher: str
    new: NewClass
    players: int
    first: int
    """The seat of the first pupil at a board."""
    pupils: int  # at most
    created: int
    closed: bool = False
    desks: tuple[Desk, ...] = ()

    @property
    def joined(self) -> int:
        """Number of pupils who have joined."""
        seats = sum(token is not None for desk in self.desks for token in desk.tokens)
        return seats - sum(len(desk.free) for desk in self.desks)

    def is_teacher(self, token: str | None) -> bool:
        """Return True if `token` is the teacher's; compared in constant time."""
        return token is not None and secrets.compare_digest(token.encode(), self.teacher.encode())


_ROOMS = TypeAdapter(Classroom)


class PupilAnswer(Answer):
    """The place of a pupil."""

    game: str
    player: int
    token: str
    url: str


class ClassOverview(Answer):
    """A class, as its pupils see it."""

    code: str
    title: Annotated[str, Read(lambda room: room.new.title)]
    game: Annotated[str, Read(lambda room: room.new.game)]
    opponent: Annotated[str | None, Read(lambda room: room.new.opponent)]
    help: Annotated[bool, Read(lambda room: room.new.help)]
    closed: bool
    url: Annotated[str, Read(lambda room: class_path(room.code))]


class NewClassAnswer(ClassOverview):
    """A new class, and the token of its teacher."""

    teacher: str
    teacher_url: Annotated[str, Read(lambda room: class_path(room.code, room.teacher))]


class DeskAnswer(PublicState):
    """State of a board of a class."""

    number: int
    game: Annotated[str, Read(lambda room: room.id)]
    url: Annotated[str, Read(lambda room: game_path(room.id))]
    names: Annotated[list[str], Read(lambda room: [seat.name for seat in room.seats])]
    agents: Annotated[list[str | None], Read(lambda room: [seat.agent for seat in room.seats])]
    free: list[int]
    present: list[int]


class ClassAnswer(ClassOverview):
    """A class, as its teacher sees it."""

    pupils: Annotated[int, Read(lambda room: room.joined)]
    most: Annotated[int, Read(lambda room: room.pupils)]
    desks: list[DeskAnswer]


def desk_view(live: GameSession, desk: Desk, number: int) -> dict[str, Any]:
    """Return the state of a board as plain values for JSON."""
    return DeskAnswer.of(live.room, number=number, free=list(desk.free), present=list(live.present))


class Classes:
    """All classes of a server."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._rooms = Recent[str, Classroom](core.limits.rooms)  # all are in the store
        self._lock = asyncio.Lock()
        self._made = Meters(lambda limits: Meter.hourly(limits.classes_per_hour, 1 / 2))
        self._wrong = Meters(lambda limits: Meter.hourly(60 * limits.codes_per_minute, 1 / 60))
        self.watchers: set[Callable[[Classroom], None]] = set()

    async def create(self, new: NewClass, address: str | None = None) -> Classroom:
        """Create a class."""
        client = self._core.client(address)
        limits = client.limits
        if new.boards is not None and not 1 <= new.boards <= limits.pupils:
            raise RefusedError("bad-request", f"a class has 1 to {limits.pupils} boards")
        position = await self._core.boards.run(client, _start, new, limits)
        self._made.check(client, "new classes")
        async with self._lock:  # until it is stored, so that no other class gets the same code
            room = Classroom(
                code=await self._new_code(),
                teacher=new_token(),
                new=new.model_copy(update={"title": actions.text(new.title)}),
                players=position.game.players,
                first=1 if new.opponent is None else position.to_move,
                pupils=limits.pupils,
                created=now(),
            )
            await self._keep(room)
        return room

    async def _new_code(self) -> str:
        """Return a code that no class has."""
        while True:
            code = "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
            if await self._core.store.fact(f"class {code}") is None:
                return code

    async def open(self, code: str, client: str | None = None) -> Classroom:
        """Return the class of a code, in any spelling."""
        # Wrong codes are rate-limited for each client: codes are short enough to guess.
        code = "".join(sign for sign in code.upper() if sign.isalnum())
        if code in self._rooms:
            return self._rooms[code]
        value = await self._core.store.fact(f"class {code}") if len(code) == _LENGTH else None
        if not isinstance(value, dict):
            self._wrong.check(self._core.client(client), "wrong codes")
            raise RefusedError("no-class", "there is no class with this code")
        self._rooms[code] = room = self._rooms.get(code) or _ROOMS.validate_python(value)
        return room

    async def teach(self, code: str, token: str | None, client: str | None = None) -> Classroom:
        """Return a class to its teacher; refuse others."""
        room = await self.open(code, client)
        if not room.is_teacher(token):
            raise RefusedError("not-teacher", "only the teacher of the class may do this")
        return room

    async def join(self, code: str, name: str, client: str | None = None) -> PupilAnswer:
        """Seat a pupil at a free seat, or at a new board."""
        # Everything from the count of pupils to the stored class happens under the lock: neither
        # the limits nor a free seat can be used twice.
        name = actions.text(name)
        if not name:
            raise RefusedError("bad-request", "type your name")
        async with self._alone(code, client) as room:
            if room.closed:
                raise RefusedError("over", "this class is closed")
            if room.joined >= room.pupils:
                raise RefusedError("limit", "this class is full")
            free = (number for number, desk in enumerate(room.desks) if desk.free)
            number = next(free, len(room.desks))
            if number < len(room.desks):
                desk, player = await self._sit(room.desks[number], name)
            elif number >= (room.new.boards or room.pupils):
                raise RefusedError("limit", "all boards of this class are taken")
            else:
                desk, player = await self._new_desk(room, name, client), room.first
            await self._change(room, number, desk)
        token = desk.tokens[player - 1] or ""
        url = game_path(desk.game, token)
        return PupilAnswer(game=desk.game, player=player, token=token, url=url)

    async def let_agent_play(
        self, taught: Classroom, number: int, agent: str, client: str | None = None
    ) -> None:
        """Seat an agent at the free seats of a board."""
        async with self._alone(taught.code) as room:
            if not 0 <= number < len(room.desks) or not room.desks[number].free:
                raise RefusedError("nothing-to-do", "this board has no free seat")
            desk = room.desks[number]
            live = await self._core.open(desk.game)
            tokens = list(desk.tokens)
            for player in desk.free:
                held = tokens[player - 1]
                await self._core.seat(live, held, player, agent=agent, client=client)
                tokens[player - 1] = None
            await self._change(room, number, replace(desk, tokens=tuple(tokens), free=()))

    async def drop(self, taught: Classroom, number: int) -> None:
        """Remove a board from the class; its players keep the game."""
        async with self._alone(taught.code) as room:
            if not 0 <= number < len(room.desks):
                raise RefusedError("nothing-to-do", "the class has no such board")
            dropped = room.desks[number]
            desks = (*room.desks[:number], *room.desks[number + 1 :])
            await self._keep(replace(room, desks=desks))
            await self._core.store.drop_fact(f"desk {dropped.game}")
        self._announce(replace(room, desks=(dropped,)), "Your teacher removed this board.")

    async def announce(self, room: Classroom, words: str) -> None:
        """Publish a sentence on all loaded boards."""
        words = actions.line(words)
        if not 0 < len(words) <= 200:
            raise RefusedError("bad-request", "a message has 1 to 200 characters")
        self._announce(room, f"Your teacher: {words}")

    async def close(self, taught: Classroom) -> Classroom:
        """Stop admitting pupils; the games go on."""
        async with self._alone(taught.code) as room:
            closed = replace(room, closed=True)
            await self._keep(closed)
        self._announce(closed, "The class is closed. You may play on.")
        return closed

    async def follow(self, game: str, made: Invitation) -> None:
        """Replace a game by its rematch on its board, if it belongs to a class."""
        code = await self._core.store.fact(f"desk {game}")
        if not isinstance(code, str):
            return
        async with self._alone(code) as room:
            for number, desk in enumerate(room.desks):
                if desk.game == game:
                    next_ = Desk(made.live.room.id, made.host, made.tokens, desk.free)
                    await self._change(room, number, next_)

    async def forget(self, game: str) -> None:
        """Remove a deleted game from its class; delete a closed class with its last board."""
        code = await self._core.store.fact(f"desk {game}")
        if not isinstance(code, str):
            return
        await self._core.store.drop_fact(f"desk {game}")
        with suppress(RefusedError):  # the class may have gone before
            async with self._alone(code) as room:
                desks = tuple(desk for desk in room.desks if desk.game != game)
                if desks != room.desks:
                    await self._keep(replace(room, desks=desks))
                if room.closed and not desks:
                    self._rooms.pop(code, None)
                    await self._core.store.drop_fact(f"class {code}")

    async def view(self, room: Classroom) -> dict[str, Any]:
        """Return the teacher's view of a class as plain values for JSON."""
        desks = []
        for number, desk in enumerate(room.desks):
            with suppress(RefusedError):  # a game can be deleted
                live = await self._core.open(desk.game)
                desks.append(desk_view(live, desk, number))
        return ClassAnswer.of(room, desks=desks)

    @asynccontextmanager
    async def _alone(self, code: str, client: str | None = None) -> AsyncIterator[Classroom]:
        """Hold the lock of all classes and give the current state of one."""
        async with self._lock:
            yield await self.open(code, client)

    async def _new_desk(self, room: Classroom, name: str, pupil: str | None) -> Desk:
        made = await self._core.create(_game(room, name), pupil=pupil)
        people = (n for n, token in enumerate(made.tokens, start=1) if token is not None)
        free = tuple(n for n in people if n != room.first)
        return Desk(made.live.room.id, made.host, made.tokens, free)

    async def _sit(self, desk: Desk, name: str) -> tuple[Desk, int]:
        player, *others = desk.free
        live = await self._core.open(desk.game)
        await live.do(actions.rename, desk.tokens[player - 1], player, name)
        return replace(desk, free=tuple(others)), player

    async def _change(self, room: Classroom, number: int, desk: Desk) -> None:
        desks = (*room.desks[:number], desk, *room.desks[number + 1 :])
        await self._core.store.put_fact(f"desk {desk.game}", room.code)
        await self._keep(replace(room, desks=desks))

    async def _keep(self, room: Classroom) -> None:
        await self._core.store.put_fact(f"class {room.code}", _ROOMS.dump_python(room))
        self._rooms[room.code] = room
        for watcher in list(self.watchers):
            watcher(room)

    def _announce(self, room: Classroom, words: str) -> None:
        for desk in room.desks:
            live = self._core.rooms.get(desk.game)
            if live is not None:
                live.announce(words)


def _start(new: NewClass, limits: Limits) -> Position:
    """Return the starting position of a class, validated."""
    start = position_of(new.game, new.position, limits)
    agent_spec(new.opponent, start.game, limits)
    if start.is_over:
        raise RefusedError("bad-request", "the game is over in that position")
    return start


def _game(room: Classroom, name: str) -> NewGame:
    """Return the new game of a board for its first pupil."""
    new = room.new
    other = SeatSpec("" if new.opponent else FREE_SEAT, new.opponent)
    seats = [
        SeatSpec(name) if player == room.first else other for player in range(1, room.players + 1)
    ]
    return NewGame(
        new.game,
        seats,
        position=new.position,
        title=new.title,
        listed=False,
        analysis="always" if new.help else "after",
    )
