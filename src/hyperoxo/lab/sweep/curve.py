"""Curves through the points of a sweep: polynomials and smoothing splines, with their optimum.

The band is pointwise, of 95 %, and kept between 0 and 1. The optimum is where the curve is best
between the ends of the sweep; its interval holds the middle 95 % of the optima of curves whose
coefficients are drawn from their distribution (a parametric bootstrap). Where the degree of a
polynomial was chosen, the curves are of all degrees, each as often as its BIC makes it likely. How
wiggly a spline is, and the chosen degree in a band, are taken as given. No smooth curve has a sharp
bend: where the truth has one, its optimum may lie outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hyperoxo.errors import SpecError
from hyperoxo.lab.sweep.linear import (
    Floats,
    Samples,
    band,
    optimum_places,
    scaled,
    weighed_fits,
)

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

    def as_data(self) -> dict[str, Any]:
        """Return the optimum as plain values."""
        return {
            "value": self.value,
            "interval": list(self.interval),
            "fit": self.share,
            "fit_interval": list(self.share_interval),
        }


@dataclass(frozen=True, eq=False)
class Curve:
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

    def as_data(self) -> dict[str, Any]:
        """Return the curve as plain values."""
        step = 4
        rows = zip(self.values, self.shares, self.low, self.high, strict=True)
        return {
            "kind": self.kind,
            "degree": self.degree,
            "coefficients": None if self.coefficients is None else list(self.coefficients),
            "chi2": self.chi2,
            "freedom": self.freedom,
            "optimum": None if self.optimum is None else self.optimum.as_data(),
            "curve": [
                dict(zip(("value", "fit", "low", "high"), map(float, row), strict=True))
                for row in list(rows)[::step]
            ],
        }


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
