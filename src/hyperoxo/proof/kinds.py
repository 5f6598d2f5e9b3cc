"""The kinds of proof files, and `verify`, which checks a file of any kind.

A file's first line tells its kind. To add one, write a module with a reader and a checker and
put a line into `KINDS`:

- the reader turns the bytes of the whole file into a value, and raises an error of
  :mod:`hyperoxo.errors` where anything is not exactly as the writer would write it;
- the checker takes that value, and by name ``begin`` the time when the clock started, and
  returns a :class:`~hyperoxo.proof.verdict.Verdict`; it never raises for a proof that fails.

Both must be code that a reader can follow, and import nothing that searches. Modules that are
slow to import are imported inside their two functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from hyperoxo.errors import HyperoxoError
from hyperoxo.proof.answers import check_mirroring, check_pairing
from hyperoxo.proof.answers_file import read_mirroring, read_pairing
from hyperoxo.proof.checker import check
from hyperoxo.proof.coalition import check_prevention
from hyperoxo.proof.coalition_file import read_prevention
from hyperoxo.proof.dictionary_file import read_proof
from hyperoxo.proof.dictionary_proof import DictionaryProof, check_proof
from hyperoxo.proof.file import read_strategy
from hyperoxo.proof.strategy import Strategy
from hyperoxo.proof.verdict import Verdict

__all__ = ["KINDS", "Kind", "verify"]


class Kind(NamedTuple):
    """One kind of proof file.

    Attributes
    ----------
    read : callable
        Called with the bytes of the file; returns what `check` takes.
    check : callable
        Called with that value and ``begin=seconds``; returns the verdict.
    """

    read: Callable[[bytes], Any]
    check: Callable[..., Verdict]


def _strategy(data: bytes) -> Strategy:
    return read_strategy(data).strategy


def _dictionary(data: bytes) -> DictionaryProof:
    return read_proof(data).proof


KINDS: Mapping[bytes, Kind] = MappingProxyType(
    {
        b"hyperoxo-strategy 1": Kind(_strategy, check),
        b"hyperoxo-dictionary 1": Kind(_dictionary, check_proof),
        b"hyperoxo-pairing 1": Kind(read_pairing, check_pairing),
        b"hyperoxo-mirroring 1": Kind(read_mirroring, check_mirroring),
        b"hyperoxo-coalition 1": Kind(read_prevention, check_prevention),
    }
)
"""Kinds of proof files by the first line of the file, without its line feed."""


def verify(path: str | os.PathLike[str] | bytes) -> Verdict:
    """Check a proof file of any kind.

    Parameters
    ----------
    path : str or path-like, or bytes
        Name of the file, or its content.

    Returns
    -------
    Verdict
        Also where the file is damaged; it says so.

    Raises
    ------
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> verify(b"something else").reason
    'this is not a proof file'
    """
    begin = time.perf_counter()
    data = path if isinstance(path, bytes) else Path(path).read_bytes()
    kind = KINDS.get(data.partition(b"\n")[0])
    if kind is None:
        seconds = time.perf_counter() - begin
        return Verdict("", "rejected", "this is not a proof file", 0, seconds)
    try:
        found = kind.read(data)
    except HyperoxoError as error:
        return Verdict("", "rejected", str(error), 0, time.perf_counter() - begin)
    return kind.check(found, begin=begin)
