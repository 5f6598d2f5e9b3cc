"""Proofs that can be explored: those of the program, and files that the checker has accepted.

Checking a file and counting its positions take seconds to minutes, in a process of their own. What
was accepted and counted is kept in a folder beside the games; nobody is asked twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import OrderedDict
from pathlib import Path
from typing import Any

from hyperoxo.files import replace_file
from hyperoxo.game import Game
from hyperoxo.proof.stored import STORED, stored_proof
from hyperoxo.untrusted import most_bytes, parse_json, read_bytes
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Asker
from hyperoxo_web.server.new_game import check_size
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Workers

_OPEN = 8
_KEPT = 200
_NAME = re.compile(r"[0-9a-f]{20}")
_GAME = re.compile(rb"^game ([!-~]{1,20000})$", re.MULTILINE)
_VERSION = 1


class Opened(Listener):
    """A proof that is being explored; sizes come when its positions have been counted."""

    def __init__(self, name: str, data: bytes) -> None:
        # Compiled code is loaded here, which games among people do without.
        from hyperoxo.play.explorer import Explorer

        super().__init__()
        self.name = name
        self.explorer = Explorer.read(data)
        self.share = 0.0
        self.counting: asyncio.Task[None] | None = None

    def hear(self, news: float) -> None:
        """Take in which share of the positions has been counted."""
        self.share = news

    def view(self) -> dict[str, Any]:
        """Return what the whole proof is."""
        return {"name": self.name, **self.explorer.summary(), "share": self.share}

    def node(self, moves: list[int]) -> dict[str, Any]:
        """Return one of its nodes; see :meth:`hyperoxo.play.explorer.Explorer.node`."""
        if self.explorer.reader is None:
            return self.view()
        found = {**self.view(), **self.explorer.node(moves)}
        return {**found, "hardest": self.explorer.hardest(moves)}

    async def counted(self, seconds: float) -> None:
        """Wait until its positions have been counted, if that is being done."""
        if self.counting is not None:
            await asyncio.wait([self.counting], timeout=seconds)


class Proofs:
    """All proofs of a server."""

    def __init__(self, folder: Path, workers: Workers) -> None:
        self._folder = folder
        self._workers = workers
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._opening = asyncio.Lock()
        self._certified: dict[str, str] = {}
        self._asking: set[str] = set()

    async def open(self, name: str, asker: Asker, *, count: bool = True) -> Opened:
        """Return a proof by its name: a game whose proof comes with the program, or a hash."""
        async with self._opening:
            found = self._opened.get(name)
            if found is None:
                found = await in_thread(self._read, name)
                self._opened[name] = found
                while len(self._opened) > _OPEN:
                    self._opened.popitem(last=False)
            self._opened.move_to_end(name)
        if count and found.counting is None and found.explorer.graph is None:
            found.counting = asyncio.create_task(self._count(found, asker))
        return found

    async def add(self, data: bytes, asker: Asker) -> str:
        """Let the checker look at a file; keep it and return its name if it holds."""
        if asker.client in self._asking:
            raise RefusedError("limit", "a proof of yours is being checked already; wait for it")
        self._asking.add(asker.client)
        try:
            return await self._add(data, asker)
        finally:
            self._asking.discard(asker.client)

    async def _add(self, data: bytes, asker: Asker) -> str:
        stated = _GAME.search(data[:30_000])
        if not data.startswith(b"hyperoxo-") or stated is None:
            raise RefusedError("bad-request", "this is not a proof file")
        await in_thread(check_size, stated[1].decode("ascii"), asker.limits)
        reason = await self._search(request("tasks:verify", proof=data), asker)
        if reason:
            raise RefusedError("bad-request", reason)
        return await self.keep(data)

    async def keep(self, data: bytes) -> str:
        """Keep a file that holds, and return its name; one of the program has that of its game."""
        for name in STORED:
            if data == stored_proof(Game(name)):
                return name
        name = _name_of(data)
        await asyncio.to_thread(self._keep, f"{name}.oxo", data)
        return name

    async def certify(self, search: str, asker: Asker) -> str:
        """Turn what a proof search has found into a proof; return its name."""
        if search not in self._certified:
            proof = await self._search(request("tasks:certify"), asker, continues=search)
            name = await self._add(proof, asker)
            if len(self._certified) >= _KEPT:
                self._certified.clear()
            self._certified[search] = name
        return self._certified[search]

    async def stop(self) -> None:
        """End all counting."""
        tasks = [one.counting for one in self._opened.values() if one.counting is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _read(self, name: str) -> Opened:
        data = self._data(name)
        opened = Opened(name, data)
        counted = self._folder / f"{_name_of(data)}.json"
        if counted.is_file():
            from hyperoxo.play.explorer import edges_from

            plain = parse_json(read_bytes(counted), most_bytes())
            if plain.get("version") == _VERSION:
                opened.explorer.take(edges_from(plain))
        return opened

    async def _search(self, asked: Request, asker: Asker, **options: Any) -> Any:
        seconds = asker.limits.analysis_seconds
        return await self._workers.search(asked, asker, seconds=seconds, analysis=True, **options)

    async def _count(self, opened: Opened, asker: Asker) -> None:
        from hyperoxo.play.explorer import edges_from

        data = await asyncio.to_thread(self._data, opened.name)
        try:
            asked = request("tasks:count", proof=data)
            plain = await self._search(asked, asker, listener=opened)
        except RefusedError:  # it takes too long here: there are no sizes
            return
        if plain is None:
            return
        await asyncio.to_thread(lambda: opened.explorer.take(edges_from(plain)))
        words = json.dumps({"version": _VERSION, **plain}, separators=(",", ":"))
        await asyncio.to_thread(self._keep, f"{_name_of(data)}.json", words.encode())

    def _data(self, name: str) -> bytes:
        data = stored_proof(Game(name)) if name in STORED else None
        if data is None and _NAME.fullmatch(name):
            path = self._folder / f"{name}.oxo"
            data = read_bytes(path) if path.is_file() else None
        if data is None or (name not in STORED and _name_of(data) != name):
            raise RefusedError("no-proof", "there is no such proof")
        return data

    def _keep(self, name: str, data: bytes) -> None:
        """Write a file, and forget those that are older than many others."""
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._folder / name, data)
        files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[:-_KEPT]:
            path.unlink(missing_ok=True)


def _name_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]
