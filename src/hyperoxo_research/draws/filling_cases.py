"""Branch and bound for proofs that no draw exists: semidefinite bounds, odd-sum cuts, branching.

`hyperoxo_research.proof.filling_cases` defines the cases and their ends. In each case the weights
of the free cells are found by Newton's method with a logarithmic barrier, for a few ratios of what
the lines of the two players count. If that comes near enough, the most violated odd sums of three
stones are added in rounds; if it is not enough, the search branches on a stone on many undecided
lines. Floating point throughout; the weights are then rounded, and the checker has the last word.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hyperoxo.errors import CheckFailedError, HyperoxoError, NotationError, SpecError
from hyperoxo.files import replace_file
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.kernels.arrays import Floats, Longs
from hyperoxo.task import Task
from hyperoxo.untrusted import read_bytes
from hyperoxo_research.draws.filling import images_of
from hyperoxo_research.kernels.odd_sums import walk_downhill
from hyperoxo_research.proof.filling import LINES_OF_FULL_BOARDS
from hyperoxo_research.proof.filling_cases import (
    NO_END,
    UNIT,
    Case,
    End,
    FillingCases,
    check_filling_cases,
    filling_cases_text,
    read_filling_cases,
)

_MOST_CELLS = 100
_SHARED = 20.0
_RATIOS = ((1, 1), (2, 3), (3, 2), (3, 7), (7, 3))
_MARGIN = 0.1
"""Eighths of a line by which a bound must be above what is wanted; rounding takes less."""
_SPARE = 2.0**-21
_FAR, _NEAR = 0.7, 2.3
"""Lines below the target from which no other ratios and no sums are tried."""
_BARRIERS = (1.25, 0.25, 0.05)
_SUM_BARRIERS = (0.1, 0.02)
_NEWTON_STEPS, _STILL = 25, 0.3
_DESCENT, _SHORTER = 0.1, 0.6
_ROUNDS, _NEW, _PATIENCE = 16, 80, 5.0
"""Rounds of odd sums, how many are added in one, and how often a gain is hoped for again."""
_WALKS = 600
_HELPS, _LISTED = 0.9, 0.02
"""The square of a sum that would help, and the weight of one that is kept."""
_PARTS, _SAVE_SECONDS = 10_000, 30.0
_ON_LINES = (0.3, 1.0, 2.0)
"""Weight of a line for its free cells with no stone, one, and two."""


def filling_by_cases(
    game: Game, *, task: Task, checkpoint: str | os.PathLike[str] | None = None
) -> FillingCases | None:
    """Look for cases by which one of two players has the target on every full board."""
    # The rows found so far, in the form of a proof file, are the checkpoint.
    # Depth first, so that rows are written in preorder; known rows are replayed without search.
    board = game.board
    if len(board.playable) > _MOST_CELLS or not LINES_OF_FULL_BOARDS.accepts(game):
        return None
    if any(size != 3 for size in board.line_sizes.tolist()):
        return None
    known = iter(_rows_of(game, checkpoint))
    search = _Search(game)
    rows: list[Case | End] = []
    # Open cases, the next one last, each with its share of the whole for the progress.
    left = [(np.zeros(len(board.playable), np.int64), 1.0)]
    done, saved = 0.0, working_time()
    try:
        while left:
            stones, part = left[-1]
            row = next(known, None)
            if row is None and not task.over:
                row = search.row(stones)
            if row is None:
                return None
            left.pop()
            rows.append(row)
            cases = search.cases(row, stones) if isinstance(row, Case) else []
            opened = [one for one in cases if search.open(one)]
            left += [(one, part / len(opened)) for one in reversed(opened)]
            if not opened:
                done += part
                task.report_progress(int(_PARTS * done), _PARTS)
            if working_time() > saved + _SAVE_SECONDS:
                _save(game, rows, checkpoint)
                saved = working_time()
    finally:
        _save(game, rows, checkpoint)
    return FillingCases(game, tuple(rows))


def _rows_of(game: Game, checkpoint: str | os.PathLike[str] | None) -> tuple[Case | End, ...]:
    """Return the rows of a checkpoint after the checker accepted them as the start of a proof."""
    if checkpoint is None or not Path(checkpoint).exists():
        return ()
    try:
        found = read_filling_cases(read_bytes(checkpoint))
    except HyperoxoError as error:
        raise NotationError(f"{checkpoint}: {error}") from error
    if found.game != game:
        raise SpecError(f"{checkpoint} has cases of {found.game}, not of {game}")
    reason = check_filling_cases(found).reason
    if reason and not reason.endswith(NO_END):
        raise CheckFailedError(f"{checkpoint}: {reason}")
    return found.rows


def _save(game: Game, rows: list[Case | End], checkpoint: str | os.PathLike[str] | None) -> None:
    if checkpoint is not None:
        found = FillingCases(game, tuple(rows))
        replace_file(checkpoint, filling_cases_text(found, creator="a checkpoint"))


@dataclass
class _Bound:
    """A semidefinite bound for one ratio of lines, with its weights and cuts."""

    ratio: tuple[int, int]
    # Entry 0 stands for the given stones, a constant 1; entries from 1 on for the free cells.
    form: Floats
    wanted: float
    weights: Floats
    # Times the barrier: nearly the optimal X of the dual programme, X_00 = 1.
    inverse: Floats
    sums: Floats
    of_sums: Floats

    @property
    def value(self) -> float:
        """The lower bound of the form by these weights."""
        return float(self.of_sums.sum() - self.weights.sum())

    @property
    def short(self) -> float:
        """The shortfall of the bound, in lines of one player; enough if not above 0."""
        return (self.wanted - self.value) / 8


class _Search:
    """The lines and symmetries of a game, on its playable cells."""

    def __init__(self, game: Game) -> None:
        board = game.board
        self.cells: Longs = board.playable.astype(np.int64)
        place = np.zeros(board.cell_count, np.int64)
        place[self.cells] = np.arange(len(self.cells))
        lines = [place[board.line(at)] for at in range(board.line_count)]
        self.lines: Longs = np.array(lines, np.int64).reshape(-1, 3)
        self.images = images_of(game)
        self.shares = (len(self.cells) + 1) // 2, len(self.cells) // 2
        self.target = game.target

    def open(self, stones: Longs) -> bool:
        """Return whether both have at most their share of stones, and less than the target."""
        of_lines = stones[self.lines].sum(axis=1)
        return all(
            np.count_nonzero(stones == sign) <= share
            and np.count_nonzero(of_lines == 3 * sign) < self.target
            for sign, share in zip((1, -1), self.shares, strict=True)
        )

    def cases(self, row: Case, stones: Longs) -> list[Longs]:
        """Return the cases with a stone, and without it and its images."""
        # As in the checker: a symmetry that keeps the given stones, players exchanged or not, maps
        # boards of the case to such boards, so the second case may exclude all images at once.
        at = int(np.searchsorted(self.cells, row.cell))
        stone = 1 if row.player == 1 else -1
        first, second = stones.copy(), stones.copy()
        first[at] = stone
        for sign in (1, -1) if self.shares[0] == self.shares[1] else (1,):
            keep = (sign * stones[self.images] == stones).all(axis=1)
            second[self.images[keep, at]] = -sign * stone
            if sign < 0 and (self.images[keep, at] == at).any():
                return [first]
        return [first, second]

    def row(self, stones: Longs) -> Case | End | None:
        """Return an end of a case or the stone to branch on; None if it is a draw."""
        # 1. Bounds for several ratios, or for 1:1 alone if that is far from enough.
        free = np.flatnonzero(stones == 0)
        bounds: list[_Bound] = []
        for ratio in _RATIOS:
            bound = self._bound(stones, free, ratio)
            if bound.short <= 0:
                return self._end(bound, stones, free)
            bounds.append(bound)
            if bounds[0].short > _FAR:
                break
        best = min(bounds, key=lambda one: one.short)
        # 2. Cuts for the best. Without a given stone none stands for the constant in a sum.
        if best.short < _NEAR and stones.any() and _add_sums(best):
            return self._end(best, stones, free)
        if not len(free):
            return None
        return self._next(bounds[0].inverse, stones, free)

    def _bound(self, stones: Longs, free: Longs, ratio: tuple[int, int]) -> _Bound:
        """Return the bound for one ratio without cuts."""
        # With their shares of stones, the sum of all stones is 1 for an odd number of cells, else
        # 0. The square of its distance from that is 0 on these boards, so it may be added to the
        # form with a large weight, which helps the bound.
        constant, form = self._form(stones, free, np.array(ratio) / sum(ratio))
        wanted = 8 * (self.target - 1) - constant + _MARGIN
        weights = np.abs(form).sum(axis=1) + 0.5
        shares = np.ones(len(form))
        shares[0] = stones.sum() - len(stones) % 2
        form += _SHARED * np.outer(shares, shares)
        bound = _Bound(ratio, form, wanted, weights, form, np.empty((0, len(form))), np.empty(0))
        _weigh(bound, _BARRIERS)
        return bound

    def _form(self, stones: Longs, free: Longs, counts: Floats) -> tuple[float, Floats]:
        """Return the constant and the form of eight times the counts of all lines."""
        # A line is of one player if (1 + ab + bc + ca) / 4 is 1, with stones s given if
        # (1 + sa)(1 + sb) / 4 or (1 + sa) / 2 is: that is its share of constant and form, as in the
        # checker. A free line has no owner yet, so it counts the smaller weight.
        place = np.zeros(len(stones), np.int64)
        place[free] = np.arange(1, len(free) + 1)
        form = np.zeros((len(free) + 1, len(free) + 1))
        of_cells = stones[self.lines]
        given, total = np.count_nonzero(of_cells, axis=1), of_cells.sum(axis=1)
        count = np.where(total > 0, counts[0], counts[1])
        count[given == 0] = counts.min()
        constant = 0.0
        # Lines with no given stone, one, two or three of one player; mixed ones count 0.
        for stones_given, times in enumerate((2, 2, 4, 8)):
            chosen = (given == stones_given) & (np.abs(total) == given)
            each = times * count[chosen]
            constant += float(each.sum())
            cells = self.lines[chosen]
            here = place[cells[of_cells[chosen] == 0].reshape(len(cells), 3 - stones_given)]
            for one in range(3 - stones_given):
                if stones_given:
                    np.add.at(form[0], here[:, one], each / 2 * np.sign(total[chosen]))
                for two in range(one + 1, 3 - stones_given):
                    np.add.at(form, (here[:, one], here[:, two]), each / 2)
        return constant, form + form.T

    def _next(self, inverse: Floats, stones: Longs, free: Longs) -> Case:
        """Return the stone to branch on: an undecided cell on many undecided lines."""
        # X, scaled to ones on the diagonal, has the mean of each stone in its first row; 1 - mean^2
        # is its variance. The likelier player gets the stone: the second case, without the stone
        # and all its images, is then the unlikely one, and easier to bound.
        root = np.sqrt(inverse.diagonal())
        means = inverse[0, 1:] / root[0] / root[1:]
        of_cells = stones[self.lines]
        given, total = np.count_nonzero(of_cells, axis=1), of_cells.sum(axis=1)
        counts = np.zeros(len(stones))
        for stones_given, worth in enumerate(_ON_LINES):
            chosen = (given == stones_given) & (np.abs(total) == given)
            np.add.at(counts, self.lines[chosen], worth)
        at = int((counts[free] * (1 - means**2)).argmax())
        return Case(int(self.cells[free[at]]), 1 if means[at] >= 0 else 2)

    def _end(self, bound: _Bound, stones: Longs, free: Longs) -> End:
        """Round the weights, those of cells up and those of sums down."""
        scale = UNIT * sum(bound.ratio)
        # In a sum the given stones stand for one of them, of the first player's sign.
        names = np.concatenate((np.flatnonzero(stones)[:1], free))
        sums = []
        for weight, times in zip(bound.of_sums.tolist(), bound.sums, strict=True):
            whole = math.floor(weight * scale)
            at = np.flatnonzero(times)
            signs = times[at] * np.where(at == 0, stones[names[0]], 1)
            cells = zip(self.cells[names[at]].tolist(), signs.astype(int).tolist(), strict=True)
            listed = sorted(cells)
            if whole:
                sums.append((whole, tuple(listed)))
        # The checker decomposes a little less than the form.
        raised = bound.weights + _SPARE * (bound.form.diagonal() + bound.weights)
        weights = tuple(math.ceil(weight * scale) for weight in raised.tolist())
        return End(bound.ratio, weights, tuple(sums))


def _weigh(bound: _Bound, barriers: tuple[float, ...]) -> None:
    """Improve the weights by Newton's method, until they are optimal, enough or hopeless."""
    size, known = len(bound.form), len(bound.of_sums)
    worth = np.concatenate((np.ones(size), -np.ones(known)))
    on_cells, on_sums = slice(0, size), slice(size, None)
    diagonal = np.arange(size, size + known)
    curve = np.empty((size + known, size + known))
    weights = np.concatenate((bound.weights, bound.of_sums))

    def cost(weights: Floats, barrier: float) -> tuple[float, Floats]:
        """Return the barrier function and the Cholesky factor; infinite outside its domain."""
        squares = (bound.sums.T * weights[on_sums]) @ bound.sums
        if known and weights[on_sums].min() <= 0:
            return math.inf, squares
        try:
            root = np.linalg.cholesky(bound.form + np.diag(weights[on_cells]) - squares)
        except np.linalg.LinAlgError:
            return math.inf, squares
        logarithms = 2 * np.log(root.diagonal()).sum() + np.log(weights[on_sums]).sum()
        return float(worth @ weights / barrier - logarithms), np.asarray(root, np.float64)

    for barrier in barriers:
        value, root = cost(weights, barrier)
        for _ in range(_NEWTON_STEPS):
            # 1. Gradient and Hessian by blocks. A sum enters the form as -ss', so its gradient is
            #    s'Xs; the Hessian has squared products of both kinds.
            half = np.linalg.inv(root)
            inverse = half.T @ half
            turned = bound.sums @ inverse
            slope = worth / barrier
            slope[on_cells] -= inverse.diagonal()
            slope[on_sums] += np.einsum("ij,ij->i", turned, bound.sums) - 1 / weights[on_sums]
            curve[on_cells, on_cells] = inverse**2
            curve[on_sums, on_cells] = -(turned**2)
            curve[on_cells, on_sums] = curve[on_sums, on_cells].T
            curve[on_sums, on_sums] = (turned @ bound.sums.T) ** 2
            curve[diagonal, diagonal] += 1 / weights[on_sums] ** 2
            step = np.linalg.solve(curve, slope)
            moved = math.sqrt(max(0.0, float(slope @ step)))
            # 2. Backtracking from a full step. The damped step of 1 / (1 + moved) is always inside
            #    and lower (self-concordance), so the search ends there.
            length, least = 1.0, 1 / (1 + moved)
            while True:
                there, after = cost(weights - length * step, barrier)
                if there < value - _DESCENT * length * moved**2 or length == least:
                    break
                length = max(_SHORTER * length, least)
            if there == math.inf:
                return
            weights, value, root = weights - length * step, there, after
            bound.weights, bound.of_sums = weights[on_cells], weights[on_sums]
            bound.inverse = inverse * barrier
            if bound.short <= 0:
                return
            if moved < _STILL:
                # 3. On the central path the gap to the optimum is about the barrier times the
                #    number of constraints: give up if that cannot close the shortfall.
                if bound.short > _NEAR and 8 * bound.short > 1.3 * (size + known) * barrier:
                    return
                break


def _add_sums(bound: _Bound) -> bool:
    """Add violated odd sums in rounds; return whether the bound is enough."""
    barrier = _BARRIERS[-1]
    for number in range(_ROUNDS):
        # 1. Separation: local search for sums s with s'Xs < 1, X having ones on the diagonal.
        root = np.sqrt(bound.inverse.diagonal())
        form = bound.inverse / np.outer(root, root)
        times = _triples(len(form), number)
        squares = walk_downhill(form, times, 1)
        squares[np.count_nonzero(times, axis=1) < 2] = math.inf
        order = squares.argsort(kind="stable")
        order = order[squares[order] < _HELPS]
        # A sum and its negative have the same square.
        signs = np.sign(times[np.arange(len(times)), (times != 0).argmax(axis=1)])
        _, first = np.unique((signs[:, None] * times)[order], axis=0, return_index=True)
        sums = times[order[np.sort(first)][:_NEW]].astype(float)
        if not len(sums):
            return False
        # 2. New sums start with so little weight that the form stays definite: all of them together
        #    take 0.3 of it at most.
        inverse = bound.inverse / barrier
        little = 0.3 / len(sums) / np.einsum("ij,jk,ik->i", sums, inverse, sums)
        heavy = bound.of_sums > _LISTED
        bound.sums = np.concatenate((bound.sums[heavy], sums))
        bound.of_sums = np.concatenate((bound.of_sums[heavy], little))
        before = bound.short
        _weigh(bound, _SUM_BARRIERS)
        barrier = _SUM_BARRIERS[-1]
        if bound.short <= 0:
            return True
        # 3. Each round gains less than the one before: give up if it would take too many.
        if number > 1 and bound.short > _PATIENCE * (before - bound.short):
            return False
    return False


def _triples(size: int, seed: int) -> Longs:
    """Return random sums of three stones, or of one if there are no three."""
    rng = np.random.default_rng(seed)
    chosen = rng.permuted(np.tile(np.arange(size), (_WALKS, 1)), axis=1)[:, : 3 if size > 2 else 1]
    times = np.zeros((_WALKS, size), np.int64)
    np.put_along_axis(times, chosen, rng.choice((-1, 1), chosen.shape), axis=1)
    return times
