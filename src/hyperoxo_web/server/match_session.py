"""Live matches: agents play a series of stored games that can be watched."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hyperoxo.display import as_data
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo_web.server import actions
from hyperoxo_web.server.game_session import GameSession
from hyperoxo_web.server.limits import Client, FairSemaphore
from hyperoxo_web.server.new_game import NewGame, SeatSpec, agent_spec
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import game_path
from hyperoxo_web.server.waiting import cancelled

if TYPE_CHECKING:
    from hyperoxo_web.server.core import Core

_MOST_GAMES = 1_000
_RUNNING = 4
_KEPT = 50
_SHOWN = 400


@dataclass(eq=False)
class MatchSession:
    """One match, running or over."""

    game: Game
    agents: Sequence[str]
    games: int
    pace: float
    swap: bool
    client: Client
    id: str = field(default_factory=lambda: secrets.token_urlsafe(8))
    wins: list[int] = field(init=False)
    draws: int = 0
    results: list[tuple[str, int]] = field(default_factory=list)
    current: GameSession | None = None
    running: bool = True
    waiting: bool = True
    """True if it still waits for a slot."""
    error: str = ""
    task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.wins = [0] * len(self.agents)

    @property
    def played(self) -> int:
        """Number of games that have ended."""
        return len(self.results)

    def view(self) -> dict[str, Any]:
        """Return the match as plain values for JSON."""
        rows: list[dict[str, Any]] = []
        for agent, wins in zip(self.agents, self.wins, strict=True):
            interval = list(wilson_interval(wins, self.played)) if self.played else None
            rows.append({"agent": agent, "wins": wins, "interval": interval})
        results = [
            {"url": game_path(game), "row": row, "number": number}
            for number, (game, row) in enumerate(self.results, start=1)
        ]
        return {
            **as_data(self, "id game games played draws running waiting error"),
            "rows": rows,
            "results": results[-_SHOWN:],
            "current": None if self.current is None else game_path(self.current.room.id),
        }

    async def play(
        self, core: Core, places: FairSemaphore, tell: Callable[[MatchSession], None]
    ) -> None:
        """Wait for a slot and play all games; `tell` is called at the begin and end of each."""
        # The time limit is that of a run of the laboratory.
        seconds = self.client.limits.run_seconds
        try:
            async with places.slot(self.client, self.client.limits.runs):
                self.waiting = False
                async with asyncio.timeout(seconds):
                    for number in range(self.games):
                        await self._game(core, number, tell)
        except HyperoxoError as error:
            self.error = str(error)
        except TimeoutError:
            self.error = f"the match had {seconds:,.0f} seconds, and was stopped"
        finally:
            self.running = self.waiting = False
            tell(self)

    async def _game(self, core: Core, number: int, tell: Callable[[MatchSession], None]) -> None:
        # `order[s]` is the agent on seat s + 1, so that winners by seat become winners by agent.
        shift = number % len(self.agents) if self.swap else 0
        order = [(seat - shift) % len(self.agents) for seat in range(len(self.agents))]
        seats = [SeatSpec(agent=self.agents[entry]) for entry in order]
        title = f"Match {' – '.join(self.agents)}"[:60] + f", game {number + 1}"
        new = NewGame(str(self.game), seats, title=title, listed=False, pace=self.pace)
        made = await core.create(new, self.client.name)
        self.current = made.live
        tell(self)
        # The subscription begins with the present state: a game that has ended already is seen.
        try:
            async with made.live.subscribe(counted=False) as updates:
                async for update in updates:
                    if update.room.paused is not None:
                        raise RefusedError("worker", f"an agent stopped: {update.room.paused}")
                    if update.room.is_over:
                        break
        except asyncio.CancelledError:
            with suppress(RefusedError):  # it may just have ended
                await made.live.do(actions.pause, made.host)
            raise
        room = made.live.room
        if not room.is_over:
            raise RefusedError("over", "the game was closed before its end")
        winners = [order[player - 1] for player in room.winners]
        for entry in winners:
            self.wins[entry] += 1
        self.draws += not winners
        self.results.append((room.id, winners[0] if winners else -1))
        tell(self)


class Matches:
    """Match registry of a server; the last 50 finished matches are kept in memory."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._places = FairSemaphore(_RUNNING + core.public.leaves)
        self.rooms: dict[str, MatchSession] = {}
        self.watchers: set[Callable[[MatchSession], None]] = set()

    async def begin(
        self,
        spec: str,
        agents: Sequence[str],
        games: int,
        *,
        pace: float = 0.0,
        swap: bool = True,
        address: str = "",
    ) -> MatchSession:
        """Start a match."""
        client = self.core.client(address)
        limits, game = client.limits, await self.core.boards.game(spec, client)
        if len(agents) != game.players:
            raise RefusedError("bad-request", f"{game} has {game.players} seats")
        names = [one for agent in agents if (one := agent_spec(agent, game, limits))]
        if len(names) < len(agents):
            raise RefusedError("bad-request", "a match is between agents")
        if not 1 <= games <= _MOST_GAMES:
            raise RefusedError("bad-request", f"a match has 1 to {_MOST_GAMES:,} games")
        running = [room.client.name for room in self.rooms.values() if room.running]
        if running.count(client.name) >= limits.runs:
            mine = f"{limits.runs} match{'es' if limits.runs > 1 else ''} of yours"
            raise RefusedError("limit", f"{mine} run or wait already; stop one first")
        if len(running) >= _KEPT:
            raise RefusedError("limit", f"{len(running)} matches run or wait already")
        room = MatchSession(game, names, games, min(max(pace, 0.0), 10.0), swap, client)
        self.rooms[room.id] = room
        for old in [entry for entry in self.rooms.values() if not entry.running][:-_KEPT]:
            del self.rooms[old.id]
        room.task = asyncio.create_task(room.play(self.core, self._places, self._publish))
        return room

    def may_stop(self, room: MatchSession, client: str) -> bool:
        """Return True if a client may end a match: its owner, or any client on this machine."""
        return self.core.trusts(client) or room.client.name == client

    def stop(self, match: str, client: str) -> None:
        """Cancel a match; finished games stay."""
        room = self.rooms.get(match)
        if room is None or room.task is None:
            return
        if not self.may_stop(room, client):
            raise RefusedError("not-yours", "only the client that began a match may stop it")
        room.task.cancel()

    async def close(self) -> None:
        """End all matches."""
        await cancelled(*(room.task for room in self.rooms.values()))

    def _publish(self, room: MatchSession) -> None:
        for watcher in list(self.watchers):
            watcher(room)
