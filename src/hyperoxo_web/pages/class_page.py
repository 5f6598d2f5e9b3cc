"""Pages of classes: create or join one; the teacher's view of all boards."""

from __future__ import annotations

import asyncio
import datetime as dt
from contextlib import suppress
from itertools import zip_longest
from typing import Any

import segno

from hyperoxo.agents import LEVELS
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game
from hyperoxo_web.pages.browser_sessions import begin
from hyperoxo_web.pages.component import Page, Text, body
from hyperoxo_web.pages.new_game_page import levels, presets
from hyperoxo_web.pages.puzzles_page import daily
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.classroom import ClassOverview, Classroom, Desk, NewClass, desk_view
from hyperoxo_web.server.view import class_path, miniature

_BETWEEN = 0.1  # seconds between two states of one board
_PUZZLE = "puzzle"
_FIRST = "4^3"


class ClassesPage(Page):
    """One browser's form for a new class, or for the code of one."""

    paths = ("/class",)
    script = "classes"
    styles = ("board", "form", "class")

    async def build(self, game: str | None = None) -> None:
        """Build the page, with the game that the address names, if any."""
        asked = Game(_FIRST)
        with suppress(HyperoxoError):
            asked = await self.core.boards.game(game or _FIRST, self.client)
        spec = str(asked)
        shown = ("name", "spec", "about", "geometry", "owner")
        known = [{key: entry[key] for key in shown} for entry in presets()]
        if spec not in [entry["spec"] for entry in known]:
            own = {"name": spec, "spec": spec, "about": "", "geometry": miniature(asked)}
            known.insert(0, {**own, "owner": None})
        self.show("/", "A class", game=spec, games=known, levels=levels())

    async def on_make(self, value: dict[str, Any]) -> None:
        """Make the class, and go to its page."""
        new = body(NewClass, {"game": "", "opponent": None, **value})
        if new.game == _PUZZLE:
            puzzle = await daily(self.core, dt.datetime.now(dt.UTC).date(), self.client)
            given = {"game": puzzle["game"], "opponent": LEVELS[-1].spec}
            given["position"] = f"moves:{','.join(map(str, puzzle['moves']))}"
            new = new.model_copy(update={**given, "title": new.title or "Puzzle of the day"})
        room = await self.core.classes.create(new, self.address)
        self.go_to(class_path(room.code, room.teacher))

    async def on_enter(self, code: Text) -> None:
        """Go to the class of a code."""
        room = await self.core.classes.open(code, self.address)
        self.go_to(class_path(room.code))


class ClassPage(Page):
    """The page of a class: the teacher's view, or the form to join."""

    paths = ("/class/{code}",)
    missing = "There is no such class."
    script = "class"
    styles = ("board", "list", "class")

    async def build(self, code: str, teacher: str | None = None) -> None:
        """Build the page."""
        self.room = room = await self.core.classes.open(code, self.address)
        self.token = teacher
        self._followed: tuple[Desk, ...] = ()
        game = await self.core.boards.game(room.new.game, self.client)
        names = {one.spec: one.title for one in LEVELS}
        named = [entry["name"] for entry in presets() if entry["spec"] == room.new.game]
        self.show(
            "/",
            room.new.title or "A class",
            room.new.game,
            classroom={
                **ClassOverview.of(room),
                "named": "" if room.new.position else "".join(named),
                "strength": names.get(room.new.opponent or "", room.new.opponent),
            },
            geometry=miniature(game),
        )
        self.listen(self.core.classes.watchers, self._changed)

    async def on_hello(self, teacher: Text | None = None) -> None:
        """The page has loaded and sends the token stored in its browser."""
        self.token = teacher or self.token
        if not self.room.is_teacher(self.token):
            self.push("role", "pupil")
            return
        link = self.reach["origin"] + class_path(self.room.code)
        picture = segno.make(link).svg_data_uri(border=2)
        self.push("taught", {"reach": self.reach, "picture": picture})
        await self._teach()

    async def on_join(self, name: Text = "") -> None:
        """Seat a pupil, and go to the board."""
        place = await self.core.classes.join(self.room.code, name, self.address)
        self.push("joined", place.game)
        self.go_to(place.url)

    async def on_announce(self, words: Text = "") -> None:
        """Show a sentence on all boards."""
        await self.core.classes.announce(await self._taught(), words)
        self.push("announced", words)

    async def on_fill(self, number: int) -> None:
        """Let the computer play at the free seats of a board."""
        taught = await self._taught()
        await self.core.classes.let_agent_play(taught, number, LEVELS[2].spec, self.address)

    async def on_drop(self, number: int) -> None:
        """Take a board out of the class."""
        await self.core.classes.drop(await self._taught(), number)

    async def on_close(self) -> None:
        """Stop admitting pupils."""
        await self.core.classes.close(await self._taught())

    async def _taught(self) -> Classroom:
        """Return the class for its teacher; others are refused."""
        return await self.core.classes.teach(self.room.code, self.token, self.address)

    def _changed(self, room: Classroom) -> None:
        """Send the changes of a class, and follow its new boards."""
        if room.code != self.room.code:
            return
        self.room = room
        if not room.is_teacher(self.token):
            return
        if len(room.desks) < len(self._followed):
            # A dropped board moves those behind it up by one place: all are sent anew.
            self._follow_all(())
            begin(self._teach(), name="show a class anew")
            return
        self.push("changed", {"pupils": room.joined, "closed": room.closed})
        self._follow_all(room.desks)

    async def _teach(self) -> None:
        """Send all boards, and then follow their changes."""
        self.push("teach", await self.core.classes.view(self.room))
        self._follow_all(self.room.desks)

    def _follow_all(self, desks: tuple[Desk, ...]) -> None:
        """Follow these boards and no others."""
        before, self._followed = self._followed, desks
        # A task has the name of its place, so a new board there replaces the old one's.
        for place, (old, new) in enumerate(zip_longest(before, desks)):
            if new is None:
                self.end(f"follow board {place}")
            elif new != old:
                self.beside(f"follow board {place}", self._follow(place, new))

    async def _follow(self, place: int, desk: Desk) -> None:
        """Send the state of one board whenever it changes."""
        with suppress(RefusedError):  # a game can be deleted
            live = await self.core.open(desk.game)
            async with live.subscribe(counted=False) as updates:
                async for update in updates:
                    # Otherwise a newer state is on its way.
                    if update.room is live.room:
                        self.push("desk", desk_view(live, desk, place))
                        await asyncio.sleep(_BETWEEN)
