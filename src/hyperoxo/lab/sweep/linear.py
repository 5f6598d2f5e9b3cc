"""Weighted least squares among nested sets of functions, the number of them chosen by BIC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_Z95 = 1.959963984540054
_ROUNDS = 8


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
        for _ in range(_ROUNDS if samples.games is not None else 0):
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
