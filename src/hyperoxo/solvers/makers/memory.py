"""What a Maker-Breaker search remembers, in a file from which another run goes on.

The file is a line of JSON, with the game and the player whose lines are meant, and then the entries
of the table: two words of a name, three numbers of 32 bits, and the words of a zone.
"""

from __future__ import annotations

import os

import numpy as np

from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError
from hyperoxo.kernels.makers_search import WORK, take_over
from hyperoxo.solvers.makers.search import MakerSearch

_FORM = Form("hyperoxo-maker-search", 1, "a Maker-Breaker search", ("game", "maker"))


def save_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Write the table of a search that is not running into a file."""
    names, numbers, zones = search.table
    used = np.flatnonzero(numbers[:, WORK])
    ordered = (
        part[used].astype(part.dtype.newbyteorder("<"), copy=False)
        for part in (names, numbers, zones)
    )
    _FORM.save(path, _head(search), *(part.tobytes() for part in ordered))


def load_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Fill the table of a search from a file."""
    head, data = _FORM.load(path)
    if head != _head(search):
        name = quoted(os.fspath(path))
        raise CheckFailedError(
            f"checkpoint {name} is of player {head['maker']}'s lines in {head['game']}, "
            f"not of player {search.maker}'s in {search.game}"
        )
    words = search.table.zones.shape[1]
    count, rest = divmod(len(data), 28 + 8 * words)
    if rest:
        raise DamagedFileError(path)
    names, numbers, zones = np.split(np.frombuffer(data, np.uint8), [16 * count, 28 * count])
    take_over(
        names.view("<u8").astype(np.uint64).reshape(count, 2),
        numbers.view("<i4").astype(np.int32).reshape(count, 3),
        zones.view("<u8").astype(np.uint64).reshape(count, words),
        search.table,
    )


def _head(search: MakerSearch) -> dict[str, object]:
    return {"game": str(search.game), "maker": search.maker}
