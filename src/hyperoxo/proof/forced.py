"""Forced wins: sequences of threats, each with a single answer.

A *forced sequence* lists moves of the player to move, the attacker. After each but the last the
attacker can complete a line in exactly one cell, and the defender has to answer there; the last
completes a line, or leaves two such cells. If the answer lets the defender complete a line next,
the attacker's next move has to take that cell and threaten as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Position
from hyperoxo.proof import forced_loops
from hyperoxo.proof.forced_loops import workspace
from hyperoxo.proof.tables import Tables, stones_of, tables_of

NODES = 50_000_000
"""Most nodes of one search, unless another limit is given."""


class Search(NamedTuple):
    """Tables and scratch arrays shared by the searches of one game."""

    tables: Tables
    workspace: forced_loops.Workspace
    sequence: NDArray[np.int16]


def search_of(game: Game) -> Search:
    """Allocate the tables and arrays for searches of a game."""
    tables = tables_of(game)
    return Search(tables, workspace(tables), np.zeros(forced_loops.longest(tables) + 2, np.int16))


def forced_win(
    position: Position, *, search_in: Search | None = None, nodes: int = NODES
) -> tuple[int, ...] | None:
    """Find a win by threats for the player to move; an opening restriction is taken to be over.

    Sequences of one, two, three and four moves are looked for first, then longer ones; the one
    returned need not be the shortest. `LimitError` if `nodes` positions do not tell.
    """
    if position.is_over:
        return None
    found = search_in or search_of(position.game)
    stones = stones_of(found.tables, position.owners, position.to_move)
    length = forced_loops.search(found.tables, found.workspace, stones, nodes, found.sequence)
    if length == forced_loops.OUT_OF_NODES:
        raise LimitError(f"{nodes:,} positions do not tell whether there is a forced win")
    if length <= 0:
        return None
    assert forced_loops.replay(found.tables, stones, found.sequence, length)
    return tuple(int(move) for move in found.sequence[:length])


def wins(position: Position, sequence: Sequence[int]) -> bool:
    """Return whether a forced sequence wins for the player to move."""
    tables = tables_of(position.game)
    size = position.game.board.cell_count
    if position.is_over or any(not 0 <= move < size for move in sequence):
        return False
    moves = np.array(sequence, np.int16)
    stones = stones_of(tables, position.owners, position.to_move)
    return bool(forced_loops.replay(tables, stones, moves, len(moves)))
