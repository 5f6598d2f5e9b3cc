"""Smaller proofs: minimum solution subgraph of an AND/OR graph, by annealing and local search.

Positions where the attacker must choose form a graph: each has some *options*, moves that win,
and each option leads to the positions after the replies that matter. A proof is a choice of one
option in every position that it can reach, and its size is their number. Finding the least one
is hard, for positions are shared. The choice is annealed as a whole (`hyperoxo.kernels.choice`),
by what an exchange of one option frees and adds. Between that, new options are searched for, first
where the proof is, then where estimates say that it might be: those of the cheapest proofs, which
are found exactly where they are short (`fewest`), and others with few nodes.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hyperoxo.jit import working_time
from hyperoxo.kernels.cell_sets import words_for
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.kernels.fewest import FRAME, SETS, STOPPED, Levels, cost_within, move_known
from hyperoxo.kernels.proof_children import Search, new_images
from hyperoxo.kernels.proof_table import MOST, NO_MOVE, entry_words
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.options import Chooser, OptionGraph
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import ProofTree, tree_of
from hyperoxo.solvers.proofsearch.view import ProofView, Words

_MEGABYTES, _INTERVAL = 512, 120.0
_WIDTH = 10
_NODES = (100, 400, 2000, 10_000)
_THREATS = (1_000_000, 4_000_000, 16_000_000, 64_000_000)
_SPARE = (2, 3, 5, 8)
_DEAREST = 80
_PENALTY = (0.0, 0.75, 2.0, 4.0)
_FAR, _NEAR = 5.0, 0.7
_LITTLE = 0.998
_DIVES, _DEEP, _SHRINKS = 4, 8, 0.9
_SPREAD = 3
_SHARE = 20.0
_LARGE = 20.0
_MOST_SHARES = 10.0
_MOST_NEW = 1000
_BATCH, _BATCH_SECONDS = 200, 60.0
_STEPS = 4
_LEAST_STEPS, _MOST_STEPS = 100_000, 20_000_000
_HOT = (0.5, 1.0, 0.3, 2.0)


ProgressCallback = Callable[[int, int], object]
"""Called with the listed positions of the best choice, and the positions of the graph."""


def shrink_dictionaries(
    dictionaries: Sequence[Dictionary], seconds: float, **settings: Any
) -> ProofTree:
    """Make one small proof of several of the same claim, with the settings of a `Shrinker`."""
    first = dictionaries[0]
    search = ProofSearch(first.game, first.seat, megabytes=_MEGABYTES, width=_WIDTH)
    work = Shrinker(search, tree_of(search, first), **settings)
    for other in dictionaries[1:]:
        work.add(tree_of(search, other))
    work.run(seconds)
    return work.tree()


class Shrinker:
    """A graph of options, and the search for more of them.

    The graph is read from `checkpoint` at the beginning, and saved to it at times and at the end.
    """

    def __init__(
        self,
        search: ProofSearch,
        tree: ProofTree,
        *,
        seed: int = 0,
        checkpoint: str | os.PathLike[str] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> None:
        self._checkpoint = checkpoint
        self.search = search
        self.fewest = FewestMoves(search, _MEGABYTES)
        self.first = tree
        self.on_progress = on_progress
        self._rng = random.Random(seed)
        # Positions won by threats; for each unproved position the nodes already spent on it; and
        # the number of dives into each option.
        self._won: set[Words] = set()
        self._lost: dict[Words, int] = {}
        self._rounds = 0
        self._dived: dict[int, int] = {}
        self._saved = time.perf_counter()
        cells = search.game.board.cell_count
        begins = search.canonical(tree.root)
        claim = f"player {search.attacker} wins {search.game} from {begins[0]:x}/{begins[1]:x}"
        if checkpoint is not None and Path(checkpoint).exists():
            self.graph = OptionGraph.load(checkpoint, claim, cells)
        else:
            self.graph = OptionGraph(claim, cells)
        first = [begins] if search.attacker_moves(begins) else search.after(begins)
        self.graph.roots = [self.graph.node(words) for words in first]
        # A search that was interrupted may have left positions without an option.
        pairs = zip(self.graph.words, self.graph.options, strict=True)
        self._close([words for words, options in pairs if not options], tree.moves)
        self.add(tree)

    @property
    def size(self) -> int:
        """Listed positions of the best choice."""
        return self.graph.size(self.graph.best)

    def add(self, tree: ProofTree) -> None:
        """Add the moves of a proof of the same position; it becomes the best choice if smaller."""
        graph = self.graph
        choice: dict[int, int] = {}
        self._close([graph.words[root] for root in graph.roots], tree.moves)
        for words, move in tree.moves.items():
            node = graph.node(words)
            if not graph.options[node]:
                # Not reached by any option so far: this also determines its cost.
                self._close([words], tree.moves)
            children = self._children(words, move)
            graph.add(node, move, children)
            self._close(children, tree.moves)
            for option in graph.options[node]:
                if graph.moves[option] == move:
                    choice[node] = option
        self._record(graph.reached(choice))

    def run(self, seconds: float, rounds: int = 0) -> None:
        """Search new options and choose again until the time, or a number of rounds, is over."""
        # A round: anneal the choice, then search options near it. If that gained little, dive into
        # options that look bad only because less work was spent below them.
        end = working_time() + seconds
        try:
            while working_time() < end and not 0 < rounds <= self._rounds:
                before = self.size
                chooser = self._choose()
                if not self._widen(chooser, end):
                    break
                for _ in range(_DIVES if self.size > before * _LITTLE else 0):
                    self._dive(end)
            self._choose()
        except KeyboardInterrupt:
            pass
        finally:
            self._save()

    def tree(self) -> ProofTree:
        """Return the best choice as a proof."""
        return ProofTree.of(self.search, self.first.root, self.graph.chosen_moves())

    def _choose(self) -> Chooser:
        """Anneal the choice, from the best so far."""
        chooser = Chooser(self.graph, self._rng.getrandbits(63))
        hot = _HOT[self._rounds % len(_HOT)]
        self._rounds += 1
        steps = _STEPS * len(self.graph.words)
        chooser.anneal(max(_LEAST_STEPS, min(_MOST_STEPS, steps)), hot)
        self._record(chooser.choice())
        if time.perf_counter() - self._saved > _INTERVAL:
            self._save()
        return chooser

    def _dive(self, end: float) -> None:
        """Explore another option of an expensive node as deeply as the chosen one."""
        # 1. Rank options by their estimated cost relative to the chosen one, with noise, those
        # dived into before later.
        graph, waiting = self.graph, []
        chooser = Chooser(graph, 0)
        for node, option in graph.best.items():
            if chooser.chosen.estimate[node] < _LARGE:
                continue
            now = chooser.shared(node, option)
            for other in graph.options[node]:
                # If all children are needed anyway, annealing finds the exchange.
                if not chooser.chosen.refs[[*graph.children[other]]].all():
                    ratio = chooser.shared(node, other) / now + self._dived.get(other, 0)
                    waiting.append((ratio + self._rng.random() / 2, node, other))
        if not waiting:
            return
        # 2. Fix the option and improve below it, as long as the gap to the best proof closes by a
        # tenth each time.
        _, node, option = min(waiting)
        self._dived[option] = self._dived.get(option, 0) + 1
        gap = math.inf
        for _ in range(_DEEP):
            tried = Chooser(graph, self._rng.getrandbits(63), (node, option))
            tried.anneal(_LEAST_STEPS + len(graph.words), _HOT[0])
            self._record(tried.choice())
            before, gap = gap, tried.size - self.size
            if gap <= 0 or gap > _SHRINKS * before or working_time() >= end:
                return
            if not self._widen(tried, end, _NEAR):
                return

    def _record(self, choice: dict[int, int]) -> None:
        if not self.graph.best or self.graph.size(choice) < self.size:
            self.graph.best = choice
        if self.on_progress is not None:
            self.on_progress(self.size, len(self.graph.words))

    def _save(self) -> None:
        if self._checkpoint is not None:
            self.graph.save(self._checkpoint)
            self._saved = time.perf_counter()

    def _widen(self, chooser: Chooser, end: float, most: float = _FAR) -> bool:
        """Search for options where they are likely to help; False if there is no such node."""
        graph, tried = self.graph, self.graph.tried
        waiting = []
        for node in range(len(chooser.slack)):
            if not graph.costs[node] or tried[node] >= len(_NODES):
                continue
            far = chooser.slack[node] + _PENALTY[tried[node]]
            cost = float(chooser.chosen.estimate[node])
            # A cost of 1 is the node itself and cannot be lowered.
            if far < most and cost > 1:
                # At about equal slack, cheap nodes first: they take the least time.
                waiting.append((round(far), cost + self._rng.random(), node))
        waiting.sort()
        end = min(end, working_time() + _BATCH_SECONDS)
        for _, _, node in waiting[:_BATCH]:
            if working_time() >= end:
                break
            if not self._expand_cheaply(node):
                self._expand(node, float(chooser.chosen.estimate[node]), end)
            tried[node] += 1
        return bool(waiting)

    def _without(self, node: int) -> dict[int, int]:
        """Return the part of the best choice that is needed without the options of a node."""
        options, self.graph.options[node] = self.graph.options[node], []
        reached = self.graph.reached(self.graph.best)
        self.graph.options[node] = options
        return reached

    # Options.

    def _children(self, here: Words, move: int) -> list[Words]:
        own, other = here
        return self.search.after(self.search.canonical((own | 1 << move, other)))

    def _close(self, waiting: Iterable[Words], moves: dict[Words, int]) -> None:
        """Give an option to every reachable position that has none."""
        # In this order: the known move, a cheapest one, the proof in the table, a new search. Wins
        # by threats are leaves; a forced block is an option of cost 0.
        graph, todo = self.graph, list(waiting)
        while todo:
            here = todo.pop()
            node = graph.node(here)
            if graph.options[node] or here in self._won:
                continue
            found, move = self.search.attack(here)
            if found == "win":
                self._won.add(here)
                continue
            if found == "open":
                known = moves.get(here)
                proved = self.fewest.move(here) if known is None else known
                if proved is None:
                    proved = self.search.proved_move(here)
                if proved is None:
                    self.search.run(here)
                    proved = self.search.proved_move(here)
                assert proved is not None, "a proof leads to a position that is not proved"
                move = proved
            children = self._children(here, move)
            graph.costs[node] = int(found == "open")
            graph.add(node, move, children)
            todo += children

    def _expand_cheaply(self, node: int) -> bool:
        """Add the moves that cost little more than the least, if that can be computed."""
        graph, here = self.graph, self.graph.words[node]
        nodes, spare = _THREATS[graph.tried[node]], _SPARE[graph.tried[node]]
        if not self.fewest.applies(here):
            return False
        most = _SPREAD + max(len(graph.children[one]) for one in graph.options[node]) * 5 // 4
        cost = self.fewest.cost(here, _DEAREST, nodes)
        if cost is not None:
            costs = self.fewest.moves(here, cost + spare, nodes)
        else:
            costs = self.fewest.totals(here, nodes, most, deeper=True)
        for move in sorted(costs, key=costs.__getitem__):
            children = self._children(here, move)
            known = {graph.ids.get(child) for child in children}
            # Skip a dominated option, whose children include all those of another option.
            if not any(known.issuperset(graph.children[one]) for one in graph.options[node]):
                graph.add(node, move, children)
                self._close(children, {})
        return bool(costs)

    def _expand(self, node: int, estimate: float, end: float) -> None:
        """Search for other winning moves of a position, with more nodes for an expensive one."""
        graph, here = self.graph, self.graph.words[node]
        # Enter positions that the proof needs in any case as proved: to use them costs nothing, so
        # that the search prefers moves that lead to them. An expensive node must not count its own
        # subgraph among them.
        proved = self._without(node) if estimate > _LARGE else graph.best
        self.search.begin_with({graph.words[one]: graph.moves[o] for one, o in proved.items()})
        nodes = _NODES[graph.tried[node]]
        nodes = int(nodes * min(_MOST_SHARES, max(1.0, estimate / _SHARE)))
        fewest = graph.fewest(node)
        tried = [(self._children(here, move), move) for move in self._candidates(node)]
        most = len(graph.words) + _MOST_NEW
        for children, move in sorted(tried, key=lambda one: len(one[0])):
            if not fewest or len(children) > fewest + _SPREAD + fewest // 4:
                break
            if len(graph.words) > most or working_time() >= end:
                break
            if all(self._wins(child, nodes) for child in children):
                fewest = min(fewest, len(children))
                graph.add(node, move, children)
                self._close(children, {})

    def _candidates(self, node: int) -> list[int]:
        """Return moves that are not options yet, one of each class."""
        graph, here = self.graph, self.graph.words[node]
        known = [graph.moves[option] for option in graph.options[node]]
        moves = [*known, *self.search.candidates(here)]
        images = self.search.canonical_all([(here[0] | 1 << move, here[1]) for move in moves])
        first: dict[Words, int] = {}
        for image, move in zip(images, moves, strict=True):
            first.setdefault(image, move)
        return [
            move
            for image, move in first.items()
            if move not in known and not self.search.refuted(image)
        ]

    def _wins(self, child: Words, nodes: int) -> bool:
        """True if a small search, or earlier work, proves a position."""
        known = self.graph.ids.get(child)
        if child in self._won or (known is not None and self.graph.options[known]):
            return True
        if self._lost.get(child, 0) >= nodes:
            return False
        if self.search.is_proved(child) or self.search.quick(child, nodes):
            return True
        self._lost[child] = nodes
        return False


# The least number of moves that a proof of a position must list, where that is not many.
#
# The count is for tree-shaped proofs; a proof that reaches a position in several ways lists it
# once, and may be smaller (see `hyperoxo.kernels.fewest`).

_LEAST_BYTES = 1 << 16
_DEAR, _LESS = 24, 4
_FAR_ABOVE = 8


class FewestMoves:
    """Costs of tree-shaped proofs of positions, with a transposition table kept between calls.

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
        self._room = Levels(
            np.zeros((levels, FRAME), np.int64),
            np.zeros(levels * SETS * size, np.uint64),
            np.zeros(levels * cells * size, np.uint64),
            np.zeros(levels * cells, np.int64),
            np.zeros(levels * cells * 2 * size, np.uint64),
            np.zeros(levels * cells, np.int64),
            new_images(cells),
        )

    def applies(self, words: Words) -> bool:
        """True if no opening restriction applies after a position."""
        game = self.view.game
        most = game.opening_moves if game.opening is not None else 0
        return min(words[0].bit_count(), words[1].bit_count()) >= most

    def cost(self, words: Words, bound: int, nodes: int) -> int | None:
        """Return the cost of a position, if it is at most `bound` and found within the nodes."""
        found = self._cost(words, bound, nodes, every=False)
        return found if STOPPED != found <= bound else None

    def moves(self, words: Words, bound: int, nodes: int) -> dict[int, int]:
        """Return the moves with which a position costs at most `bound`, with that cost."""
        lows = self._room.lows[: self.view.game.board.cell_count]
        # Cells that are not searched keep this value.
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
        """Return moves with at most `most` positions after them, with the sum of their costs."""
        # Sums far above the least are left out. Each position gets `nodes` nodes; with `deeper`,
        # one that is too expensive for them gets the best of its own totals.
        # Moves with the same set of positions after them are one.
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
        """Return the total cost of positions; MOST if it is unknown or over `limit`."""
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
