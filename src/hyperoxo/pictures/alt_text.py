"""Alternative texts of pictures, for titles and screen readers."""

from __future__ import annotations

from hyperoxo.display import number_of
from hyperoxo.game import Game, Position
from hyperoxo.game.messages import enumerated
from hyperoxo.notation.stones import ICONS, NAMES


def name_of(player: int) -> str:
    """Return the name of a player."""
    return NAMES[ICONS[player - 1]]


def size_of(game: Game) -> str:
    """Return the extents of a board, or the number of its cells where it has none."""
    shape = game.board.shape
    if shape is None:
        return number_of(game.board.cell_count, "cell")
    return "×".join(map(str, shape)) if len(shape) > 1 else f"{shape[0]} in a row"


def standing(position: Position) -> str:
    """Describe the turn, or the end of the game."""
    outcome = position.outcome
    if outcome is None:
        return f"{name_of(position.to_move)} to move"
    if outcome.draw:
        return "A draw"
    winners = [name_of(player) for player in outcome.winners]
    return f"{enumerated(winners)} {'wins' if len(winners) == 1 else 'win'}"


def described(position: Position, *, ended: bool = False) -> str:
    """Describe a picture of a position: the board, the player to move, and the number of stones.

    No player is to move where the players have `ended` the game by words.
    """
    stones = sum(1 <= owner <= position.game.players for owner in position.owners)
    parts = [size_of(position.game), standing(position), number_of(stones, "stone")]
    return ", ".join(parts[::2] if ended else parts)
