"""Transposition tables of the key-plan search: allocation, growth, and checkpoint files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hyperoxo.checkpoint import Form
from hyperoxo.errors import LimitError
from hyperoxo.files import DamagedFileError
from hyperoxo_research.kernels.atomic import PUBLISHED
from hyperoxo_research.kernels.key_plan_states import STATE
from hyperoxo_research.kernels.key_plan_table import Lookup, PlanTable, move_over

_COLUMNS = {"states": "<u8", "won": "u1", "lost": "u1", "general": "u1"}
_FORM = Form("hyperoxo-breaker-search", 10, "a search for plans", {"counts": "<i8", **_COLUMNS})
_POOL = 1 << 20
SLOT_BYTES = 60
"""Bytes of a slot in all arrays of a table."""


def lookup() -> Lookup:
    """Return the empty caches of a thread."""
    pool = np.zeros(_POOL, np.int64)
    pool[0] = 1
    return Lookup(
        np.full((1 << 18, STATE + 1), ~np.uint64(0)),
        *(np.zeros((1 << 16, 4), np.uint64), pool, np.zeros(STATE, np.uint64)),
    )


def new_table(slots: int) -> PlanTable:
    """Return an empty table; the number of slots is a power of two."""
    used, won, lost, general = (np.zeros(slots, np.uint8) for _ in range(4))
    first, after = (np.zeros(slots, np.int64) for _ in range(2))
    size = np.zeros(1, np.int64)
    states = np.zeros((slots, STATE), np.uint64)
    return PlanTable(states, used, won, lost, general, first, after, size, lookup())


def larger(table: PlanTable) -> PlanTable:
    """Return a table of twice the size with the same states."""
    made = new_table(2 * len(table.used))
    move_over(table, made)
    return made


def save_tables(path: Path, of: dict[str, object], tables: Sequence[PlanTable]) -> None:
    """Write the used slots of some tables into a file, one table after the other."""
    used = [np.flatnonzero(table.used) for table in tables]
    columns = {
        name: np.concatenate(
            [getattr(table, name)[of] for table, of in zip(tables, used, strict=True)]
        )
        for name in _COLUMNS
    }
    _FORM.save(path, of, counts=[len(rows) for rows in used], **columns)


def load_tables(path: Path, of: dict[str, object], least: int, most: int) -> list[PlanTable]:
    """Read the tables of a file of `save_tables` for the same search, no larger than they were.

    Each has `least` slots or more. If together they would have more than `most`, a `LimitError`
    is raised.
    """
    # 1. Read the columns of all tables.
    found = _FORM.load(path, of)
    counts = found["counts"].tolist()
    whole = sum(counts)
    shapes = [found[name].shape for name in _COLUMNS]
    if min(counts) < 0 or shapes != [(whole, STATE), (whole,), (whole,), (whole,)]:
        raise DamagedFileError(path)
    # 2. The least powers of two that are at most 5/8 full, as in the search that wrote the file.
    slots = [max(least, 1 << (-(-8 * count // 5) - 1).bit_length()) for count in counts]
    if sum(slots) > most:
        megabytes = -(-sum(slots) * SLOT_BYTES // 2**20)
        raise LimitError(f"the {whole:,} states of {str(path)!r} take {megabytes:,} MB of memory")
    # 3. Enter the states.
    tables = [new_table(count) for count in slots]
    for table, count, end in zip(tables, counts, np.cumsum(counts), strict=True):
        columns = {name: found[name][end - count : end] for name in _COLUMNS}
        source = new_table(1)._replace(used=np.full(count, PUBLISHED, np.uint8), **columns)
        move_over(source, table)
    return tables
