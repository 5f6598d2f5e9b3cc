"""Games and positions in words that leave nothing to be known: prompts for language models."""

from __future__ import annotations

from functools import lru_cache

from hyperoxo.display import number_of
from hyperoxo.game import Game, Position
from hyperoxo.game.sentences import enumerated
from hyperoxo.game.words import rules_sentences


@lru_cache(maxsize=64)
def rules_text(game: Game) -> str:
    """Return all rules of a game, its lines among them."""
    board, cells = game.board, number_of(game.cells, "cell")
    said = [f"This is a game of {game.players} players on {cells}, numbered as in the board below."]
    order = enumerated([f"player {player}" for player in range(1, game.players + 1)])
    if game.turns.alternate:
        said.append(f"In turn, {order} put a stone of their own on a free cell.")
    else:
        said.append(f"In turn, {order} put stones of their own on free cells.")
    lines = ", ".join("-".join(map(str, board.line(i).tolist())) for i in range(board.line_count))
    said.append(f"The lines are {lines}." if lines else "There are no lines.")
    said.append("A line is full when one player has stones on all its cells.")
    if game.target == 1 and not game.misere and not game.convention.rules:
        said.append("A player with a full line wins.")
    said += rules_sentences(game, numbers=True)
    if not game.convention.rules:
        said.append(_at_the_end(game))
    if game.misere and game.players > 2:
        said.append("When a player loses, all the others win.")
    return " ".join(said)


def _at_the_end(game: Game) -> str:
    if game.target == 1:
        return "If the board is full and nobody has a full line, the game is a draw."
    if game.misere:
        return "On a full board the player with the fewest full lines wins; a tie is a draw."
    return "If several players have the most full lines on a full board, the game is a draw."


def board_text(position: Position) -> str:
    """Draw the board: free cells by their numbers, stones as P1, P2, ..., blocked cells as #."""
    game = position.game
    shape = game.board.shape or (len(position.owners),)
    names = [
        str(cell) if owner == 0 else "#" if owner > game.players else f"P{owner}"
        for cell, owner in enumerate(position.owners)
    ]
    width = max(map(len, names))
    rows = []
    for first in range(0, len(names), shape[-1]):
        if len(shape) > 1 and first and first % (shape[-1] * shape[-2]) == 0:
            rows.append("")
        rows.append(" ".join(f"{name:>{width}}" for name in names[first : first + shape[-1]]))
    return "\n".join(rows)


def prompt(position: Position) -> str:
    """Ask for the best move in a position."""
    moves = ", ".join(map(str, position.legal_moves))
    mover = f"Player {position.to_move}"
    aim = (
        "A best move wins as soon as it can, draws if it cannot win, and loses as late as it can."
        if position.game.players == 2
        else "A best move wins if that can be forced against all the others together, or else "
        "keeps all the others from winning if that can be forced."
    )
    return (
        f"{rules_text(position.game)}\n\n{board_text(position)}\n\n"
        f"Free cells show their numbers, Pk is a stone of player k. {mover} is to move; the legal "
        f"moves are {moves}. {aim} Which cell is a best move of {mover.lower()}? "
        "Answer with its number."
    )
