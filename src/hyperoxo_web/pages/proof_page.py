"""A proof on the board: opened branch by branch, or played against."""

from __future__ import annotations

from typing import Any

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.describe import as_sentence
from hyperoxo_web.pages.component import Page
from hyperoxo_web.server import RefusedError
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.preparing import PROOF
from hyperoxo_web.server.proofs import Opened

_NAMES = {
    "4^3": "4×4×4",
    "4^3:opening=poor": "Weak first move",
    "4^3:opening=poorx2": "Two weak moves",
    "4^3:opening=poorx3": "Three weak moves",
    "4^3:opening=poorx5": "Five weak moves",
    "7,6,4:gravity": "Connect Four",
}
_GOES_ON = ("listed", "block", "pair", "image", "free")


class ProofPage(Page):
    """One browser's view of a proof."""

    paths = ("/proof", "/proof/{name}")
    missing = "There is no such proof."
    why = "It may have been removed."
    script = "proof"
    styles = ("board", "table", "proof")

    async def build(self, name: str = "4^3", game: str | None = None) -> None:
        """Build the page."""
        name = game or name
        self.opened: Opened = await self.core.proofs.open(name, self.client)
        shown = self.opened.explorer.game
        proofs = [{"name": spec, "title": title} for spec, title in _NAMES.items()]
        if name not in _NAMES:
            proofs.append({"name": name, "title": str(shown)})
        self.show(
            "/proof",
            "The proof",
            str(shown),
            geometry=await self.core.boards.view("geometry", shown, self.client),
            summary=self.opened.view(),
            proofs=proofs,
            # The message has some bytes besides those of the file.
            most=self.limits.request_bytes - 1_000,
        )

    async def on_visit(self, moves: list[int], play: bool = False, asked: Any = None) -> None:
        """Send the node of a position; after a move of the proof, the node behind it."""
        await self.core.preparation.ready(PROOF, self.prepares)
        found = await in_thread(self._node, moves, play)
        self.push("visited", {**found, "asked": asked})

    async def on_open(self, file: str = "") -> None:
        """Check a proof file, and go to its page."""
        try:
            if not file:
                raise RefusedError("too-large", "the file is empty or too large")
            name = await self.core.proofs.add(file.encode(), self.client)
        except HyperoxoError as error:
            self.push("refused", as_sentence(str(error)))
            return
        self.go_to(f"/proof/{name}")

    async def on_count(self) -> None:
        """Send the share of the proof's positions counted so far."""
        await self.opened.counted(1.0)
        counting = self.opened.counting
        done = counting is None or counting.done()
        self.push("tally", {"share": self.opened.share, "done": done})

    def _node(self, moves: list[int], play: bool) -> dict[str, Any]:
        opened, explorer = self.opened, self.opened.explorer
        found = opened.node(moves)
        while found.get("turn") == "proof" and (answer := found["answer"]) is not None:
            if answer["cell"] is None or not (play or answer["by"] in _GOES_ON):
                break
            moves = [*moves, answer["cell"]]
            found = opened.node(moves)
        before = explorer.node(moves[:-1]) if moves and explorer.reader is not None else None
        came = before["answer"] if before is not None and before["turn"] == "proof" else None
        return {**found, "came": came}
