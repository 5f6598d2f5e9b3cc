"""The history of a game: a tree of moves, and the line through it that is being followed."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["MoveTree", "Node"]


@dataclass(frozen=True, slots=True)
class Node:
    """One move of the tree."""

    parent: int
    cell: int
    at: int = 0
    reason: str = ""


@dataclass(frozen=True)
class MoveTree:
    """Every move that was tried in a game, and where the game stands.

    Node 0 is the first position. A node stands for its move and for the position after it.
    """

    nodes: tuple[Node, ...] = (Node(-1, -1),)
    line: tuple[int, ...] = (0,)
    cursor: int = 0

    @property
    def node(self) -> int:
        """Number of the node where the game stands."""
        return self.line[self.cursor]

    @property
    def path(self) -> tuple[int, ...]:
        """Node numbers from the root to where the game stands."""
        return self.line[: self.cursor + 1]

    @property
    def moves(self) -> tuple[int, ...]:
        """Cells played on the way to where the game stands."""
        return tuple(self.nodes[number].cell for number in self.line[1 : self.cursor + 1])

    @property
    def undone(self) -> tuple[int, ...]:
        """Node numbers that come after on the line, nearest first."""
        return self.line[self.cursor + 1 :]

    def children(self, node: int) -> tuple[int, ...]:
        """Return the nodes played at `node`, in the order in which they were first played."""
        return tuple(number for number, entry in enumerate(self.nodes) if entry.parent == node)

    def path_to(self, node: int) -> tuple[int, ...]:
        """Return the node numbers from the root to `node`."""
        if not 0 <= node < len(self.nodes):
            raise KeyError(node)
        path = [node]
        while path[-1] != 0:
            path.append(self.nodes[path[-1]].parent)
        return tuple(reversed(path))

    def moves_to(self, node: int) -> tuple[int, ...]:
        """Return the cells played on the way to `node`."""
        return tuple(self.nodes[number].cell for number in self.path_to(node)[1:])

    def play(self, cell: int, at: int = 0, reason: str = "") -> MoveTree:
        """Play a move here: along a branch that is known, or on a new one."""
        for number in (*self.undone[:1], *self.children(self.node)):
            if self.nodes[number].cell == cell:
                return self.go(number)
        number = len(self.nodes)
        return MoveTree(
            (*self.nodes, Node(self.node, cell, at, reason)), (*self.path, number), self.cursor + 1
        )

    def go(self, node: int) -> MoveTree:
        """Stand at `node`; the line goes on with the newest branches after it."""
        if node in self.line:
            return replace(self, cursor=self.line.index(node))
        path = list(self.path_to(node))
        cursor = len(path) - 1
        while branches := self.children(path[-1]):
            path.append(branches[-1])
        return replace(self, line=tuple(path), cursor=cursor)
