"""Curves and surfaces through the points of a sweep, with their optimum.

Polynomials are fitted by weighted least squares, their degree chosen by BIC; splines are smoothing.
The band is pointwise, of 95 %, and kept between 0 and 1. The optimum is where the curve is best
between the ends of the sweep; its interval holds the middle 95 % of the optima of curves whose
coefficients are drawn from their distribution (a parametric bootstrap). If the degree of a
polynomial was chosen, the curves are of all degrees, each as often as its BIC makes it likely. How
wiggly a spline is, and the chosen degree in a band, are taken as given. No smooth curve has a sharp
bend: where the truth has one, its optimum may lie outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.display import Result
from hyperoxo.errors import SpecError

Floats = NDArray[np.float64]
Band = tuple[Floats, Floats, Floats]
"""A curve, and the lower and upper ends of its band."""

_Z95 = 1.959963984540054
_REFITS, _SPLINE_REFITS = 8, 4
_MOST_DEGREE, _MOST_SURFACE_DEGREE = 12, 6
_GRIDS: dict[int, tuple[int, ...]] = {1: (401,), 2: (51, 401)}
"""Places along each parameter at which a curve or a surface is evaluated."""
_DRAWN = {1: 1000, 2: 500}
"""Curves that are drawn to find where the optimum may lie, by the number of parameters."""
_INTERVALS = 40
_LEAST_SPLINE = 5


@dataclass(frozen=True, eq=False)
class Samples:
    """Measured shares."""

    at: Floats
    """Values of the parameters, ``[m, 1]`` or ``[m, 2]``."""
    shares: Floats
    variances: Floats
    games: Floats | None = None

    def around(self, fitted: Floats) -> Floats:
        """Variances of the shares if the curve were true."""
        if self.games is None:
            return self.variances
        chances = _likely(fitted, self.games)
        return chances * (1 - chances) / self.games


def _likely(fitted: Floats, games: Floats) -> Floats:
    """Fitted shares at least half a game away from never and from always."""
    return np.clip(fitted, 0.5 / games, 1 - 0.5 / games)


class _LinearFit(NamedTuple):
    """Coefficients of a linear model."""

    coefficients: Floats
    covariance: Floats
    chi2: float
    freedom: float
    degree: int | None = None


@dataclass(frozen=True)
class Optimum:
    """Optimum of a curve or a surface; of a surface a value and an interval by parameter."""

    value: Any
    interval: Any
    share: float
    share_interval: tuple[float, float]

    _data = "value interval fit=share fit_interval=share_interval"


@dataclass(frozen=True, eq=False)
class Fit(Result):
    """A fit through the points of a sweep; of two parameters a surface."""

    kind: str
    """``"polynomial"``, ``"spline"`` or ``"surface"``."""
    degree: int | None
    """Degree of a polynomial, total degree of a surface."""
    at_points: Floats
    """Fit, lower and upper end of the band at the points measured, ``[m, 3]``."""
    chi2: float
    """Sum of squared deviations in standard deviations."""
    freedom: float
    optimum: Optimum | None
    """None if a constant fits best."""

    _data = "kind degree chi2 freedom optimum"


@dataclass(frozen=True, eq=False)
class Curve(Fit):
    """A curve with its band."""

    values: Floats
    """A fine grid, and the curve and its band there."""
    shares: Floats
    low: Floats
    high: Floats
    coefficients: tuple[float, ...] | None
    """Of a polynomial, by powers of the value from 0 up."""

    _data = "kind degree coefficients chi2 freedom optimum curve"

    @property
    def curve(self) -> list[dict[str, float]]:
        """Every fourth point of the curve and its band."""
        rows = zip(self.values, self.shares, self.low, self.high, strict=True)
        keys = ("value", "fit", "low", "high")
        return [dict(zip(keys, map(float, row), strict=True)) for row in list(rows)[::4]]


def check_fit(kind: str, degree: int | None, points: int, parameters: int) -> None:
    """Refuse a degree out of range, and a curve for which there are too few points."""
    if parameters == 2:
        most, what, given = _MOST_SURFACE_DEGREE, "the degree of a surface", ""
    elif kind == "spline" and points < _LEAST_SPLINE:
        raise SpecError(f"a smoothing spline takes {_LEAST_SPLINE} points or more, not {points}")
    else:
        most, what, given = min(_MOST_DEGREE, points - 1), "the degree", f" with {points} points"
    if degree is not None and not 0 <= degree <= most:
        raise SpecError(f"{what} must be 0 to {most}{given}, not {degree}")


def fit_polynomial(
    samples: Samples, degree: int | None = None, *, least: bool = False, seed: int = 0
) -> Fit:
    """Fit a polynomial of one or two parameters by weighted least squares."""
    # In Legendre polynomials on the range of each parameter: the system stays well-conditioned.
    # 1. Fits of all degrees, weighed by BIC; the likeliest is shown. 2. Its band on a fine grid.
    # 3. The optimum there, with the spread of optima of bootstrapped curves of all degrees.
    points, parameters = samples.at.shape
    check_fit("polynomial", degree, points, parameters)
    low, high = samples.at.min(axis=0), samples.at.max(axis=0)

    def design(at: Floats, total: int) -> Floats:
        """Products of Legendre polynomials up to a total degree, at places ``[m, k]``."""
        factors = [
            np.polynomial.legendre.legvander(_scaled(at[:, i], low[i], high[i]), total)
            for i in range(parameters)
        ]
        if parameters == 1:
            return np.asarray(factors[0])
        powers = (ps for ps in product(range(total + 1), repeat=parameters) if sum(ps) <= total)
        columns = [prod(f[:, p] for f, p in zip(factors, ps, strict=True)) for ps in powers]
        return np.stack(columns, axis=1)

    most = _MOST_SURFACE_DEGREE if parameters == 2 else min(_MOST_DEGREE, max(points - 2, 0))
    fits = _weighed_fits(samples, design, range(most + 1) if degree is None else [degree])
    fit = fits[0][1]
    assert fit.degree is not None
    axes = [np.linspace(low[i], high[i], _GRIDS[parameters][i]) for i in range(parameters)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, parameters)
    matrix = design(grid, fit.degree)
    on_grid = _band(matrix, fit)
    optimum = None
    if fit.degree:
        sign = -1.0 if least else 1.0
        # Functions are drawn from the fits in proportion to their weights, so that the spread of
        # their optima includes the uncertainty of the degree. For a constant any place is as good.
        rng, places = np.random.default_rng(seed), []
        times = rng.multinomial(_DRAWN[parameters], [weight for weight, _ in fits])
        for (_, one), count in zip(fits, times.tolist(), strict=True):
            if one.degree:
                places.append(_drawn_places(design(grid, one.degree), one, sign, count, rng))
            else:
                places.append(rng.integers(len(grid), size=count))
        best = int((sign * (matrix @ fit.coefficients)).argmax())
        optimum = _optimum(grid, best, np.concatenate(places).astype(np.intp), on_grid)
    at_points = np.stack(_band(design(samples.at, fit.degree), fit), axis=1)
    found = fit.degree, at_points, fit.chi2, fit.freedom, optimum
    if parameters == 2:
        return Fit("surface", *found)
    domain = [low[0], high[0]] if high > low else None
    series = np.polynomial.Legendre(fit.coefficients, domain=domain)
    powers = series.convert(kind=np.polynomial.Polynomial).coef
    return Curve("polynomial", *found, grid[:, 0], *on_grid, tuple(map(float, powers)))


def _scaled(values: Floats, low: float, high: float) -> Floats:
    """Map [low, high] to [-1, 1]."""
    width = high - low
    return 2 * (values - low) / width - 1 if width > 0 else np.zeros_like(values)


def _weighed_fits(
    samples: Samples, design: Callable[[Floats, int], Floats], degrees: Sequence[int]
) -> list[tuple[float, _LinearFit]]:
    """Fit each degree, weighed by how likely it is the right one; the likeliest comes first."""
    # With known variances BIC is chi2 + k log m; with shares of yes among yes and no it is
    # -2 log likelihood + k log m, and each fit is weighted anew by its own variances, a few times.
    # The covariance is multiplied by chi2 / (m - k) where that exceeds 1, because deviations are
    # then more than chance. The weights are exp(-BIC / 2), scaled to a sum of 1.
    found: list[tuple[float, _LinearFit]] = []
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


def _fit(samples: Samples, matrix: Floats, degree: int, variances: Floats) -> _LinearFit:
    weights = 1 / np.sqrt(variances)
    weighted = matrix * weights[:, None]
    # A = W^(1/2) X has the pseudoinverse A+, and (X^T W X)^-1, the covariance, is A+ (A+)^T.
    inverse = np.linalg.pinv(weighted)
    coefficients = inverse @ (samples.shares * weights)
    chi2 = float((((samples.shares - matrix @ coefficients) * weights) ** 2).sum())
    freedom = max(len(samples.shares) - matrix.shape[1], 0)
    widened = max(1.0, chi2 / freedom) if freedom else 1.0
    return _LinearFit(coefficients, inverse @ inverse.T * widened, chi2, freedom, degree)


def _misfit(samples: Samples, fitted: Floats, fit: _LinearFit) -> float:
    """Return -2 log likelihood up to a constant, or chi2."""
    if samples.games is None:
        return fit.chi2
    chances = _likely(fitted, samples.games)
    shares = samples.shares
    logs = shares * np.log(chances) + (1 - shares) * np.log1p(-chances)
    return float(-2 * (samples.games * logs).sum())


def _drawn_places(
    matrix: Floats, fit: _LinearFit, sign: float, count: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Draw optima of functions with coefficients from the distribution of a fit."""
    drawn = rng.multivariate_normal(fit.coefficients, fit.covariance, count, method="svd")
    places: NDArray[np.intp] = (sign * (matrix @ drawn.T)).argmax(axis=0)
    return places


def _band(matrix: Floats, fit: _LinearFit) -> Band:
    """Return a curve, given as functions ``[m, k]`` at m places, and the ends of its 95 % band."""
    # The band is pointwise; all are shares, so from 0 to 1.
    shares: Floats = matrix @ fit.coefficients
    half = _Z95 * np.sqrt(np.einsum("ij,jk,ik->i", matrix, fit.covariance, matrix).clip(0))
    return shares.clip(0, 1), (shares - half).clip(0, 1), (shares + half).clip(0, 1)


def _optimum(grid: Floats, best: int, places: NDArray[np.intp], on_grid: Band) -> Optimum:
    """Return the optimum on a grid with the interval of bootstrapped optima."""
    low, high = np.quantile(grid[places], [0.025, 0.975], axis=0)
    value: list[float] = grid[best].tolist()
    # The value is that of the likeliest degree, the interval of all degrees: widen it to hold both.
    ends = zip(np.minimum(low, value).tolist(), np.maximum(high, value).tolist(), strict=True)
    spans = list(ends)
    share, below, above = (float(part[best]) for part in on_grid)
    alone = len(value) == 1
    return Optimum(
        value[0] if alone else value, spans[0] if alone else spans, share, (below, above)
    )


def fit_spline(samples: Samples, *, least: bool = False, seed: int = 0) -> Curve:
    """Fit a smoothing spline."""
    # Cubic B-splines on at most 40 equal intervals with a penalty on second differences, whose
    # weight is chosen by generalised cross-validation (GCV).
    at = samples.at[:, 0]
    check_fit("spline", None, len(at), 1)
    low, high = float(at.min()), float(at.max())
    intervals = max(2, min(_INTERVALS, len(at) - 3))
    matrix = _splines(at, low, high, intervals)
    fit = _penalised(samples, matrix, samples.variances)
    for _ in range(_SPLINE_REFITS if samples.games is not None else 0):
        fit = _penalised(samples, matrix, samples.around(matrix @ fit.coefficients))
    grid = np.linspace(low, high, _GRIDS[1][0])
    splines = _splines(grid, low, high, intervals)
    on_grid = _band(splines, fit)
    sign = -1.0 if least else 1.0
    places = _drawn_places(splines, fit, sign, _DRAWN[1], np.random.default_rng(seed))
    best = int((sign * (splines @ fit.coefficients)).argmax())
    optimum = _optimum(grid[:, None], best, places, on_grid)
    at_points = np.stack(_band(matrix, fit), axis=1)
    return Curve("spline", None, at_points, fit.chi2, fit.freedom, optimum, grid, *on_grid, None)


def _splines(at: Floats, low: float, high: float, intervals: int) -> Floats:
    """Cubic B-splines on equal intervals at places ``[m]``, as a matrix ``[m, intervals + 3]``."""
    from scipy.interpolate import BSpline

    step = (high - low) / intervals
    knots = low + step * np.arange(-3, intervals + 4)
    inside = np.clip(at, low, high)
    matrix: Floats = BSpline.design_matrix(inside, knots, 3, extrapolate=True).toarray()
    return matrix


def _penalised(samples: Samples, matrix: Floats, variances: Floats) -> _LinearFit:
    """Fit with the penalty of least GCV."""
    # Penalised least squares: (G + s P) c = t with G the weighted Gram matrix and P the squared
    # second differences, scaled to G. Effective degrees of freedom are the trace of the smoother.
    count, size = matrix.shape
    weights = 1 / variances
    gram = matrix.T @ (weights[:, None] * matrix)
    bends = np.diff(np.eye(size), 2, axis=0)
    penalty = bends.T @ bends * (np.trace(gram) / size)
    target = matrix.T @ (weights * samples.shares)
    best: tuple[float, Floats, Floats, float, float] | None = None
    for strength in np.logspace(-6, 6, 61):
        # The last term keeps it invertible where no point lies under a spline.
        inverse = np.linalg.inv(gram + strength * penalty + 1e-12 * np.trace(gram) * np.eye(size))
        coefficients = inverse @ target
        chi2 = float((weights * (samples.shares - matrix @ coefficients) ** 2).sum())
        freedom = count - float(np.trace(inverse @ gram))
        gcv = chi2 / max(freedom, 1e-9) ** 2
        if freedom > 1 and (best is None or gcv < best[0]):
            best = (gcv, coefficients, inverse, chi2, freedom)
    assert best is not None
    # The inverse as covariance is Bayesian: the penalty is a prior (G. Wahba, J. R. Stat. Soc. B
    # 45, 1983). It includes the bias of smoothing, which the sampling covariance does not.
    _, coefficients, inverse, chi2, freedom = best
    return _LinearFit(coefficients, inverse * max(1.0, chi2 / freedom), chi2, freedom)
