"""Proofs to explore: stored ones, those of the atlas, and uploads that the checker accepted.

Checking a file and counting its positions take seconds to minutes, in a worker process. Accepted
files and counts are cached in a folder beside the store, named by the digest of the file.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperoxo.display import as_data
from hyperoxo.files import replace_file
from hyperoxo.game import Game
from hyperoxo.proof.stored import STORED, stored_proof
from hyperoxo.untrusted import most_bytes, parse_json, read_bytes
from hyperoxo_research.proof.keyplan.stored import PACKED_PLANS
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Client, Limits, Recent
from hyperoxo_web.server.new_game import check_size
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import cancelled
from hyperoxo_web.server.worker import Request, request
from hyperoxo_web.server.workers import Listener, Workers

if TYPE_CHECKING:
    from hyperoxo_research.lab.atlas import AtlasEntry

_OPEN = 8
_KEPT = 200
_MADE = 16
_SECONDS = 60.0
_OPENED = frozenset({"pairing", "strategy", "coalition", "dictionary", "breaker"})
"""Kinds of proof files with positions to explore."""
_NAME = re.compile(r"[0-9a-f]{20}")
_GAME = re.compile(rb"^game ([!-~]{1,20000})$", re.MULTILINE)
_VERSION = 1


class Opened(Listener):
    """An open proof; subtree sizes are available once its positions have been counted."""

    def __init__(self, name: str, data: bytes) -> None:
        # Imported here: it loads compiled code, which a server of games alone does without.
        from hyperoxo.play.explorer import Explorer

        super().__init__()
        self.name = name
        self.explorer = Explorer.read(data)
        self.share = 0.0
        self.counting: asyncio.Task[None] | None = None

    def on_progress(self, news: float) -> None:
        """Take the share of positions counted so far."""
        self.share = news

    def take(self, plain: dict[str, Any]) -> None:
        """Use the edges that `tasks.count` has returned."""
        from hyperoxo.proof.envelope import text_owners

        forms = [text_owners(text, len(text)) for text in plain["forms"]]
        rows = zip(forms, plain["after"], strict=True)
        self.explorer.take({form: tuple(forms[other] for other in row) for form, row in rows})

    def view(self) -> dict[str, Any]:
        """Return the summary of the proof."""
        return {"name": self.name, **self.explorer.summary(), "share": self.share}

    def node(self, moves: list[int]) -> dict[str, Any]:
        """Return one of its nodes; see :meth:`hyperoxo.play.explorer.Explorer.node`."""
        if self.explorer.reader is None:
            return self.view()
        found = {**self.view(), **self.explorer.node(moves)}
        return {**found, "hardest": self.explorer.hardest(moves)}

    async def counted(self, seconds: float) -> None:
        """Wait for a count in progress, `seconds` at most."""
        if self.counting is not None:
            await asyncio.wait([self.counting], timeout=seconds)


class Proofs:
    """All proofs of a server."""

    def __init__(self, folder: Path, workers: Workers) -> None:
        self._folder = folder
        self._workers = workers
        self._opened = Recent[str, Opened](_OPEN)
        self._opening = asyncio.Lock()
        self._certified: dict[str, str] = {}
        self._asking: set[str] = set()

    async def open(self, name: str, client: Client, *, count: bool = True) -> Opened:
        """Return a proof by its name: the game of a stored proof, or a digest."""
        # One lock for all proofs: two requests for one proof parse it once, and no more than one
        # large file is parsed at a time. Counting is begun after it, in one step: it begins once.
        async with self._opening:
            known = name in self._opened
            found = self._opened[name] if known else await in_thread(self._read, name)
            self._opened[name] = found
        if count and found.counting is None and found.explorer.graph is None:
            found.counting = asyncio.create_task(self._count(found, client))
        return found

    async def add(self, data: bytes, client: Client) -> str:
        """Check a proof file; if it is valid, store it and return its name."""
        if client.name in self._asking:
            raise RefusedError("limit", "one of your proofs is being checked already; wait for it")
        self._asking.add(client.name)
        try:
            return await self._add(data, client)
        finally:
            self._asking.discard(client.name)

    async def _add(self, data: bytes, client: Client) -> str:
        # The size of the stated board is refused before any worker builds it. The checker reads
        # the file for itself: what the pattern found here proves nothing.
        stated = _GAME.search(data[:30_000])
        if not data.startswith(b"hyperoxo-") or stated is None:
            raise RefusedError("bad-request", "this is not a proof file")
        await in_thread(check_size, stated[1].decode("ascii"), client.limits)
        reason = await self._search(request("tasks:verify", proof=data), client)
        if reason:
            raise RefusedError("bad-request", reason)
        return await self.put(data)

    async def put(self, data: bytes) -> str:
        """Store a valid file and return its name; a stored proof has the name of its game."""
        for name in STORED:
            if data == stored_proof(Game(name)):
                return name
        name = _name_of(data)
        await asyncio.to_thread(self._write, f"{name}.oxo", data)
        return name

    async def certify(self, search: str, client: Client) -> str:
        """Build, check and store the proof of a finished search; return its name."""
        # The certificate comes from the process that kept the search, and is checked by another
        # like any upload.
        if search not in self._certified:
            proof = await self._search(request("tasks:certify"), client, continues=search)
            name = await self._add(proof, client)
            if len(self._certified) >= _KEPT:
                self._certified.clear()
            self._certified[search] = name
        return self._certified[search]

    async def stop(self) -> None:
        """Cancel all counts."""
        await cancelled(*(one.counting for one in self._opened.values()))

    def _read(self, name: str) -> Opened:
        data = self._data(name)
        opened = Opened(name, data)
        counted = self._folder / f"{_name_of(data)}.json"
        if counted.is_file():
            plain = parse_json(read_bytes(counted), most_bytes())
            if plain.get("version") == _VERSION:
                opened.take(plain)
        return opened

    async def _search(self, asked: Request, client: Client, **options: Any) -> Any:
        seconds = client.limits.analysis_seconds
        return await self._workers.search(asked, client, seconds=seconds, analysis=True, **options)

    async def _count(self, opened: Opened, client: Client) -> None:
        data = await asyncio.to_thread(self._data, opened.name)
        try:
            asked = request("tasks:count", proof=data)
            plain = await self._search(asked, client, listener=opened)
        except RefusedError:  # beyond the limits of this client: the proof has no sizes
            return
        if plain is None:
            return
        await asyncio.to_thread(opened.take, plain)
        words = json.dumps({"version": _VERSION, **plain}, separators=(",", ":"))
        await asyncio.to_thread(self._write, f"{_name_of(data)}.json", words.encode())

    def _data(self, name: str) -> bytes:
        data = stored_proof(Game(name)) if name in STORED else None
        if data is None and _NAME.fullmatch(name):
            path = self._folder / f"{name}.oxo"
            data = read_bytes(path) if path.is_file() else None
        if data is None or (name not in STORED and _name_of(data) != name):
            raise RefusedError("no-proof", "there is no such proof")
        return data

    def _write(self, name: str, data: bytes) -> None:
        """Write a file, and delete the oldest beyond the limit."""
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._folder / name, data)
        files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[:-_KEPT]:
            path.unlink(missing_ok=True)


def _name_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]


class AtlasProofs:
    """Entries of the stored atlas and their proofs, made on demand."""

    def __init__(self, workers: Workers, proofs: Proofs) -> None:
        self._workers, self._proofs = workers, proofs
        self._made = Recent[str, bytes](_MADE)

    def entry(self, board: str) -> AtlasEntry:
        """Return the entry of a board such as ``7^3``."""
        from hyperoxo_research.lab.atlas import stored_atlas

        found = stored_atlas().by_board.get(board)
        if found is None:
            raise RefusedError("no-proof", "the atlas has no such board")
        return found

    def views(self, limits: Limits) -> list[dict[str, Any]]:
        """Return all entries as plain values for JSON; `opens` marks steps to explore."""
        from hyperoxo_research.lab.atlas import stored_atlas

        return [self.view(entry, limits) for entry in stored_atlas().entries]

    def view(self, entry: AtlasEntry, limits: Limits) -> dict[str, Any]:
        """Return an entry as plain values for JSON; `made` marks proofs made on demand."""
        small = entry.side**entry.dim <= limits.cells
        made = not _is_large(entry)
        steps = [
            {
                **{key: one[key] for key in one if key != "file"},
                "opens": made and small and _opens(one),
            }
            for one in entry.answer["evidence"]
        ]
        return {
            **entry.as_data(),
            **as_data(entry, "side dim"),
            "plays": small,
            "made": made,
            "evidence": steps,
        }

    async def proof(self, board: str, client: Client) -> bytes:
        """Return the proof of an entry as `oxo classify` writes it, made on demand and cached."""
        entry = self.entry(board)
        if _is_large(entry):
            raise RefusedError(
                "limit",
                f"the proof of {board} is too large to be made here; "
                f"`oxo classify {board} --proof FILE` does",
            )
        made = self._made.get(board)
        if made is None:
            most = client.limits.analysis_seconds
            # No board limit: the boards of the atlas, chosen by the server, exceed the clients'.
            asked = request("tasks:classify", boards=None, game=board, seconds=min(_SECONDS, most))
            regions, made = await self._workers.search(asked, client, seconds=most, analysis=True)
            if regions != entry.regions:
                raise RefusedError(
                    "limit",
                    "this server has no time to make the proof; "
                    f"`oxo classify {board} --proof FILE` does",
                )
        self._made[board] = made
        return made

    async def explored(self, board: str, step: int, client: Client) -> str:
        """Store the proof of a step; return its name for the explorer."""
        from hyperoxo_research.proof.region import read_region

        steps = self.entry(board).answer["evidence"]
        if not 0 <= step < len(steps) or not _opens(steps[step]) or _is_large(self.entry(board)):
            raise RefusedError("no-proof", "this step has no positions to show")
        check_size(board, client.limits)
        data = await self.proof(board, client)
        parts = (await in_thread(read_region, data)).parts
        place = sum(one["part"] is not None for one in steps[:step])
        return await self._proofs.put(parts[place])


def _is_large(entry: AtlasEntry) -> bool:
    """Return True if the proof of an entry has a key plan, slow to check."""
    return str(entry) in PACKED_PLANS


def _opens(step: dict[str, Any]) -> bool:
    return step["part"] in _OPENED
