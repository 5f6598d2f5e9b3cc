"""Playing by a dictionary of strategic moves."""

from __future__ import annotations

import numpy as np

from hyperoxo.game import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_loops import mark_completing
from hyperoxo.proof.dictionary_walk import opening_cells
from hyperoxo.proof.forced import NODES, Search, forced_win, search_of
from hyperoxo.proof.images import locate
from hyperoxo.proof.tables import stones_of


def dictionary_move(
    dictionary: Dictionary,
    position: Position,
    *,
    search_in: Search | None = None,
    nodes: int = NODES,
) -> int | None:
    """Return the move that a dictionary gives its player by the four rules, or None.

    `LimitError` if `nodes` positions do not tell whether there is a forced sequence.
    """
    if position.game != dictionary.game or position.to_move != dictionary.seat:
        return None
    found = search_in or search_of(position.game)
    threats = np.zeros((2, len(position.owners)), np.uint8)
    mark_completing(
        found.tables, stones_of(found.tables, position.owners, dictionary.seat), threats
    )
    # The same order as in the checker's walk: a line, a block, the listed move, a forced sequence.
    # The last assumes free choice, so not while the opening restricts the player.
    legal = position.legal_moves
    bound = opening_cells(position.game, position.owners, 3 - dictionary.seat)
    mine, theirs = (np.flatnonzero(row).tolist() for row in threats)
    theirs = [cell for cell in theirs if bound is None or cell in bound]
    for cell in (*mine, *theirs):
        if cell in legal:
            return cell
    listed = listed_move(dictionary, position)
    if listed is not None:
        return listed
    if position.opening_restricts and len(legal) < position.owners.count(0):
        return None
    sequence = forced_win(position, search_in=found, nodes=nodes)
    return None if sequence is None else sequence[0]


def listed_move(dictionary: Dictionary, position: Position) -> int | None:
    """Return the move that a dictionary lists for a position or an image of it."""
    form, images = locate(position.game, position.owners)
    move = dictionary.moves.get(form)
    if move is None or not 0 <= move < len(images):
        return None
    cell = int(images[move])
    return cell if cell in position.legal_moves else None
