"""Games by their specs: large ones are made in a worker process, once, and kept at hand.

The event loop builds no large board, and writes none as JSON: it would hold up all games.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from hyperoxo.board.kinds import size_of
from hyperoxo.board.limits import Size, allowing, check_allowed
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game, Position
from hyperoxo.game.game import made_games
from hyperoxo.game.spec import parse_game_spec
from hyperoxo_web.server import apart
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Asker
from hyperoxo_web.server.new_game import game_of
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.view import Written
from hyperoxo_web.server.worker import Request
from hyperoxo_web.server.workers import Workers

SMALL = Size(500, 1_500)
"""Boards up to this size are built wherever they are wanted, in less than a millisecond."""
SHORT = 500
"""Specs of up to so many characters are read wherever they are wanted."""

_SECONDS = 20.0
_GAMES = 2_000_000  # cells on all lines together, of games that are kept
_TEXTS = 20_000_000  # characters
_AT_MOST = 4  # large games that one piece of work may name

_Found = TypeVar("_Found")


class _Kept(OrderedDict[Any, tuple[Any, int]]):
    """Values that were used last, as many as are not too large together."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._size = most, 0

    def use(self, key: Any) -> Any:
        """Return a value, or None where it is not kept; threads may ask as well."""
        found = self.get(key)
        with suppress(KeyError):
            self.move_to_end(key)
        return None if found is None else found[0]

    def keep(self, key: Any, value: Any, size: int) -> None:
        """Keep a value."""
        self._size += size - self.pop(key, (None, 0))[1]
        self[key] = value, size
        while self._size > self._most and len(self) > 1:
            self._size -= self.popitem(last=False)[1][1]


class _UnmadeError(Exception):
    """A large game has not been made yet; no error of hyperoxo, which might be caught before."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec)
        self.spec = spec


class Boards:
    """Games, and what is computed of their boards, for all clients of a server."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._games = _Kept(_GAMES)
        self._texts = _Kept(_TEXTS)
        self._making: dict[Any, _Shared] = {}

    def find(self, spec: str) -> Game | None:
        """Return a large game that has been made, or None."""
        found: Game | None = self._games.use(spec)
        return found

    async def run(self, asker: Asker, work: Callable[..., _Found], *given: Any) -> _Found:
        """Do short work in a thread; the large games that it names are made before."""

        def bounded() -> _Found:
            with allowing(asker.limits.boards):
                token = made_games.set(self._needed)
                try:
                    return work(*given)
                finally:
                    made_games.reset(token)

        for _ in range(_AT_MOST):
            try:
                return await in_thread(bounded)
            except _UnmadeError as unmade:
                await self._make(unmade.spec, asker)
        raise RefusedError("limit", f"more than {_AT_MOST - 1} large boards at once")

    async def game(self, spec: str, asker: Asker) -> Game:
        """Return a game."""
        return await self.run(asker, game_of, spec, asker.limits)

    async def view(self, name: str, game: Game, asker: Asker) -> Written:
        """Return one of the views of a board that `apart` writes."""
        spec = str(game)
        found: str | None = self._texts.use((name, spec))
        if found is None:
            if _is_small(game):
                found = getattr(apart, name)(spec)
            else:
                found = await self._once((name, spec), self.call(name, asker, spec=spec))
            self._texts.keep((name, spec), found, len(found))
        return Written(found)

    async def call(self, name: str, asker: Asker, **given: Any) -> Any:
        """Let a worker process carry out a function of `apart`."""
        request = Request(f"apart:{name}", given, asker.limits.boards)
        return await self._workers.apart(request, asker, _SECONDS)

    async def picture(
        self,
        asker: Asker,
        position: Position,
        kind: str,
        theme: str | None,
        size: tuple[int, int] | None,
    ) -> bytes:
        """Return a picture of a position, with the moves that led there where `kind` has them."""
        key = str(position.game), position.text, position.history, kind, theme, size
        found: bytes | None = self._texts.use(key)
        if found is None:
            work = self.call("drawing", asker, position=position, kind=kind, theme=theme, size=size)
            found = await self._once(key, work)
            self._texts.keep(key, found, len(found) + 2 * position.game.cells)
        return found

    def _needed(self, spec: str) -> Game | None:
        """Return a game that has been made; None for one that may be made here."""
        found = self.find(spec)
        if found is not None:
            return found
        if len(spec) > SHORT:
            raise _UnmadeError(spec)
        try:
            size = size_of(parse_game_spec(spec).board)
            check_allowed(size)
        except HyperoxoError:
            return None  # the error is for the one who makes it
        if size.cells > SMALL.cells or size.lines > SMALL.lines:
            raise _UnmadeError(spec)
        return None

    async def _make(self, spec: str, asker: Asker) -> None:
        """Make a game, unless it is being made."""
        key = spec, asker.limits.boards.most
        game: Game = await self._once(key, self.call("game", asker, spec=spec))
        for one in {spec, str(game)}:
            self._games.keep(one, game, len(game.board.line_cells) + game.board.cell_count)

    async def _once(self, key: Any, work: Coroutine[Any, Any, Any]) -> Any:
        """Share work among all who wait for it; cancel it when the last of them leaves."""
        if key in self._making:
            work.close()
        else:
            self._making[key] = _Shared(asyncio.create_task(work))
        shared = self._making[key]
        shared.waiting += 1
        try:
            return await asyncio.shield(shared.task)
        finally:
            shared.waiting -= 1
            if not shared.waiting:
                shared.task.cancel()
                if self._making.get(key) is shared:
                    del self._making[key]


@dataclass
class _Shared:
    """Work, and how many wait for it."""

    task: asyncio.Task[Any]
    waiting: int = 0


def _is_small(game: Game) -> bool:
    return game.board.cell_count <= SMALL.cells and game.board.line_count <= SMALL.lines
