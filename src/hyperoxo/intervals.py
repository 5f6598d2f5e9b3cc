"""Confidence intervals of proportions."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from hyperoxo.errors import SpecError


def wilson_interval(successes: float, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson score interval of a proportion; for a share of points it is conservative."""
    if not 0 <= successes <= trials:
        raise SpecError(f"{successes} successes in {trials} trials are impossible")
    if not 0 < confidence < 1:
        raise SpecError(f"confidence must lie between 0 and 1, not {confidence}")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    spread = z * sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    scale = 1 + z * z / trials
    middle = share + z * z / (2 * trials)
    low = 0.0 if successes == 0 else max(0.0, (middle - spread) / scale)
    high = 1.0 if successes == trials else min(1.0, (middle + spread) / scale)
    return low, high
