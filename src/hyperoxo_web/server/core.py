"""Composition root of the server: games, agents, analyses, laboratory and one store.

Everything here runs in one asyncio event loop; agents and analyses run in worker processes.
"""
# The loop is the only writer of the collections below, so they need no lock: a function changes
# them atomically between two of its `await`s. Locks appear only where a decision and its effect
# lie on both sides of an `await`: changing a game (`GameSession._lock`) or a class
# (`Classes._lock`), opening a proof (`Proofs._opening`). One task loads a game from the store
# (`_opening`).

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from hyperoxo.board.limits import Allowance, Size
from hyperoxo.game import Position
from hyperoxo.play.changes import Created
from hyperoxo_web.server import actions, new_game
from hyperoxo_web.server.boards import Boards
from hyperoxo_web.server.budget import Budget, Meter, Meters
from hyperoxo_web.server.classroom import Classes
from hyperoxo_web.server.clients import is_home
from hyperoxo_web.server.game_session import GameSession, Receipt, replayed
from hyperoxo_web.server.lab import Laboratory
from hyperoxo_web.server.limits import HOME, Client, Limits
from hyperoxo_web.server.match_session import Matches
from hyperoxo_web.server.preparing import Preparation
from hyperoxo_web.server.proofs import AtlasProofs, Proofs
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.store import Store
from hyperoxo_web.server.thinking import Analyses, Bots
from hyperoxo_web.server.view import game_path
from hyperoxo_web.server.waiting import cancelled
from hyperoxo_web.server.workers import Workers

_PAUSE = 0.2


@dataclass(frozen=True)
class Invitation:
    """A new game, with the tokens of its host and its seats."""

    live: GameSession
    host: str
    tokens: tuple[str | None, ...]

    def path(self, token: str | None) -> str:
        """Return the path of the game for its host, at the seat of a token."""
        path = game_path(self.live.room.id, token)
        return f"{path}{'&' if token else '?'}host={self.host}"


class Core:
    """Service layer below the HTTP interface and the pages.

    `limits` hold for clients on this machine and wherever no client is named, `public` for others;
    `warm` starts the worker processes before they are needed. `results` and `reports` of the
    laboratory are ``results.sqlite`` and ``reports`` beside the store unless given.
    """

    def __init__(
        self,
        path: Path,
        limits: Limits = HOME,
        public: Limits | None = None,
        *,
        warm: bool = False,
        results: Path | None = None,
        reports: Path | None = None,
    ) -> None:
        self.path = path
        self.warm = warm
        self.url: str | None = None
        """Address of the server for other machines, if there is one and it is known."""
        self.limits = limits
        self.public = public or limits
        self.budget = Budget(self.limits_of)
        self.workers = Workers(limits.searches, self.public.leaves)
        self.boards = Boards(self.workers)
        self.bots = Bots(self.workers)
        self.preparation = Preparation(self.workers)
        self.analyses = Analyses(self.workers)
        self.proofs = Proofs(path.with_name("proofs"), self.workers)
        self.atlas = AtlasProofs(self.workers, self.proofs)
        self.laboratory = Laboratory(
            results or path.with_name("results.sqlite"),
            reports or path.with_name("reports"),
            limits.searches + self.public.leaves,
            self.boards,
        )
        self.classes = Classes(self)
        self.matches = Matches(self)
        self.rooms: dict[str, GameSession] = {}
        self._opening: dict[str, asyncio.Task[GameSession]] = {}
        self._made = Meters(lambda limits: Meter.hourly(limits.games_per_hour, 1 / 4))
        self._warming: asyncio.Task[None] | None = None
        self.store: Store

    def open_store(self) -> None:
        """Open the store; otherwise `start` does so."""
        self.store = Store(self.path)

    async def start(self) -> None:
        """Open the store and start the workers; games are loaded on demand."""
        if not hasattr(self, "store"):
            self.open_store()
        if self.warm:
            await self.workers.warm()
            self.preparation.begin()
            self._warming = asyncio.create_task(self._warm_laboratory())

    async def _warm_laboratory(self) -> None:
        """Start the reader process of the laboratory once no worker compiles any more."""
        while self.workers.compiling:
            await asyncio.sleep(_PAUSE)
        await self.laboratory.warm()

    async def hush(self) -> None:
        """End all subscriptions and analyses before shutdown."""
        # Streams must end first: the HTTP server waits for open responses, which would
        # otherwise last as long as their games.
        await self.analyses.stop()
        await self.proofs.stop()
        await self.laboratory.hush()
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        await asyncio.gather(*(live.close() for live in self.rooms.values()))

    async def stop(self) -> None:
        """Stop all agents, matches, analyses and runs, and close the store; nothing is lost."""
        # From producers to the sink: matches begin games, games append changes, workers answer
        # both. Only when all have ended can no change follow `drain`, and the store may close.
        await self.matches.close()
        await cancelled(self._warming)
        await self.hush()
        await self.laboratory.close()
        self.rooms.clear()
        await self.preparation.stop()
        await self.workers.stop()
        await self.store.drain()
        self.store.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.stop()

    def limits_of(self, client: str | None) -> Limits:
        """Return the limits of a client; None stands for this program itself."""
        return self.limits if client is None or is_home(client) else self.public

    @property
    def allowance(self) -> Allowance:
        """Largest board size that any client may use."""
        both = self.limits.boards.most, self.public.boards.most
        size = Size(max(one.cells for one in both), max(one.lines for one in both))
        return replace(self.limits.boards, most=size)

    def client(self, client: str | None) -> Client:
        """Return a client with its limits."""
        return Client(client or "", self.limits_of(client))

    def trusts(self, client: str | None) -> bool:
        """Return True if a client is at this machine, or only this machine can reach the server."""
        return self.limits_of(client) is self.limits

    async def create(
        self, new: new_game.NewGame, address: str | None = None, *, pupil: str | None = None
    ) -> Invitation:
        """Create a game; the work of its agents is charged to `pupil`, if given."""
        client, owner = self.client(address), self.client(address if pupil is None else pupil)
        # The rate limit comes before the work in a thread. The store comes before `rooms`: a game
        # whose first change did not reach the disk is never visible.
        self._made.check(client, "new games")
        guest = owner.limits is not self.limits
        change, room = await self.boards.run(client, new_game.created, new, client.limits, guest)
        await self.store.append(room, change)
        live = self.rooms[room.id] = GameSession(room, self.store, self.bots, owner)
        await live.go_on()
        await self._evict_idle()
        if self.trusts(address):
            agents = [seat.agent for seat in room.seats if seat.agent is not None]
            self.preparation.prefer(str(room.game), list(dict.fromkeys(agents)))
        return Invitation(live, change.host, tuple(seat.token for seat in room.seats))

    async def unstored_game(self, spec: str, moves: str, address: str | None = None) -> Invitation:
        """Return an unstored game after some moves, with one token for all seats."""
        client = self.client(address)
        change, room = await self.boards.run(
            client, new_game.unstored_game, spec, moves, client.limits
        )
        live = GameSession(room, None, self.bots, client)
        return Invitation(live, change.host, tuple(seat.token for seat in room.seats))

    async def position(self, spec: str, moves: str, address: str | None = None) -> Position:
        """Return a position by its moves or its text."""
        client = self.client(address)
        return await self.boards.run(client, new_game.position_at, spec, moves, client.limits)

    async def open(self, game: str) -> GameSession:
        """Return a live game, loaded from the store on a cache miss."""
        if game in self.rooms:
            return self.rooms[game]
        # Two live rooms of one game would let its agent move twice. So concurrent openers share one
        # load, its failure too, and it goes on when they are cancelled. If two rooms existed all
        # the same, the key (game, version) of the store refuses the later change.
        if game not in self._opening:
            task = self._opening[game] = asyncio.create_task(self._load(game))
            task.add_done_callback(lambda task: self._loaded(game, task))
        return await asyncio.shield(self._opening[game])

    async def _load(self, game: str) -> GameSession:
        changes = await self.store.load(game) if len(game) < 40 else []
        if not changes:
            raise RefusedError("no-game", "there is no such game")
        # Addresses are not kept: guests' games from before share the places of one guest.
        made = changes[0][1]
        guest = isinstance(made, Created) and made.guest
        client = Client("", self.public if guest else self.limits)
        room = await self.boards.run(self.client(None), replayed, changes)
        live = GameSession(room, self.store, self.bots, client, changes)
        await live.go_on()
        self.rooms[game] = live
        await self._evict_idle()
        return live

    def _loaded(self, game: str, task: asyncio.Task[GameSession]) -> None:
        del self._opening[game]
        if not task.cancelled():
            task.exception()  # marks it as retrieved: all openers may have been cancelled

    async def delete(self, game: str, token: str | None) -> None:
        """Delete a game and its board in a class; host only."""
        live = await self.open(game)
        if not live.room.is_host(token):
            raise RefusedError("not-host", "only the host of the game may do this")
        # It leaves `rooms` last: until the store has deleted it, openers would load it again, as
        # they do if the store fails.
        try:
            await live.close(deleted=True)
            await self.store.delete(game)
        finally:
            self.rooms.pop(game, None)
        await self.classes.forget(game)

    async def seat(
        self,
        live: GameSession,
        token: str | None,
        player: int,
        *,
        name: str = "",
        agent: str | None = None,
        client: str | None = None,
    ) -> Receipt:
        """Seat an agent, or a person, whose new token is in the receipt."""
        spec = new_game.agent_spec(agent, live.room.game, self.limits_of(client))
        shown = name or spec or f"Player {player}"
        fresh = new_game.new_token() if spec is None else None
        receipt = await live.do(
            actions.seat, token, player, name=shown, agent=spec, new_token=fresh
        )
        return replace(receipt, token=fresh)

    async def _evict_idle(self) -> None:
        """Evict the least recently used idle games from memory; they stay in the store."""
        surplus = len(self.rooms) - self.limits.rooms
        if surplus <= 0:
            return
        idle = sorted((one for one in self.rooms.values() if one.idle), key=lambda one: one.used)
        # A tenth more than the surplus, so that many new games share one sort.
        evicted = idle[: surplus + self.limits.rooms // 10]
        for live in evicted:  # all before the first `await`: no concurrent eviction sees them
            del self.rooms[live.room.id]
        for live in evicted:
            await live.close()
