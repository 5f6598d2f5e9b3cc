"""State graph of a game: positions, or classes of positions, and moves.

With two players every node has its value, by retrograde analysis.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.game import Game, Value, outcome_of
from hyperoxo.proof.envelope import owners_text
from hyperoxo.solvers.states import layers
from hyperoxo.solvers.states.tables import table_of
from hyperoxo.task import Progress, Task

__all__ = ["Node", "StateGraph"]

_CHUNK = 1 << 15


class Node(NamedTuple):
    """One node of the graph with its attributes."""

    number: int
    text: str
    ply: int
    turn: int
    result: str
    orbit: int
    games: int
    value: Value | None
    remoteness: int | None


class StateGraph:
    """All positions of a game and the moves between them, in memory.

    Parameters
    ----------
    game : Game or str
        The game.
    symmetry : bool
        Whether a node is a class of positions rather than one position.
    max_plies : int, optional
        Largest number of stones.
    progress : callable, optional
        Called with (work done, all work).

    Raises
    ------
    LimitError
        If the game is too large, or has too many symmetries for classes.

    Examples
    --------
    >>> graph = StateGraph("3^2")
    >>> len(graph), graph.edge_count
    (765, 2096)
    >>> node = graph.node(0)
    >>> node.text, node.value, node.remoteness
    ('.........', 'draw', 9)
    """

    def __init__(
        self,
        game: Game | str,
        *,
        symmetry: bool = True,
        max_plies: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.game = Game(game) if isinstance(game, str) else game
        if max_plies is not None and max_plies < 0:
            raise SpecError(f"max_plies must be at least 0, not {max_plies}")
        limit = layers.most_positions(self.game, symmetry=symmetry, plies=max_plies)
        self.code = layers.GameCode(self.game, symmetry=symmetry, max_plies=max_plies)
        self.symmetry = symmetry
        self.layers = layers.all_layers(self.code, limit, Task(progress))
        self.starts = np.cumsum([0, *map(len, self.layers)]).tolist()

    def __len__(self) -> int:
        return int(self.starts[-1])

    @property
    def complete(self) -> bool:
        """True if all games end within the layers."""
        return not (self.layers[-1].results == 0).any()

    @cached_property
    def edge_count(self) -> int:
        """Number of different edges; moves to the same class are one."""
        return sum(1 for _ in self.edges())

    def moves(self, ply: int) -> layers.Edges:
        """Return the moves from the positions of one layer; finished games have none.

        Parameters
        ----------
        ply : int
            Number of stones on the board.

        Returns
        -------
        Edges
            The moves.
        """
        return layers.layer_edges(self.code, self.layers, ply)

    @cached_property
    def values(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Value bytes of each layer (see :mod:`hyperoxo.kernels.retrograde`).

        None with more than two players, or if some games go on and there is no table of values.
        """
        if not layers.VALUES.accepts(self.game):
            return None
        if self.complete:
            return layers.layer_values(self.code, self.layers)
        table = table_of(self.game)
        if table is None:
            return None
        return tuple(table.values_of(self.owners(layer.ply)) for layer in self.layers)

    def owners(self, ply: int) -> NDArray[np.uint8]:
        """Owners of all cells in the positions of one layer, uint8 ``[K, N]``.

        Parameters
        ----------
        ply : int
            Number of stones on the board.

        Returns
        -------
        ndarray of uint8
            A row for each position: 0 for a free cell, or the player.
        """
        return self.code.owners(self.layers[ply].keys)

    def texts(self, ply: int) -> list[str]:
        """Texts of the positions of one layer.

        Parameters
        ----------
        ply : int
            Number of stones on the board.

        Returns
        -------
        list of str
            One character for each cell.
        """
        return _texts(self.owners(ply))

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes in the order of their numbers."""
        for ply, layer in enumerate(self.layers):
            for first in range(0, len(layer), _CHUNK):
                texts = _texts(self.code.owners(layer.keys[first : first + _CHUNK]))
                for place, text in enumerate(texts, start=first):
                    yield self._node(ply, place, text)

    def node(self, number: int) -> Node:
        """Return one node by its number.

        Parameters
        ----------
        number : int
            Number of the node.

        Returns
        -------
        Node
            The node.
        """
        ply = int(np.searchsorted(self.starts, number, side="right")) - 1
        if not 0 <= number < len(self):
            raise SpecError(f"there is no node {number}; nodes are 0 to {len(self) - 1}")
        place = number - self.starts[ply]
        keys = self.layers[ply].keys[place : place + 1]
        return self._node(ply, place, _texts(self.code.owners(keys))[0])

    def _node(self, ply: int, place: int, text: str) -> Node:
        # Numbers of games may take several words, lowest first.
        layer, players = self.layers[ply], self.game.players
        outcome = outcome_of(int(layer.results[place]), players)
        value, remoteness = None, None
        if self.values is not None:
            value, remoteness = layers.value_of(int(self.values[ply][place]))
        return Node(
            self.starts[ply] + place,
            text,
            ply,
            self.game.turns.mover(ply) if outcome is None else 0,
            "" if outcome is None else outcome.result,
            int(layer.orbit[place]),
            sum(int(word) << 64 * w for w, word in enumerate(layer.games[place])),
            value,
            remoteness,
        )

    def edges(self) -> Iterator[tuple[int, int, int, int]]:
        """Iterate over all edges.

        Yields
        ------
        source, target : int
            Numbers of the nodes.
        move : int
            Lowest cell of the source's position that leads to the target.
        moves : int
            Number of cells that do.
        """
        for ply in range(len(self.layers) - 1):
            moves = self.moves(ply)
            here, there = self.starts[ply], self.starts[ply + 1]
            for place in range(len(self.layers[ply])):
                span = slice(moves.ends[place], moves.ends[place + 1])
                # Several moves may lead to the same class: one edge, with the number of moves.
                merged: dict[int, list[int]] = {}
                for target, cell in zip(
                    moves.targets[span].tolist(), moves.cells[span].tolist(), strict=True
                ):
                    merged.setdefault(target, []).append(cell)
                for target, cells in merged.items():
                    yield here + place, there + target, cells[0], len(cells)

    def to_networkx(self) -> Any:
        """Return the graph as a `networkx.DiGraph` with plain attributes.

        Nodes are numbers with ``position``, ``ply``, ``turn``, ``result``, ``orbit``, ``games``
        and, where known, ``value`` and ``remoteness``; edges have ``move`` and ``moves``.

        Raises
        ------
        MissingExtraError
            If NetworkX is not installed.

        Examples
        --------
        >>> graph = StateGraph("2^2").to_networkx()
        >>> graph.number_of_nodes(), graph.nodes[0]["value"]
        (4, 'win')
        """
        try:
            nx: Any = importlib.import_module("networkx")
        except ImportError:
            raise MissingExtraError("graph", "a NetworkX graph") from None
        graph = nx.DiGraph(game=str(self.game))
        for node in self.nodes():
            graph.add_node(node.number, **attributes_of(node))
        for source, target, move, moves in self.edges():
            graph.add_edge(source, target, move=move, moves=moves)
        return graph


ATTRIBUTES = ("position", *Node._fields[2:])
"""Names of the attributes of a node, without its number."""


def attributes_of(node: Node) -> dict[str, str | int]:
    """Return the known attributes of a node as plain numbers and texts."""
    known = zip(ATTRIBUTES, node[1:], strict=True)
    return {
        name: str(value) if isinstance(value, Value) else value
        for name, value in known
        if value is not None
    }


def _texts(owners: NDArray[np.uint8]) -> list[str]:
    width = owners.shape[1]
    joined = owners_text(owners.tobytes(), owners.size)
    return [joined[at : at + width] for at in range(0, len(joined), width)]
