"""Play against the proof: the proved winner answers every move, and says by what means."""

from __future__ import annotations

import asyncio
from typing import Any

from hyperoxo.play.proof_play import PROOF_GAMES, ProofAnswer, answer_of, answers_to, proof_of
from hyperoxo.play.words import as_sentence
from hyperoxo.position import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.server import RefusedError
from hyperoxo.web.component import Page
from hyperoxo.web.reading import a_list
from hyperoxo.web.states import geometry_of

_NAMES = {
    "4^3": "Any first move",
    "4^3:opening=poor": "A poor first move",
    "4^3:opening=poorx3": "Three poor moves",
    "4^3:opening=poorx5": "Five poor moves",
}


class ProofPage(Page):
    """One browser's game against a proof."""

    script = "proof"

    async def build(self, asked: str | None = None) -> None:
        """Build the page."""
        chosen = asked if asked in PROOF_GAMES else PROOF_GAMES[0]
        self.dictionary = dictionary = await asyncio.to_thread(proof_of, chosen)
        self.show(
            "/proof",
            "The proof",
            geometry=geometry_of(dictionary.game),
            statement=as_sentence(dictionary.statement),
            strategic=len(dictionary.moves),
            seat=dictionary.seat,
            start=dictionary.position.text,
            begin=_opening(dictionary),
            restricted=dictionary.game.opening_moves,
            games=[{"spec": spec, "name": _NAMES.get(spec, spec)} for spec in PROOF_GAMES],
        )

    def _position(self, value: dict[str, Any]) -> Position:
        position = self.dictionary.position
        try:
            for cell in a_list(value, "moves", self.dictionary.game.cells):
                position = position.play(cell)
        except TypeError as error:
            raise RefusedError("bad-request", str(error)) from None
        return position

    async def on_answer(self, value: dict[str, Any]) -> None:
        """Let the proof answer the last move."""
        found = await asyncio.to_thread(answer_of, self.dictionary, self._position(value))
        self.tell("answered", None if found is None else _view(found))

    async def on_replies(self, value: dict[str, Any]) -> None:
        """Show what the proof answers to every move."""
        found = await asyncio.to_thread(answers_to, self.dictionary, self._position(value))
        shown = [{"at": cell, **_view(reply)} for cell, reply in found.items() if reply is not None]
        self.tell("foreseen", {"moves": value.get("moves"), "replies": shown})


def _opening(dictionary: Dictionary) -> list[int]:
    """Return the cells that the first move may be on; none where every cell is allowed."""
    position = dictionary.position
    legal = list(position.legal_moves)
    return [] if len(legal) == dictionary.game.cells - position.ply else legal


def _view(answer: ProofAnswer) -> dict[str, Any]:
    return {"cell": answer.cell, "means": answer.means, "sequence": list(answer.sequence)}
