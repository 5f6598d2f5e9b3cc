"""Compiling short functions over arrays without counting references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hyperoxo.compiling import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def lean(function: _Function) -> _Function:
    """Compile a function that makes no array; one that does fails to compile.

    Numba counts references to an array wherever a function with branches takes one, by atomic
    operations: a fourth of the time of guided trees.
    """
    return njit(cache=True, nogil=True, _nrt=False)(function)
