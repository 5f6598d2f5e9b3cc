"""How much of a proof follows a position: positions up to symmetry, and how deep they go."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.proof.dictionary_check import Edges
from hyperoxo.proof.envelope import owners_text, text_owners


@dataclass(frozen=True)
class Size:
    """What follows a position.

    `positions` are those, each up to symmetry and once, in which the proof's side must know its
    move; `listed` of them stand in the proof, in the others it only stops a line. `depth` is the
    most of them that one game can meet.
    """

    positions: int
    listed: int
    depth: int


NOTHING = Size(0, 0, 0)


class Graph:
    """The positions of a proof in which its side must know its move, and which follow which."""

    def __init__(self, edges: Edges, listed: Container[bytes]) -> None:
        self.forms = [form for form in edges if form]
        self.number = {form: number for number, form in enumerate(self.forms)}
        rows = [[self.number[form] for form in edges[form]] for form in self.forms]
        self._first = np.cumsum([0, *map(len, rows)])
        self._after = np.array([other for row in rows for other in row], np.int64)
        self._listed = np.array([form in listed for form in self.forms], bool)
        self._depths = self._longest(rows)
        self._sizes: dict[frozenset[int], Size] = {}

    def __contains__(self, form: bytes) -> bool:
        return form in self.number

    def __len__(self) -> int:
        return len(self.forms)

    def _longest(self, rows: list[list[int]]) -> NDArray[np.int64]:
        """The most positions on one path from each; those that follow have more stones."""
        depths = np.zeros(len(rows), np.int64)
        free = [form.count(0) for form in self.forms]
        for number in sorted(range(len(rows)), key=free.__getitem__):
            depths[number] = 1 + max((depths[other] for other in rows[number]), default=0)
        return depths

    def size(self, forms: Iterable[bytes]) -> Size:
        """Measure what follows from some positions on, these included."""
        roots = frozenset(self.number[form] for form in forms if form in self.number)
        if not roots:
            return NOTHING
        if roots not in self._sizes:
            self._sizes[roots] = self._measure(np.array(sorted(roots)))
        return self._sizes[roots]

    def _measure(self, roots: NDArray[np.int64]) -> Size:
        seen = np.zeros(len(self.forms), bool)
        seen[roots] = True
        front = roots
        while len(front):
            first, last = self._first[front], self._first[front + 1]
            counts = last - first
            # The ranges first..last of all of them, one behind the other.
            starts = np.repeat(first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
            following = self._after[starts + np.arange(counts.sum())]
            front = np.unique(following[~seen[following]])
            seen[front] = True
        return Size(
            int(seen.sum()), int((seen & self._listed).sum()), int(self._depths[roots].max())
        )


def plain_edges(edges: Edges) -> dict[str, Any]:
    """Return what follows what as plain values for JSON."""
    forms = [form for form in edges if form]
    number = {form: at for at, form in enumerate(forms)}
    return {
        "forms": [owners_text(form, len(form)) for form in forms],
        "after": [[number[other] for other in edges[form]] for form in forms],
    }


def edges_from(plain: dict[str, Any]) -> Edges:
    """Read what `plain_edges` has made."""
    forms = [text_owners(text, len(text)) for text in plain["forms"]]
    rows = zip(forms, plain["after"], strict=True)
    return {form: tuple(forms[other] for other in row) for form, row in rows}
