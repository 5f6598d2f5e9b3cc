"""A proof opened node by node, as plain values for pages, HTTP and commands.

A node is a position, named by the moves from the start of the claim. If the proof's side is to
move, the node has its answer; otherwise the replies, one for each class of equivalent positions.
The proof is a directed acyclic graph of positions up to symmetry. Sizes count each of them once,
so those of the replies may add up to more than that of the node.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.display import as_data
from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.game import BLOCKED, FREE, Position, completing_cells
from hyperoxo.pictures.alt_text import name_of
from hyperoxo.play.explorer import readers
from hyperoxo.proof import KINDS, Dictionary, Prevention, Proof, ProofKind, verify
from hyperoxo.proof.dictionary_check import Edges
from hyperoxo.proof.images import locate
from hyperoxo.proof.registry import kind_of

_DETAILS = {
    "listed": "the proof file lists this move for the position or an image of it",
    "block": "the only cell that stops the other side's line; the file need not list it",
    "line": "completes a line",
    "endgame": "few cells are free: the checker searches every move to the end",
    "over": "the game is over",
    "completion": "one of the others completes a line before the seat moves again",
    "pair": "the other cell of the pair",
    "image": "the image under the permutation",
    "free": "the partner is taken or there is none: any free cell does",
}

ORDER = (
    *("listed", "block", "", "pair", "image", "free", "endgame", "forced", "line", "completion"),
    "over",
)
"""Means of answers, those with the largest subtrees first."""


@dataclass(frozen=True)
class Size:
    """Size of the subgraph below a position.

    `positions` counts the decisions of the proof's side up to symmetry; `listed` of them are in
    the proof file, the others block a line. `depth` is the longest path, in decisions.
    """

    positions: int
    listed: int
    depth: int


NOTHING = Size(0, 0, 0)


class Graph:
    """Directed acyclic graph of a proof's decisions (positions where its side must know a move)."""

    # Compressed rows: the successors of decision i are `_after[_first[i]:_first[i + 1]]`. Every
    # edge adds stones, so there is no cycle.

    def __init__(self, edges: Edges, listed: Container[bytes]) -> None:
        self.forms = [form for form in edges if form]
        self.number = {form: number for number, form in enumerate(self.forms)}
        rows = [[self.number[form] for form in edges[form]] for form in self.forms]
        self._first = np.cumsum([0, *map(len, rows)])
        self._after = np.array([other for row in rows for other in row], np.int64)
        self._listed = np.array([form in listed for form in self.forms], bool)
        # Lengths of the longest paths, by increasing number of free cells.
        self._depths = depths = np.zeros(len(rows), np.int64)
        free = [form.count(0) for form in self.forms]
        for number in sorted(range(len(rows)), key=free.__getitem__):
            depths[number] = 1 + max((depths[other] for other in rows[number]), default=0)
        self._sizes: dict[frozenset[int], Size] = {}

    def __contains__(self, form: bytes) -> bool:
        return form in self.number

    def __len__(self) -> int:
        return len(self.forms)

    def size(self, forms: Iterable[bytes]) -> Size:
        """Measure the subgraph reachable from some positions, these included."""
        roots = frozenset(self.number[form] for form in forms if form in self.number)
        if not roots:
            return NOTHING
        if roots not in self._sizes:
            self._sizes[roots] = self._measure(np.array(sorted(roots)))
        return self._sizes[roots]

    def _measure(self, roots: NDArray[np.int64]) -> Size:
        # Breadth-first search, a whole front at a time.
        seen = np.zeros(len(self.forms), bool)
        seen[roots] = True
        front = roots
        while len(front):
            first, last = self._first[front], self._first[front + 1]
            counts = last - first
            # Concatenate the ranges first..last of the front: each range gets an offset, to which
            # one running count is added.
            starts = np.repeat(first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
            following = self._after[starts + np.arange(counts.sum())]
            front = np.unique(following[~seen[following]])
            seen[front] = True
        return Size(
            int(seen.sum()), int((seen & self._listed).sum()), int(self._depths[roots].max())
        )


class Explorer:
    """The nodes of one proof.

    It does not verify; see `refused`. Nodes have no sizes before `count`, which takes about as
    long as verification.
    """

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.game = proof.game
        self.reader: readers.Reader | None = readers.reader_of(proof, kind_of(proof))
        self.graph: Graph | None = None

    @classmethod
    def read(cls, data: bytes) -> Explorer:
        """Read a proof file, verified by `refused`."""
        return cls(readers.read_any(data))

    def count(self, progress: readers.Progress | None = None) -> Edges | None:
        """Walk through the whole proof to learn the sizes; None if it is not a tree."""
        edges = None if self.reader is None else self.reader.edges(progress)
        if edges is not None:
            self.take(edges)
        return edges

    def take(self, edges: Edges) -> None:
        """Use edges that were counted elsewhere."""
        self.graph = Graph(edges, self.listed)

    @property
    def listed(self) -> dict[bytes, int]:
        """The moves that the proof lists."""
        return {} if self.reader is None else dict(self.reader.listed)

    def summary(self) -> dict[str, Any]:
        """Return the summary of the proof as plain values."""
        kind = kind_of(self.proof)
        found: dict[str, Any] = {
            "kind": kind.file.kind,
            **as_data(self.proof, "game claim=statement"),
            "words": plain_claim(self.proof, kind),
            **as_data(self.proof, "seat position"),
            "theorem": kind.theorem,
        }
        if self.reader is not None:
            found["counted"] = self.graph is not None
            if self.listed:
                found["listed"] = len(self.listed)
        return found | kind.facts(self.proof)

    def position(self, moves: Sequence[int]) -> Position:
        """Return the position after some moves; `SpecError` if they leave the proof."""
        reader = self._reader()
        here = reader.start
        for number, cell in enumerate(moves, start=1):
            try:
                after = here.play(cell)
            except (TypeError, HyperoxoError) as error:
                raise SpecError(f"move {number}: {error}") from None
            if reader.ours(here) and self._listed(here):
                answer = self.answer(here)
                if answer is not None and answer.cell not in (None, cell):
                    raise SpecError(f"move {number}: the proof plays {answer.cell}, not {cell}")
            here = after
        return here

    def node(self, moves: Sequence[int]) -> dict[str, Any]:
        """Return a node as plain values."""
        here = self.position(moves)
        reader = self._reader()
        ours = not here.is_over and reader.ours(here)
        answer = self.answer(here) if ours or here.is_over else None
        open_here = not here.is_over and (answer is None or answer.cell is not None)
        found: dict[str, Any] = {
            "moves": list(moves),
            "position": here.text,
            "player": 0 if here.is_over else here.to_move,
            "turn": "over" if here.is_over else "proof" if ours else "other",
            "answer": None if answer is None else _plain(answer),
            "replies": self.replies(here) if not ours and open_here else [],
            **self._size(here),
        }
        plan = None if here.is_over or ours else reader.plan_state(here)
        if plan is not None:
            found["plan"] = plan
        if answer is not None:
            details = reader.details.get(answer.by)
            found["details"] = details or details_of(answer, here, reader.seat)
            if answer.by == "forced":
                found["line"] = forced_line(here, answer.sequence)
        return found

    def answer(self, position: Position) -> readers.Answer | None:
        """Return the answer of the proof's side, which must be to move."""
        reader = self._reader()
        if not self._listed(position):
            return reader.leaf_answer(position)
        found = reader.answer(position)
        if found is not None and self.graph is not None:
            by = "listed" if self._form(position) in self.listed else "block"
            return readers.Answer(found.cell, by)
        return found

    def classes(self, position: Position) -> dict[bytes, list[int]]:
        """Group the legal moves by the class of the position they lead to."""
        found: dict[bytes, list[int]] = {}
        for cell in position.legal_moves:
            after = position.play(cell)
            form = after.owners if self._reader().own_cells else self._form(after)
            found.setdefault(form, []).append(cell)
        return found

    def replies(self, position: Position) -> list[dict[str, Any]]:
        """Return the replies in a position, one of each class, the largest subtree first."""
        reader, found = self._reader(), []
        for cells in self.classes(position).values():
            after = position.play(cells[0])
            ours = after.is_over or reader.ours(after)
            answer = self.answer(after) if ours else None
            found.append(
                {
                    "reply": cells[0],
                    "cells": cells,
                    **(_plain(answer) if answer is not None else {"cell": None, "by": ""}),
                    **self._size(after),
                }
            )
        place = {by: number for number, by in enumerate(ORDER)}
        return sorted(
            found,
            key=lambda reply: (
                -(reply["positions"] or 0),
                place.get(reply["by"], len(ORDER)),
                -len(reply.get("sequence", ())),
                reply["reply"],
            ),
        )

    def hardest(self, moves: Sequence[int]) -> list[int]:
        """Return the moves of the hardest branch: always the reply with the largest subtree."""
        reader = self._reader()
        here, path = self.position(moves), list(moves)
        while self.graph is not None and not here.is_over:
            if reader.ours(here):
                answer = self.answer(here) if self._listed(here) else None
                cell = None if answer is None else answer.cell
            else:
                sizes = {cell: self.size(here.play(cell)) for cell in here.legal_moves}
                cell = max(sizes, key=lambda at: (sizes[at].positions, sizes[at].depth, -at))
                cell = cell if sizes[cell].positions else None
            if cell is None:
                break
            here = here.play(cell)
            path.append(cell)
        return path

    def size(self, position: Position) -> Size:
        """Measure the subgraph below a position, itself included."""
        graph = self.graph
        if graph is None:
            return NOTHING
        return graph.size(self._reader().ahead(position, lambda form, _: form in graph))

    def _size(self, position: Position) -> dict[str, Any]:
        sizes = vars(self.size(position))
        return sizes if self.graph is not None else dict.fromkeys(sizes)

    def _listed(self, position: Position) -> bool:
        """Return True if the proof needs its own move here."""
        if self.graph is None:
            return self._reader().goes_on(position)
        return self._form(position) in self.graph

    def _form(self, position: Position) -> bytes:
        return locate(self.game, position.owners)[0]

    def _reader(self) -> readers.Reader:
        if self.reader is None:
            raise SpecError("this proof has no moves, so there are no positions to show")
        return self.reader


def refused(data: bytes) -> str:
    """Return the checker's reason to reject a file, or an empty string."""
    kind = KINDS.get(data.partition(b"\n")[0])
    if kind is not None and not kind.moves:
        return readers.ABOUT_A_BOARD
    verdict = verify(data)
    return "" if verdict.proved else f"the checker rejects this proof: {verdict.reason}"


def _plain(answer: readers.Answer) -> dict[str, Any]:
    found: dict[str, Any] = {"cell": answer.cell, "by": answer.by}
    return {**found, "sequence": list(answer.sequence)} if answer.sequence else found


def plain_claim(found: Proof | Dictionary, kind: ProofKind) -> str:
    """State the claim in plain words, without theory."""
    name, two = name_of(found.seat), found.game.players == 2
    others = name_of(3 - found.seat) if two else "the others"
    if kind.words is not None:
        return kind.words(found, name)
    if isinstance(found, Prevention):
        what = "a win" if found.claim == "no-win" else "even a draw"
        return f"{name} cannot force {what} if {others} {'plays' if two else 'play'} well."
    if isinstance(found, Dictionary) or found.claim == "win":
        return f"{name} can always win, whatever {others} {'plays' if two else 'play'}."
    return f"{name} need never lose, whatever {others} {'plays' if two else 'play'}."


def forced_line(position: Position, sequence: Sequence[int]) -> list[int]:
    """Interleave a forced sequence with the forced answers."""
    attacker, moves = position.to_move, list[int]()
    for cell in sequence:
        position = position.play(cell)
        moves.append(cell)
        must = () if position.is_over else completing_cells(position, attacker)
        if len(must) != 1:
            break
        position = position.play(must[0])
        moves.append(must[0])
    return moves


def details_of(answer: readers.Answer, position: Position, seat: int) -> str:
    """Describe the proof of an answer."""
    if answer.by == "forced":
        cells = "-".join(map(str, answer.sequence))
        return (
            f"forced sequence {cells}: after each move but the last exactly one cell completes a "
            "line; the checker replays it on the board"
        )
    if answer.by == "potential":
        total = potential(position, seat)
        return (
            f"the sum of {position.game.players}^-(free cells) over the lines still open to player "
            f"{seat} is {total}, below 1 (P. Erdős and J. Selfridge 1973; J. Beck 1982)"
        )
    return _DETAILS[answer.by]


def potential(position: Position, seat: int) -> Fraction:
    """Return the sum of q^-(free cells) over the lines that a seat may still complete."""
    game, owners, total = position.game, position.owners, Fraction(0)
    for number in range(game.board.line_count):
        line = [owners[cell] for cell in game.board.line(number).tolist()]
        if all(owner in (FREE, seat) for owner in line) and BLOCKED not in line:
            total += Fraction(1, game.players ** line.count(FREE))
    return total
