"""The atlas of n^d: what is known of each board, beside the published table."""

from __future__ import annotations

from hyperoxo_research.draws.classify import REGION_WORDS
from hyperoxo_research.draws.published import GOLOMB_HALES
from hyperoxo_web.pages.component import Page
from hyperoxo_web.pages.reading import Text
from hyperoxo_web.server.budget import in_thread


class AtlasPage(Page):
    """One browser's view of the atlas."""

    paths = ("/atlas",)
    missing = "The atlas has no such board."
    why = "It has sides 1 to 12, dimensions 1 to 8."
    script = "atlas"
    styles = ("list", "results", "atlas")

    async def build(self, board: str = "") -> None:
        """Build the page; `board` is the one whose steps are shown, empty for none."""
        if board:
            self.core.atlas.entry(board)
        entries = await in_thread(self.core.atlas.views, self.limits)
        self.show(
            "/lab",
            "Atlas of n^d",
            entries=entries,
            regions=[[region, words] for region, words in REGION_WORDS.items()],
            source=GOLOMB_HALES,
            chosen=board,
        )

    async def on_explore(self, board: Text, step: int) -> None:
        """Make the proof of a step, and go to it in the explorer."""
        self.go_to(f"/proof/{await self.core.atlas.explored(board, step, self.asker)}")
