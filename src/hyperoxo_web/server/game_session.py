"""A live game: serialised changes, subscriptions, agent search and clock."""
# Invariants of a `GameSession`:
# - `room` is immutable and replaced as a whole, only by `_changed`, under `_lock`.
# - A change is durable before any client sees it: append to the store, then publish, then answer.
# - `_search` runs only while the agent to move is wanted, and its answer names the node it was
#   asked at, so that an answer that comes late is refused and never played.
# - Subscribers get whole states, so one that misses updates is only late, never wrong.

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
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import Store, legible
from hyperoxo_web.server.thinking import Bots, Thinking, Thought
from hyperoxo_web.server.view import State, change_view, state_view

_Found = TypeVar("_Found")

BEGINNERS = frozenset(f"level:{number}" for number in range(1, 7))
"""Opponents that wait a moment before they move, and say why they moved."""
_BREATH = 0.5


def _pace(room: GameInPlay) -> float:
    """Return the minimum duration of the next move in seconds, longer for beginner levels."""
    beginner = room.mover is not None and room.mover.agent in BEGINNERS
    waits = beginner and room.clock is None and any(seat.is_person for seat in room.seats)
    return max(room.pace, _BREATH if waits else 0.0)


@dataclass(frozen=True)
class Rematch:
    """Rematch with the same seats; not stored."""

    game: str
    tokens: tuple[str | None, ...]
    by: int
    """The player who began it; 0 for the host who plays no seat."""


class GameSession:
    """Session of one game: the single writer of its changes, and their publisher.

    Without a `store` the game is not persisted and belongs to one person. With one, `changes`
    are the stored changes with their idempotency keys.
    Methods that change the game return a `Receipt` once the change is on the disk, and raise
    `RefusedError` if it is not allowed; nothing has changed then.
    """

    def __init__(
        self,
        room: GameInPlay,
        store: Store | None,
        thinker: Bots,
        client: Client,
        changes: Sequence[tuple[str | None, Change]] = (),
    ) -> None:
        self.room = room
        self.used = ticks()
        self._store = store
        self._thinker = thinker
        self.client = client  # the client whose game this is, and for whom its agents think
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
        self._ends: list[GameMessage | None] = []  # the last updates, once it is closed
        self.next: Rematch | None = None
        self.notice: tuple[int, str] | None = None

    # Actions of people.

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
            # Idempotency keys are scoped by seat: others can neither learn nor block one.
            key = f"{actions.seats_of_token(self.room, token)[0]}:{key}"
        return await self._change(
            lambda room, at: actions.move(room, token, cell, at, node=node, ply=ply),
            key=key,
            same=lambda earlier: isinstance(earlier, Moved) and earlier.cell == cell,
        )

    async def do(
        self, act: Callable[..., Change], token: str | None, *given: Any, **named: Any
    ) -> Receipt:
        """Perform an action of :mod:`hyperoxo_web.server.actions` for the holder of a token."""
        return await self._change(lambda room, at: act(room, token, *given, at=at, **named))

    def move_now(self, token: str | None) -> None:
        """Make the thinking agent move immediately."""
        if not self.room.is_host(token):
            actions.seats_of_token(self.room, token)
        if self._thinking is None:
            raise RefusedError("nothing-to-do", "no player is thinking")
        self._thinking.move_now()

    # Subscriptions.

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
        """True if open, without subscriptions, search, clock or pending change."""
        busy = self._subscriptions or self._search or self._timer or self._lock.locked()
        return not (busy or self._ends)

    @property
    def thought(self) -> dict[str, Any] | None:
        """Interim result of the thinking agent, or None."""
        return None if self._thinking is None else self._thinking.view()

    @property
    def state(self) -> dict[str, Any]:
        """The state without tokens, as in updates."""
        return self._message("state").state

    def play_on(self, game: str, tokens: Sequence[str | None], by: int) -> None:
        """Publish the rematch and the player who began it."""
        self.next = Rematch(game, tuple(tokens), by)
        self._publish("next")

    def announce(self, words: str) -> None:
        """Publish a notice to all subscribers; not stored."""
        self.notice = now(), words
        self._publish("said")

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
                self._publish("present")

    # Actions of the server.

    async def go_on(self) -> None:
        """Restart the agent and the clock after the game was created or loaded."""
        # A running clock was stored with a time of the earlier process: the change `Resumed`
        # restarts the turn now, so that no player pays for the time the server was down.
        if self.room.turn_since is not None:
            await self._change(lambda _, at: Resumed(at=at, restart=True))
        self._stir()

    async def close(self, *, deleted: bool = False) -> None:
        """Stop the agent and the clock; end all subscriptions."""
        # Set before the first `await`: changes that still wait for the lock are refused, and
        # `_stir` starts nothing more. Changes already being stored are awaited at the end.
        self._ends = [self._message("deleted"), None] if deleted else [None]
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._stop_search()
        for entry in list(self._subscriptions):
            entry.put(*self._ends)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _change(
        self,
        make: Callable[[GameInPlay, int], Change],
        *,
        key: str | None = None,
        same: Callable[[Change], bool] | None = None,
    ) -> Receipt:
        """Make, store and publish a change, even if the client disconnects meanwhile."""
        # Cancelling a request must not fall between the commit and the assignment of `room`.
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
            # 1. A repeated key returns the first receipt, also when the game is closing: a client
            #    whose connection broke learns that its move was made.
            if key is not None and key in self._keys:
                version, earlier = self._keys[key]
                if same is not None and not same(earlier):
                    raise RefusedError("twice", "this key was used for another move")
                return Receipt(version, earlier, self.room, repeated=True)
            if self._ends:
                raise RefusedError("store", "the game is being closed; try again")
            # 2. Decide and apply without side effects; a refusal leaves everything as it was.
            at = ticks()
            change = make(self.room, at)
            room = apply(self.room, change)
            # 3. Durable first. If this raises, `self.room` is still the stored state. The lock
            #    is held meanwhile, so the state that was decided on is the one replaced.
            if self._store is not None:
                await self._store.append(room, change, key)
            # 4. Replace, publish, and restart agent and clock, with no `await` in between:
            #    subscribers see changes in the order of their versions.
            self.room = room
            self.used = at
            if key is not None:
                self._keys[key] = room.version, change
            self._publish(change.kind, change)
            self._stir()
        return Receipt(room.version, change, room)

    def _publish(self, kind: str, change: Change | None = None) -> None:
        update = self._message(kind, change)
        for entry in self._subscriptions:
            entry.put(update)

    def _message(self, kind: str, change: Change | None = None) -> GameMessage:
        return GameMessage(kind, self.room, change, self.present, self.watchers, self.thought)

    def _join(self, entry: Subscription) -> None:
        # Adding and the first state happen in one step of the loop: no update is missed between.
        self.used = ticks()
        before, others = self.present, set(self._subscriptions)
        self._subscriptions.add(entry)
        entry.put(self._message("state"))
        entry.put(*self._ends)
        if self.present != before:
            for other in others:
                other.put(self._message("present"))

    def _stir(self) -> None:
        """Start or stop the agent and the clock to match the state."""
        # A search goes on across changes that leave node and agent alone (a new title, say).
        if self._ends:
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
        """Run the agent's search and play its move."""
        task = asyncio.current_task()
        begin = asyncio.get_running_loop().time()
        node = room.tree.node
        thinking = self._thinking = Thinking(room.to_move, lambda: self._publish("thinking"))
        try:
            try:
                cell, reason = await self._thinker.choose(room, thinking, self.client)
                wait = _pace(room) - (asyncio.get_running_loop().time() - begin)
                if wait > 0:
                    await asyncio.sleep(wait)
            finally:
                # Let go of this task before it makes its change: `_stir` cancels a search that
                # the new state does not want, and that must not be the task that made it. A
                # later search may have taken both places already; it keeps them.
                thinking.end()
                if self._thinking is thinking:
                    self._thinking = None
                if self._search is task:
                    self._search = None
            await self._change(lambda now_, at: actions.agent_move(now_, node, cell, at, reason))
        except RefusedError as refusal:
            if refusal.code != "late":
                await self._give_up(node, str(refusal))
        except Exception as error:  # any failure pauses the game rather than leaving it stuck
            await self._give_up(node, f"{type(error).__name__}: {error}")

    async def _give_up(self, node: int, why: str) -> None:
        """Pause a game whose agent failed, with the reason."""

        def pause(room: GameInPlay, at: int) -> Change:
            if room.tree.node != node or room.is_over or room.paused is not None:
                raise RefusedError("late", "the game has moved on")
            return Paused(at=at, reason=why)

        with suppress(RefusedError):
            await self._change(pause)

    def _wind(self) -> None:
        """Set the timer of the running clock."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        room = self.room
        if room.turn_since is None or room.is_over:
            return
        left = room.time_left(room.to_move, ticks())
        assert left is not None
        # Milliseconds to seconds, and a little more: a timer that fires a tick early would find
        # time left, and be set again.
        loop, seconds = asyncio.get_running_loop(), max(left, 0) / 1000 + 0.005
        self._timer = loop.call_later(seconds, lambda: self._begin(self._flag()))

    async def _flag(self) -> None:
        self._timer = None
        try:
            await self._changed(actions.flag, None, None)
        except RefusedError:
            self._wind()


def replayed(changes: list[tuple[str | None, Change]]) -> GameInPlay:
    """Rebuild a game from its stored changes."""
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
class GameMessage:
    """Message to subscribers."""

    kind: str
    room: GameInPlay
    change: Change | None = None
    present: tuple[int, ...] = ()
    watchers: int = 0
    thought: dict[str, Any] | None = None

    @cached_property
    def state(self) -> dict[str, Any]:
        """The state without tokens, shared by all subscribers; do not mutate."""
        state = seen(self)
        del state["you"], state["host"]
        return state

    @cached_property
    def event(self) -> bytes:
        """The update as a server-sent event, encoded once for all streams."""
        data = {
            "kind": self.kind,
            "change": None if self.change is None else change_view(self.change),
            "state": self.state,
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return f"id: {self.room.version}\nevent: {self.kind}\ndata: {text}\n\n".encode()


class SeenState(State):
    """State of a game, with its watchers."""

    present: list[int]
    watchers: int
    thought: Thought | None


def seen(at: GameSession | GameMessage, token: str | None = None) -> dict[str, Any]:
    """Return the state of a game with presence and thought, as plain values for JSON."""
    more = {"present": list(at.present), "watchers": at.watchers, "thought": at.thought}
    return {**state_view(at.room, ticks(), token), **more}


class Subscription:
    """The updates of one game, in order.

    Backpressure: a subscriber more than 256 updates behind loses the oldest. Every update
    carries the whole state, so nothing else is lost.
    """

    def __init__(self, players: tuple[int, ...], *, counted: bool) -> None:
        self.players = players
        self.counted = counted
        self.ended = False
        self._waiting: asyncio.Queue[GameMessage | None] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[GameMessage]:
        while (update := await self.next(None)) is not None:
            yield update

    async def next(self, timeout: float | None) -> GameMessage | None:
        """Return the next update, or None after `timeout` seconds or when it has `ended`."""
        with suppress(TimeoutError):
            update = await asyncio.wait_for(self._waiting.get(), timeout)
            self.ended = self.ended or update is None
            return update
        return None

    def put(self, *updates: GameMessage | None) -> None:
        """Add updates, None for the end; called by `GameSession` only."""
        for update in updates:
            if self._waiting.qsize() >= _BACKLOG:
                self._waiting.get_nowait()
            self._waiting.put_nowait(update)
