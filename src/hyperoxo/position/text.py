"""Reading a position from one line of text."""

from __future__ import annotations

from hyperoxo.errors import IllegalMoveError, NotationError
from hyperoxo.position.position import BLOCKED, FREE, Position
from hyperoxo.rules import Game

_MOVES = "moves:"


def read_position(game: Game, text: str) -> Position:
    """Read a position: one character per cell, or the moves that lead to it."""
    if text.startswith(_MOVES):
        return read_moves(game.start(), text[len(_MOVES) :])
    if len(text) != game.board.cell_count:
        raise NotationError(
            f"position has {len(text)} characters, the board {game.board.cell_count} cells"
        )
    owner_of = {".": FREE, "#": BLOCKED, **{str(p): p for p in range(1, game.players + 1)}}
    for cell, character in enumerate(text):
        if character not in owner_of:
            raise NotationError(
                f"position: character {cell + 1} is {character!r}; "
                f"need '.', '#' or a player 1 to {game.players}"
            )
    return Position.from_owners(game, bytes(owner_of[character] for character in text))


def read_moves(position: Position, text: str) -> Position:
    """Play the moves of a comma-separated list."""
    if not text:
        return position
    for number, word in enumerate(text.split(","), start=1):
        if not (word.isascii() and word.isdigit() and len(word) <= 9):
            raise NotationError(f"move {number}: {word[:20]!r} is not a cell number")
        try:
            position = position.play(int(word))
        except IllegalMoveError as error:
            raise NotationError(f"move {number}: {error}") from None
    return position
