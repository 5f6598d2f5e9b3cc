"""Types of the arrays that kernels take, and kernels that fill and copy them.

``row[:] = 0`` in compiled code takes Numba half a second to compile: it covers overlaps, shapes
that are stretched, and the text of an error. These two are a loop and a block copy.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hyperoxo.jit import Kernel

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]


fill = Kernel.of("hyperoxo.kernels.emit_arrays", "_fill")
"""``fill(array, value)``: set all elements of an array or of a row."""

copy = Kernel.of("hyperoxo.kernels.emit_arrays", "_copy")
"""``copy(into, source)``: copy all elements between arrays of one size, unchecked."""
