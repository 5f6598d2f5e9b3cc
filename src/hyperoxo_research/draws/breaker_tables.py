"""The tables of a search for plans of Breaker's: made, made larger, and kept in a file."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError
from hyperoxo_research.kernels.atomic import PUBLISHED
from hyperoxo_research.kernels.breaker_states import STATE
from hyperoxo_research.kernels.breaker_table import Lookup, PlanTable, move_over

_FORM = Form(
    "hyperoxo-breaker-search", 9, "a search for plans", ("game", "position", "keys", "by_lines")
)
_TABLES = 2
_ROW_BYTES = 8 * STATE + 3
_POOL = 1 << 20


def lookup() -> Lookup:
    """Return room for what a thread remembers."""
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


def save_tables(path: Path, head: dict[str, object], tables: Sequence[PlanTable]) -> None:
    """Write all states of some tables into a file."""
    parts: list[bytes] = []
    counts = []
    for table in tables:
        used = np.flatnonzero(table.used)
        counts.append(len(used))
        parts += [
            table.states[used].astype("<u8", copy=False).tobytes(),
            table.won[used].tobytes(),
            table.lost[used].tobytes(),
            table.general[used].tobytes(),
        ]
    _FORM.save(path, head, np.array(counts, "<i8").tobytes(), *parts)


def load_tables(path: Path, head: dict[str, object], slots: int) -> list[PlanTable]:
    """Read the tables that `save_tables` has written of the same search; some slots at least."""
    said, data = _FORM.load(path)
    if said != head:
        name = quoted(os.fspath(path))
        raise CheckFailedError(f"checkpoint {name} is of another game, position or keys")
    first = 8 * _TABLES
    if len(data) < first:
        raise DamagedFileError(path)
    counts = np.frombuffer(data[:first], "<i8").tolist()
    if min(counts) < 0 or len(data) != first + _ROW_BYTES * sum(counts):
        raise DamagedFileError(path)
    tables = []
    for count in counts:
        ends = np.cumsum([first, 8 * STATE * count, count, count, count])
        words, won, lost, general = (data[a:b] for a, b in itertools.pairwise(ends))
        kept = new_table(1)._replace(
            states=np.frombuffer(words, "<u8").astype(np.uint64).reshape(count, STATE),
            used=np.full(count, PUBLISHED, np.uint8),
            won=np.frombuffer(won, np.uint8).copy(),
            lost=np.frombuffer(lost, np.uint8).copy(),
            general=np.frombuffer(general, np.uint8).copy(),
        )
        tables.append(new_table(max(slots, 1 << (2 * count).bit_length())))
        move_over(kept, tables[-1])
        first = int(ends[-1])
    return tables
