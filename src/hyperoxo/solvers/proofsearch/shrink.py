"""Making a proof smaller: other winning moves, chosen so that fewer positions need one.

Positions where the attacker must choose form a graph: each has some *options*, moves that win,
and each option leads to the positions after the replies that matter. A proof is a choice of one
option in every position that it can reach, and its size is their number. Finding the least one
is hard; two methods of logic synthesis, where gates share inputs as moves share positions, do
well: *area flow* chooses by the cost of what an option leads to, divided among those who use
it, and *exact area* counts what an exchange of one option frees and adds. New options are
searched for with few nodes, first where the proof spends most.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from hyperoxo.compiling import working_time
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import ProofTree, tree_of
from hyperoxo.solvers.proofsearch.view import Words

Children = tuple[Words, ...]

_NODES = (100, 400, 2000)
_SPREAD = 6
_OFTEN = 500


def shrink(
    search: ProofSearch,
    tree: ProofTree,
    *,
    seconds: float = 60.0,
    seed: int = 0,
    watch: Callable[[int], object] | None = None,
) -> ProofTree:
    """Make a proof smaller within a time limit."""
    work = Shrinker(search, tree, random.Random(seed), watch)
    work.run(seconds)
    return work.tree()


def shrink_dictionaries(
    dictionaries: Sequence[Dictionary],
    *,
    seconds: float = 60.0,
    seed: int = 0,
    watch: Callable[[int], object] | None = None,
) -> ProofTree:
    """Make one small proof of several of the same claim; see `shrink`."""
    first = dictionaries[0]
    search = ProofSearch(first.game, first.seat)
    work = Shrinker(search, tree_of(search, first), random.Random(seed), watch)
    for other in dictionaries[1:]:
        work.add(tree_of(search, other))
    work.run(seconds)
    return work.tree()


@dataclass
class Shrinker:
    """A graph of options, and a choice among them."""

    search: ProofSearch
    first: ProofTree
    rng: random.Random
    watch: Callable[[int], object] | None = None
    options: dict[Words, list[tuple[int, Children]]] = field(default_factory=dict)
    costs: dict[Words, int] = field(default_factory=dict)
    chosen: dict[Words, int] = field(default_factory=dict)
    tried: dict[Words, int] = field(default_factory=dict)
    best: dict[Words, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._won: set[Words] = set()
        self._lost: dict[Words, int] = {}
        self._roots = self._begin()
        self._close(self._roots, self.first.moves)
        self.best = self._reached(self.chosen)

    @property
    def size(self) -> int:
        """Listed positions of the best choice."""
        return self._size(self.best)

    def run(self, seconds: float) -> None:
        """Search new options and choose again until the time is over."""
        end = working_time() + seconds
        try:
            for nodes in _NODES:
                while working_time() < end:
                    if not self._round(nodes, end):
                        break
        except KeyboardInterrupt:
            self.chosen = dict(self.best)

    def add(self, tree: ProofTree) -> None:
        """Offer the moves of another proof of the same position."""
        for here, move in tree.moves.items():
            children = self._children(here, move)
            known = {option for option, _ in self.options.get(here, [])}
            if move not in known:
                self.options.setdefault(here, []).append((move, tuple(children)))
                self.costs[here] = 1
                self.chosen.setdefault(here, 0)
        for here in tree.moves:
            for option in self.options[here]:
                self._close(option[1], tree.moves)
        self._choose()

    def tree(self) -> ProofTree:
        """Return the best choice as a proof."""
        moves = {here: move for here, move in self._moves(self.best) if self.costs[here]}
        return ProofTree.of(self.search, self.first.root, moves)

    def _round(self, nodes: int, end: float) -> bool:
        """Give every position of the best choice new options; return whether any was new."""
        fresh = [here for here in self.best if self.tried.get(here, 0) < nodes]
        fresh.sort(key=lambda here: (sum(map(int.bit_count, here)), self.rng.random()))
        for done, here in enumerate(fresh):
            if working_time() >= end:
                break
            if done and done % _OFTEN == 0:
                self._choose()
            self._expand(here, nodes)
        self._choose()
        return bool(fresh)

    # Options.

    def _begin(self) -> list[Words]:
        here = self.search.canonical(self.first.root)
        if self.search.attacker_moves(here):
            return [here]
        return self.search.after(here)

    def _children(self, here: Words, move: int) -> list[Words]:
        own, other = here
        return self.search.after(self.search.canonical((own | 1 << move, other)))

    def _close(self, waiting: Iterable[Words], moves: dict[Words, int]) -> None:
        """Give an option to every position that can be reached from some and has none."""
        todo = list(waiting)
        while todo:
            here = todo.pop()
            if here in self.options or here in self._won:
                continue
            found, move = self.search.attack(here)
            if found == "win":
                self._won.add(here)
                continue
            if found == "open":
                known = moves.get(here)
                proved = self.search.proved_move(here) if known is None else known
                if proved is None:
                    self.search.run(here)
                    proved = self.search.proved_move(here)
                assert proved is not None, "a proof leads to a position that is not proved"
                move = proved
            children = self._children(here, move)
            self.options[here] = [(move, tuple(children))]
            self.costs[here] = int(found == "open")
            self.chosen[here] = 0
            todo += children

    def _expand(self, here: Words, nodes: int) -> None:
        """Search for other winning moves of a position."""
        self.tried[here] = nodes
        if not self.costs[here]:
            return
        known = {move for move, _ in self.options[here]}
        fewest = min(len(children) for _, children in self.options[here])
        for move in self.search.candidates(here):
            if move in known:
                continue
            children = self._children(here, move)
            if len(children) > fewest + _SPREAD:
                continue
            if all(self._wins(child, nodes) for child in children):
                fewest = min(fewest, len(children))
                self._close(children, {})
                self.options[here].append((move, tuple(children)))

    def _wins(self, child: Words, nodes: int) -> bool:
        """Whether a position is won, as far as a small search tells."""
        if child in self.options or child in self._won:
            return True
        if self._lost.get(child, 0) >= nodes:
            return False
        if self.search.is_proved(child):
            return True
        if self.search.quick(child, nodes):
            return True
        self._lost[child] = nodes
        return False

    # Choosing among them.

    def _reached(self, chosen: dict[Words, int]) -> dict[Words, int]:
        """Restrict a choice to the positions that it can reach."""
        found: dict[Words, int] = {}
        todo = [root for root in self._roots if root in self.options]
        while todo:
            here = todo.pop()
            if here not in found:
                found[here] = chosen[here]
                todo += [
                    child for child in self.options[here][chosen[here]][1] if child in self.options
                ]
        return found

    def _size(self, reached: Iterable[Words]) -> int:
        return sum(self.costs[here] for here in reached)

    def _moves(self, reached: dict[Words, int]) -> Iterable[tuple[Words, int]]:
        return ((here, self.options[here][option][0]) for here, option in reached.items())

    def _references(self, reached: dict[Words, int]) -> dict[Words, int]:
        counts = dict.fromkeys(self._roots, 1)
        for here, option in reached.items():
            for child in self.options[here][option][1]:
                counts[child] = counts.get(child, 0) + 1
        return counts

    def _choose(self) -> None:
        """Choose by area flow, then by exact area, from the best choice so far."""
        self.chosen = {here: self.best.get(here, 0) for here in self.options}
        for flows in (0, 1, 2):
            if flows:
                self._by_flow()
            self._by_exchange()
            self._keep()

    def _keep(self) -> None:
        reached = self._reached(self.chosen)
        size = self._size(reached)
        if size < self.size:
            self.best = reached
            if self.watch is not None:
                self.watch(size)

    def _by_flow(self) -> None:
        references = self._references(self._reached(self.chosen))
        flow: dict[Words, float] = {}
        # A position has fewer stones than those its options lead to.
        for here in sorted(self.options, key=lambda here: -sum(map(int.bit_count, here))):
            costs = [
                sum(
                    flow[child] / max(1, references.get(child, 0))
                    for child in children
                    if child in flow
                )
                for _, children in self.options[here]
            ]
            least = min(costs)
            self.chosen[here] = costs.index(least)
            flow[here] = self.costs[here] + least

    def _by_exchange(self) -> None:
        """Exchange one option at a time where that frees more than it adds."""
        reached = self._reached(self.chosen)
        references = self._references(reached)
        order = sorted(reached, key=lambda here: (-sum(map(int.bit_count, here)), here))
        changed = True
        while changed:
            changed = False
            for here in order:
                if len(self.options[here]) < 2 or references.get(here, 0) == 0:
                    continue
                old = self.chosen[here]
                freed = self._release(here, references)
                best, least = old, freed
                for option in range(len(self.options[here])):
                    if option == old:
                        continue
                    self.chosen[here] = option
                    added = self._take(here, references)
                    self._release(here, references)
                    if added < least or (added == least and self.rng.random() < 0.2):
                        best, least = option, added
                self.chosen[here] = best
                self._take(here, references)
                changed = changed or least < freed

    def _release(self, here: Words, references: dict[Words, int]) -> int:
        """Take away the option of a position; return the cost of what nobody needs any more."""
        freed = 0
        todo = [here]
        while todo:
            node = todo.pop()
            for child in self.options[node][self.chosen[node]][1]:
                if child not in self.options:
                    continue
                references[child] -= 1
                if references[child] == 0:
                    freed += self.costs[child]
                    todo.append(child)
        return freed

    def _take(self, here: Words, references: dict[Words, int]) -> int:
        """Put the option of a position back; return the cost of what is needed now."""
        added = 0
        todo = [here]
        while todo:
            node = todo.pop()
            for child in self.options[node][self.chosen[node]][1]:
                if child not in self.options:
                    continue
                references[child] = references.get(child, 0) + 1
                if references[child] == 1:
                    added += self.costs[child]
                    todo.append(child)
        return added
