"""Cells and the rules of a game in words."""

from __future__ import annotations

from hyperoxo.display import number_of
from hyperoxo.game.game import Game
from hyperoxo.game.sentences import enumerated


def cell_name(game: Game, cell: int) -> str:
    """Name a cell: its name on a hypergraph that has names, else its number and coordinates."""
    board = game.board
    if board.names is not None:
        return board.names[cell]
    if board.shape is None or len(board.shape) == 1:
        return str(cell)
    return f"{cell} ({','.join(map(str, board.coordinates(cell)))})"


_AXES = ("layer", "row", "column")


def cell_words(game: Game, cell: int) -> str:
    """Say which cell it is inside a sentence: "layer 2 row 3 column 1", or its name."""
    board = game.board
    if board.names is not None:
        return board.names[cell]
    if board.shape is None or not 1 < len(board.shape) <= len(_AXES):
        return f"cell {cell_name(game, cell)}"
    axes = _AXES[-len(board.shape) :]
    return " ".join(f"{axis} {at}" for axis, at in zip(axes, board.coordinates(cell), strict=True))


def rules_sentences(game: Game) -> list[str]:
    """Return the rules of a game in sentences, without the usual ones."""
    said = []
    if game.connect is not None:
        said.append(f"A line is any {number_of(game.connect, 'cell')} in a row.")
    if game.wrap:
        axes = enumerated([_ordinal(axis) for axis in game.wrap])
        along = "" if len(game.wrap) == len(game.board.shape or ()) else f" along the {axes} axis"
        said.append(f"Lines continue over the edge{along}.")
    what = "a full line" if game.target == 1 else f"{game.target} full lines"
    if game.convention.rules:
        said.append(game.convention.rules.format(lines=what))
    elif game.misere:
        said.append(f"A player with {what} loses.")
    elif game.target > 1:
        said.append(f"{game.target} full lines win; on a full board the most lines.")
    if not game.turns.alternate:
        takes = [f"player {p} takes {number_of(b, 'cell')}" for p, b in enumerate(game.bias, 1)]
        said.append(f"In a turn {enumerated(takes)}.")
    if game.first != 1:
        said.append(f"Player {game.first} starts.")
    if game.gravity is not None:
        layers = game.gravity == 0 and len(game.board.shape or ()) == 3
        along = f"along the {_ordinal(game.gravity)} coordinate, towards 0"
        said.append(f"Stones fall {'to the lowest free layer' if layers else along}.")
    if game.blocked:
        blocked = len(game.blocked)
        where = (
            f"Cell {cell_name(game, game.blocked[0])} is"
            if blocked == 1
            else (f"{number_of(blocked, 'cell')} are")
        )
        said.append(f"{where} blocked.")
    if game.opening is not None:
        moves = "first move" if game.opening_moves == 1 else f"first {game.opening_moves} moves"
        cells = ", ".join(str(cell) for cell in sorted(game.opening)[:12])
        more = ", ..." if len(game.opening) > 12 else ""
        said.append(f"Player {game.first} may put the {moves} only on cells {cells}{more}.")
    return said


def _ordinal(axis: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    return words[axis] if axis < len(words) else f"{axis + 1}th"
