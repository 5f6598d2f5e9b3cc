"""Tables on disk: value and remoteness of every class of positions of a two-player game.

A table is one file::

    hyperoxo values 1 <SHA-256 of everything after this line, in hex>
    {"bits": 2, "game": "3^2", "plies": [1, 3, 12, ...], "words": 1}
    keys    uint64, little-endian, W a position: ply by ply, ascending within each
    values  one byte a position, in the same order

The second line is filled with spaces so that the keys begin at a multiple of 64 bytes. Keys are
packed canonical positions (see :mod:`hyperoxo.kernels.classes`), or all positions where the
symmetries are too many to list; values are bytes as in
:mod:`hyperoxo.kernels.retrograde`. Files live in the folder ``values`` of the data folder, which
is the system's usual one, or ``HYPEROXO_DATA``.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from bisect import bisect_left
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, quoted
from hyperoxo.files import DamagedFileError, atomic, sha256, user_folder
from hyperoxo.game import Game, Position, Value
from hyperoxo.kernels.retrograde import indices_of, values_of_moves
from hyperoxo.solvers.states.layers import (
    MOST_TABLED,
    VALUES,
    GameCode,
    all_layers,
    has_at_most,
    layer_values,
    most_positions,
    value_of,
)
from hyperoxo.untrusted import parse_json

ABSENT = 3
"""Byte of a position that the table lacks."""

_TITLE = b"hyperoxo values 1 "
_ALIGNED = 64
_HEX = 64
_LONGEST_NAME = 120
_SMALL = 20_000
"""Most classes of a game whose table is built without a request."""


def _code_of(game: Game) -> GameCode:
    """Return the key code of a table: without symmetry if the group is too large to list."""
    try:
        return GameCode(game)
    except LimitError:
        return GameCode(game, symmetry=False)


class ValueTable:
    """Values of all positions of a two-player game.

    Made by `table_of`, `build_table` or `read_table`.
    """

    def __init__(
        self,
        game: Game,
        plies: list[int],
        keys: NDArray[np.uint64],
        values: NDArray[np.uint8],
    ) -> None:
        self.game = game
        self.starts: list[int] = np.cumsum([0, *plies]).tolist()
        self.keys, self.values = keys.view(), values.view()
        for part in (self.keys, self.values):
            # Read-only, like arrays mapped from a file: kernels are compiled for one kind of array.
            part.flags.writeable = False
        self._code = _code_of(game)
        self._ends: NDArray[np.int64] = np.array(self.starts, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.values)

    def lookup(self, position: Position) -> tuple[Value, int] | None:
        """Return value and remoteness of a position of this game, without loading a kernel."""
        digits = np.frombuffer(position.owners, np.uint8)[self._code.cells].astype(np.uint64)
        ply = int(np.count_nonzero(digits))
        if ply + 1 >= len(self.starts):
            return None
        # The key is the greatest image. All images at once: each cell's owner times the 1 in the
        # field that a symmetry takes it to, summed over cells. Then a binary search in the layer.
        rows: list[list[int]] = (digits @ self._code.images.swapaxes(0, 1)).tolist()
        key = [*max(zip(*rows, strict=True))]
        first, last = self.starts[ply : ply + 2]
        place = bisect_left(self.keys, key, first, last, key=np.ndarray.tolist)
        found = place < last and self.keys[place].tolist() == key
        return value_of(int(self.values[place])) if found else None

    def values_of(self, owners: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return value bytes of positions of this game, owners uint8 ``[K, N]``, or `ABSENT`."""
        places = np.empty(len(owners), dtype=np.int64)
        indices_of(owners, self._code.arrays, self.keys, self._ends, places)
        return np.where(places < 0, np.uint8(ABSENT), self.values[places])

    def move_values(
        self, owners: NDArray[np.uint8], values: NDArray[np.int8], plies: NDArray[np.int16]
    ) -> int:
        """Write the values of all legal moves; see `hyperoxo.kernels.retrograde`."""
        table = self._code.arrays, self.keys, self._ends, self.values
        return int(values_of_moves(owners, *table, values, plies))


def data_folder() -> Path:
    """Return the folder for large data: ``HYPEROXO_DATA``, or the system's usual place."""
    return Path(os.environ.get("HYPEROXO_DATA") or user_folder())


def table_path(game: Game) -> Path:
    """Return the path of a game's table."""
    name = quote(str(game), safe="^=,+")
    if len(name) > _LONGEST_NAME:
        name = hashlib.sha256(str(game).encode()).hexdigest()
    return data_folder() / "values" / f"{name}.values"


def build_table(game: Game) -> ValueTable:
    """Build the table of a two-player game by retrograde analysis."""
    VALUES.check(game)
    if game.cells >= MOST_TABLED:
        raise LimitError(
            f"tables of values are for fewer than {MOST_TABLED} cells, {game} has {game.cells}"
        )
    limit = most_positions(game, symmetry=True, plies=None)
    code = _code_of(game)
    layers = all_layers(code, limit)
    return ValueTable(
        game,
        [len(layer) for layer in layers],
        np.concatenate([layer.keys for layer in layers]),
        np.concatenate(layer_values(code, layers)),
    )


def write_table(table: ValueTable, path: Path) -> None:
    """Write a table in the format of `read_table`."""
    code = table._code
    head = {
        "bits": code.bits,
        "game": str(table.game),
        "plies": np.diff(table.starts).tolist(),
        "words": code.words,
    }
    line = json.dumps(head, sort_keys=True).encode()
    before = len(_TITLE) + _HEX + 1
    line += b" " * (-(before + len(line) + 1) % _ALIGNED) + b"\n"
    body = [line, table.keys.astype("<u8").tobytes(), table.values.tobytes()]
    # Atomically, so that readers and interrupted writers never leave half a table.
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as beside, beside.open("wb") as stream:
        stream.writelines([_TITLE, sha256(*body).encode(), b"\n", *body])


def read_table(game: Game, path: Path) -> ValueTable:
    """Read a table; it is mapped into memory, not loaded."""
    with path.open("rb") as stream:
        if not path.stat().st_size:
            raise DamagedFileError(path, "empty file")
        return _parsed(game, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ), path)


def _parsed(game: Game, data: mmap.mmap | bytes, path: Path) -> ValueTable:
    before = len(_TITLE) + _HEX + 1
    if data[: len(_TITLE)] != _TITLE or data[before - 1 : before] != b"\n":
        raise DamagedFileError(path, "no table of values")
    with memoryview(data) as whole, whole[before:] as rest:
        digest = sha256(rest)
    if digest.encode() != data[len(_TITLE) : before - 1]:
        raise DamagedFileError(path)
    start = data.find(b"\n", before) + 1
    try:
        head: dict[str, Any] = parse_json(data[before:start])
        spelled, plies, words = head["game"], list(map(int, head["plies"])), int(head["words"])
        count = sum(plies)
        keys = np.frombuffer(data, "<u8", count * words, start).reshape(count, words)
        values = np.frombuffer(data, np.uint8, count, start + keys.nbytes)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise DamagedFileError(path, "no table of values") from None
    if spelled != str(game):
        raise DamagedFileError(path, f"a table of {quoted(spelled)}, not of {game}")
    return ValueTable(game, plies, keys, values)


def table_of(game: Game, *, build: bool = False) -> ValueTable | None:
    """Return the table of a game."""
    key = (str(game), os.environ.get("HYPEROXO_DATA", ""))
    if key not in _open:
        table = _table_at(game, table_path(game), build)
        if table is None:
            return None
        while len(_open) >= _MOST_OPEN:
            del _open[next(iter(_open))]
        _open[key] = table
    return _open[key]


_open: dict[tuple[str, str], ValueTable] = {}
"""Tables in use, by game and data folder, the oldest first."""

_MOST_OPEN = 16


def _table_at(game: Game, path: Path, build: bool) -> ValueTable | None:
    exists = path.exists()
    if not (build or exists):
        # Tables of the smallest boards come with the program, and need no compiler.
        shipped = files("hyperoxo") / "data" / path.name
        if shipped.is_file():
            return _parsed(game, shipped.read_bytes(), path)
    if not build and not (VALUES.accepts(game) and (exists or _is_small(game))):
        return None
    try:
        table = read_table(game, path)
    except (DamagedFileError, OSError):
        table = build_table(game)
        if not (build or exists):
            return table
        # If the folder is read-only, the next process repeats the work; that is all.
        with suppress(OSError):
            write_table(table, path)
    return table


@lru_cache(maxsize=256)
def _is_small(game: Game) -> bool:
    """True if a table can be built in a moment; never raises."""
    with suppress(LimitError):
        return has_at_most(game, _SMALL) and bool(GameCode(game))
    return False


def lookup(position: Position) -> tuple[Value, int] | None:
    """Look up value and remoteness of a position, for the player whose turn it is or would be."""
    # None without a table: with more than two players, and for larger games until it is built.
    table = table_of(position.game)
    return None if table is None else table.lookup(position)
