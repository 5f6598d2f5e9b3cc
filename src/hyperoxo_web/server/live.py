"""A live game: its changes, its watchers, its agents and its clock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from hyperoxo.play.changes import Change, Moved, Paused, Resumed, now, ticks
from hyperoxo.play.game_in_play import GameInPlay, apply, replay
from hyperoxo_web.server import actions
from hyperoxo_web.server.limits import Asker
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import Store, legible
from hyperoxo_web.server.thinking import Bots, Thinking, Thought
from hyperoxo_web.server.view import State, change_view, state_view

_Found = TypeVar("_Found")

BEGINNERS = frozenset(f"level:{number}" for number in range(1, 7))
"""Opponents that wait a moment before they move, and say why they moved."""
_BREATH = 0.5


def _pace(room: GameInPlay) -> float:
    """Return the least seconds of the next move: beginners who play a person take a breath."""
    beginner = room.mover is not None and room.mover.agent in BEGINNERS
    waits = beginner and room.clock is None and any(seat.is_person for seat in room.seats)
    return max(room.pace, _BREATH if waits else 0.0)


@dataclass(frozen=True)
class Next:
    """The game that follows another with the same seats; forgotten when the server stops."""

    game: str
    tokens: tuple[str | None, ...]
    by: int
    """The player who began it; 0 for the host who plays no seat."""


class LiveRoom:
    """One game that is being played or watched.

    Without a `store` it is kept nowhere: one person looks at it, and plays on, alone. With one,
    `changes` are those that were stored, with their keys.
    All methods that change the game return a `Receipt` when the change is on the disk, and
    raise `RefusedError` where it is not allowed; nothing has changed then.
    """

    def __init__(
        self,
        room: GameInPlay,
        store: Store | None,
        thinker: Bots,
        asker: Asker,
        changes: Sequence[tuple[str | None, Change]] = (),
    ) -> None:
        self.room = room
        self.used = ticks()
        self._store = store
        self._thinker = thinker
        self.asker = asker  # the client whose game this is, and for whom its agents think
        self._keys = {
            key: (version, change)
            for version, (key, change) in enumerate(changes, start=1)
            if key is not None
        }
        self._subscriptions: set[Subscription] = set()
        self._lock = asyncio.Lock()
        self._search: asyncio.Task[None] | None = None
        self._search_for: tuple[int, str | None] = (-1, None)
        self._thinking: Thinking | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._closed = False
        self.next: Next | None = None
        self.notice: tuple[int, str] | None = None

    # What people do.

    async def play(
        self,
        token: str | None,
        cell: int,
        *,
        node: int | None = None,
        ply: int | None = None,
        key: str | None = None,
    ) -> Receipt:
        """Play a move; see :func:`hyperoxo_web.server.actions.move`."""
        if key is not None:
            # A key belongs to the people of one seat: others cannot learn or block it.
            key = f"{actions.held(self.room, token)[0]}:{key}"
        return await self._change(
            lambda room, at: actions.move(room, token, cell, at, node=node, ply=ply),
            key=key,
            same=lambda earlier: isinstance(earlier, Moved) and earlier.cell == cell,
        )

    async def do(
        self, act: Callable[..., Change], token: str | None, *given: Any, **named: Any
    ) -> Receipt:
        """Do one of :mod:`hyperoxo_web.server.actions` for the holder of a token."""
        return await self._change(lambda room, at: act(room, token, *given, at=at, **named))

    def move_now(self, token: str | None) -> None:
        """Ask the agent that thinks for its move at once."""
        if not self.room.is_host(token):
            actions.held(self.room, token)
        if self._thinking is None:
            raise RefusedError("nothing-to-do", "nobody is thinking")
        self._thinking.move_now()

    # What watchers need.

    @property
    def present(self) -> tuple[int, ...]:
        """Players whose people are watching at present."""
        found = {player for entry in self._subscriptions for player in entry.players}
        return tuple(sorted(found))

    @property
    def watchers(self) -> int:
        """Number of subscriptions that hold no seat."""
        return sum(entry.counted and not entry.players for entry in self._subscriptions)

    @property
    def idle(self) -> bool:
        """Whether nobody watches, no agent thinks and no clock runs."""
        return not (self._subscriptions or self._search or self._timer or self._lock.locked())

    @property
    def thought(self) -> dict[str, Any] | None:
        """What the agent that thinks has found so far; None where there is nothing to say."""
        return None if self._thinking is None else self._thinking.view()

    @property
    def state(self) -> dict[str, Any]:
        """The state without tokens, as updates have it."""
        return self._update("state").state

    def play_on(self, game: str, tokens: Sequence[str | None], by: int) -> None:
        """Let all who are here know of the game that follows this one, and who began it."""
        self.next = Next(game, tuple(tokens), by)
        self._tell("next")

    def announce(self, words: str) -> None:
        """Show a sentence to all who are here; forgotten when the server stops."""
        self.notice = now(), words
        self._tell("said")

    @asynccontextmanager
    async def subscribe(
        self, token: str | None = None, *, counted: bool = True
    ) -> AsyncIterator[Subscription]:
        """Give the updates from now on; the first tells the present state."""
        entry = Subscription(self.room.seats_of(token), counted=counted)
        self._join(entry)
        try:
            yield entry
        finally:
            before = self.present
            self._subscriptions.discard(entry)
            if self.present != before:
                self._tell("present")

    # What the server does.

    async def go_on(self) -> None:
        """Let agents and the clock go on as the changes left them."""
        if self.room.turn_since is not None:
            await self._change(lambda _, at: Resumed(at=at, restart=True))
        self._stir()

    async def close(self, *, deleted: bool = False) -> None:
        """Stop the agent and the clock; end all subscriptions."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._stop_search()
        for entry in list(self._subscriptions):
            if deleted:
                entry.put(self._update("deleted"))
            entry.put(None)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _change(
        self,
        make: Callable[[GameInPlay, int], Change],
        *,
        key: str | None = None,
        same: Callable[[Change], bool] | None = None,
    ) -> Receipt:
        """Make a change, store it and notify everybody, even if the client has gone away."""
        return await asyncio.shield(self._begin(self._changed(make, key, same)))

    def _begin(self, work: Coroutine[Any, Any, _Found]) -> asyncio.Task[_Found]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _changed(
        self,
        make: Callable[[GameInPlay, int], Change],
        key: str | None,
        same: Callable[[Change], bool] | None,
    ) -> Receipt:
        async with self._lock:
            if key is not None and key in self._keys:
                version, earlier = self._keys[key]
                if same is not None and not same(earlier):
                    raise RefusedError("twice", "this key was used for another move")
                return Receipt(version, earlier, self.room, repeated=True)
            if self._closed:
                raise RefusedError("store", "the game is being closed; try again")
            at = ticks()
            change = make(self.room, at)
            room = apply(self.room, change)
            if self._store is not None:
                await self._store.append(room, change, key)
            self.room = room
            self.used = at
            if key is not None:
                self._keys[key] = room.version, change
            self._tell(change.kind, change)
            self._stir()
        return Receipt(room.version, change, room)

    def _tell(self, kind: str, change: Change | None = None) -> None:
        update = self._update(kind, change)
        for entry in self._subscriptions:
            entry.put(update)

    def _update(self, kind: str, change: Change | None = None) -> Update:
        return Update(kind, self.room, change, self.present, self.watchers, self.thought)

    def _join(self, entry: Subscription) -> None:
        self.used = ticks()
        before, others = self.present, set(self._subscriptions)
        self._subscriptions.add(entry)
        entry.put(self._update("state"))
        if self._closed:
            entry.put(None)
        if self.present != before:
            for other in others:
                other.put(self._update("present"))

    def _stir(self) -> None:
        """Start or stop the agent and the clock, as the state demands."""
        if self._closed:
            return
        self._wind()
        room = self.room
        mover = room.mover
        asked = (room.tree.node, None if mover is None else mover.agent)
        if not room.thinking or self._search_for != asked:
            self._stop_search()
        if room.thinking and self._search is None:
            self._search_for = asked
            self._search = asyncio.create_task(self._think(room))

    def _stop_search(self) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None

    async def _think(self, room: GameInPlay) -> None:
        """Let the agent choose, and play its move."""
        task = asyncio.current_task()
        begin = asyncio.get_running_loop().time()
        node = room.tree.node
        thinking = self._thinking = Thinking(room.to_move, lambda: self._tell("thinking"))
        try:
            try:
                cell, reason = await self._thinker.choose(room, thinking, self.asker)
                wait = _pace(room) - (asyncio.get_running_loop().time() - begin)
                if wait > 0:
                    await asyncio.sleep(wait)
            finally:
                thinking.end()
                if self._thinking is thinking:
                    self._thinking = None
                if self._search is task:
                    self._search = None
            await self._change(lambda now_, at: actions.agent_move(now_, node, cell, at, reason))
        except RefusedError as refusal:
            if refusal.code != "late":
                await self._give_up(node, str(refusal))
        except Exception as error:  # whatever it is, the game must not just stand
            await self._give_up(node, f"{type(error).__name__}: {error}")

    async def _give_up(self, node: int, why: str) -> None:
        """Pause a game whose agent does not answer, and say why."""

        def pause(room: GameInPlay, at: int) -> Change:
            if room.tree.node != node or room.is_over or room.paused is not None:
                raise RefusedError("late", "the game has moved on")
            return Paused(at=at, reason=why)

        with suppress(RefusedError):
            await self._change(pause)

    def _wind(self) -> None:
        """Set the alarm for the end of the running time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        room = self.room
        if room.turn_since is None or room.is_over:
            return
        left = room.time_left(room.to_move, ticks())
        assert left is not None
        loop, seconds = asyncio.get_running_loop(), max(left, 0) / 1000 + 0.005
        self._timer = loop.call_later(seconds, lambda: self._begin(self._flag()))

    async def _flag(self) -> None:
        self._timer = None
        try:
            await self._changed(actions.flag, None, None)
        except RefusedError:
            self._wind()


def replayed(changes: list[tuple[str | None, Change]]) -> GameInPlay:
    """Return a game after its stored changes."""
    with legible():
        return replay([change for _, change in changes])


_BACKLOG = 256


@dataclass(frozen=True)
class Receipt:
    """The result of a request that changed a game."""

    version: int
    change: Change
    room: GameInPlay
    repeated: bool = False
    token: str | None = None


@dataclass(frozen=True)
class Update:
    """What subscribers receive."""

    kind: str
    room: GameInPlay
    change: Change | None = None
    present: tuple[int, ...] = ()
    watchers: int = 0
    thought: dict[str, Any] | None = None

    @cached_property
    def state(self) -> dict[str, Any]:
        """The state without tokens, which all who watch share; not to be changed."""
        state = seen(self)
        del state["you"], state["host"]
        return state

    @cached_property
    def event(self) -> bytes:
        """The update as a server-sent event, which all subscribers of a stream share."""
        data = {
            "kind": self.kind,
            "change": None if self.change is None else change_view(self.change),
            "state": self.state,
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.room.version}\nevent: {self.kind}\ndata: {text}\n\n".encode()


class SeenState(State):
    """How a game stands, and who looks at it."""

    present: list[int]
    watchers: int
    thought: Thought | None


def seen(at: LiveRoom | Update, token: str | None = None) -> dict[str, Any]:
    """Return how a game stands, and who looks at it, as plain values for JSON."""
    more = {"present": list(at.present), "watchers": at.watchers, "thought": at.thought}
    return {**state_view(at.room, ticks(), token), **more}


class Subscription:
    """The updates of one game, in order.

    A subscriber that is more than 256 updates behind misses the oldest; every update
    carries the whole state, so that nothing else is lost.
    """

    def __init__(self, players: tuple[int, ...], *, counted: bool) -> None:
        self.players = players
        self.counted = counted
        self.ended = False
        self._waiting: asyncio.Queue[Update | None] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[Update]:
        while (update := await self.next(None)) is not None:
            yield update

    async def next(self, timeout: float | None) -> Update | None:
        """Return the next update, or None after `timeout` seconds or when it has `ended`."""
        with suppress(TimeoutError):
            update = await asyncio.wait_for(self._waiting.get(), timeout)
            self.ended = self.ended or update is None
            return update
        return None

    def put(self, update: Update | None) -> None:
        """Add an update, or None for the end; called by `LiveRoom` only."""
        if self._waiting.qsize() >= _BACKLOG:
            self._waiting.get_nowait()
        self._waiting.put_nowait(update)
