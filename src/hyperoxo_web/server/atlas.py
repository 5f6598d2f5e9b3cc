"""The atlas of n^d on a server: what is known, and the proofs, which are made when asked for."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from hyperoxo.display import as_data
from hyperoxo_research.proof.keyplan.stored import PACKED_PLANS
from hyperoxo_web.server.budget import in_thread
from hyperoxo_web.server.limits import Asker, Limits
from hyperoxo_web.server.new_game import check_size
from hyperoxo_web.server.proofs import Proofs
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.worker import request
from hyperoxo_web.server.workers import Workers

if TYPE_CHECKING:
    from hyperoxo_research.lab.atlas import AtlasEntry

_KEPT = 16
_SECONDS = 60.0
_OPENED = frozenset({"pairing", "strategy", "coalition", "dictionary", "breaker"})
"""Kinds of proofs whose positions can be explored."""


class AtlasProofs:
    """The entries of the stored atlas and their proofs."""

    def __init__(self, workers: Workers, proofs: Proofs) -> None:
        self._workers, self._proofs = workers, proofs
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def entry(self, board: str) -> AtlasEntry:
        """Return what is known of a board such as ``7^3``."""
        from hyperoxo_research.lab.atlas import stored_atlas

        found = stored_atlas().by_board.get(board)
        if found is None:
            raise RefusedError("no-proof", "the atlas has no such board")
        return found

    def views(self, limits: Limits) -> list[dict[str, Any]]:
        """Return all entries as JSON has them; steps say whether their proofs can be explored."""
        from hyperoxo_research.lab.atlas import stored_atlas

        return [self.view(entry, limits) for entry in stored_atlas().entries]

    def view(self, entry: AtlasEntry, limits: Limits) -> dict[str, Any]:
        """Return an entry as JSON has it; `made` says whether its proof is made when asked for."""
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

    async def proof(self, board: str, asker: Asker) -> bytes:
        """Return the proof of an entry, as `oxo classify` writes it; it is made when asked for."""
        entry = self.entry(board)
        if _is_large(entry):
            raise RefusedError(
                "limit",
                f"the proof of {board} is too large to be made here; "
                f"`oxo classify {board} --proof FILE` does",
            )
        if board not in self._made:
            most = asker.limits.analysis_seconds
            # What the server itself asks about its atlas is larger than what clients may.
            asked = request("tasks:classify", boards=None, game=board, seconds=min(_SECONDS, most))
            regions, proof = await self._workers.search(asked, asker, seconds=most, analysis=True)
            if regions != entry.regions:
                raise RefusedError(
                    "limit",
                    "this server has no time to make the proof; "
                    f"`oxo classify {board} --proof FILE` does",
                )
            self._made[board] = proof
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(board)
        return self._made[board]

    async def explored(self, board: str, step: int, asker: Asker) -> str:
        """Return the name under which the proof of a step can be explored."""
        from hyperoxo_research.proof.region import read_region

        steps = self.entry(board).answer["evidence"]
        if not 0 <= step < len(steps) or not _opens(steps[step]) or _is_large(self.entry(board)):
            raise RefusedError("no-proof", "this step has no positions to be looked at")
        check_size(board, asker.limits)
        data = await self.proof(board, asker)
        parts = (await in_thread(read_region, data)).parts
        place = sum(one["part"] is not None for one in steps[:step])
        return await self._proofs.keep(parts[place])


def _is_large(entry: AtlasEntry) -> bool:
    """Tell whether the proof of an entry has a plan that takes long to check."""
    return str(entry) in PACKED_PLANS


def _opens(step: dict[str, Any]) -> bool:
    return step["part"] in _OPENED
