"""Checkpoints: the arrays of a long search, in a file from which it resumes.

A file is a line of JSON, then the raw arrays. The line holds the kind of file, the search that it
belongs to, the types and shapes of the arrays, and the SHA-256 of all of it. Nothing else is
read, and nothing is unpickled.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError, atomic, sha256
from hyperoxo.untrusted import parse_json, read_stream

_LONGEST = 1 << 20
"""Longest first line that is read."""

_LARGEST = 1 << 40
"""Largest file: a search has as much memory as it was given, and its checkpoint may be as large."""


@dataclass(frozen=True)
class Form:
    """A kind of checkpoint: name and version in the file, and the search for messages.

    `arrays` are dtypes by name in NumPy's spelling, such as ``"<u8"``; `more` names plain values.
    """

    name: str
    version: int
    of: str
    arrays: Mapping[str, str]
    more: tuple[str, ...] = ()

    def save(
        self,
        path: str | os.PathLike[str],
        belongs: Mapping[str, Any],
        more: Mapping[str, Any] | None = None,
        /,
        **arrays: ArrayLike,
    ) -> None:
        """Write a file in one step; `belongs` identifies the search."""
        stored = {name: np.asarray(arrays[name], kind) for name, kind in self.arrays.items()}
        head = {
            "format": self.name,
            "version": self.version,
            **belongs,
            **(more or {}),
            "shapes": {name: array.shape for name, array in stored.items()},
        }
        # In the order of `arrays`, by which `_taken` splits the data again.
        parts = [array.tobytes() for array in stored.values()]
        line = json.dumps({**head, "sha256": sha256(_signed(head), *parts)}).encode()
        with atomic(path) as beside, beside.open("wb") as file:
            file.writelines([line, b"\n", *parts])

    def load(self, path: str | os.PathLike[str], belongs: Mapping[str, Any]) -> dict[str, Any]:
        """Read the arrays and values of a file that `save` has written for the same search."""
        # The digest covers head and data, so it is verified before any value is used; only then is
        # a file of another search distinguished from a damaged one.
        with Path(path).open("rb") as file:
            head = self._head(file.readline(_LONGEST), path)
            data = read_stream(file, os.fspath(path), _LARGEST)
        digest = head.pop("sha256", None)
        try:
            same = digest == sha256(_signed(head), data)
            found = {name: head[name] for name in self.more} | self._taken(data, head["shapes"])
            other = [key for key, value in belongs.items() if head[key] != value]
        except (ValueError, KeyError, TypeError, AttributeError):
            same = False
        if not same:
            raise DamagedFileError(path)
        if other:
            key = other[0]
            raise CheckFailedError(
                f"checkpoint {os.fspath(path)!r} is of {self.of} with {key} "
                f"{quoted(str(head[key]))}, not {quoted(str(belongs[key]))}"
            )
        return found

    def _head(self, line: bytes, path: str | os.PathLike[str]) -> dict[str, Any]:
        """Parse the first line; refuse other kinds and versions."""
        name = repr(os.fspath(path))
        try:
            head: dict[str, Any] = parse_json(line, _LONGEST)
            known, version = head["format"], head.get("version", 0)
        except (ValueError, KeyError, TypeError):
            known = None
        if known != self.name or not isinstance(version, int):
            raise CheckFailedError(f"{name} is not a checkpoint of {self.of}")
        check_version(path, version, self.version)
        if version < self.version:
            raise CheckFailedError(
                f"{name} was written by an older version of hyperoxo, whose form {version} is no "
                "longer read"
            )
        return head

    def _taken(self, data: bytes, shapes: Mapping[str, list[int]]) -> dict[str, NDArray[Any]]:
        """Split the data into arrays; a ValueError if they do not fill it exactly."""
        found, begin = {}, 0
        for name, kind in self.arrays.items():
            shape, dtype = shapes[name], np.dtype(kind)
            count = math.prod(shape)
            # Shapes come from the file: two negative sides have a positive product.
            if min(shape, default=0) < 0 or begin + count * dtype.itemsize > len(data):
                raise ValueError
            array = np.frombuffer(data, dtype, count, begin).reshape(shape)
            found[name] = array.astype(dtype.newbyteorder("="))
            begin += array.nbytes
        if begin != len(data):
            raise ValueError
        return found


def _signed(head: Mapping[str, Any]) -> bytes:
    return json.dumps(head, sort_keys=True).encode()


def check_version(path: str | os.PathLike[str], version: int, newest: int) -> None:
    """Refuse a file of a newer form than this program knows."""
    if version > newest:
        raise CheckFailedError(
            f"{os.fspath(path)!r} was written by a newer version of hyperoxo (form "
            f"{version}, this one reads {newest})"
        )
