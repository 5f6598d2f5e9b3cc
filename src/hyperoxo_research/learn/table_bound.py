"""Branch and bound for the fewest losing leaves of a line table, with linear programming.

Each move of an agent that plays by a table implies that some sums of gains are greater than others.
The search branches on the moves at the positions that the agent meets, over groups of moves that no
table tells apart. It prunes a branch if no numbers fulfil all comparisons, with the multipliers of
a contradiction (Farkas' lemma), or if there are too many losing leaves already. The result is a
proof (:mod:`hyperoxo_research.proof.table_bound`), or a table with fewer losing leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position, completing_cells
from hyperoxo.heuristics import kinds_of
from hyperoxo.heuristics.tables import LineTable, tables_of_weights
from hyperoxo.proof.envelope import owners_text
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.task import Task
from hyperoxo_research.proof.table_bound import TABLES, TableBound

Gain = tuple[int, int, int, int]
"""Ply (0 where one table serves all), size of the line, own and rivals' stones."""
Difference = tuple[tuple[Gain, int], ...]
"""Difference of two moves' gains by kind."""
Comparison = tuple[Difference, bool]
"""A difference that is above 0 or, if the second is False, not below it."""
Owners = bytes

_DIGITS = 9


@dataclass(frozen=True)
class FewestLeaves:
    """The fewest losing leaves of any line table, as far as the time allowed.

    `gains` is a table with `leaves` losing leaves, or None if the time ran out. `proof` shows that
    none has fewer; it is None for 0 leaves.
    """

    leaves: int
    gains: dict[Gain, float] | None
    proof: TableBound | None
    nodes: int
    programmes: int


def fewest_leaves(
    game: Game, seat: int, *, ties: str = "every", by_ply: bool = False, task: Task | None = None
) -> FewestLeaves:
    """Find the fewest losing leaves of any line table as a seat, with a proof."""
    # Iterative deepening on the number of leaves: a failed search proves at least one more, and
    # often several at once, the least number at which a branch was pruned.
    task, lowest, proof = task or Task(), ties == "lowest", None
    leaves = nodes = programmes = 0
    while True:
        search = BoundSearch(game, seat, leaves + 1, lowest=lowest, by_ply=by_ply, task=task)
        proved = search.run()
        nodes += search.nodes
        programmes += search.programmes
        if proved is None:
            gains = None if search.found is None else search.found[1]
            return FewestLeaves(leaves, gains, proof, nodes, programmes)
        proof, leaves = proved, proved.leaves


@dataclass(frozen=True)
class _Option:
    """A group of moves with equal gains, and the comparisons that choosing it implies."""

    cells: tuple[int, ...]
    comparisons: tuple[Comparison, ...]


class _Branch(NamedTuple):
    """Choices so far, their comparisons together, and those of each choice in order."""

    made: dict[Owners, _Option]
    held: frozenset[Comparison] = frozenset()
    path: tuple[tuple[Comparison, ...], ...] = ()

    def choose(self, owners: Owners, option: _Option) -> _Branch:
        made, held = {**self.made, owners: option}, self.held | set(option.comparisons)
        return _Branch(made, held, (*self.path, option.comparisons))


class _Node(NamedTuple):
    """A position, the cells that complete a line, and the successors by the other cells."""

    position: Position
    completing: tuple[int, ...]
    after: dict[int, Owners]


class BoundSearch:
    """A search for a table with fewer than `least` losing leaves as one seat."""

    def __init__(
        self, game: Game, seat: int, least: int, *, lowest: bool, by_ply: bool, task: Task
    ) -> None:
        TABLES.check(game)
        if seat not in (1, 2):
            raise SpecError(f"seat must be 1 or 2, not {seat}")
        self.game, self.seat, self.least = game, seat, least
        self.lowest, self.by_ply, self.task = lowest, by_ply, task
        self.found: tuple[int, dict[Gain, float]] | None = None
        self.nodes = self.programmes = 0
        board, cells = game.board, range(game.board.cell_count)
        self._through = [[board.line(i).tolist() for i in board.lines_through(c)] for c in cells]
        inverses = [np.argsort(row).tolist() for row in symmetries_of(game)]
        # The identity alone where ties go to the lowest cell, which no symmetry keeps.
        self._inverses = inverses[:1] if self.lowest else inverses
        self._node, self._options_of = cache(self._new_node), cache(self._new_options)
        self._least: dict[Owners, int] = {}
        # Feasibility of sets of comparisons, and solutions so far: an old one often fits.
        self._is_feasible = cache(lambda held: self._point(held) is not None)
        self._points: list[dict[Gain, float]] = []
        # Numbers of losing leaves at which branches were pruned.
        self._lost: set[int] = set()
        self._start = self._name(game.start())

    def run(self) -> TableBound | None:
        """Search; return a proof that there is none, or set `found`. None if the time is over.

        The proof may be of more leaves than `least`.
        """
        steps: list[str] = []
        if self._search(_Branch({}), steps) is not False:
            return None
        leaves = min(self._lost)
        return TableBound(self.game, self.seat, leaves, self.lowest, self.by_ply, tuple(steps))

    def _search(self, branch: _Branch, steps: list[str]) -> bool | None:
        """Return whether a table fits, writing a proof if none does; None if the time is over."""
        self.nodes += 1
        if self.task.over:
            return None
        chosen: tuple[Owners, list[tuple[_Branch, str]]] | None = None
        fewest = 1 << 30  # more than any position has options
        # 1. Branch on the position with the fewest choices left (most constrained first).
        for owners in self._open(branch.made):
            following = (branch.choose(owners, option) for option in self._options_of(owners))
            verdicts = [(one, self._given_up(one)) for one in following]
            left = sum(not why for _, why in verdicts)
            if left < fewest:
                fewest, chosen = left, (owners, verdicts)
            if left == 0:
                break
        # 2. No position is open: any numbers that fulfil the comparisons are such a table.
        if chosen is None:
            self.found = self._count(self._start, branch.made, {}), self._point(branch.held) or {}
            return True
        # 3. Each choice: pruned for a reason, or followed.
        owners, verdicts = chosen
        steps.append(f"at {owners_text(owners, len(owners))}")
        for one, why in verdicts:
            steps.append(why or "on")
            found = False if why else self._search(one, steps)
            if found is not False:
                return found
        return False

    def _given_up(self, branch: _Branch) -> str:
        # Counting comes first: it needs no linear programme.
        losses = self._count(self._start, branch.made, {})
        if losses >= self.least:
            self._lost.add(losses)
            return "lost"
        feasible = self._is_feasible(branch.held)
        return "" if feasible else "no " + self._contradiction(branch.path)

    def _open(self, made: dict[Owners, _Option]) -> list[Owners]:
        """Return the undecided positions that the agent meets without a winning move."""
        found: dict[Owners, None] = {}
        seen: set[Owners] = set()
        waiting = [self._start]
        while waiting:
            owners = waiting.pop()
            if owners in seen:
                continue
            seen.add(owners)
            node = self._node(owners)
            if node.position.to_move != self.seat:
                waiting += node.after.values()
            elif owners in made:
                waiting += [node.after[cell] for cell in made[owners].cells if cell in node.after]
            elif not node.completing:
                found[owners] = None
        return sorted(found)

    def _count(self, owners: Owners, made: dict[Owners, _Option], known: dict[Owners, int]) -> int:
        """Return a lower bound on losing leaves, with best play at undecided positions."""
        if owners in known:
            return known[owners]
        node = self._node(owners)

        def below(cell: int) -> int:
            return self._count(node.after[cell], made, known) if cell in node.after else 0

        if node.position.to_move != self.seat:
            found = len(node.completing) + sum(map(below, node.after))
        elif node.completing:
            found = 0
        elif owners in made:
            found = sum(map(below, made[owners].cells))
        elif made:
            # Ignoring choices made below keeps this a lower bound, which all branches share.
            found = self._count(owners, {}, self._least)
        else:
            found = min(map(below, node.position.legal_moves))
        known[owners] = found
        return found

    def _new_node(self, owners: Owners) -> _Node:
        position = Position.from_owners(self.game, owners)
        completing = completing_cells(position, position.to_move)
        others = [cell for cell in position.legal_moves if cell not in completing]
        played = ((cell, position.play(cell)) for cell in others)
        after = {cell: self._name(one) for cell, one in played if not one.is_over}
        return _Node(position, completing, after)

    def _name(self, position: Position) -> Owners:
        """Equivalent positions are one, unless the lowest cell decides."""
        owners = position.owners
        return max(bytes(owners[c] for c in inverse) for inverse in self._inverses)

    def _new_options(self, owners: Owners) -> list[_Option]:
        """Return the moves of a position grouped by gains, in the order of their lowest cells."""
        position, groups = self._node(owners).position, dict[Difference, list[int]]()
        for cell in position.legal_moves:
            groups.setdefault(self._gains(position, cell), []).append(cell)
        options = []
        for gains, cells in groups.items():
            # By the lowest cell, a tie favours this group over those that begin later.
            comparisons = tuple(
                (_minus(gains, others), not self.lowest or theirs[0] < cells[0])
                for others, theirs in groups.items()
                if others != gains
            )
            followed = cells[:1] if self.lowest else cells
            options.append(_Option(tuple(followed), comparisons))
        return options

    def _gains(self, position: Position, cell: int) -> Difference:
        ply = position.ply if self.by_ply else 0
        found: Counter[Gain] = Counter()
        for line in self._through[cell]:
            held = [position.owners[other] for other in line]
            own = held.count(position.to_move)
            found[ply, len(line), own, len(line) - own - held.count(0)] += 1
        return tuple(sorted(found.items()))

    def _point(self, held: frozenset[Comparison]) -> dict[Gain, float] | None:
        """Return gains that fulfil all comparisons, known ones or of least absolute sum."""
        # Gains may have either sign: x = u - v with u, v >= 0. A strict comparison is >= 1, which
        # scaling makes no restriction.
        for point in reversed(self._points):
            if all(
                sum(count * point.get(gain, 0.0) for gain, count in difference) >= strict
                for difference, strict in held
            ):
                return point
        self.programmes += 1
        columns, rows, strict = _matrix(held)
        if not columns:
            return {}
        sides = np.hstack([-rows, rows])
        found = linprog(np.ones(2 * len(columns)), A_ub=sides, b_ub=-strict, method="highs-ds")
        if found.status != 0:
            return None
        values = (found.x[: len(columns)] - found.x[len(columns) :]).round(_DIGITS).tolist()
        self._points.append(dict(zip(columns, values, strict=True)))
        return self._points[-1]

    def _contradiction(self, path: tuple[tuple[Comparison, ...], ...]) -> str:
        """Return whole multipliers with which comparisons add up to 0 > 0."""
        # By Farkas's lemma there are such multipliers exactly if no gains fulfil the comparisons.
        # The linear programme finds a basic solution in floating point; its support determines the
        # multipliers, which are then solved for exactly and scaled to whole numbers.
        names = [f"{i}.{j}" for i, group in enumerate(path) for j in range(len(group))]
        held = [one for group in path for one in group]
        columns, rows, strict = _matrix(held)
        totals = np.vstack([rows.T, strict])
        goal = np.zeros(len(columns) + 1)
        goal[-1] = 1.0
        found = linprog(np.ones(len(held)), A_eq=totals, b_eq=goal, method="highs-ds")
        if found.status != 0:
            raise ArithmeticError("the comparisons do not contradict each other")
        used = np.flatnonzero(found.x > 1e-9).tolist()
        # Columns of a basis are independent, so the solution on the support is unique.
        exact = _solved([[Fraction(int(x)) for x in row[used]] for row in totals])
        scale = lcm(*(value.denominator for value in exact))
        terms = zip(used, exact, strict=True)
        return " ".join(f"{names[number]}*{int(value * scale)}" for number, value in terms)


def _minus(ours: Difference, theirs: Difference) -> Difference:
    total = Counter(dict(ours))
    total.subtract(dict(theirs))
    return tuple(sorted((gain, count) for gain, count in total.items() if count))


def _matrix(held: Collection[Comparison]) -> tuple[list[Gain], NDArray[Any], NDArray[Any]]:
    """Return the kinds of gains, the coefficients by comparison, and a 1 for each strict one."""
    columns = sorted({gain for difference, _ in held for gain, _ in difference})
    rows = np.zeros((len(held), len(columns)))
    for i, (difference, _) in enumerate(held):
        for gain, count in difference:
            rows[i, columns.index(gain)] = count
    return columns, rows, np.array([float(strict) for _, strict in held])


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve equations of full column rank by Gauss-Jordan: the last is = 1, the others = 0."""
    table = [[*row, Fraction(0)] for row in rows]
    table[-1][-1] = Fraction(1)
    width = len(rows[0])
    for column in range(width):
        pivot = next(i for i in range(column, len(table)) if table[i][column])
        table[column], table[pivot] = table[pivot], table[column]
        head = table[column][column]
        table[column] = [value / head for value in table[column]]
        for i, row in enumerate(table):
            if i != column and row[column]:
                factor = row[column]
                table[i] = [a - factor * b for a, b in zip(row, table[column], strict=True)]
    return [table[i][-1] for i in range(width)]


def table_of_gains(game: Game, gains: dict[Gain, float], *, by_ply: bool = False) -> LineTable:
    """Return the line table with these gains, one for all plies or a stage for each."""
    # A gain is the difference of neighbouring entries, so a table is a running sum.
    stages = game.cells if by_ply else 1
    known, _ = kinds_of(game.board, stages=stages)
    width = int(game.board.line_sizes.max()) + 1
    weights = np.zeros((len(known), width, width))
    for kind, (stage, size, _) in enumerate(known):
        for rivals in range(size):
            steps = [gains.get((stage, size, own, rivals), 0.0) for own in range(size - rivals)]
            weights[kind, 1 : size - rivals + 1, rivals] = np.cumsum(steps)
    tables = tables_of_weights(game.board, weights, stages=stages)
    return LineTable(str(game), 2, False, "", tables, stages)
