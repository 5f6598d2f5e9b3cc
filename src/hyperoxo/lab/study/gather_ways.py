"""The gather operation, ``out[i] = board[places[i]]``, in several ways that can be timed."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["WAYS", "Way"]

Boards = NDArray[np.uint8]
Places = NDArray[np.int64]
Work = Callable[[], Any]

_SOURCE = """
#include <stdint.h>

void gather(const uint8_t *boards, const int64_t *places, uint8_t *out, int64_t rows, int64_t cells)
{
    for (int64_t row = 0; row < rows; row++, boards += cells, out += cells)
        for (int64_t i = 0; i < cells; i++)
            out[i] = boards[places[i]];
}
"""
_COMPILERS = ("cc", "gcc", "clang")
_SECONDS = 60


@dataclass(frozen=True)
class Way:
    """A way to gather."""

    name: str
    absent: Callable[[], str]
    prepare: Callable[[Boards, Places], Work]


def _always() -> str:
    return ""


def _python(boards: Boards, places: Places) -> Work:
    values, order = boards.tolist(), places.tolist()

    def gather(board: list[int]) -> list[int]:
        out = []
        for place in order:
            out.append(board[place])  # noqa: PERF401 - what is timed is the plain loop
        return out

    if boards.ndim == 1:
        return lambda: gather(values)
    return lambda: [gather(board) for board in values]


def _numpy(boards: Boards, places: Places) -> Work:
    return lambda: boards.take(places, axis=-1)


def _numba(boards: Boards, places: Places) -> Work:
    from hyperoxo.kernels.gather import gather, gather_rows

    work = gather if boards.ndim == 1 else gather_rows
    return lambda: work(boards, places)


@cache
def _compiled() -> Any:
    """Compile and load the C function; a text says why that failed."""
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        return "no C compiler is installed"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, library = Path(folder, "gather.c"), Path(folder, "gather.so")
        source.write_text(_SOURCE, "utf-8")
        words = [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source)]
        try:
            subprocess.run(words, check=True, capture_output=True, timeout=_SECONDS)  # noqa: S603
            function = ctypes.CDLL(str(library)).gather
        except (OSError, subprocess.SubprocessError) as error:
            return f"the C compiler failed: {error}"
    function.restype = None
    return function


def _no_c() -> str:
    found = _compiled()
    return found if isinstance(found, str) else ""


def _c(boards: Boards, places: Places) -> Work:
    function, rows, cells = _compiled(), boards.size // len(places), len(places)

    def work() -> Boards:
        out = np.empty_like(boards)
        function(*_pointers(boards, places, out), ctypes.c_int64(rows), ctypes.c_int64(cells))
        return out

    return work


def _c_cast_before(boards: Boards, places: Places) -> Work:
    function, cells = _compiled(), len(places)
    out = np.empty_like(boards)
    sizes = ctypes.c_int64(boards.size // cells), ctypes.c_int64(cells)
    arguments = (*_pointers(boards, places, out), *sizes)

    def work() -> Boards:
        function(*arguments)
        return out

    return work


def _pointers(*arrays: NDArray[Any]) -> tuple[ctypes.c_void_p, ...]:
    return tuple(ctypes.c_void_p(array.ctypes.data) for array in arrays)


def _no_torch() -> str:
    return "" if find_spec("torch") else "PyTorch is not installed"


def _torch(boards: Boards, places: Places) -> Work:
    import torch  # type: ignore[import-not-found,unused-ignore]

    values, order = torch.from_numpy(boards), torch.from_numpy(places)
    return lambda: values.index_select(-1, order)


def _no_jax() -> str:
    return "" if find_spec("jax") else "JAX is not installed"


def _jax(boards: Boards, places: Places) -> Work:
    import jax  # type: ignore[import-not-found,unused-ignore]

    values, order = jax.numpy.asarray(boards), jax.numpy.asarray(places.astype(np.int32))
    gather = jax.jit(lambda board, order: board[..., order])
    return lambda: gather(values, order).block_until_ready()


WAYS = (
    Way("plain Python", _always, _python),
    Way("NumPy", _always, _numpy),
    Way("Numba", _always, _numba),
    Way("C", _no_c, _c),
    Way("C, pointers taken before", _no_c, _c_cast_before),
    Way("PyTorch", _no_torch, _torch),
    Way("JAX", _no_jax, _jax),
)
"""All ways, whether they are at hand or not."""
