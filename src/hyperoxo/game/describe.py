"""Cells and the rules of a game in words."""

from __future__ import annotations

from functools import partial

from hyperoxo.display import number_of
from hyperoxo.game.game import Game
from hyperoxo.game.messages import enumerated
from hyperoxo.game.names import cell_name


def describe_rules(game: Game, *, numbers: bool = False) -> list[str]:
    """Return the unusual rules of a game in sentences; cells by name or number."""
    said, name = _describe_lines(game), str if numbers else partial(cell_name, game)
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
    if game.first_turn is not None:
        said.append(f"The first turn has {number_of(game.first_turn, 'cell')}.")
    if game.first != 1:
        said.append(f"Player {game.first} starts.")
    if game.gravity is not None:
        along = f"along the {_ordinal(game.gravity)} coordinate, towards 0"
        said.append(f"Stones fall {along if numbers else f'to {_floor(game)}'}.")
    if game.blocked:
        several = f"{number_of(len(game.blocked), 'cell')} are"
        where = several if game.blocked[1:] else f"Cell {name(game.blocked[0])} is"
        said.append(f"{where} blocked.")
    if game.opening is not None:
        moves = "first move" if game.opening_moves == 1 else f"first {game.opening_moves} moves"
        cells = ", ".join(name(cell) for cell in sorted(game.opening)[:12])
        more = ", ..." if len(game.opening) > 12 else ""
        said.append(f"Player {game.first} may put the {moves} only on cells {cells}{more}.")
    return said


def _describe_lines(game: Game) -> list[str]:
    said = []
    if game.connect is not None:
        said.append(f"A line is any {number_of(game.connect, 'cell')} in a row.")
    if game.wrap:
        axes = enumerated([_ordinal(axis) for axis in game.wrap])
        along = "" if len(game.wrap) == len(game.board.shape or ()) else f" along the {axes} axis"
        said.append(f"Lines continue over the edge{along}.")
    if game.exact:
        said.append("A longer row does not count.")
    return said


def _floor(game: Game) -> str:
    """Describe the landing place of stones."""
    axis = game.gravity or 0
    before_last = len(game.board.shape or ()) - axis
    if before_last < 3:
        return "the bottom of the column" if before_last == 2 else "the free cell nearest column a"
    words = {3: "layer", 4: "cube"}
    return f"the lowest free {words.get(before_last, f'{_ordinal(axis)} number')}"


def _ordinal(axis: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    return words[axis] if axis < len(words) else f"{axis + 1}th"
