"""The page of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Annotated, Any, Literal

import segno
from pydantic import Field

from hyperoxo.agents import opponents
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game, Position
from hyperoxo.notation import FORMATS, Record, write
from hyperoxo.play.describe import as_sentence
from hyperoxo.terminal.typed import read_typed_move
from hyperoxo_web.pages.browser_sessions import begin
from hyperoxo_web.pages.component import Page, Text, with_error
from hyperoxo_web.pages.findings import finding, proof, review
from hyperoxo_web.pages.previews import Preview, file_name, of_game, page_state
from hyperoxo_web.server import Core, GameSession, NewGame, RefusedError, SeatSpec, actions
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.game_session import GameMessage
from hyperoxo_web.server.limits import ANALYSIS, PROOF, REVIEW
from hyperoxo_web.server.proving import check_search, takes_proofs
from hyperoxo_web.server.thinking import AnalysisJob, check_analysis
from hyperoxo_web.server.view import game_path
from hyperoxo_web.server.worker import request
from hyperoxo_web.server.workers import Listener

_BETWEEN = 0.25  # seconds between two interim results
Marked = Annotated[list[dict[Literal["node", "cell"], int]], Field(max_length=500)] | None


@lru_cache(maxsize=256)
def notations(game: str | None = None) -> list[dict[str, str]]:
    """Return the notations that records of a game can be saved in; without a game, all."""
    records = [] if game is None else [Record.of(Game(game).start())]
    found = []
    for entry in FORMATS.values():
        with suppress(HyperoxoError):
            if records:
                write(records, entry.name)
            found.append({"name": entry.name, "about": entry.about, "ending": entry.extensions[0]})
    return found


async def begin_at(
    core: Core, position: Position, client: str, agents: Sequence[str | None] = ()
) -> str:
    """Create a game at a position, the player to move against agents; return its path."""
    chosen = agents or [None] * position.game.players
    seats = [
        SeatSpec(holder="you") if player == position.to_move else SeatSpec(agent=agent or "expert")
        for player, agent in enumerate(chosen, start=1)
    ]
    made = await core.create(NewGame(record=Record.of(position), seats=seats), client)
    return made.path(made.tokens[position.to_move - 1])


class GamePage(Page):
    """The page of a stored game."""

    paths = ("/game/{room}",)
    missing = "There is no such game."
    why = "It may have been deleted."
    script = "game"
    styles = ("board", "table", "game")
    token: str | None = None
    host: str | None = None
    _view_only = False

    async def build(
        self,
        room: str,
        seat: str | None = None,
        host: str | None = None,
        review: str | None = None,
        invite: str | None = None,
    ) -> None:
        """Build the page of a stored game for the holder of the tokens."""
        self.token, self.host = seat, host
        live = await self.core.open(room)
        await self._show(live, of_game(live.room), review, invite)

    async def _show(
        self, live: GameSession, preview: Preview, review: str | None, invite: str | None = None
    ) -> None:
        self.live, room = live, live.room
        self.jobs: dict[str, AnalysisJob] = {}
        self.show(
            "/",
            room.title or str(room.game),
            str(room.game),
            preview,
            geometry=await self.core.boards.view("geometry", room.game, self.client),
            state=self.state(),
            notations=notations(str(room.game)),
            opponents=[("Person", "human"), *opponents()],
            options={
                "review": review is not None,
                "prove": takes_proofs(room.game),
                "invite": invite is not None,
                "view_only": self._view_only,
                "lesson": await self.core.store.fact(f"desk {room.id}") is not None,
            },
        )

    def state(self, update: GameMessage | None = None) -> dict[str, Any]:
        """Return the page state, current or after an update."""
        at = update or self.live
        host = at.room.is_host(self.host) or at.room.is_host(self.token)
        following = self.live.next
        shown = page_state(at, at.room.seats_of(self.token), host=host)
        shown["next"] = None if following is None else following.by
        shown["notice"] = None if self.live.notice is None else list(self.live.notice)
        return shown

    def refuse(self, words: str) -> None:
        """Show a sentence for a short while."""
        self.push("notify", words)

    # Events of the page.

    async def on_hello(self, seat: Text | None = None, host: Text | None = None) -> None:
        """The page has loaded and sends the tokens stored in its browser."""
        self.token, self.host = seat or self.token, host or self.host
        self._restart()
        if self.live.room.is_over and not self._view_only:
            await self._push_stored_review()

    async def on_play(self, cell: int, node: int, back: bool = False) -> None:
        """Play a cell; with `back`, jump to the displayed earlier position first."""
        # A move that was sent just before the game moved on is refused, and takes nothing back.
        # The two changes are not one transaction: a change of another player in between makes the
        # move refer to an earlier node, and it is refused. The jump stays.
        if back and node != self.live.room.tree.node:
            await self.live.do(actions.go, self.actor, node)
        await self.live.play(self.token, cell, node=node)

    async def on_read(self, text: Text, node: int) -> None:
        """Parse a typed move at a position."""
        self.push("named", read_typed_move(self._position(node), text))

    async def on_go(self, node: int) -> None:
        """Jump to another position, or request it."""
        await self.live.do(actions.go, self.actor, node)

    async def on_offer(self, kind: Text) -> None:
        """Take back, play again, swap seats, offer a draw or ask for help."""
        await self.live.do(actions.request, self.actor, kind)

    async def on_answer(self, yes: bool, number: int) -> None:
        """Agree to a request, or not."""
        await self.live.do(actions.answer, self.token, yes=yes, number=number)

    async def on_resign(self) -> None:
        """Give up."""
        await self.live.do(actions.resign, self.token)

    async def on_now(self) -> None:
        """Make the thinking agent move immediately."""
        self.live.move_now(self.actor)

    async def on_pause(self) -> None:
        """Stop agents and clocks."""
        await self.live.do(actions.pause, self.actor)

    async def on_resume(self) -> None:
        """Let agents and clocks go on."""
        await self.live.do(actions.resume, self.host or self.token)

    async def on_seat(self, player: int, name: Text = "", agent: Text = "human") -> None:
        """Give a seat another name, or another agent."""
        seats = self.live.room.seats
        if not 1 <= player <= len(seats):
            return
        seat = seats[player - 1]
        token = self.token if player in self.live.room.seats_of(self.token) else self.host
        if (agent or "human") == (seat.agent or "human"):
            await self.live.do(actions.rename, token, player, name)
            return
        name = "" if name == seat.name else name
        receipt = await self.core.seat(
            self.live, token, player, name=name, agent=agent, client=self.address
        )
        if receipt.token is not None:
            self.token = receipt.token
            self.push("keep", {"seat": receipt.token})
            self._restart()

    async def on_share(self) -> None:
        """Send the links: to the seats that this person may give away, and to watch."""
        room, own = self.live.room, self.live.room.seats_of(self.token)
        given = own if not room.is_host(self.host) else range(1, len(room.seats) + 1)
        seats = [(player, room.seats[player - 1]) for player in given]
        found = [(player, seat.name, seat.token) for player, seat in seats if seat.token]
        links = []
        for player, name, token in [*found, (0, "", None)]:
            url = self.reach["origin"] + game_path(room.id, token)
            link = {"seat": player, "name": name, "own": player in own, "url": url}
            links.append({**link, "code": segno.make(url).svg_data_uri(border=2)})
        self.push("share", {"reach": self.reach, "links": links})

    async def on_export(self, notation: Text = "record") -> None:
        """Write the record in a notation."""
        room = self.live.room
        answer = {"notation": notation, "name": file_name(room.game, len(room.position.history))}
        with with_error(answer):
            answer["text"] = await in_thread(write, [room.record()], notation)
        self.push("exported", answer)

    async def on_again(self, agent: Text | None = None) -> None:
        """Create a rematch with the same seats, or join the one that exists."""
        room, following = self.live.room, self.live.next
        own_seats = room.seats_of(self.token)
        # Both sides may ask: the first creates the game, the other one joins it.
        if following is not None:
            token = following.tokens[own_seats[0] - 1] if own_seats else None
            self.go_to(game_path(following.game, token))
            return
        if not (room.is_host(self.host) or own_seats):
            raise RefusedError("not-host", "only players may start another game")
        seats = [
            SeatSpec(seat.name, seat.agent, "" if seat.token != self.token else "you")
            for seat in room.seats
        ]
        if agent:  # another level
            seats = [SeatSpec(agent=agent) if seat.agent else seat for seat in seats]
        clock = None if room.clock is None else (room.clock.seconds, room.clock.increment)
        position = None if room.start.setup is None else room.start.text
        made = await self.core.create(
            NewGame(
                str(room.game), seats, position=position, title=room.title, listed=room.listed,
                pace=room.pace, clock=clock, analysis=room.analysis,
            ),
            self.address,
        )  # fmt: skip
        own = [t for t, seat in zip(made.tokens, seats, strict=True) if seat.holder == "you"]
        self.live.play_on(made.live.room.id, made.tokens, own_seats[0] if own_seats else 0)
        await self.core.classes.follow(room.id, made)
        self.go_to(made.path(own[0] if own else None))

    async def on_from_here(self, node: int, agent: Text | None = None) -> None:
        """Create a game at a position, the player to move against the present or other agents."""
        position = self._position(node)
        agents = [seat.agent or agent for seat in self.live.room.seats]
        self.go_to(await begin_at(self.core, position, self.address, agents))

    async def on_hint(self, node: int) -> None:
        """Send a strong move, its line and one sentence."""
        check_analysis(self.live.room)
        position = self._position(node)
        if position.is_over:
            return
        asked = request("tasks:hint", position=position)
        seconds = self.limits.agent_seconds
        found = await self.core.workers.quick(asked, self.client, seconds, Listener(self.prepares))
        self.push("hinted", {"node": node, **found})

    async def on_analyse(self, node: int, longer: bool = False) -> None:
        """Analyse a position and send interim results, replacing an earlier analysis."""
        # From the button: `draw`, `toggle` and `analyse` of static/game.js, here,
        # `Analyses.analyse` and `_begin` of server/thinking.py; in a process `analyse` of
        # server/tasks.py and `Study.analyse` of play/analysis/position.py, which finds the values.
        # Back: `_push_results`, `finding` of pages/findings.py, `analysed` of static/game.js,
        # `labelsOf` of static/lib/advice.js.
        check_analysis(self.live.room)
        await self._stop("analysis")
        position = self._position(node)
        if position.is_over:
            return
        seconds = min(ANALYSIS[longer], self.limits.analysis_seconds)
        job = self.core.analyses.analyse(position, self.client, seconds, self.prepares)
        found = partial(finding, node=node, players=position.game.players)
        self._follow("analysis", job, self._push_results(job, "analysed", found))

    async def on_review(self, longer: bool = False) -> None:
        """Analyse every move of the game, or send the stored review."""
        check_analysis(self.live.room)
        await self._stop("review")
        if not longer and await self._push_stored_review():
            return
        record = self.live.room.record()
        # All positions share one limit, of which a tenth is left for what is no search.
        most = 0.9 * self.limits.analysis_seconds / (len(record.moves) + 1)
        seconds = min(REVIEW[longer], most)
        prepares = partial(self.push, "preparing")
        try:
            job = self.core.analyses.analyse(record, self.client, seconds, prepares)
        except RefusedError:
            # The page waits for a review: it gets the stored one, or none, before the refusal.
            if not await self._push_stored_review():
                self.push("reviewed", None)
            raise
        self._follow("review", job, self._push_review(job, record))

    async def on_prove(self, node: int, marked: Marked = None, longer: bool = False) -> None:
        """Start a proof search at a position, with moves suggested by the person."""
        check_analysis(self.live.room)
        earlier = self.jobs.get("proof") if longer else None
        # A search that is over is continued with its table; a running one is replaced.
        if earlier is None or not earlier.done:
            await self._stop("proof")
        position = self._position(node)
        suggestions = [(self._position(one["node"]), one["cell"]) for one in marked or ()]
        await in_thread(check_search, position, suggestions)
        job = self.core.analyses.proof(
            position,
            self.client,
            min(PROOF[longer], self.limits.analysis_seconds),
            self.prepares,
            suggestions=suggestions,
            continues=None if earlier is None else earlier.id,
        )
        broken_off = {"node": node, "busy": False}
        work = self._push_results(job, "proved", partial(proof, node=node), broken_off)
        self._follow("proof", job, work)

    async def on_explore(self) -> None:
        """Open the proof of the finished search."""
        job = self.jobs.get("proof")
        if job is None or not job.done:
            return
        try:
            name = await self.core.proofs.certify(job.id, self.client)
        except HyperoxoError as error:
            self.push("exploring", False)  # ends the waiting; the refusal has the words
            raise error from None
        self.go_to(f"/proof/{name}")

    async def on_stop(self, what: Text = "") -> None:
        """End an analysis early; its result so far stays."""
        job = self.jobs.get(what if what in ("review", "proof") else "analysis")
        if job is not None:
            job.stop()

    # Messages to the page.

    async def _follow_changes(self) -> None:
        async with self.live.subscribe(self.token) as updates:
            async for update in updates:
                if update.kind == "deleted":
                    self.refuse("This game has been deleted.")
                    return
                state = self.state(update)
                if update.kind == "thinking":
                    self.push("think", update.thought)
                else:
                    self.push("show", state)

    def _follow(self, what: str, job: AnalysisJob, work: Coroutine[Any, Any, None]) -> None:
        self.jobs[what] = job
        begin(work, name=f"tell of a {what}")

    async def _push_results(
        self, job: AnalysisJob, method: str, shorten: Callable[..., Any], *failed: Any
    ) -> None:
        """Send the results of an analysis, shortened; send `failed` if it breaks off."""
        # The pause throttles updates; `job.updates` skips those overtaken meanwhile, and the last
        # one is sent without delay.
        async for result in job.updates():
            self.push(method, shorten(result, busy=not job.done))
            if not job.done:
                await asyncio.sleep(_BETWEEN)
        if job.error is not None:
            for value in failed:
                self.push(method, value)
            self.refuse(as_sentence(job.error))

    async def _push_review(self, job: AnalysisJob, record: Record) -> None:
        await self._push_results(job, "reviewed", review, None)
        if job.error is None and job.result and job.result["finished"] and not self._view_only:
            with suppress(RefusedError):  # the game may be gone by now
                await self.core.store.put_report(self.live.room.id, record, job.result)

    async def _push_stored_review(self) -> bool:
        """Send the stored review of the present moves, if any."""
        stored = await self.core.store.report(self.live.room.id, self.live.room.record())
        if stored is not None:
            self.push("reviewed", review(stored, busy=False))
        return stored is not None

    # Helpers.

    @property
    def actor(self) -> str | None:
        """Token for navigation: that of a seat, or else the host's."""
        return self.token if self.live.room.seats_of(self.token) else self.host

    def _position(self, node: int) -> Position:
        try:
            return self.live.room.position_at(node)
        except KeyError:
            raise RefusedError("no-node", "there is no such position") from None

    def _restart(self) -> None:
        self.beside("watch a game", self._follow_changes())

    async def _stop(self, what: str) -> None:
        """Cancel and delete an analysis."""
        job = self.jobs.pop(what, None)
        if job is not None:
            with suppress(RefusedError):
                await self.core.analyses.forget(job.id)

    async def leave(self) -> None:
        """End the running analyses of a disconnected page; results so far stay."""
        await super().leave()
        for job in list(self.jobs.values()):
            if not job.done:
                await job.finish()

    async def close(self) -> None:
        """End the session: subscription, analyses, and the game if it is not stored."""
        if self._view_only:
            await self.live.close()
        await super().close()
        for what in list(self.jobs):
            await self._stop(what)
