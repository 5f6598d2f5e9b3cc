"""The table of a Maker-Breaker search, in a file from which another run goes on."""

from __future__ import annotations

import os

import numpy as np

from hyperoxo.checkpoint import Form
from hyperoxo.files import DamagedFileError
from hyperoxo.kernels.makers_search import WORK, take_over
from hyperoxo.solvers.makers.search import MakerSearch

_FORM = Form(
    "hyperoxo-maker-search",
    2,
    "a Maker-Breaker search",
    {"names": "<u8", "numbers": "<i4", "zones": "<u8"},
)


def save_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Write the table of a search that is not running into a file."""
    names, numbers, zones = search.table
    used = np.flatnonzero(numbers[:, WORK])
    _FORM.save(path, _of(search), names=names[used], numbers=numbers[used], zones=zones[used])


def load_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Fill the table of a search from a file."""
    found = _FORM.load(path, _of(search))
    names, numbers, zones = found["names"], found["numbers"], found["zones"]
    count, words = len(names), search.table.zones.shape[1]
    if (names.shape, numbers.shape, zones.shape) != ((count, 2), (count, 3), (count, words)):
        raise DamagedFileError(path)
    take_over(names, numbers, zones, search.table)


def _of(search: MakerSearch) -> dict[str, object]:
    return {"game": str(search.game), "maker": search.maker}
