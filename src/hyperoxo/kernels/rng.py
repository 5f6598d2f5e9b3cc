"""SplitMix64 for kernels: one 64-bit word of state.

The stream number is mixed into the seed, so that batches of games have separate streams
and give the same results whatever the number of threads.

References
----------
G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from hyperoxo.jit import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_S11, _UNIT = np.uint64(11), 2.0**-53


@njit(inline="always")
def mix(state: np.uint64) -> np.uint64:
    """Return the 64-bit output that belongs to a state; advance by adding the odd constant."""
    z = state
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@njit(inline="always")
def stream(seed: np.uint64, number: int) -> np.uint64:
    """Return the first state of stream `number` of `seed` (both uint64)."""
    return mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(number) * _GOLDEN)


@njit(inline="always")
def advance(state: np.uint64) -> np.uint64:
    """Return the next state."""
    return state + _GOLDEN


@njit(inline="always")
def below(word: np.uint64, bound: int | np.uint64) -> np.uint64:
    """Map the upper half of a 64-bit word to 0..bound-1 (bias under bound * 2^-32)."""
    # Multiply and shift instead of a remainder (D. Lemire, "Fast random integer generation in an
    # interval", ACM TOMACS 29, 2019), without the rejection that would remove the bias.
    return ((word >> _S32) * np.uint64(bound)) >> _S32


@njit(inline="always")
def fraction(word: np.uint64) -> float:
    """Map the upper 53 bits of a word to a float from 0 to below 1."""
    return float(word >> _S11) * _UNIT
