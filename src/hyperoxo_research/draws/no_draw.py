"""SAT search for full boards without a line, or for proofs that there are none.

The solver is python-sat, the extra 'sat'. On n^d there is a symmetry ansatz: one owner for each
*kind* of cells, those whose coordinates are the same up to order within each group of axes (see
`hyperoxo_research.proof.full_board`), and different owners for opposite kinds, except for kinds
that are opposite to themselves. The surplus of one player from these is then balanced by kinds that
can change hands without making a line.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, MissingExtraError
from hyperoxo.game import Game
from hyperoxo.kernels.arrays import Longs
from hyperoxo.task import Task
from hyperoxo_research.proof.full_board import Codes, DrawnBoard, cells_of_kind, kinds_of_cells
from hyperoxo_research.proof.no_draw import NoDraw, draw_clauses

_LOOK_SECONDS = 0.05
_SOLVER = "glucose4"


class Clauses:
    """An incremental SAT solver under the limits of a task."""

    def __init__(self, task: Task, *, proof: bool = False) -> None:
        try:
            from pysat.solvers import Solver
        except ImportError:
            raise MissingExtraError("sat", "a SAT solver") from None
        self._solver: Any = Solver(name=_SOLVER, with_proof=proof)
        self._task = task

    def close(self) -> None:
        """Free the memory of the solver."""
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(clause)

    def solve(self) -> bool | None:
        """Return whether the clauses are satisfiable; None if the time is up."""
        # The solver itself has no time limit: it runs in a thread and is interrupted.
        found: list[bool | None] = [None]

        def work() -> None:
            found[0] = self._solver.solve_limited(expect_interrupt=True)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(_LOOK_SECONDS)
                if self._task.over:
                    self._solver.interrupt()
        except KeyboardInterrupt:
            self._solver.interrupt()
            raise
        finally:
            thread.join()
            self._solver.clear_interrupt()
        return found[0]

    def true(self) -> set[int]:
        """Return the true variables of the last model."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """Return the clauses of the DRUP proof, without deletions, ending in the empty clause."""
        rows = (row for row in self._solver.get_proof() if not row.startswith("d"))
        steps = [tuple(int(word) for word in row.split()[:-1]) for row in rows]
        # If unit propagation alone is enough, the solver writes no steps.
        return tuple(steps) if steps and not steps[-1] else (*steps, ())


MOST_CELLS = 1_000
_MOST_SHARED = 400


def draw_or_none(game: Game, *, task: Task) -> DrawnBoard | NoDraw | None:
    """Find a drawn board, or prove that there is none; None if the time is up."""
    # First with any numbers of stones: if that is unsatisfiable, the proof is easier, and it holds
    # for larger boards too.
    playable = len(game.board.playable)
    if playable > MOST_CELLS:
        return None
    for stones in ("any", "shared") if playable <= _MOST_SHARED else ("any",):
        with closing(Clauses(task, proof=True)) as clauses:
            for clause in draw_clauses(game, stones):
                clauses.add(clause)
            holds = clauses.solve()
            if holds is None:
                return None
            if not holds:
                return NoDraw(game, stones, clauses.steps())
            true = clauses.true()
        if stones == "shared":
            return DrawnBoard(str(game), _owners(game, true))
    return None


def _owners(game: Game, true: set[int]) -> str:
    """Return the owners of the cells in a model."""
    owners = ["#"] * game.board.cell_count
    for cell in game.board.playable.tolist():
        if game.players == 2:
            owners[cell] = "1" if cell + 1 in true else "2"
        else:
            players = range(1, game.players + 1)
            owners[cell] = next(str(p) for p in players if game.players * cell + p in true)
    return "".join(owners)


_TRIES = 200
_SKIPPED, _SHAKEN = 0.3, 0.001
_MOST_LINES = 4_000_000


def board_by_cell_kinds(
    side: int, dim: int, groups: tuple[int, ...], task: Task, seed: int = 0
) -> DrawnBoard | None:
    """Look for a full board by kinds; None if none of this form is found."""
    # 1. A literal for the owner of each kind: that of the opposite kind, negated, if that one comes
    #    first; so about half as many variables as kinds.
    count = math.prod(math.comb(side + 1 + size, size) for size in groups)
    if count > _MOST_LINES:
        raise LimitError(f"{count:,} kinds of lines are more than {_MOST_LINES:,}")
    kinds = list(kinds_of_cells(side, groups))
    codes = Codes(side, groups)
    keys = np.array([codes.of(kind) for kind in kinds])
    order = np.argsort(keys)
    keys = keys[order]
    turned = [tuple(tuple(side - 1 - x for x in row) for row in kind) for kind in kinds]
    opposite = order[np.searchsorted(keys, [codes.of(kind) for kind in turned])]
    number = np.arange(len(kinds))
    literals = np.where(number <= opposite, number + 1, -opposite - 1)
    # 2. The kinds along each kind of lines, as in the checker.
    lines = []
    for way in codes.ways():
        fixed, steps = codes.lines(way)
        lines.append(np.stack([order[np.searchsorted(keys, fixed + s)] for s in steps], axis=1))
    rows = np.concatenate(lines)
    # 3. No line is of one player: not all its literals hold, and not all fail.
    with closing(Clauses(task)) as clauses:
        for row in _different(literals[rows]).tolist():
            if task.over:
                return None
            chosen = sorted(set(row))
            clauses.add(chosen)
            clauses.add([-literal for literal in chosen])
        true = clauses.true() if clauses.solve() else None
    if true is None:
        return None
    # 4. Balance the stones of the two.
    known = np.zeros(len(kinds) + 1, dtype=bool)
    known[list(true)] = True
    firsts = known[np.abs(literals)] == (literals > 0)
    sizes = np.array([cells_of_kind(kind) for kind in kinds], dtype=np.int64)
    shared = _shared(firsts, sizes, rows, np.random.default_rng(seed), task)
    if shared is None:
        return None
    owners = "".join(np.where(shared, "1", "2").tolist())
    return DrawnBoard(f"{side}^{dim}", owners, groups)


def _different(lines: Longs) -> Longs:
    """Return the literals of lines that may be monochromatic, one row of each with its negation."""
    rows = np.sort(np.abs(lines), axis=1)
    lines = np.sort(lines, axis=1)
    # 1. A line with both literals of a variable has both players: more literals than variables.
    numbers = 1 + (np.diff(rows, axis=1) > 0).sum(axis=1)
    lines = lines[numbers == 1 + (np.diff(lines, axis=1) > 0).sum(axis=1)]
    # 2. A row and its negation give the same two clauses: keep the lexicographically less.
    turned = np.sort(-lines, axis=1)
    first = (lines != turned).argmax(axis=1)[:, None]
    less = np.take_along_axis(lines, first, axis=1) < np.take_along_axis(turned, first, axis=1)
    return np.unique(np.where(less, lines, turned), axis=0)


def _shared(
    firsts: NDArray[np.bool_],
    sizes: Longs,
    rows: NDArray[np.intp],
    rng: np.random.Generator,
    task: Task,
) -> NDArray[np.bool_] | None:
    """Balance the stones: hand over kinds without making a line; None if that fails."""
    surplus = int(np.where(firsts, sizes, -sizes).sum())
    if surplus < 0:
        firsts, surplus = ~firsts, -surplus
    if surplus <= 1:
        return firsts
    # Lines through each kind: those of kind k are through[ends[k - 1]:ends[k]].
    flat = rows.ravel()
    through = np.argsort(flat, kind="stable") // rows.shape[1]
    ends = np.cumsum(np.bincount(flat, minlength=len(sizes)))
    begins = ends - np.bincount(flat, minlength=len(sizes))
    now, left = firsts.copy(), surplus
    for _ in range(_TRIES):
        # Larger kinds first, like coins: each to the player who has too few stones.
        noise = rng.random(len(sizes))
        for kind in np.lexsort((noise, -sizes)).tolist():
            if task.over:
                return None
            after = left + (-2 if now[kind] else 2) * int(sizes[kind])
            # A few are skipped, and very few changed for the worse, to leave dead ends.
            better = abs(after) < abs(left) and noise[kind] > _SKIPPED
            if not better and (noise[kind] > _SHAKEN or abs(after) > surplus):
                continue
            # Undo the change if a line through the kind is of one player now.
            now[kind] = not now[kind]
            on_lines = now[rows[through[begins[kind] : ends[kind]]]]
            if not (on_lines.all(axis=1) | ~on_lines.any(axis=1)).any():
                left = after
                if abs(left) <= 1:
                    return now if left >= 0 else ~now
            else:
                now[kind] = not now[kind]
    return None
