"""Which positions of a dictionary follow which, as the checker's walk comes to them.

The checker is not changed by this: the same walk notes, besides, from where it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hyperoxo.errors import CheckFailedError
from hyperoxo.proof.dictionary_check import walk_through
from hyperoxo.proof.dictionary_proof import DictionaryProof
from hyperoxo.proof.dictionary_walk import Node, Walk
from hyperoxo.proof.forced import NODES
from hyperoxo.proof.images import Cells

Edges = Mapping[bytes, tuple[bytes, ...]]
"""For each position, in its form, those that may come next; `b""` stands for the beginning."""


class _EdgeWalk(Walk):
    """A walk that notes which positions follow which."""

    def __init__(self, proof: DictionaryProof) -> None:
        super().__init__(proof.dictionary, nodes=NODES, leaves=proof.leaves)
        self.after: dict[bytes, dict[bytes, None]] = {}
        self._here = b""

    def _take_sequences(self, form: bytes, cells: Cells) -> None:
        self._here = form
        self.after[form] = {}
        super()._take_sequences(form, cells)

    def _follow(self, node: Node, form: bytes, cells: Cells, move: int) -> None:
        self.after[self._here][form] = None
        super()._follow(node, form, cells, move)


def dictionary_edges(
    proof: DictionaryProof, progress: Callable[[int, int], object] | None = None
) -> Edges:
    """Return for each listed position and block those that may come next.

    `CheckFailedError` where the dictionary does not win.
    """
    walk = _EdgeWalk(proof)
    walk_through(walk, progress)
    if walk.failures:
        raise CheckFailedError(str(walk.failures[0]))
    return {form: tuple(after) for form, after in walk.after.items()}
