"""Play against the proof: the proved winner answers every move, and says by what means."""

from __future__ import annotations

import asyncio
from typing import Any

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.proof_play import PROOF_GAMES, ProofAnswer, answer_of, answers_to, proof_of
from hyperoxo.play.words import as_sentence
from hyperoxo.position import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.web.component import ProofElement
from hyperoxo.web.geometry import geometry_of
from hyperoxo.web.reading import a_list
from hyperoxo.web.shell import frame

_NAMES = {
    "4^3": "Any first move",
    "4^3:opening=poor": "A poor first move",
    "4^3:opening=poorx3": "Three poor moves",
    "4^3:opening=poorx5": "Five poor moves",
}


async def proof_page(asked: str | None = None) -> ProofElement:
    """Build the page."""
    chosen = asked if asked in PROOF_GAMES else PROOF_GAMES[0]
    dictionary = await asyncio.to_thread(proof_of, chosen)
    game = dictionary.game
    with frame("/proof", "The proof"):
        element = ProofElement(
            geometry=geometry_of(game),
            statement=as_sentence(dictionary.statement),
            strategic=len(dictionary.moves),
            seat=dictionary.seat,
            start=dictionary.position.text,
            begin=_opening(dictionary),
            restricted=game.opening_moves,
            games=[{"spec": spec, "name": _NAMES.get(spec, spec)} for spec in PROOF_GAMES],
        )

    def position_of(value: dict[str, Any]) -> Position:
        position = dictionary.position
        for cell in a_list(value, "moves", game.cells):
            position = position.play(cell)
        return position

    async def answer(value: dict[str, Any]) -> None:
        try:
            found = await asyncio.to_thread(answer_of, dictionary, position_of(value))
        except (HyperoxoError, TypeError) as error:
            element.tell("failed", as_sentence(str(error)))
            return
        element.tell("answered", None if found is None else _view(found))

    async def replies(value: dict[str, Any]) -> None:
        try:
            found = await asyncio.to_thread(answers_to, dictionary, position_of(value))
        except (HyperoxoError, TypeError) as error:
            element.tell("failed", as_sentence(str(error)))
            return
        shown = [{"at": cell, **_view(reply)} for cell, reply in found.items() if reply is not None]
        element.tell("foreseen", {"moves": value.get("moves"), "replies": shown})

    element.hears("answer", answer)
    element.hears("replies", replies)
    return element


def _opening(dictionary: Dictionary) -> list[int]:
    """Return the cells that the first move may be on; none where every cell is allowed."""
    position = dictionary.position
    legal = list(position.legal_moves)
    return [] if len(legal) == dictionary.game.cells - position.ply else legal


def _view(answer: ProofAnswer) -> dict[str, Any]:
    return {"cell": answer.cell, "means": answer.means, "sequence": list(answer.sequence)}
