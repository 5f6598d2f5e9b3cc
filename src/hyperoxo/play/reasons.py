"""Why a move is good, in a sentence."""

from __future__ import annotations

import numpy as np

from hyperoxo.agents import Explanation, agent, default_opponent
from hyperoxo.play.look import Look
from hyperoxo.play.words import cell_name, enumerated, number_of
from hyperoxo.position import FREE, Position

__all__ = ["advice", "move_sentence", "reason"]


def reason(position: Position, cell: int, look: Look) -> str:
    """Say what a move does on the lines through its cell; empty where that is nothing much."""
    mover = position.to_move
    own, open_own = 0, 0
    blocked: dict[int, int] = {}
    board, owners = position.game.board, position.owners
    convention = position.game.convention
    for line in board.lines_through(cell).tolist():
        others = [owners[c] for c in board.line(line).tolist() if c != cell]
        holders = {*others} - {FREE}
        if FREE not in others and len(holders) <= 1:
            holder = holders.pop() if holders else mover
            if not convention.counts(holder):
                continue
            if holder == mover:
                own += 1
            else:
                blocked[holder] = blocked.get(holder, 0) + 1
        elif convention.counts(mover) and holders <= {mover} and others.count(FREE) == 1:
            open_own += 1
    parts = []
    if own:
        parts.append("completes a line" if own == 1 else f"completes {number_of(own, 'line')}")
    if blocked:
        count = sum(blocked.values())
        what = "a line" if count == 1 else number_of(count, "line")
        who = enumerated([look.name(player) for player in sorted(blocked)])
        parts.append(f"blocks {what} of {who}")
    if open_own and not own:
        what = "a line" if open_own == 1 else number_of(open_own, "line")
        parts.append(f"leaves {what} one stone short")
    return " and ".join(parts)


def move_sentence(position: Position, cell: int, look: Look, why: Explanation | None = None) -> str:
    """Tell a move that was played, and why if the agent says so."""
    told = f"{look.name(position.to_move)} plays {cell_name(position.game, cell)}."
    return told if why is None else f"{told} {_one_line(why.reason)}"


def advice(position: Position, look: Look, rng: np.random.Generator) -> str:
    """Ask an agent for a move, and say why."""
    adviser = agent(default_opponent(position.game))
    explanation = adviser.explain(position, rng)
    cell = adviser.choose(position, rng) if explanation is None else explanation.move
    seen = reason(position, cell, look)
    said = [f"Try {cell_name(position.game, cell)}" + (f": it {seen}." if seen else ".")]
    if explanation is not None:
        said.append(_one_line(explanation.reason))
    return " ".join(said)


def _one_line(text: str) -> str:
    return " ".join(text.split())
