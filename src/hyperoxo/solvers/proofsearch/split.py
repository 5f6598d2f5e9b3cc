"""Proof search reply by reply: a table for each, and a file with the proofs so far.

Positions that one search cannot decide may split: after each of the defender's replies a
search with an empty table is quick, while one table for all fills up with the hardest reply.
Each reply gets few nodes and a few widths first, then more. A proved reply is saved with its
strategy immediately, so that an interrupt only loses the searches in progress.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree, tree_of
from hyperoxo.solvers.proofsearch.view import (
    ProofView,
    Words,
    bytes_of_words,
    words_of,
    words_of_bytes,
)
from hyperoxo.task import ALONE, Task
from hyperoxo.workers import Call, Workers, share_out

_FORM = Form(
    "hyperoxo-replies",
    1,
    "oxo replies",
    {"cells": "<i4", "widths": "<i4", "nodes": "<i8", "seconds": "<f8", "counts": "<i8"}
    | {"words": "u1", "moves": "<i4"},
)
_WIDTHS = (12, 10, 16)
_FIRST_NODES = 500_000
_GROWTH = 4
_MOST_NODES = 1 << 50
_ALL = 0


@dataclass(frozen=True)
class Reply:
    """The result of searching one class of replies; a win is the attacker's."""

    cell: int
    width: int
    nodes: int
    seconds: float
    moves: dict[Words, int] = field(repr=False)
    status: str = "win"
    _data = "strategic nodes width seconds:3"

    @property
    def strategic(self) -> int:
        """Strategic moves of its proof."""
        return len(self.moves)


def _search(
    position: Position,
    attempt: tuple[int, int, int],
    megabytes: float,
    threads: int,
    suggestions: Dictionary | None,
    task: Task,
) -> Reply:
    """Search one reply with an empty table; an attempt is its cell, width and nodes."""
    cell, width, most = attempt
    game, attacker, after = position.game, 3 - position.to_move, position.play(cell)
    search = ProofSearch(game, attacker, megabytes=megabytes, width=width)
    if suggestions is not None:
        search.suggest(tree_of(search, suggestions).moves)
    result = search.run(after, task, nodes=most, threads=threads)
    moves = proof_tree(search, after).moves if result.status == "win" else {}
    return Reply(cell, width, result.nodes, round(result.seconds, 3), moves, result.status)


class SplitSearch:
    """The defender's replies in one position, searched one by one."""

    def __init__(
        self,
        position: Position,
        *,
        megabytes: float = 512,
        threads: int = 1,
        memory: str | os.PathLike[str] | None = None,
        suggestions: Dictionary | None = None,
    ) -> None:
        self.position = position
        self.attacker = 3 - position.to_move
        self._view = ProofView(position.game, self.attacker)
        self.threads = threads
        self._suggestions = suggestions
        self._megabytes = megabytes
        self._memory = None if memory is None else Path(memory)
        # By the first cell of each class of replies: proofs that the attacker wins, replies that
        # hold (all moves failed), and widths that failed.
        self.proved: dict[int, Reply] = {}
        self.holding: set[int] = set()
        self._failed: set[tuple[int, int]] = set()
        self.nodes = 0
        self.classes = self._view.classes(position)
        if self._memory is not None and self._memory.exists():
            self._read(self._memory)

    @property
    def undecided(self) -> list[int]:
        """The replies that are not decided yet, one of each class."""
        decided = self.proved.keys() | self.holding
        return [cell for cell in self.classes if cell not in decided]

    def run(
        self, task: Task = ALONE, on_progress: Callable[[Reply], object] | None = None
    ) -> Iterator[Reply]:
        """Search until every reply is proved or the task is over; yield each proof.

        Several are searched in parallel, one per worker; `on_progress` gets the result of each
        search. A search in this process reports pairs of a reply and a `ProofProgress` to the task.
        """
        # A queue of the undecided replies, each with its series of widths and node limits. A reply
        # whose search is running is not in it, and joins its end again when that fails.
        waiting = deque((cell, _attempts()) for cell in self.undecided)
        series = dict(waiting)

        def take() -> tuple[int, int, int] | None:
            if not waiting or task.over:
                return None
            cell, attempts = waiting.popleft()
            return cell, *next(pair for pair in attempts if self._is_promising(cell, pair[0]))

        def call(attempt: tuple[int, int, int]) -> Call:
            named = replace(task, on_report=lambda found: task.report((attempt[0], found)))
            settings = self._megabytes, self.threads, self._suggestions
            return named.call(_search, self.position, attempt, *settings)

        with closing(share_out(task.crew or Workers(), take, call)) as attempts:
            for _, found in attempts:
                proved = self._record(found)
                if on_progress is not None:
                    on_progress(found)
                if proved:
                    yield found
                elif found.cell not in self.holding:
                    waiting.append((found.cell, series[found.cell]))

    def tree(self) -> ProofTree:
        """Return the proofs of all replies as one."""
        missing = [cell for cell in self.classes if cell not in self.proved]
        if missing:
            raise CheckFailedError(f"the replies {missing} are not proved to lose")
        moves: dict[Words, int] = {}
        for reply in self.proved.values():
            # Both moves win where two proofs disagree.
            moves = {**reply.moves, **moves}
        return ProofTree.of(self._view, words_of(self.position, self.attacker), moves)

    def _is_promising(self, cell: int, width: int) -> bool:
        """True if a width may still prove a reply; all moves are tried after the narrow widths."""
        if width == _ALL:
            return all((cell, narrow) in self._failed for narrow in _WIDTHS)
        return (cell, width) not in self._failed

    def _record(self, found: Reply) -> bool:
        """Record the result of a search; return whether it is a new proof."""
        self.nodes += found.nodes
        if found.status == "failed":
            self._failed.add((found.cell, found.width))
            if found.width == _ALL:
                self.holding.add(found.cell)
        if found.status != "win" or found.cell in self.proved:
            return False
        self.proved[found.cell] = found
        if self._memory is not None:
            self._write(self._memory)
        return True

    @property
    def _of(self) -> dict[str, object]:
        return {"game": str(self.position.game), "position": self.position.text}

    def _write(self, path: Path) -> None:
        replies = [*self.proved.values()]
        pairs = [pair for reply in replies for pair in reply.moves.items()]
        _FORM.save(
            path,
            self._of,
            cells=[reply.cell for reply in replies],
            widths=[reply.width for reply in replies],
            nodes=[reply.nodes for reply in replies],
            seconds=[reply.seconds for reply in replies],
            counts=[len(reply.moves) for reply in replies],
            words=bytes_of_words(
                (words for words, _ in pairs), self.position.game.board.cell_count
            ),
            moves=[move for _, move in pairs],
        )

    def _read(self, path: Path) -> None:
        found = _FORM.load(path, self._of)
        moves = iter(zip(words_of_bytes(found["words"]), found["moves"].tolist(), strict=True))
        columns = (
            found[name].tolist() for name in ("cells", "widths", "nodes", "seconds", "counts")
        )
        for cell, width, nodes, seconds, count in zip(*columns, strict=True):
            reply = Reply(cell, width, nodes, seconds, dict(islice(moves, count)))
            if cell in self.classes:
                self.proved[cell] = reply


def _attempts() -> Iterator[tuple[int, int]]:
    """Yield widths with growing node limits, without end."""
    nodes = _FIRST_NODES
    while True:
        for width in (*_WIDTHS, _ALL):
            yield width, nodes
        nodes = min(nodes * _GROWTH, _MOST_NODES)
