"""Benchmark of the gather operation (``out[i] = a[index[i]]``) by board size and batch size."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from timeit import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import Game
from hyperoxo.lab.plots.style import COLOURS, Figure, new_figure, styled
from hyperoxo_research.plots.growth import logarithmic
from hyperoxo_research.study.parts import Bench, Finding, Picture, Section, Table, compared

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
class Implementation:
    """An implementation of gather; `absent` returns a reason if it is not available."""

    name: str
    prepare: Callable[[Boards, Places], Work]
    absent: Callable[[], str] = str


def _loop(board: list[int], order: list[int]) -> list[int]:
    out = []
    for place in order:
        out.append(board[place])  # noqa: PERF401 - what is timed is the plain loop
    return out


def _python(boards: Boards, places: Places) -> Work:
    values, order = boards.tolist(), places.tolist()
    if boards.ndim == 1:
        return lambda: _loop(values, order)
    return lambda: [_loop(board, order) for board in values]


def _numpy(boards: Boards, places: Places) -> Work:
    return lambda: boards.take(places, axis=-1)


def _numba(boards: Boards, places: Places) -> Work:
    from hyperoxo_research.kernels.gather import gather, gather_rows

    work = gather if boards.ndim == 1 else gather_rows
    return lambda: work(boards, places)


@cache
def _compiled() -> Any:
    """Compile and load the C function; return the reason as text if that fails."""
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


def _c(boards: Boards, places: Places, *, before: bool = False) -> Work:
    """Call C with pointers taken at each call, or once `before`, with an existing output."""
    function, cells = _compiled(), len(places)

    def arguments(out: Boards) -> tuple[Any, ...]:
        pointers = (ctypes.c_void_p(array.ctypes.data) for array in (boards, places, out))
        return (*pointers, ctypes.c_int64(boards.size // cells), ctypes.c_int64(cells))

    full = np.empty_like(boards)
    taken = arguments(full)

    def cast() -> Boards:
        out = np.empty_like(boards)
        function(*arguments(out))
        return out

    def work() -> Boards:
        function(*taken)
        return full

    return work if before else cast


def _torch(boards: Boards, places: Places) -> Work:
    import torch  # type: ignore[import-not-found,unused-ignore]

    values, order = torch.from_numpy(boards), torch.from_numpy(places)
    return lambda: values.index_select(-1, order)


def _no_gpu() -> str:
    if not find_spec("torch"):
        return "PyTorch is not installed"
    import torch

    return "" if torch.cuda.is_available() else "there is no GPU that PyTorch can use"


def _torch_on_gpu(boards: Boards, places: Places) -> Work:
    import torch

    values, order = torch.from_numpy(boards).cuda(), torch.from_numpy(places).cuda()

    def work() -> Any:
        found = values.index_select(-1, order)
        torch.cuda.synchronize()  # the call itself only hands the work over
        return _OnGpu(found)

    return work


@dataclass(frozen=True)
class _OnGpu:
    """Boards in the memory of a GPU, copied only for a comparison."""

    boards: Any

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.uint8]:
        found: NDArray[np.uint8] = self.boards.cpu().numpy()
        return found


def _jax(boards: Boards, places: Places) -> Work:
    import jax  # type: ignore[import-not-found,unused-ignore]

    values, order = jax.numpy.asarray(boards), jax.numpy.asarray(places.astype(np.int32))
    gather = jax.jit(lambda board, order: board[..., order])
    return lambda: gather(values, order).block_until_ready()


WAYS = (
    Implementation("plain Python", _python),
    Implementation("NumPy", _numpy),
    Implementation("Numba", _numba),
    Implementation("C", _c, _no_c),
    Implementation("C, pointers taken before", partial(_c, before=True), _no_c),
    Implementation(
        "PyTorch", _torch, lambda: "" if find_spec("torch") else "PyTorch is not installed"
    ),
    Implementation("PyTorch on a GPU", _torch_on_gpu, _no_gpu),
    Implementation("JAX", _jax, lambda: "" if find_spec("jax") else "JAX is not installed"),
)
"""All implementations, available or not."""


SIZES = (9, 16, 27, 32, 64, 81, 125, 128)
CELLS = 64
BATCHES = (1, 10, 100, 1000, 10_000)
_REPEATS = 5

Times = dict[str, list[float | None]]
"""Nanoseconds by implementation and then by size or batch; None if it is not available."""


def seconds_each(work: Callable[[], Any], least: float) -> float:
    """Return the shortest mean time of a call in runs of at least `least` seconds."""
    # The minimum, since disturbances only ever add time.
    timer, calls = Timer(work), 1
    work()
    while timer.timeit(calls) < least:
        calls *= 2
    return min(timer.repeat(_REPEATS, calls)) / calls


def measure(shapes: Sequence[tuple[int, int]], seed: int, least: float) -> Times:
    """Time every implementation on random boards and permutations after checking its result."""
    rng = np.random.default_rng(seed)
    times: Times = {way.name: [] for way in WAYS}
    for count, cells in shapes:
        boards = rng.integers(0, 4, (count, cells), dtype=np.uint8)
        boards = boards[0] if count == 1 else boards
        places = rng.permutation(cells)
        for way in WAYS:
            if way.absent():
                times[way.name].append(None)
                continue
            work = way.prepare(boards, places)
            assert np.array_equal(np.asarray(work()), boards[..., places]), way.name
            times[way.name].append(1e9 * seconds_each(work, least))
    return times


def gathering(bench: Bench) -> Section:
    """Measure the section."""
    least = bench.size(0.001, 0.05)
    by_size = measure([(1, size) for size in SIZES], bench.seed, least)
    by_batch = measure([(count, CELLS) for count in BATCHES], bench.seed, least)
    absent = [f"{way.name}: {way.absent()}" for way in WAYS if way.absent()]
    missing = "\n\nNot measured here: " + "; ".join(absent) + "." if absent else ""
    return Section(
        "The gather operation",
        "The draft builds wins and equivalent positions on one operation, out[i] = board[places[i]]"
        ", and draws its time without printing figures. Here a board is an array of bytes, and the "
        "shortest of five runs counts. C is called through ctypes, once with the pointers taken "
        "within the time, once (as the draft has it) before, and then into an array that exists; "
        "all others make a new one." + missing,
        _table("gather-sizes", "Nanoseconds for one board", "cells", SIZES, by_size),
        _table(
            "gather-batches",
            f"Nanoseconds for several boards of {CELLS} cells together",
            "boards",
            BATCHES,
            by_batch,
        ),
        compared(
            "gather-claims",
            "What the draft says of them",
            _claims(by_size, by_batch),
            where="III.B, with Figures 6 and 7",
        ),
        _plain_table(bench.seed, least),
        Picture("gather-sizes", "One board", lambda: _figure("cells", SIZES, by_size)),
        Picture(
            "gather-batches",
            f"Many boards of {CELLS} cells",
            lambda: _figure("boards", BATCHES, by_batch),
        ),
    )


_FACTOR = 10
_BOARDS = ("3^2", "4^3")


def _plain_table(seed: int, least: float) -> Table:
    """Time the same functions as plain Python, on lists, and compiled."""
    from hyperoxo_research.kernels.gather import gather, least_image, score_of, winner_of

    rows = []
    for spec in _BOARDS:
        game = Game(spec)
        rng = np.random.default_rng(seed)
        board = rng.integers(0, 3, game.cells, dtype=np.uint8)
        lines = np.ascontiguousarray(game.board.lines)
        perms = np.array(game.symmetry.permutations())
        places = rng.permutation(game.cells)
        work: tuple[tuple[str, Any, tuple[Any, ...], tuple[int, ...]], ...] = (
            ("who has won", winner_of, (lines,), ()),
            ("score of a player", score_of, (lines,), (1, 2)),
            ("least equivalent board", least_image, (perms,), ()),
            ("gather", gather, (places,), ()),
        )
        for name, kernel, arrays, numbers in work:
            plain = kernel.py_func if kernel is not gather else _loop
            lists = board.tolist(), *(array.tolist() for array in arrays)
            slow = 1e9 * seconds_each(partial(plain, *lists, *numbers), least)
            fast = 1e9 * seconds_each(partial(kernel, board, *arrays, *numbers), least)
            rows.append((spec, name, round(slow), round(fast), _FACTOR, round(slow / fast, 1)))
    columns = ("board", "function", "plain Python, ns", "Numba, ns", "factor, published", "factor")
    return Table(
        "plain-python",
        "Numba against plain Python",
        columns,
        tuple(rows),
        "The draft says that its functions for wins, scores and the least equivalent board took a "
        "tenth of the time after compiling, without naming a board. Plain Python works on lists "
        "here, which are faster than arrays there; each function is called once on a board that "
        "exists.",
    )


def _table(name: str, title: str, what: str, sizes: Sequence[int], times: Times) -> Table:
    rows = tuple(
        (size, *(None if (took := one[i]) is None else round(took, 1) for one in times.values()))
        for i, size in enumerate(sizes)
    )
    return Table(name, title, (what, *times), rows)


def _claims(by_size: Times, by_batch: Times) -> list[Finding]:
    """Return the draft's statements beside our times, which vary from run to run."""
    cast = "C, pointers taken before"
    numba = (
        "A Numba function called from Python pays for the call, which compiled code that calls "
        "it does not; with many boards that no longer counts."
    )
    take = (
        "Said by the draft of sizes from 9 to 128. NumPy gathers by 'take' here, which needs no "
        "pointers; the draft does not say what it times."
    )
    return [
        Finding(
            "one board: fastest", f"{cast}, at every size", _fastest(by_size, cast), remark=take
        ),
        _ratio("one board of 128 cells", by_size, "Numba", cast, "not much above 1", numba),
        _ratio("10,000 boards", by_batch, "Numba", cast, None),
        _ratio("one board of 9 cells", by_size, "PyTorch", "plain Python", place=0),
        _ratio("10,000 boards", by_batch, "PyTorch", "Numba"),
        _ratio("10,000 boards", by_batch, "plain Python", "Numba"),
    ]


def _fastest(times: Times, way: str) -> str | None:
    """Return the number of sizes at which an implementation is the fastest, as text."""
    if None in times[way]:
        return None
    full = {name: one for name, one in times.items() if None not in one}
    best = [min(full, key=lambda name: full[name][i] or 0.0) for i in range(len(times[way]))]
    return f"{way}, at {best.count(way)} of {len(best)} sizes"


def _ratio(
    boards: str,
    times: Times,
    way: str,
    other: str,
    published: str | None = "above 1",
    remark: str = "",
    place: int = -1,
) -> Finding:
    """Return the ratio of two implementations' times at one of the sizes."""
    name = "C with pointers taken before" if other.startswith("C,") else other
    quantity = f"{boards}: {way}, in times of {name}"
    one, two = (times[each][place] for each in (way, other))
    if one is None or two is None:
        return Finding(quantity, published, None, remark="Not measured here.")
    agrees = one > two if published == "above 1" else None
    return Finding(quantity, published, round(one / two, 2), agrees=agrees, remark=remark)


@styled()
def _figure(what: str, sizes: Sequence[int], times: Times) -> Figure:
    figure, axes = new_figure(6.4, 3.8)
    for (name, ours), colour in zip(times.items(), COLOURS.values(), strict=False):
        drawn = [one for one in ours if one is not None]
        if drawn:
            axes.plot(sizes, drawn, marker="o", markersize=3, color=colour, label=name)
    every = [time for one in times.values() for time in one if time is not None]
    axes.set(xlabel=what, ylabel="nanoseconds")
    logarithmic(axes.xaxis, min(sizes), max(sizes))
    logarithmic(axes.yaxis, min(every), max(every))
    axes.legend(fontsize=7)
    return figure
