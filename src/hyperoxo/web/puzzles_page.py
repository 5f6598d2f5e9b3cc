"""Puzzles: the puzzle of the day, and any number of others."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Any

from hyperoxo.rules import Game
from hyperoxo.server import Core
from hyperoxo.web.component import Page
from hyperoxo.web.previews import of_puzzle
from hyperoxo.web.reading import a_list, number, text
from hyperoxo.web.states import geometry_of

PUZZLE_GAMES = (
    ("4^3", "Qubic"),
    ("4^3:gravity", "Qubic with gravity"),
    ("3^4", "3 to the 4"),
    ("7,6,4:gravity", "Four in a row"),
)
"""Games that puzzles are made of, and what they are called."""

_DAILY = "4^3"
_LONGEST = 6
_SECONDS = 90.0


async def daily(core: Core, date: dt.date) -> dict[str, Any]:
    """Return the puzzle of a day; made once, and kept."""
    name = f"puzzle {_DAILY} {date.isoformat()}"
    kept = await core.store.fact(name)
    if isinstance(kept, dict):
        return kept
    request = {"kind": "puzzle", "game": _DAILY, "date": date.isoformat()}
    made = await core.workers.search(request, seconds=_SECONDS)
    await core.store.keep_fact(name, made)
    return made


class PuzzlesPage(Page):
    """One browser's puzzles."""

    script = "puzzles"
    busy = False

    def build(self) -> None:
        """Build the page."""
        today = dt.datetime.now(dt.UTC).date()
        self.show(
            "/puzzles",
            "Puzzles",
            preview=of_puzzle(today),
            games=[
                {"spec": spec, "name": name, "geometry": geometry_of(Game(spec))}
                for spec, name in PUZZLE_GAMES
            ],
            today=today.isoformat(),
            longest=_LONGEST,
        )

    async def on_daily(self, _: dict[str, Any]) -> None:
        """Show the puzzle of the day."""
        date = dt.datetime.now(dt.UTC).date()
        await self._make(lambda: daily(self.core, date), date.isoformat())

    async def on_another(self, value: dict[str, Any]) -> None:
        """Make a puzzle of a game and a length."""
        spec, length = text(value, "game") or "", number(value, "length")
        if spec not in dict(PUZZLE_GAMES) or not 1 <= length <= _LONGEST:
            return
        request = {
            "kind": "puzzle", "game": spec, "length": length, "seed": secrets.randbits(32)
        }  # fmt: skip
        await self._make(lambda: self.core.workers.search(request, seconds=_SECONDS), "")

    async def _make(self, make: Any, date: str) -> None:
        if self.busy:
            return
        self.busy = True
        try:
            self.tell("set", {**await make(), "date": date})
        finally:
            self.busy = False

    async def on_attempt(self, value: dict[str, Any]) -> None:
        """Judge a move, and answer it."""
        spec = text(value, "game") or ""
        if spec not in dict(PUZZLE_GAMES):
            return
        moves = [move for move in a_list(value, "moves", 400) if isinstance(move, int)]
        cell = number(value, "cell")
        request = {"kind": "try", "game": spec, "setup": None, "moves": moves, "cell": cell}
        step = await self.core.workers.quick(request, _SECONDS)
        self.tell("judged", {**step, "cell": cell})
