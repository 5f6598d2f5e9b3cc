"""Lower bounds on monochromatic lines in two-colourings: semidefinite bounds with cutting planes.

With colours +1 and -1, a line of three cells a, b, c has ab + bc + ca = 3 if it is of one colour
and -1 if not. Summed up over L lines, of which m are of one colour, that is 4m - L; it is also half
of x'Ax, where A counts the lines through each pair of cells. If weights d on the cells make A + D
positive semidefinite, then x'Ax is at least minus their sum, and m at least L/4 - sum(d)/8.

If two players of a game share out the whole board and m is over 2(t - 1), one of them has t lines.

Odd sums of stones, cutting planes of the cut polytope, give better bounds; see
`hyperoxo_research.proof.filling` for the theorem. Each round finds the best weights for the sums
that are known, by Newton's method with a logarithmic barrier; its inverse form says by how much
every other odd sum would help. All sums of three cells are tried, larger ones by local search from
random ones, and sums without weight are dropped. Floating point throughout; the weights are then
rounded, and the checker has the last word.

References
----------
M. Deza and M. Laurent, Geometry of Cuts and Metrics (1997), on inequalities from odd sums.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np

from hyperoxo.board import Board
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.kernels.arrays import Floats, Longs
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.task import Task
from hyperoxo_research.proof.filling import Filling, OddSum, is_semidefinite

_MOST_CELLS = 100
_TRIES = 20
_NEWTON_STEPS = 50
_STILL = 0.3
_LEAST_BARRIER = 1e-6
_DENOMINATOR = 256


def filling_bound(board: Board, weights: Mapping[int, Fraction | int]) -> Fraction:
    """Bound from below the lines of one colour in every filling by two colours."""
    # The weights are checked in rational numbers, so that the bound is proved; any weights that
    # pass will do, and better ones give a better bound.
    cells = [int(cell) for cell in board.playable]
    if set(weights) != set(cells):
        raise SpecError(f"there must be a weight for each of the {len(cells)} playable cells")
    if any(size != 3 for size in board.line_sizes):
        raise SpecError("the bound is for boards whose lines have three cells")
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights.values()))
    form = (pairs_of_cells(board).astype(object) * scale).tolist()
    for number, cell in enumerate(cells):
        form[number][number] = int(weights[cell] * scale)
    if not is_semidefinite(form):
        raise CheckFailedError("the weights do not make the form semidefinite")
    total = sum((Fraction(weight) for weight in weights.values()), Fraction(0))
    return max(Fraction(0), Fraction(board.line_count, 4) - total / 8)


def pairs_of_cells(board: Board) -> Longs:
    """Count the lines through each pair of playable cells."""
    on = np.zeros((board.line_count, board.cell_count), dtype=np.int64)
    on[np.repeat(np.arange(board.line_count), board.line_sizes), board.line_cells] = 1
    form: Longs = (on.T @ on)[np.ix_(board.playable, board.playable)]
    np.fill_diagonal(form, 0)
    return form


def images_of(game: Game) -> Longs:
    """Return the places of the playable cells under each symmetry that proofs use."""
    board = game.board
    place = np.zeros(board.cell_count, np.int64)
    place[board.playable] = np.arange(len(board.playable))
    rows = canonical_forms_of(game).inverses or (range(board.cell_count),)
    images: Longs = place[np.array([list(one) for one in rows])[:, board.playable]]
    return images


def few_lines(board: Board, tries: int, seed: int = 0) -> int:
    """Return the fewest lines of one colour that steepest descent finds from random colourings."""
    form = pairs_of_cells(board)
    rng = np.random.default_rng(seed)
    best = board.line_count
    # x'Ax falls by 4 x_i (Ax)_i when x_i changes its sign; then 4m - L = x'Ax / 2.
    for _ in range(tries):
        colours = rng.choice((-1, 1), len(form))
        while len(form) and (gain := colours * (form @ colours)).max() > 0:
            colours[gain.argmax()] *= -1
        best = min(best, (int(colours @ form @ colours) // 2 + board.line_count) // 4)
    return best


def least_weights(board: Board) -> dict[int, Fraction]:
    """Look for weights with a good bound, equal on each orbit of cells (interior-point method)."""
    # They are rounded up from floating point; `filling_bound` decides whether they prove anything.
    # 1. One variable per orbit: averaging over symmetries keeps the form semidefinite and the sum.
    form = pairs_of_cells(board).astype(float)
    place = {int(cell): number for number, cell in enumerate(board.playable)}
    orbits = [orbit for orbit in board.symmetry.orbits() if orbit[0] in place]
    members = np.zeros((len(orbits), len(form)))
    for number, orbit in enumerate(orbits):
        members[number, [place[cell] for cell in orbit]] = 1
    # 2. Start where the diagonal dominates, so that the form is definite; then follow the central
    #    path to a small barrier.
    weights = np.full(len(orbits), 1.0 + form.sum(axis=1).max(initial=0))
    barrier = 1.0
    while barrier > _LEAST_BARRIER:
        for _ in range(_NEWTON_STEPS):
            weights, moved = _newton(form, members, weights, barrier)
            if moved < _STILL:
                break
        barrier /= 4
    rounded = [Fraction(math.ceil(weight * _DENOMINATOR), _DENOMINATOR) for weight in weights]
    number_of = members.argmax(axis=0)
    return {cell: rounded[number_of[number]] for cell, number in place.items()}


def _newton(
    form: Floats,
    members: Floats,
    weights: Floats,
    barrier: float,
) -> tuple[Floats, float]:
    """Make a damped Newton step for sum(weights) / barrier - log det(form + weights)."""
    # The gradient of log det is the inverse, minus its Hessian has the squared entries of that. A
    # step times 1 / (1 + decrement) stays where the form is definite (self-concordance).
    inverse = np.linalg.inv(form + np.diag(weights @ members))
    slope = members.sum(axis=1) / barrier - members @ np.diag(inverse)
    curve = members @ inverse**2 @ members.T
    step = np.linalg.solve(curve, slope)
    decrement = math.sqrt(max(0.0, float(slope @ step)))
    return weights - step / (1 + decrement), decrement


@lru_cache(maxsize=64)
def lines_in_fillings(board: Board, wanted: int) -> int | None:
    """Try to prove that every filling by two colours has `wanted` lines of one colour."""
    # A random colouring has a quarter of the lines on average, so no bound is above that.
    if 4 * (wanted - 1) >= board.line_count or len(board.playable) > _MOST_CELLS:
        return None
    if any(size != 3 for size in board.line_sizes) or few_lines(board, _TRIES) < wanted:
        return None
    try:
        proved = math.ceil(filling_bound(board, least_weights(board)))
    except CheckFailedError:
        return None
    return proved if proved >= wanted else None


_MOST_SYMMETRIES = 5_000
_ROUNDS = 60
_NEW, _MOST_SUMS = 80, 400
"""Odd sums that are added in a round, and most of them."""
_WALKS = 600
_TRIPLES = 400
_ALL_CELLS = 0.4
_SIZES = (3, 5, 7, 9, 11, 13, 15, 17, 21)
_MOST_TIMES = 3
_HELPS, _LISTED = 0.999, 5e-3
"""The square of a sum that would help, and the weight of one that is kept."""
_SHARED = 20
"""Weight of the square of all stones together, on boards with an even number of cells."""
_SUM_BARRIERS, _SUM_STEPS = (10.0, 1e-3), 60
"""The first barrier of Newton's method for odd sums and the least, and its most steps."""
_SUM_PARTS, _CELL_PARTS = 1 << 30, 1 << 16
"""Denominators of weights."""
_SPARE = 0.001
"""Margin of the bound above the last whole number, for the rounding of weights."""


def odd_filling(game: Game, wanted: int, *, task: Task, seed: int = 0) -> Filling | None:
    """Look for weights by which every full board has `wanted` lines of one player."""
    board = game.board
    if len(board.playable) > _MOST_CELLS or any(size != 3 for size in board.line_sizes.tolist()):
        return None
    # A random board has a quarter of the lines on average, so no bound is above that.
    if 4 * (wanted - 1) >= board.line_count or canonical_forms_of(game).count > _MOST_SYMMETRIES:
        return None
    search, rng = _Search(game), np.random.default_rng(seed)
    for _ in range(_ROUNDS):
        search.weigh()
        if search.lines > wanted - 1 + _SPARE:
            return search.rounded(game)
        if task.over or not search.more(rng):
            return None
    return None


class _Search:
    """Cutting-plane search: odd sums and their weights, on the playable cells of a game."""

    def __init__(self, game: Game) -> None:
        board = game.board
        self.images = images_of(game)
        self.line_count, self.size = board.line_count, len(board.playable)
        shared = _SHARED if self.size % 2 == 0 else 0
        self.shared, self.form = Fraction(shared), pairs_of_cells(board).astype(float) + shared
        firsts = self.images.min(axis=0)
        # Orbits of cells: the least cell of each, and the orbit of each cell.
        self.heads, self.orbits = np.unique(firsts, return_inverse=True)
        # Odd sums, a row of multiplicities each, ``[sums, cells]``.
        self.sums: Longs = np.empty((0, self.size), np.int64)
        # The matrix that a unit of each weight adds to the form, ``[orbits + sums, cells, cells]``:
        # a diagonal of ones on an orbit, or less the mean of ss' over the images of a sum.
        self.squares = np.zeros((len(self.heads), self.size, self.size))
        self.squares[self.orbits, range(self.size), range(self.size)] = 1
        # Weights of the cells by orbit, then of the sums, each for all of its images together.
        self.weights = np.zeros(len(self.heads))
        self.inverse = np.eye(self.size)

    @property
    def lines(self) -> float:
        """Lines of one player on every full board, by the weights."""
        return float(self.line_count / 4 - self.weights @ self._gains / 8)

    @property
    def _gains(self) -> Floats:
        """The amount that a unit of each weight takes off the bound (negative for sums)."""
        sizes = np.bincount(self.orbits).astype(float)
        return np.concatenate((sizes, -np.ones(len(self.sums))))

    def add(self, sums: Longs) -> None:
        """Take more sums."""
        rows = sums[:, self.images].astype(float)
        squares = rows.transpose(0, 2, 1) @ rows / len(self.images)
        self.sums = np.concatenate((self.sums, sums))
        self.squares = np.concatenate((self.squares, -squares))

    def drop(self) -> None:
        """Drop sums without weight."""
        count = len(self.heads)
        heavy = self.weights[count:] > _LISTED
        self.sums = self.sums[heavy]
        self.squares = self.squares[np.concatenate((np.ones(count, bool), heavy))]

    def weigh(self) -> None:
        """Find the best weights for the sums that are known: an interior-point method."""
        # 1. A feasible start: small weights of sums, and a dominant diagonal.
        count, known = len(self.heads), len(self.squares)
        worth, flat = self._gains, self.squares.reshape(known, -1)
        weights = np.full(known, 1e-3)
        form = self.form + np.tensordot(weights, self.squares, 1)
        weights[:count] += np.abs(form).sum(axis=1).max(initial=0) + 1
        # 2. Damped Newton steps for worth @ weights / barrier - log det(form) - sum(log(of sums));
        #    the last term keeps the weights of sums above 0.
        barrier, least = _SUM_BARRIERS
        while barrier > least:
            for _ in range(_SUM_STEPS):
                sums = weights[count:]
                self.inverse = np.linalg.inv(self.form + np.tensordot(weights, self.squares, 1))
                slope = worth / barrier - flat @ self.inverse.ravel()
                slope[count:] -= 1 / sums
                turned = self.inverse @ self.squares @ self.inverse
                curve = turned.reshape(known, -1) @ flat.T
                curve[range(count, known), range(count, known)] += 1 / sums**2
                step = np.linalg.solve(curve, slope)
                moved = math.sqrt(max(0.0, float(slope @ step)))
                weights = weights - step / (1 + moved)
                if moved < _STILL:
                    break
            barrier /= 4
        # 3. Times the last barrier, the inverse is nearly the optimal X of the dual programme: the
        #    relaxation of xx', with ones on the diagonal. An odd sum s with s'Xs < 1 cuts it off.
        self.weights, self.inverse = weights, self.inverse * barrier * 4

    def more(self, rng: np.random.Generator) -> bool:
        """Add the most violated odd sums; False if none is found."""
        self.drop()
        found: dict[int, tuple[float, Longs]] = {}
        labels = rng.integers(1 << 40, size=self.size)
        for value, times in (*self._triples(), *self._walks(rng)):
            # Random labels give a hash of the orbit of a sum and its negative; the least image of
            # each would cost more, and equal names of different sums only lose one of them.
            name = int(np.abs(times[self.images] @ labels).max())
            if name not in found or value < found[name][0]:
                found[name] = value, times
        best = sorted(found.values(), key=lambda one: one[0])[:_NEW]
        if not best or len(self.sums) + len(best) > _MOST_SUMS:
            return False
        self.add(np.array([times for _, times in best]))
        return True

    def _triples(self) -> Iterator[tuple[float, Longs]]:
        """Yield the sums of three cells that are violated, one cell being the head of its orbit."""
        form, diagonal = self.inverse, np.diag(self.inverse)
        for head in self.heads.tolist():
            for one, other in itertools.product((1, -1), repeat=2):
                value = diagonal[head] + diagonal[:, None] + diagonal[None, :]
                value = value + 2 * (one * form[head][:, None] + other * form[head][None, :])
                value += 2 * one * other * form
                value[head] = value[:, head] = np.inf
                value[np.tril_indices(self.size)] = np.inf
                for at in np.argsort(value, axis=None)[:_TRIPLES].tolist():
                    second, third = divmod(at, self.size)
                    if value[second, third] >= _HELPS:
                        break
                    times = np.zeros(self.size, np.int64)
                    times[[head, second, third]] = 1, one, other
                    yield float(value[second, third]), times

    def _walks(self, rng: np.random.Generator) -> Iterator[tuple[float, Longs]]:
        """Yield larger violated sums, by local search from random ones."""
        from hyperoxo_research.kernels.odd_sums import walk_downhill

        sizes = [size for size in _SIZES if size <= self.size]
        times = np.zeros((_WALKS if sizes else 0, self.size), np.int64)
        for row in times:
            if self.size % 2 and rng.random() < _ALL_CELLS:
                row[:] = 1
                row[rng.choice(self.size, min(6, self.size))] = -1
            else:
                chosen = rng.choice(self.size, rng.choice(sizes), replace=False)
                row[chosen] = rng.choice((-1, 1), len(chosen))
        values = walk_downhill(self.inverse, times, _MOST_TIMES)
        for value, row in zip(values.tolist(), times, strict=True):
            if value < _HELPS and np.count_nonzero(row) > 1:
                yield value, row

    def rounded(self, game: Game) -> Filling:
        """Return the weights as fractions, those of cells rounded up and those of sums down."""
        # Both keep the form semidefinite; `_SPARE` makes up for what the bound loses.
        cells, count, images = game.board.playable.tolist(), len(self.heads), len(self.images)
        of_cells = [
            Fraction(math.ceil(weight * _CELL_PARTS), _CELL_PARTS)
            for weight in self.weights[:count].tolist()
        ]
        odd = []
        for weight, times in zip(self.weights[count:].tolist(), self.sums.tolist(), strict=True):
            part = Fraction(math.floor(weight / images * _SUM_PARTS), _SUM_PARTS)
            listed = ((cell, one) for cell, one in zip(cells, times, strict=True) if one)
            if part:
                odd.append(OddSum(part, tuple(listed)))
        weights = ((cell, of_cells[at]) for cell, at in zip(cells, self.orbits, strict=True))
        return Filling(game, tuple(weights), tuple(odd), self.shared)
