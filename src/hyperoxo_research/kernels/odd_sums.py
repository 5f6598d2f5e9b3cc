"""Sums of an odd number of stones whose square is small by a form, found by walks downhill."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import njit

_SMALL = 1e-9


@njit()
def walk_downhill(
    form: NDArray[np.float64], times: NDArray[np.int64], most: int
) -> NDArray[np.float64]:
    """Walk from each row of `times`, how often stones are counted, to an end; return its value.

    A step changes one stone by two or two stones by one each, always so that the value of the form
    becomes least, and none is counted more than `most` times. Rows are changed in place.
    """
    length = len(form)
    values = np.empty(len(times))
    for walk in range(len(times)):
        row = times[walk]
        # 1. What the form makes of the row.
        part = np.zeros(length)
        for at in range(length):
            if row[at]:
                part += row[at] * form[at]
        while True:
            # 2. The best change of one stone by two, or of two stones by one each.
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
