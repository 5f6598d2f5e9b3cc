"""What a proof says, in plain words, and what settles its branches, for researchers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperoxo.game import Position, completing_cells
from hyperoxo.play.look import Look
from hyperoxo.proof import Dictionary, Kind, Prevention, Proof

if TYPE_CHECKING:
    from hyperoxo.play.explorer.answer import Answer

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


def plain_claim(found: Proof | Dictionary, kind: Kind) -> str:
    """Say what is proved to somebody who knows the game and no theory."""
    look = Look.of(found.game.players)
    name = look.name(found.seat)
    two = found.game.players == 2
    others = look.name(3 - found.seat) if two else "the others"
    if kind.words is not None:
        return kind.words(found, name)
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
