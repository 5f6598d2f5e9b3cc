"""Surfaces through the points of a sweep of two parameters."""

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

_MOST_DEGREE = 6
_GRID = 51
_DRAWN = 500


@dataclass(frozen=True, eq=False)
class Surface:
    """A polynomial of two parameters, up to a total degree."""

    degree: int
    at_points: Floats
    """Surface, lower and upper end of its 95 % band at the points measured, ``[m, 3]``."""
    chi2: float
    """Sum of squared deviations in standard deviations."""
    freedom: int
    optimum: dict[str, Any] | None
    """``value`` and ``interval`` by parameter, ``fit``, ``fit_interval``; None for a constant."""

    def as_data(self) -> dict[str, Any]:
        """Return the surface as plain values."""
        return {
            "kind": "surface",
            "degree": self.degree,
            "chi2": self.chi2,
            "freedom": self.freedom,
            "optimum": self.optimum,
        }


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
    axes = (np.linspace(low[0], high[0], _GRID), np.linspace(low[1], high[1], _GRID))
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
