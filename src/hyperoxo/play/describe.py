"""Sentences of the application: lines, results, moves and their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.board import cells_beyond
from hyperoxo.display import number_of
from hyperoxo.game import FREE, Game, Position, cell_name, move_name
from hyperoxo.game.messages import enumerated
from hyperoxo.play.board_style import BoardStyle

if TYPE_CHECKING:
    from hyperoxo.agents import Explanation
    from hyperoxo.agents.base import Thought

_LONGEST_LINE = 24


def line_name(game: Game, line: int) -> str:
    """Name a line by its cells; the middle of a very long one is left out."""
    words = [cell_name(game, cell) for cell in game.board.line(line).tolist()]
    if len(words) > _LONGEST_LINE:
        words[3:-1] = ["..."]
    return "-".join(words)


def result_sentence(position: Position, style: BoardStyle, resigned: int | None = None) -> str:
    """Describe the result of a finished game, or a resignation."""
    if resigned is not None:
        others = [other for other in range(1, position.game.players + 1) if other != resigned]
        return f"{style.name(resigned)} resigns. {_winners(others, style)}."
    outcome, game = position.outcome, position.game
    if outcome is None:
        return f"{style.name(position.to_move)} is to move."
    scores = position.lines_owned
    reached = game.convention.result(scores, game.target, full=False)
    if outcome.draw:
        return _draw_sentence(position, style)
    if reached < 0:
        player = -reached
        lines = number_of(scores[player - 1], "line")
        return f"{style.name(player)} has {lines} and loses. {_winners(outcome.winners, style)}."
    most, winners = scores[outcome.winners[0] - 1], _winners(outcome.winners, style)
    if reached:
        return winners + ("." if game.target == 1 else f" with {number_of(most, 'line')}.")
    how = f" with the {'fewest' if game.misere else 'most'} lines, {most}"
    return f"The board is full. {winners}{'' if game.convention.full_board > 0 else how}."


def _draw_sentence(position: Position, style: BoardStyle) -> str:
    scores = position.lines_owned
    best = min(scores) if position.game.misere else max(scores)
    if max(scores) == 0:
        return "The board is full. A draw."
    equal = [style.name(p) for p, score in enumerate(scores, start=1) if score == best]
    return f"The board is full. A draw: {enumerated(equal)} have {number_of(best, 'line')} each."


def _winners(players: Sequence[int], style: BoardStyle) -> str:
    verb = "wins" if len(players) == 1 else "win"
    return f"{enumerated([style.name(player) for player in players])} {verb}"


def as_sentence(message: str) -> str:
    """Write a message with a capital, unless a file's name comes first, and a full stop."""
    word = message.partition(" ")[0]
    shown = message[:1].upper() + message[1:] if word.isalpha() else message
    return shown if shown.endswith((".", "?")) else shown + "."


def describe_thought(game: Game, thought: Thought) -> str:
    """Describe the depth of an agent's search, and its best move so far."""
    far = number_of(thought.depth, "move") + " ahead" if thought.depth else ""
    seen = far or number_of(thought.games, "try|tries")
    return f"{seen}, best so far {move_name(game, thought.best)}"


def reason(position: Position, cell: int, style: BoardStyle) -> str:
    """Describe the effect of a move on the lines through its cell; empty if it has none."""
    mover, convention = position.to_move, position.game.convention
    board, owners = position.game.board, position.owners
    lines = []
    for number in board.lines_through(cell).tolist():
        line = [owners[other] for other in board.line(number).tolist() if other != cell]
        # The line is its only owner's, or the mover's, unless a further stone makes it longer.
        owner = max({*line} - {FREE}, default=mover)
        if all(owners[other] != owner for other in cells_beyond(board, number)):
            lines.append(line)
    # Lines that lack this stone alone, by their owners; a line of one cell is the mover's.
    full = Counter((*line, mover)[0] for line in lines if FREE not in line and len({*line}) <= 1)
    own = full.pop(mover, 0) if convention.counts(mover) else 0
    blocked = {player: count for player, count in full.items() if convention.counts(player)}
    short = [line for line in lines if line.count(FREE) == 1 and {*line} <= {FREE, mover}]
    parts = []
    if own:
        parts.append(f"completes {_lines(own)}")
    if blocked:
        who = enumerated([style.name(player) for player in sorted(blocked)])
        parts.append(f"blocks {_lines(sum(blocked.values()))} of {who}")
    if short and not own and convention.counts(mover):
        parts.append(f"leaves {_lines(len(short))} one stone short")
    return " and ".join(parts)


def _lines(count: int) -> str:
    return "a line" if count == 1 else number_of(count, "line")


def move_sentence(
    position: Position, cell: int, style: BoardStyle, why: Explanation | None = None
) -> str:
    """Describe a move that was played, with the agent's reason if any."""
    said = f"{style.name(position.to_move)} plays {move_name(position.game, cell)}."
    return said if why is None else f"{said} {_one_line(why.reason)}"


def advice(position: Position, style: BoardStyle, rng: np.random.Generator) -> str:
    """Advise a move by the default agent, with its reason."""
    from hyperoxo.agents import agent, default_opponent

    adviser = agent(default_opponent(position.game))
    found = adviser.think(position, rng)
    why = reason(position, found.move, style)
    text = f"Try {move_name(position.game, found.move)}" + (f": it {why}." if why else ".")
    return f"{text} {_one_line(found.reason)}".strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
