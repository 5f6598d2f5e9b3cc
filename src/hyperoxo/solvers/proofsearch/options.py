"""AND/OR graph of many proofs of one claim, and the choice of one option in each node.

A *node* is a position with the attacker to move, an *option* a move that wins there, and its
*children* the positions after the replies that matter. A proof is a choice of one option in every
node that it can reach; its size is the number of nodes in which the move has to be listed. Nodes
are never removed, so that numbers stay good.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hyperoxo.checkpoint import Form
from hyperoxo.kernels.arrays import Longs
from hyperoxo.kernels.choice import Chosen, Graph, anneal, estimate, release, take
from hyperoxo.solvers.proofsearch.view import Words, bytes_of_words, words_of_bytes

_FORM = Form(
    "hyperoxo-options",
    2,
    "oxo proof shrink",
    {"words": "u1", "costs": "i1", "tried": "<i4", "moves": "<i2"}
    | dict.fromkeys(("counts", "nodes", "best", "below", "roots"), "<i4"),
)
_SMALLEST = 0.12
"""Final temperature: hardly any exchange that costs more is accepted."""

_BLOCKS = 40
_NEAR = 3.0


class OptionGraph:
    """Nodes, options, children, and the best choice so far."""

    def __init__(self, claim: str, cells: int) -> None:
        self.claim = claim
        self._cells = cells
        # By node: position and number; cost, 1 if the move must be listed, 0 for a forced block;
        # rounds of search for more options; its options.
        self.ids: dict[Words, int] = {}
        self.words: list[Words] = []
        self.costs = array("b")
        self.tried = array("i")
        self.options: list[list[int]] = []
        # By option: the move, and the nodes after the replies that matter.
        self.moves = array("h")
        self.children: list[tuple[int, ...]] = []
        # The nodes that every proof needs, and the best choice: node to option.
        self.roots: list[int] = []
        self.best: dict[int, int] = {}

    def node(self, words: Words) -> int:
        """Return the number of a position; add it if it is new."""
        number = self.ids.get(words)
        if number is None:
            number = self.ids[words] = len(self.words)
            self.words.append(words)
            self.costs.append(0)
            self.tried.append(0)
            self.options.append([])
        return number

    def add(self, node: int, move: int, children: Iterable[Words]) -> bool:
        """Add an option; return whether it is new."""
        if any(self.moves[option] == move for option in self.options[node]):
            return False
        self.options[node].append(len(self.moves))
        self.moves.append(move)
        self.children.append(tuple(map(self.node, children)))
        return True

    def fewest(self, node: int) -> int:
        """Return the fewest children of an option of a node."""
        return min(len(self.children[option]) for option in self.options[node])

    def size(self, choice: Iterable[int]) -> int:
        """Count the listed positions of a choice."""
        return sum(self.costs[node] for node in choice)

    def reached(self, choice: dict[int, int]) -> dict[int, int]:
        """Restrict a choice to the nodes it reaches; an unassigned node takes its first option."""
        found: dict[int, int] = {}
        waiting = list(self.roots)
        while waiting:
            node = waiting.pop()
            if node not in found and self.options[node]:
                found[node] = choice.get(node, self.options[node][0])
                waiting += self.children[found[node]]
        return found

    def chosen_moves(self) -> dict[Words, int]:
        """Return the listed moves of the best choice."""
        return {
            self.words[node]: self.moves[option]
            for node, option in self.best.items()
            if self.costs[node]
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write nodes, options and the best choice into a file."""
        nodes = np.zeros(len(self.moves), np.int32)
        for node, options in enumerate(self.options):
            nodes[options] = node
        _FORM.save(
            path,
            {"claim": self.claim},
            words=bytes_of_words(self.words, self._cells),
            costs=self.costs,
            tried=self.tried,
            moves=self.moves,
            counts=[len(children) for children in self.children],
            nodes=nodes,
            best=[*self.best.items()] or np.zeros((0, 2)),
            below=[child for children in self.children for child in children],
            roots=self.roots,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str], claim: str, cells: int) -> OptionGraph:
        """Read a file that `save` has written for the same claim."""
        found = _FORM.load(path, {"claim": claim})
        graph = cls(claim, cells)
        graph.words = words_of_bytes(found["words"])
        graph.ids = {words: number for number, words in enumerate(graph.words)}
        graph.costs = array("b", found["costs"].tolist())
        graph.tried = array("i", found["tried"].tolist())
        graph.moves = array("h", found["moves"].tolist())
        ends, below = np.cumsum([0, *found["counts"]]).tolist(), found["below"].tolist()
        graph.children = [tuple(below[begin:end]) for begin, end in pairwise(ends)]
        graph.options = [[] for _ in graph.words]
        for option, node in enumerate(found["nodes"].tolist()):
            graph.options[node].append(option)
        graph.best = dict(found["best"].tolist())
        graph.roots = found["roots"].tolist()
        return graph


class Chooser:
    """Snapshot of the graph as flat arrays, and a choice that is being improved."""

    def __init__(self, graph: OptionGraph, seed: int, fixed: tuple[int, int] | None = None) -> None:
        """Begin with the best choice; a `fixed` node has the option given and keeps it."""
        # 1. The graph in CSR form. Options are renumbered in the order of their nodes: node v has
        # first[v]..first[v + 1] - 1, and option o the children below[start[o]:start[o + 1]].
        # `order` has nodes with fewer stones first, so that children come after their parents.
        self.graph = graph
        counts = np.fromiter(map(len, graph.options), np.int64, len(graph.options))
        flat = [option for options in graph.options for option in options]
        self._flat = np.array(flat, np.int64)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        lengths = [len(graph.children[option]) for option in flat]
        start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        below = np.fromiter(
            (child for option in flat for child in graph.children[option]), np.int32, int(start[-1])
        )
        stones = np.fromiter(
            (own.bit_count() + other.bit_count() for own, other in graph.words),
            np.int64,
            len(graph.words),
        )
        cost = np.frombuffer(graph.costs, np.int8).astype(np.int64)
        order = np.argsort(stones, kind="stable").astype(np.int32)
        self.arrays = Graph(first, start, below, cost, order)
        self._many = np.flatnonzero(counts > 1).astype(np.int32)
        self._state = np.array([seed], np.uint64)
        self.stop = np.zeros(1, np.int64)
        # 2. The choice: option of each node (-1 for none), number of parents that need it,
        # estimated cost, and a stack and a log of the kernels.
        nodes = len(graph.words)
        self.slack = np.zeros(nodes)
        self.chosen = Chosen(
            np.where(counts > 0, first[:-1], -1),
            np.zeros(nodes, np.int32),
            np.ones(nodes),
            np.zeros(nodes + 1, np.int64),
            np.zeros(2 * nodes + 2, np.int64),
        )
        place = np.empty(len(flat), np.int64)
        place[self._flat] = np.arange(len(flat))
        for node, option in graph.best.items():
            self.chosen.option[node] = place[option]
        self.size = self._need_roots()
        self.estimate()
        if fixed is not None:
            self._many = self._many[self._many != fixed[0]]
            self._exchange(fixed[0], int(place[fixed[1]]))

    def _need_roots(self) -> int:
        """Reference the roots and all nodes below them; return the cost."""
        chosen, size = self.chosen, 0
        for root in self.graph.roots:
            chosen.refs[root] += 1
            if chosen.refs[root] == 1 and chosen.option[root] >= 0:
                size += int(self.arrays.cost[root])
                size += int(take(self.arrays, chosen, root, -1.0, self._state))
        return size

    def _exchange(self, node: int, option: int) -> None:
        """Exchange the option of a node; options of newly needed nodes follow the estimates."""
        freed = release(self.arrays, self.chosen, node)
        self.chosen.option[node] = option
        added = take(self.arrays, self.chosen, node, 0.0, self._state)
        self.size += int(added) - int(freed)
        self.estimate()

    def shared(self, node: int, option: int) -> float:
        """Estimate the cost of an option; a child that others need too is shared among them."""
        chosen, children = self.chosen, [*self.graph.children[option]]
        shares = np.maximum(1, chosen.refs[children])
        return float((chosen.estimate[children] / shares).sum()) + self.graph.costs[node]

    def estimate(self) -> None:
        """Estimate the cost of every node, and its slack: 0 if needed, else how far from that."""
        estimate(self.arrays, self.chosen, self.slack)

    def anneal(self, steps: int, hot: float) -> None:
        """Improve the choice by simulated annealing."""
        for block in range(_BLOCKS):
            warm = hot * (_SMALLEST / hot) ** (block / (_BLOCKS - 1))
            # Most nodes are far from being needed (slack), and drawing them would not help.
            near = self._many[self.slack[self._many] < _NEAR]
            if not len(near):
                return
            share = steps // _BLOCKS
            self.size += int(
                anneal(self.arrays, self.chosen, near, share, warm, self._state, self.stop)
            )
            self.estimate()
            if self.stop[0]:
                return

    def choice(self) -> dict[int, int]:
        """Return the chosen options of needed nodes."""
        needed: NDArray[np.int64] = np.flatnonzero(
            (self.chosen.refs > 0) & (self.chosen.option >= 0)
        )
        options: Longs = self._flat[self.chosen.option[needed]]
        return dict(zip(needed.tolist(), options.tolist(), strict=True))
