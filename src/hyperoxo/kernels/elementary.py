"""Bit-reproducible exp, log and tanh: additions, multiplications, divisions in a fixed order.

IEEE 754 fixes the bits of each of these operations; those of a C library's functions depend on its
version and on the processor, for which it may choose fused multiply-adds. LLVM neither fuses nor
reorders operations unless it is allowed to, so these give the same bits everywhere, within a unit
or two in the last place. Being inlined they are also faster in loops.

References
----------
P.-T. P. Tang, "Table-driven implementation of the exponential function", ACM TOMS 15, 1989, for
the reduction of the argument; fdlibm's ``e_log.c`` for the polynomial of the logarithm.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2 in two parts; the first has few enough bits that whole multiples are exact."""
_PER_LN2 = 1.4426950408889634
_WHOLE = 1.5 * 2.0**52
"""Adding it rounds to a whole number, which the lowest bits of the sum then hold."""
_LEAST, _MOST = -708.0, 709.0
_MANTISSA, _BIAS = np.int64(52), np.int64(1023)
_ROOT_HALF = np.int64(0x3FE6A09E667F3BCD)
"""The bits of the root of 1/2."""


@njit(**NO_REFCOUNT)
def exp(x: float) -> float:
    """Return e to the power of `x` clipped to -708..709."""
    x = min(max(x, _LEAST), _MOST)
    # 1. x = k ln 2 + r with whole k, so that |r| is at most ln 2 / 2.
    shifted = x * _PER_LN2 + _WHOLE
    k = shifted - _WHOLE
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    # 2. e^r by its Taylor series up to r^13: the rest is below 2^-57.
    p = r * 1.6059043836821613e-10 + 2.08767569878681e-09
    p = r * p + 2.505210838544172e-08
    p = r * p + 2.755731922398589e-07
    p = r * p + 2.7557319223985893e-06
    p = r * p + 2.48015873015873e-05
    p = r * p + 1.984126984126984e-04
    p = r * p + 1.388888888888889e-03
    p = r * p + 8.333333333333333e-03
    p = r * p + 4.1666666666666664e-02
    p = r * p + 0.16666666666666666
    p = r * p + 0.5
    p = r * p * r + r + 1.0
    # 3. Times 2^k, whose exponent is k.
    power = (np.float64(shifted).view(np.int64) + _BIAS) << _MANTISSA
    return float(p * np.int64(power).view(np.float64))


@njit(**NO_REFCOUNT)
def log(x: float) -> float:
    """Return the natural logarithm of a number from 2^-1022 on."""
    # 1. x = 2^k (1 + f) with 1 + f between the roots of 1/2 and 2.
    bits = np.float64(x).view(np.int64)
    k = (bits - _ROOT_HALF) >> _MANTISSA
    f = np.int64(bits - (k << _MANTISSA)).view(np.float64) - 1.0
    # 2. log(1 + f) = log((1 + s) / (1 - s)), an odd series in s.
    s = f / (2.0 + f)
    z = s * s
    p = z * 1.479819860511658591e-01 + 1.531383769920937332e-01
    p = z * p + 1.818357216161805012e-01
    p = z * p + 2.222219843214978396e-01
    p = z * p + 2.857142874366239149e-01
    p = z * p + 3.999999999940941908e-01
    p = z * p + 6.666666666666735130e-01
    half = 0.5 * f * f
    return float(k * _LN2_HIGH - ((half - (s * (half + z * p) + k * _LN2_LOW)) - f))


@njit(**NO_REFCOUNT)
def tanh(x: float) -> float:
    """Return the hyperbolic tangent, within 2^-52 of it."""
    size = 1.0 - 2.0 / (exp(2.0 * abs(x)) + 1.0)
    return size if x >= 0.0 else -size
