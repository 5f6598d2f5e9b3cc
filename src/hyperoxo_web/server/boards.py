"""Games by their specs, and a cache of their board views and pictures.

A thread builds boards and encodes them as JSON: the largest allowed take 70 ms, during which
the event loop goes on. Texts are parsed, and positions drawn, by a worker process.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from hyperoxo.board.limits import allowing
from hyperoxo.game import Game, Position
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Client
from hyperoxo_web.server.new_game import game_of
from hyperoxo_web.server.view import Written, as_json, geometry_of, pictured
from hyperoxo_web.server.worker import request
from hyperoxo_web.server.workers import Workers

_VIEWS: dict[str, Callable[[Game], Any]] = {"geometry": geometry_of, "facts": pictured}
_SECONDS = 20.0
_MOST = 20_000_000  # characters and bytes

_Found = TypeVar("_Found")


class Boards:
    """Games and an LRU cache of views and pictures, shared by all clients of a server."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._kept: OrderedDict[Any, Any] = OrderedDict()  # texts and pictures, the last used last
        self._size = 0

    async def run(self, client: Client, work: Callable[..., _Found], *given: Any) -> _Found:
        """Run short work in a thread, under the client's board size limit."""

        def bounded() -> _Found:
            with allowing(client.limits.boards):
                return work(*given)

        return await in_thread(bounded)

    async def game(self, spec: str, client: Client) -> Game:
        """Return a game."""
        return await self.run(client, game_of, spec, client.limits)

    async def view(self, name: str, game: Game, client: Client) -> Written:
        """Return the ``geometry`` of a board, or its ``facts`` (geometry and more), as JSON."""
        view = partial(self.run, client, lambda: as_json(_VIEWS[name](game)).decode())
        return Written(await self._made((name, str(game)), view))

    async def call(self, name: str, client: Client, **given: Any) -> Any:
        """Call a function of `apart` in a worker process."""
        asked = request(f"board_tasks:{name}", boards=client.limits.boards, **given)
        return await self._workers.apart(asked, client, _SECONDS)

    async def picture(
        self,
        client: Client,
        position: Position,
        kind: str,
        theme: str | None,
        size: tuple[int, int] | None,
    ) -> bytes:
        """Return a picture of a position, with its moves if `kind` shows them."""
        key = str(position.game), position.text, position.history, kind, theme, size
        given = {"shown": position, "kind": kind, "theme": theme, "size": size}
        return await self._made(key, partial(self.call, "picture", client, **given))

    async def _made(self, key: Any, make: Callable[[], Awaitable[_Found]]) -> _Found:
        """Return a cached value, made on a miss; evict the least recently used."""
        # Two clients may make one value at the same time: `make` awaits. The later replaces the
        # earlier, whose size is taken off again.
        if key not in self._kept:
            value: Any = await make()
            self._size += len(value) - len(self._kept.pop(key, ""))
            self._kept[key] = value
        self._kept.move_to_end(key)
        while self._size > _MOST and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        found: _Found = self._kept[key]
        return found
