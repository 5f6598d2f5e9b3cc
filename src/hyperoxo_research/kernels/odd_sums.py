"""Local search for small values of a quadratic form on integer vectors with an odd sum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit

_SMALL = 1e-9


@njit()
def walk_downhill(
    form: NDArray[np.float64], times: NDArray[np.int64], most: int
) -> NDArray[np.float64]:
    """Walk from each row x of `times` to a local minimum of x'Fx; return the values.

    A step changes one entry by two or two entries by one each, whichever lowers the form F most,
    with no entry beyond `most` in absolute value. Rows are changed in place.
    """
    # Both kinds of steps keep the parity of the sum of x, so an odd sum stays odd.
    length = len(form)
    values = np.empty(len(times))
    for walk in range(len(times)):
        row = times[walk]
        # 1. part = Fx, kept up to date by each step: a change then costs a few operations.
        part = np.zeros(length)
        for at in range(length):
            if row[at]:
                part += row[at] * form[at]
        while True:
            # 2. The best change of one entry by two, or of two entries by one each. x'Fx grows by
            #    4 F_ii + 4 s (Fx)_i for x_i + 2s, and by F_ii + 2s (Fx)_i + F_jj + 2t ((Fx)_j +
            #    s F_ij) for x_i + s and x_j + t; the sign t that lowers the last term is best.
            best, first, by, second, also = -_SMALL, -1, 0, -1, 0
            for one in range(length):
                for sign in (-1, 1):
                    if abs(row[one] + 2 * sign) <= most:
                        change = 4 * form[one, one] + 4 * sign * part[one]
                        if change < best:
                            best, first, by, second = change, one, 2 * sign, -1
                    if abs(row[one] + sign) > most:
                        continue
                    half = form[one, one] + 2 * sign * part[one]
                    for two in range(one):
                        slope = part[two] + sign * form[one, two]
                        other = 1 if slope < 0 else -1
                        if abs(row[two] + other) <= most:
                            change = half + form[two, two] + 2 * other * slope
                            if change < best:
                                best, first, by, second, also = change, one, sign, two, other
            if first < 0:
                break
            # 3. Make it.
            row[first] += by
            part += by * form[first]
            if second >= 0:
                row[second] += also
                part += also * form[second]
        values[walk] = (row * part).sum()
    return values
