"""Checkpoints: what a long search knows, in a file from which the same search goes on.

Such a file is a line of JSON, which says what it is of, and then bytes, whose SHA-256 is in that
line. Nothing else is read, and nothing of a newer form.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperoxo.errors import CheckFailedError, quoted
from hyperoxo.files import DamagedFileError, atomic, sha256
from hyperoxo.untrusted import parse_json, read_stream

_LONGEST = 1 << 20
"""Longest first line that is looked at."""

_LARGEST = 1 << 40
"""Largest file: a search has as much memory as it was given, and its checkpoint may be as large."""


@dataclass(frozen=True)
class Form:
    """A kind of checkpoint: its name in files, version, what it is to people, what heads hold."""

    name: str
    version: int
    of: str
    fields: tuple[str, ...]

    def save(self, path: str | os.PathLike[str], head: Mapping[str, Any], *parts: bytes) -> None:
        """Write a file in one step."""
        kind = {"format": self.name, "version": self.version}
        line = json.dumps({**kind, **head, "sha256": sha256(*parts)}).encode()
        with atomic(path) as beside, beside.open("wb") as file:
            file.writelines([line, b"\n", *parts])

    def load(self, path: str | os.PathLike[str]) -> tuple[dict[str, Any], bytes]:
        """Read the head and the bytes of a file that `save` has written."""
        with Path(path).open("rb") as file:
            line = file.readline(_LONGEST)
            head, digest = self._head(line, path)
            data = read_stream(file, os.fspath(path), _LARGEST)
        if sha256(data) != digest:
            raise DamagedFileError(path)
        return head, data

    def _head(self, line: bytes, path: str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
        """Read the first line; return what it holds of this kind, and the SHA-256."""
        name = quoted(os.fspath(path))
        try:
            head = parse_json(line, _LONGEST)
            known, version, digest = head["format"], head["version"], head["sha256"]
            said = {field: head[field] for field in self.fields}
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
        return said, digest


def check_version(path: str | os.PathLike[str], version: int, newest: int) -> None:
    """Refuse a file of a newer form than this program knows."""
    if version > newest:
        raise CheckFailedError(
            f"{quoted(os.fspath(path))} was written by a newer version of hyperoxo (form "
            f"{version}, this one reads {newest})"
        )
