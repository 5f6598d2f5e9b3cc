"""Curves and surfaces through the points of a sweep, with their optimum.

Polynomials are fitted by weighted least squares, their degree chosen by BIC; splines are smoothing.
The band is pointwise, of 95 %, and kept between 0 and 1. The optimum is where the curve is best
between the ends of the sweep; its interval holds the middle 95 % of the optima of curves whose
coefficients are drawn from their distribution (a parametric bootstrap). Where the degree of a
polynomial was chosen, the curves are of all degrees, each as often as its BIC makes it likely. How
wiggly a spline is, and the chosen degree in a band, are taken as given. No smooth curve has a sharp
bend: where the truth has one, its optimum may lie outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.display import Result
from hyperoxo.errors import SpecError

Floats = NDArray[np.float64]

_Z95 = 1.959963984540054
_REFITS = 8


@dataclass(frozen=True, eq=False)
class Samples:
    """Measured shares."""

    at: Floats
    shares: Floats
    variances: Floats
    games: Floats | None = None

    def around(self, fitted: Floats) -> Floats:
        """Variances of the shares if the curve were true."""
        if self.games is None:
            return self.variances
        chances = likely(fitted, self.games)
        return chances * (1 - chances) / self.games


def likely(fitted: Floats, games: Floats) -> Floats:
    """Fitted shares at least half a game away from never and from always."""
    return np.clip(fitted, 0.5 / games, 1 - 0.5 / games)


@dataclass(frozen=True, eq=False)
class LinearFit:
    """Coefficients of a linear model."""

    degree: int
    coefficients: Floats
    covariance: Floats
    chi2: float
    freedom: int


def scaled(values: Floats, low: float, high: float) -> Floats:
    """Map [low, high] to [-1, 1]."""
    width = high - low
    return 2 * (values - low) / width - 1 if width > 0 else np.zeros_like(values)


def weighed_fits(
    samples: Samples, design: Callable[[Floats, int], Floats], degrees: Sequence[int]
) -> list[tuple[float, LinearFit]]:
    """Fit each degree, and weigh it by how likely it is the right one.

    With known variances BIC is chi2 + k log m; with shares of yes among yes and no it is
    -2 log likelihood + k log m, and each fit is weighted anew by its own variances, a few times.
    The covariance is multiplied by chi2 / (m - k) where that exceeds 1, because deviations are
    then more than chance. The weights are exp(-BIC / 2), scaled to a sum of 1.
    """
    found: list[tuple[float, LinearFit]] = []
    count = max(len(samples.shares), 2)
    for degree in degrees:
        matrix = design(samples.at, degree)
        if matrix.shape[1] > len(samples.shares) and found:
            continue
        fit = _fit(samples, matrix, degree, samples.variances)
        for _ in range(_REFITS if samples.games is not None else 0):
            fit = _fit(samples, matrix, degree, samples.around(matrix @ fit.coefficients))
        misfit = _misfit(samples, matrix @ fit.coefficients, fit)
        found.append((misfit + matrix.shape[1] * np.log(count), fit))
    found.sort(key=lambda pair: pair[0])
    weights = np.exp([(found[0][0] - bic) / 2 for bic, _ in found])
    return [(float(w), fit) for w, (_, fit) in zip(weights / weights.sum(), found, strict=True)]


def optimum_places(
    fits: Sequence[tuple[float, LinearFit]],
    functions: Callable[[int], Floats],
    sign: float,
    count: int,
    seed: int,
) -> NDArray[np.intp]:
    """Find the best places of functions drawn from the fits, each as often as its weight says.

    So the spread of the places includes how uncertain the degree is. Where a constant is drawn,
    any place is as good.
    """
    rng = np.random.default_rng(seed)
    found = []
    times = rng.multinomial(count, [weight for weight, _ in fits])
    for (_, fit), drawn in zip(fits, times.tolist(), strict=True):
        matrix = functions(fit.degree)
        if fit.degree == 0:
            found.append(rng.integers(len(matrix), size=drawn))
            continue
        coefficients = rng.multivariate_normal(
            fit.coefficients, fit.covariance, drawn, method="svd"
        )
        found.append((sign * (matrix @ coefficients.T)).argmax(axis=0))
    return np.concatenate(found).astype(np.intp)


def _misfit(samples: Samples, fitted: Floats, fit: LinearFit) -> float:
    """Return -2 log likelihood up to a constant, or chi2."""
    if samples.games is None:
        return fit.chi2
    chances = likely(fitted, samples.games)
    shares = samples.shares
    logs = shares * np.log(chances) + (1 - shares) * np.log1p(-chances)
    return float(-2 * (samples.games * logs).sum())


def _fit(samples: Samples, matrix: Floats, degree: int, variances: Floats) -> LinearFit:
    weights = 1 / np.sqrt(variances)
    weighted = matrix * weights[:, None]
    inverse = np.linalg.pinv(weighted)
    coefficients = inverse @ (samples.shares * weights)
    chi2 = float((((samples.shares - matrix @ coefficients) * weights) ** 2).sum())
    freedom = max(len(samples.shares) - matrix.shape[1], 0)
    widened = max(1.0, chi2 / freedom) if freedom else 1.0
    covariance = inverse @ inverse.T * widened
    return LinearFit(degree, coefficients, covariance, chi2, freedom)


def band(matrix: Floats, coefficients: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats]:
    """Return a curve, given as functions ``[m, k]`` at m places, and the ends of its 95 % band.

    The band is pointwise; all are shares, so from 0 to 1.
    """
    shares: Floats = matrix @ coefficients
    half = _Z95 * np.sqrt(np.einsum("ij,jk,ik->i", matrix, covariance, matrix).clip(0))
    return shares.clip(0, 1), (shares - half).clip(0, 1), (shares + half).clip(0, 1)


MOST_DEGREE = 12
_GRID = 401
_CURVES = 1000
_INTERVALS = 40
_LEAST_SPLINE = 5
_ROUNDS = 4


@dataclass(frozen=True)
class Optimum:
    """Where a curve is best."""

    value: float
    interval: tuple[float, float]
    share: float
    share_interval: tuple[float, float]

    _data = "value interval fit=share fit_interval=share_interval"


@dataclass(frozen=True, eq=False)
class Curve(Result):
    """A curve with its band."""

    kind: str
    """``"polynomial"`` or ``"spline"``."""
    degree: int | None
    values: Floats
    """A fine grid, and the curve and its band there."""
    shares: Floats
    low: Floats
    high: Floats
    at_points: Floats
    """Curve, lower and upper end of the band at the points measured, ``[m, 3]``."""
    chi2: float
    """Sum of squared deviations in standard deviations."""
    freedom: float
    coefficients: tuple[float, ...] | None
    """Of a polynomial, by powers of the value from 0 up."""
    optimum: Optimum | None
    """None where a constant fits best."""

    _data = "kind degree coefficients chi2 freedom optimum curve"

    @property
    def curve(self) -> list[dict[str, float]]:
        """Every fourth point of the curve and its band."""
        rows = zip(self.values, self.shares, self.low, self.high, strict=True)
        keys = ("value", "fit", "low", "high")
        return [dict(zip(keys, map(float, row), strict=True)) for row in list(rows)[::4]]


def check_curve(kind: str, degree: int | None, points: int) -> None:
    """Refuse a curve for which there are too few points."""
    most = min(MOST_DEGREE, points - 1)
    if kind == "spline" and points < _LEAST_SPLINE:
        raise SpecError(f"a smoothing spline takes {_LEAST_SPLINE} points or more, not {points}")
    if degree is not None and not 0 <= degree <= most:
        raise SpecError(f"the degree must be 0 to {most} with {points} points, not {degree}")


def _legendre(at: Floats, degree: int, low: float, high: float) -> Floats:
    places = scaled(at, low, high)
    return np.asarray(np.polynomial.legendre.legvander(places, degree), dtype=np.float64)


def fit_polynomial(
    samples: Samples, degree: int | None = None, *, least: bool = False, seed: int = 0
) -> Curve:
    """Fit a polynomial by weighted least squares."""
    at = samples.at[:, 0]
    low, high = float(at.min()), float(at.max())
    check_curve("polynomial", degree, len(at))
    tried = range(min(MOST_DEGREE, max(len(at) - 2, 0)) + 1) if degree is None else [degree]
    fits = weighed_fits(samples, lambda x, d: _legendre(x[:, 0], d, low, high), list(tried))
    fit = fits[0][1]
    grid = np.linspace(low, high, _GRID)
    matrix = _legendre(grid, fit.degree, low, high)
    on_grid = band(matrix, fit.coefficients, fit.covariance)
    at_points = band(_legendre(at, fit.degree, low, high), fit.coefficients, fit.covariance)
    optimum = None
    if fit.degree:
        sign = -1.0 if least else 1.0
        places = optimum_places(fits, lambda d: _legendre(grid, d, low, high), sign, _CURVES, seed)
        best = int((sign * (matrix @ fit.coefficients)).argmax())
        optimum = _optimum(grid, best, grid[places], on_grid)
    series = np.polynomial.Legendre(fit.coefficients, domain=[low, high] if high > low else None)
    return Curve(
        "polynomial",
        fit.degree,
        grid,
        *on_grid,
        np.stack(at_points, axis=1),
        fit.chi2,
        fit.freedom,
        tuple(float(c) for c in series.convert(kind=np.polynomial.Polynomial).coef),
        optimum,
    )


def _optimum(
    grid: Floats, best: int, places: Floats, on_grid: tuple[Floats, Floats, Floats]
) -> Optimum:
    """Return the best row of a grid, and where curves drawn anew are best."""
    value = float(grid[best])
    low, high = (float(end) for end in np.quantile(places, [0.025, 0.975]))
    share, below, above = (float(part[best]) for part in on_grid)
    return Optimum(value, (min(low, value), max(high, value)), share, (below, above))


def fit_spline(samples: Samples, *, least: bool = False, seed: int = 0) -> Curve:
    """Fit a smoothing spline.

    Cubic B-splines on at most 40 equal intervals with a penalty on second differences, whose
    weight is chosen by generalised cross-validation (GCV).
    """
    at = samples.at[:, 0]
    check_curve("spline", None, len(at))
    low, high = float(at.min()), float(at.max())
    intervals = max(2, min(_INTERVALS, len(at) - 3))
    matrix = _splines(at, low, high, intervals)
    coefficients, covariance, chi2, freedom = _penalised(samples, matrix, samples.variances)
    for _ in range(_ROUNDS if samples.games is not None else 0):
        variances = samples.around(matrix @ coefficients)
        coefficients, covariance, chi2, freedom = _penalised(samples, matrix, variances)
    grid = np.linspace(low, high, _GRID)
    splines = _splines(grid, low, high, intervals)
    on_grid = band(splines, coefficients, covariance)
    sign = -1.0 if least else 1.0
    drawn = np.random.default_rng(seed).multivariate_normal(
        coefficients, covariance, _CURVES, method="svd"
    )
    places = grid[(sign * (splines @ drawn.T)).argmax(axis=0)]
    best = int((sign * (splines @ coefficients)).argmax())
    return Curve(
        "spline",
        None,
        grid,
        *on_grid,
        np.stack(band(matrix, coefficients, covariance), axis=1),
        chi2,
        freedom,
        None,
        _optimum(grid, best, places, on_grid),
    )


def _splines(at: Floats, low: float, high: float, intervals: int) -> Floats:
    """Cubic B-splines on equal intervals at places ``[m]``, as a matrix ``[m, intervals + 3]``."""
    from scipy.interpolate import BSpline

    step = (high - low) / intervals
    knots = low + step * np.arange(-3, intervals + 4)
    inside = np.clip(at, low, high)
    matrix: Floats = BSpline.design_matrix(inside, knots, 3, extrapolate=True).toarray()
    return matrix


def _penalised(
    samples: Samples, matrix: Floats, variances: Floats
) -> tuple[Floats, Floats, float, float]:
    """Coefficients, covariance, chi2 and degrees of freedom of the penalty of least GCV."""
    count, size = matrix.shape
    weights = 1 / variances
    gram = matrix.T @ (weights[:, None] * matrix)
    bends = np.diff(np.eye(size), 2, axis=0)
    penalty = bends.T @ bends * (np.trace(gram) / size)
    target = matrix.T @ (weights * samples.shares)
    best: tuple[float, Floats, Floats, float, float] | None = None
    for strength in np.logspace(-6, 6, 61):
        inverse = np.linalg.inv(gram + strength * penalty + 1e-12 * np.trace(gram) * np.eye(size))
        coefficients = inverse @ target
        chi2 = float((weights * (samples.shares - matrix @ coefficients) ** 2).sum())
        freedom = count - float(np.trace(inverse @ gram))
        gcv = chi2 / max(freedom, 1e-9) ** 2
        if freedom > 1 and (best is None or gcv < best[0]):
            best = (gcv, coefficients, inverse, chi2, freedom)
    assert best is not None
    _, coefficients, inverse, chi2, freedom = best
    return coefficients, inverse * max(1.0, chi2 / freedom), chi2, freedom


_MOST_DEGREE = 6
_SIDE = 51
_DRAWN = 500


@dataclass(frozen=True, eq=False)
class Surface(Result):
    """A polynomial of two parameters, up to a total degree."""

    degree: int
    at_points: Floats
    """Surface, lower and upper end of its 95 % band at the points measured, ``[m, 3]``."""
    chi2: float
    """Sum of squared deviations in standard deviations."""
    freedom: int
    optimum: dict[str, Any] | None
    """``value`` and ``interval`` by parameter, ``fit``, ``fit_interval``; None for a constant."""

    kind = "surface"
    _data = "kind degree chi2 freedom optimum"


def check_surface(degree: int | None) -> None:
    """Refuse a degree out of range."""
    if degree is not None and not 0 <= degree <= _MOST_DEGREE:
        raise SpecError(f"the degree of a surface must be 0 to {_MOST_DEGREE}, not {degree}")


def fit_surface(
    samples: Samples, degree: int | None = None, *, least: bool = False, seed: int = 0
) -> Surface:
    """Fit a polynomial surface by weighted least squares."""
    check_surface(degree)
    low, high = samples.at.min(axis=0), samples.at.max(axis=0)

    def design(at: Floats, total: int) -> Floats:
        first, second = (
            np.polynomial.legendre.legvander(scaled(at[:, i], float(low[i]), float(high[i])), total)
            for i in range(2)
        )
        columns = [
            first[:, i] * second[:, j] for i in range(total + 1) for j in range(total + 1 - i)
        ]
        return np.stack(columns, axis=1)

    tried = range(_MOST_DEGREE + 1) if degree is None else [degree]
    fits = weighed_fits(samples, design, list(tried))
    fit = fits[0][1]
    axes = (np.linspace(low[0], high[0], _SIDE), np.linspace(low[1], high[1], _GRID))
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    matrix = design(grid, fit.degree)
    shares = matrix @ fit.coefficients
    at_points = band(design(samples.at, fit.degree), fit.coefficients, fit.covariance)
    optimum = None
    if fit.degree:
        sign = -1.0 if least else 1.0
        best = int((sign * shares).argmax())
        places = grid[optimum_places(fits, lambda degree: design(grid, degree), sign, _DRAWN, seed)]
        on_grid = band(matrix, fit.coefficients, fit.covariance)
        share, *ends = (float(part[best]) for part in on_grid)
        below, above = np.quantile(places, [0.025, 0.975], axis=0)
        spans = [np.minimum(below, grid[best]), np.maximum(above, grid[best])]
        optimum = {
            "value": grid[best].tolist(),
            "interval": np.stack(spans, axis=1).tolist(),
            "fit": share,
            "fit_interval": ends,
        }
    return Surface(
        fit.degree,
        np.stack(at_points, axis=1),
        fit.chi2,
        fit.freedom,
        optimum,
    )
