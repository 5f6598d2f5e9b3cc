"""Puzzles: three a day, and a ladder of any number of others."""

from __future__ import annotations

import datetime as dt
import re
import secrets
from contextlib import suppress
from typing import Any

from hyperoxo.game import Game
from hyperoxo_web.pages.component import Page, Text
from hyperoxo_web.pages.previews import of_puzzle
from hyperoxo_web.server import Core, RefusedError
from hyperoxo_web.server.limits import Client, Recent
from hyperoxo_web.server.worker import request
from hyperoxo_web.server.workers import Listener, Prepares

PUZZLE_GAMES = (
    ("4^3", "Qubic"),
    ("4^3:gravity", "Qubic with gravity"),
    ("3^4", "3 to the 4"),
    ("7,6,4:gravity", "Four in a row"),
)
"""Games with puzzles, and their titles."""

DAILY = (1, 2, 4)
"""Threats of the puzzles of a day."""

_DAILY = "4^3"
_LONGEST = 6
_SECONDS = 90.0
_DAYS = dt.timedelta(366)
_REMEMBERED = 200
# By the names that those of days have in the store.
_made = Recent[str, dict[str, Any]](_REMEMBERED)


async def daily(core: Core, day: dt.date, client: Client, length: int = DAILY[1]) -> dict[str, Any]:
    """Return a puzzle of a day."""
    return await _puzzle(core, {"date": day.isoformat(), "length": length}, client)


async def _puzzle(
    core: Core, asked: dict[str, Any], client: Client, prepares: Prepares | None = None
) -> dict[str, Any]:
    """Return a cached puzzle: daily ones are stored, the last `_REMEMBERED` others in memory."""
    asked = {"game": _DAILY, **asked}
    name = " ".join(("puzzle", *map(str, asked.values())))
    made: dict[str, Any] | None
    made = await core.store.fact(name) if "date" in asked else _made.get(name)
    if made is None:
        wanted, seconds = request("tasks:puzzle", **asked), client.limits.analysis_seconds
        made = await core.workers.search(
            wanted, client, seconds=min(_SECONDS, seconds), listener=Listener(prepares)
        )
        if "date" in asked:
            await core.store.put_fact(name, made)
        else:
            _made[name] = made
    return made


def puzzle_at(place: str) -> dict[str, Any]:
    """Parse the address of a puzzle: day and number of threats, or game, number and seed."""
    day = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})?(?:/([124]))?", place)
    made = re.fullmatch(r"([^/]+)/([0-9]{1,2})/([0-9]{1,10})", place)
    if made and made[1] in dict(PUZZLE_GAMES) and 1 <= int(made[2]) <= _LONGEST:
        return {"game": made[1], "length": int(made[2]), "seed": int(made[3])}
    if day is None:
        raise RefusedError(
            "bad-request", "puzzles are named by a day, or a game, a length and a number"
        )
    today = dt.datetime.now(dt.UTC).date()
    with suppress(ValueError):
        date = dt.date.fromisoformat(day[1]) if day[1] else today
        if dt.timedelta(0) <= today - date <= _DAYS:
            return {"date": date.isoformat(), **({"length": int(day[2])} if day[2] else {})}
    raise RefusedError("bad-request", f"puzzles exist for the last {_DAYS.days} days")


class PuzzlesPage(Page):
    """One browser's puzzles."""

    paths = ("/puzzles", "/puzzles/{place:path}")
    missing = "There is no such puzzle."
    script = "puzzles"
    styles = ("board", "table", "form", "puzzles")
    _wanted: dict[str, Any]
    _making = False

    async def build(self, place: str = "") -> None:
        """Build the page, with the puzzle that its address names."""
        puzzle_at(place)  # refuses what names no puzzle
        today = dt.datetime.now(dt.UTC).date()
        self.show(
            "/puzzles",
            "Puzzles",
            preview=of_puzzle(today),
            games=[
                {
                    "spec": spec,
                    "name": name,
                    "geometry": await self.core.boards.view("geometry", Game(spec), self.client),
                }
                for spec, name in PUZZLE_GAMES
            ],
            today=today.isoformat(),
            longest=_LONGEST,
            daily=DAILY,
        )

    async def on_make(
        self, date: Text = "", game: Text = "", length: int = DAILY[0], seed: int | None = None
    ) -> None:
        """Send the puzzle of a day, or of a game, a length and a seed, random by default."""
        made = f"{game}/{length}/{secrets.randbits(32) if seed is None else seed}"
        self._wanted = puzzle_at(f"{date}/{length}" if date else made)
        # One puzzle is made at a time: a request meanwhile only replaces `_wanted`, and the loop
        # goes on until what was made is what is wanted.
        if self._making:
            return
        self._making = True
        try:
            asked: dict[str, Any] = {}
            while asked != self._wanted:
                asked = self._wanted
                shown = await _puzzle(self.core, asked, self.client, self.prepares)
            self.push("set", {**shown, **asked})
        finally:
            self._making = False

    async def on_attempt(self, game: Text, moves: list[int], cell: int) -> None:
        """Judge a move, and answer it."""
        if game not in dict(PUZZLE_GAMES):
            return
        position = await self.core.position(game, ",".join(map(str, moves)), self.address)
        asked = request("tasks:attempt", position=position, cell=cell)
        step = await self.core.workers.quick(
            asked, self.client, self.limits.agent_seconds, Listener(self.prepares)
        )
        self.push("judged", {**step, "cell": cell})
