"""The least number of moves that a proof of a position must list, where that is not many.

What is counted is a proof that is a tree; one that comes to a position in several ways lists it
once, and may be smaller (see `hyperoxo.kernels.fewest`).
"""

from __future__ import annotations

import numpy as np

from hyperoxo.kernels.cell_sets import words_for
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.kernels.fewest import FRAME, SETS, STOPPED, Room, cost_within, move_known
from hyperoxo.kernels.proof_children import Search, new_images
from hyperoxo.kernels.proof_table import MOST, NO_MOVE, entry_words
from hyperoxo.solvers.proofsearch.view import ProofView, Words

_LEAST_BYTES = 1 << 16
_DEAR, _LESS = 24, 4
_FAR_ABOVE = 8


class FewestMoves:
    """What the proofs of positions cost, and a table that keeps it from call to call.

    Positions are canonical, with the attacker to move and no forced win.
    """

    def __init__(self, view: ProofView, megabytes: float) -> None:
        self.view = view
        self._about: dict[Words, tuple[int, int]] = {}
        cells = view.game.board.cell_count
        size, levels = words_for(cells), cells // 2 + 2
        entry = entry_words(size)
        entries = max(int(megabytes * 2**20), _LEAST_BYTES) // (8 * entry)
        table = np.zeros(entries // 4 * 4 * entry, np.uint64)
        self._search = Search(view.new_field(), view.plan, table, view.weights, 0, 0.0)
        self._room = Room(
            np.zeros((levels, FRAME), np.int64),
            np.zeros(levels * SETS * size, np.uint64),
            np.zeros(levels * cells * size, np.uint64),
            np.zeros(levels * cells, np.int64),
            np.zeros(levels * cells * 2 * size, np.uint64),
            np.zeros(levels * cells, np.int64),
            new_images(cells),
        )

    def applies(self, words: Words) -> bool:
        """Whether no opening bears on what follows a position."""
        game = self.view.game
        most = game.opening_moves if game.opening is not None else 0
        return min(words[0].bit_count(), words[1].bit_count()) >= most

    def cost(self, words: Words, bound: int, nodes: int) -> int | None:
        """Return what a position costs, if that is at most `bound` and found within the nodes."""
        found = self._cost(words, bound, nodes, every=False)
        return found if STOPPED != found <= bound else None

    def moves(self, words: Words, bound: int, nodes: int) -> dict[int, int]:
        """Return the moves with which a position costs at most `bound`, and what it then costs."""
        lows = self._room.lows[: self.view.game.board.cell_count]
        # What is no move worth searching keeps this.
        lows[:] = MOST
        if self._cost(words, bound, nodes, every=True) == STOPPED:
            return {}
        costs = lows + (1 if self.view.attack(words)[0] == "open" else 0)
        return {int(cell): int(costs[cell]) for cell in np.flatnonzero(costs <= bound)}

    def move(self, words: Words) -> int | None:
        """Return a move that is known to be the cheapest, or the cheapest that was tried."""
        _, move = move_known(self._search.table, *self.view.sets_of(words))
        if move != NO_MOVE:
            return int(move)
        about = self._about.get(words)
        return None if about is None or about[1] == NO_MOVE else about[1]

    def totals(self, words: Words, nodes: int, most: int, deeper: bool) -> dict[int, int]:
        """Return moves with at most `most` positions after them, and what all these cost.

        The sum is left out where it is far above the least. Each position has that number of nodes;
        with `deeper` one that is too dear for them costs what the best of its own totals is.
        """
        images: dict[tuple[Words, ...], int] = {}
        for move in self.view.candidates(words):
            here = self.view.canonical((words[0] | 1 << move, words[1]))
            if not self.view.refuted(here):
                images.setdefault(tuple(sorted(self.view.after(here))), move)
        found: dict[int, int] = {}
        least = MOST
        for after in sorted(images, key=len):
            if len(after) > most:
                break
            limit = least + least // _FAR_ABOVE
            total = self._sum(after, nodes, limit, deeper)
            if total < MOST:
                found[images[after]] = total
                least = min(least, total)
        return {
            move: total for move, total in found.items() if total <= least + least // _FAR_ABOVE
        }

    def _sum(self, after: tuple[Words, ...], nodes: int, limit: int, deeper: bool) -> int:
        """Return what some positions cost together, or MOST if that is too much or not known."""
        total = 0
        for words in after:
            left = limit - total
            about = self._about.get(words)
            cost = self.cost(words, min(_DEAR, left), nodes) if about is None else about[0]
            if cost is None and deeper and left > _DEAR:
                totals = self.totals(words, nodes // _LESS, MOST, deeper=False)
                move = min(totals, key=totals.__getitem__, default=NO_MOVE)
                cost = totals.get(move, MOST - 1) + 1
                self._about[words] = (cost, move)
            if cost is None or cost > left:
                return MOST
            total += cost
        return total

    def _cost(self, words: Words, bound: int, nodes: int, *, every: bool) -> int:
        control = self._search.field.control
        control[:] = 0
        control[NODE_LIMIT] = nodes
        return int(cost_within(self._search, self._room, *self.view.sets_of(words), bound, every))
