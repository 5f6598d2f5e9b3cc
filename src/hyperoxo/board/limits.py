"""Size limits of boards, and estimates of the memory to build them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from hyperoxo.errors import LimitError

MAX_CELLS = 2**31 - 1
"""Largest number of cells a grid may have: they are numbered in 32 bits; memory ends sooner."""

MAX_LISTED_CELLS = 1_000_000
"""Largest number of cells of a board whose lines are listed."""


@dataclass(frozen=True)
class Size:
    """Numbers of cells and, at most, of lines."""

    cells: int
    lines: int


@dataclass(frozen=True)
class Allowance:
    """Size limit of boards in game specs, and the name of its owner for messages."""

    most: Size
    whose: str


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(allowance: Allowance | None) -> Iterator[None]:
    """Bound the boards of game specs in this context, its tasks and its threads."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def check_allowed(size: Size) -> None:
    """Refuse a board that is larger than allowed here, before it is built."""
    allowance = _allowance.get()
    if allowance is None:
        return
    most = allowance.most
    if size.cells > most.cells or size.lines > most.lines:
        raise LimitError(
            f"{size.cells:,} cells and {size.lines:,} lines are too many; {allowance.whose} takes "
            f"boards of up to {most.cells:,} cells and {most.lines:,} lines"
        )


_BYTES_PER_INCIDENCE = 32
_BYTES_PER_CELL = 32
_BYTES_PER_OBJECT = 360


def check_memory(board: str, incidences: int, cells: int, memory_budget: int | None = None) -> None:
    """Refuse a board whose building would, at its peak, need more memory than the budget."""
    why = f" to build ({incidences:,} cells on all lines together)"
    needed = _BYTES_PER_INCIDENCE * incidences + _BYTES_PER_CELL * cells
    check_bytes(f"board {board}", needed, why, memory_budget)


def check_set(what: str, count: int) -> None:
    """Refuse a set of cells as Python objects beyond the memory budget."""
    check_bytes(what, _BYTES_PER_OBJECT * count)


def check_bytes(what: str, needed: int, why: str = "", memory_budget: int | None = None) -> None:
    """Refuse an object of `needed` bytes beyond the memory budget."""
    from hyperoxo.untrusted import memory_limit

    budget = memory_limit() if memory_budget is None else memory_budget
    if needed > budget:
        raise LimitError(
            f"{what} would need about {needed / 2**20:,.0f} MiB{why}; "
            f"the memory budget is {budget / 2**20:,.0f} MiB (HYPEROXO_MEMORY sets it, in bytes)"
        )
