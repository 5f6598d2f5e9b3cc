"""What a proof says, in plain words, and what settles its branches, for researchers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperoxo.play.look import Look
from hyperoxo.position import Position, completing_cells
from hyperoxo.position.sentences import number_of
from hyperoxo.proof import (
    BreakerPlan,
    Dictionary,
    Mirroring,
    Pairing,
    Prevention,
    Strategy,
    TableBound,
    ZonePlan,
)
from hyperoxo.proof.dictionary_proof import DictionaryProof

if TYPE_CHECKING:
    from hyperoxo.play.explorer.answer import Answer
    from hyperoxo.play.explorer.readers import Proved

_DETAILS = {
    "listed": "the proof file lists this move for the position or an image of it",
    "block": "the only cell that stops the other side's line; the file need not list it",
    "line": "completes a line",
    "over": "the game is over",
    "completion": "one of the others completes a line before the seat moves again",
    "pair": "the other cell of the pair",
    "image": "the image under the permutation",
    "free": "the partner is taken or there is none: any free cell does",
}


def plain_claim(proof: Proved) -> str:
    """Say what is proved to somebody who knows the game and no theory."""
    found = proof.dictionary if isinstance(proof, DictionaryProof) else proof
    look = Look.of(found.game.players)
    name = look.name(found.seat)
    two = found.game.players == 2
    others = look.name(3 - found.seat) if two else "the others"
    if isinstance(found, TableBound):
        lines = number_of(found.leaves, "line of play|lines of play")
        return f"By a table of line values alone, {name} loses in at least {lines}."
    if isinstance(found, Prevention):
        what = "a win" if found.claim == "no-win" else "even a draw"
        return f"{name} cannot force {what} if {others} {'plays' if two else 'play'} well."
    if isinstance(found, Dictionary) or found.claim == "win":
        return f"{name} can always win, whatever {others} {'plays' if two else 'play'}."
    return f"{name} need never lose, whatever {others} {'plays' if two else 'play'}."


def forced_line(position: Position, sequence: Sequence[int]) -> list[int]:
    """Return a forced sequence with the answers that it forces."""
    attacker, moves = position.to_move, list[int]()
    for cell in sequence:
        position = position.play(cell)
        moves.append(cell)
        must = () if position.is_over else completing_cells(position, attacker)
        if len(must) != 1:
            break
        position = position.play(must[0])
        moves.append(must[0])
    return moves


def details_of(answer: Answer, position: Position, seat: int) -> str:
    """Say by what an answer is proved."""
    if answer.by == "forced":
        cells = "-".join(map(str, answer.sequence))
        return (
            f"forced sequence {cells}: after each move but the last exactly one cell completes a "
            "line; the checker replays it on the board"
        )
    if answer.by == "potential":
        from hyperoxo.play.explorer.readers import potential

        total = potential(position, seat)
        return (
            f"the sum of {position.game.players}^-(free cells) over the lines still open to player "
            f"{seat} is {total}, below 1 (P. Erdős and J. Selfridge 1973; J. Beck 1982)"
        )
    return _DETAILS[answer.by]


def theorem_of(proof: Proved) -> str:
    """Say what makes a proof of this kind a proof."""
    return _THEOREMS[type(proof)]


_THEOREMS: dict[type, str] = {
    Pairing: (
        "Each line that the other player could still complete holds a pair of its own, so they "
        "never get both of its cells (A. Hales and R. Jewett 1963)."
    ),
    Mirroring: (
        "Answering each move with its image never completes a line first (S. Golomb and "
        "A. Hales 2002)."
    ),
    TableBound: "Every choice that a line table can make is followed or excluded by inequalities.",
    BreakerPlan: (
        "After the listed answers on the key cells every line has two cells of its own, and spare "
        "ones for the stones elsewhere; the checker finds these matchings again."
    ),
    ZonePlan: (
        "Every move that touches what the plan rests on is answered as listed, until a line is "
        "complete, or pairs and weights of the lines that are left prevent one."
    ),
    Prevention: (
        "Every move of the seat is answered as listed, until one of the others completes a "
        "line, the board is full, or too few lines are open (the potential)."
    ),
    Strategy: (
        "Every position that the strategy can lead to has its move; the checker tries all replies."
    ),
    DictionaryProof: (
        "Every reply is answered by a line, by stopping one, by a listed move, or by a forced "
        "sequence; the checker tries all replies."
    ),
}
