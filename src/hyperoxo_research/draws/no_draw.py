"""That no draw exists, with a proof, or else a full board without a line: by a SAT solver.

The solver is python-sat, the extra 'sat'. On n^d it can look for boards of one player in each kind
of cells. Cells are of one kind if within each group of axes their coordinates are the same up to
order (see `hyperoxo_research.proof.full_board`). The solver looks for a board on which cells
opposite to each other have different players; kinds that are opposite to themselves have one all
the same. What one player has too much by these is made up for by kinds that can change to the other
without making a line.
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
from hyperoxo.proof.no_draw import NoDraw, draw_clauses
from hyperoxo.task import Task
from hyperoxo_research.proof.full_board import Codes, DrawnBoard, cells_of_kind, kinds_of_cells

_LOOK_SECONDS = 0.05
_SOLVER = "glucose4"


class Clauses:
    """Clauses that a solver is asked about within a time limit, once or several times."""

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
        """Whether the clauses can hold; None where the time is up."""
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

    def model(self) -> set[int] | None:
        """Return the variables that hold where all clauses do; None where there is nothing."""
        return self.true() if self.solve() else None

    def true(self) -> set[int]:
        """Return the variables that hold in what was found last."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def steps(self) -> tuple[tuple[int, ...], ...]:
        """Return the steps of the proof that the clauses contradict each other."""
        rows = (row for row in self._solver.get_proof() if not row.startswith("d"))
        steps = [tuple(int(word) for word in row.split()[:-1]) for row in rows]
        # Where unit propagation alone is enough, the solver says nothing.
        return tuple(steps) if steps and not steps[-1] else (*steps, ())


MOST_CELLS = 1_000
_MOST_SHARED = 400


def draw_or_none(game: Game, *, task: Task) -> DrawnBoard | NoDraw | None:
    """Find a drawn board, or prove that there is none; None if the time is up.

    First a board is looked for on which the players have any numbers of stones. That there is none
    is the easier proof, and holds for larger boards too.
    """
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
    """Return the owners that the variables which hold stand for."""
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


def board_by_kinds(
    side: int, dim: int, groups: tuple[int, ...], task: Task, seed: int = 0
) -> DrawnBoard | None:
    """Look for a full board; None where there is none of this form, or the time is up."""
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
    lines = []
    for way in codes.ways():
        fixed, steps = codes.lines(way)
        lines.append(np.stack([order[np.searchsorted(keys, fixed + s)] for s in steps], axis=1))
    rows = np.concatenate(lines)
    with closing(Clauses(task)) as clauses:
        for row in _different(literals[rows]).tolist():
            if task.over:
                return None
            chosen = sorted(set(row))
            clauses.add(chosen)
            clauses.add([-literal for literal in chosen])
        true = clauses.model()
    if true is None:
        return None
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
    """Return the literals of lines that may be of one player, each once or its negation."""
    rows = np.sort(np.abs(lines), axis=1)
    lines = np.sort(lines, axis=1)
    # Where both literals of a variable occur, there are more literals than variables.
    numbers = 1 + (np.diff(rows, axis=1) > 0).sum(axis=1)
    lines = lines[numbers == 1 + (np.diff(lines, axis=1) > 0).sum(axis=1)]
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
    """Change kinds of one player to the other until both have half of the cells, or one more."""
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
        # Larger kinds first, each to the player who has too little.
        noise = rng.random(len(sizes))
        for kind in np.lexsort((noise, -sizes)).tolist():
            if task.over:
                return None
            after = left + (-2 if now[kind] else 2) * int(sizes[kind])
            # A few are changed at random where nothing else helped.
            better = abs(after) < abs(left) and noise[kind] > _SKIPPED
            if not better and (noise[kind] > _SHAKEN or abs(after) > surplus):
                continue
            now[kind] = not now[kind]
            on_lines = now[rows[through[begins[kind] : ends[kind]]]]
            if not (on_lines.all(axis=1) | ~on_lines.any(axis=1)).any():
                left = after
                if abs(left) <= 1:
                    return now if left >= 0 else ~now
            else:
                now[kind] = not now[kind]
    return None
