"""Mappings that other packages extend, and the objects that they register in a group."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from hyperoxo.errors import CheckFailedError
from hyperoxo.extensions import extensions

Key = TypeVar("Key")
Value = TypeVar("Value")


class Registry(Mapping[Key, Value], Generic[Key, Value]):
    """Own entries, then those of other packages, which never replace one.

    Parameters
    ----------
    own : Mapping
        Entries that need no loading.
    others : callable
        Returns the mappings of other packages. It is called once: when a key is looked up that is
        not in `own`, or when all are listed.

    Examples
    --------
    >>> registry = Registry({1: "one"}, lambda: [{1: "other", 2: "two"}])
    >>> registry[1], dict(registry)
    ('one', {1: 'one', 2: 'two'})
    """

    def __init__(
        self, own: Mapping[Key, Value], others: Callable[[], Iterable[Mapping[Key, Value]]]
    ) -> None:
        self._own, self._load = own, others

    @cached_property
    def _others(self) -> dict[Key, Value]:
        found: dict[Key, Value] = {}
        for mapping in self._load():
            found = {**mapping, **found}
        return {key: value for key, value in found.items() if key not in self._own}

    def __getitem__(self, key: Key) -> Value:
        return self._own[key] if key in self._own else self._others[key]

    def __iter__(self) -> Iterator[Key]:
        yield from self._own
        yield from self._others

    def __len__(self) -> int:
        return len(self._own) + len(self._others)


def loaded(
    group: str,
    report: Callable[[CheckFailedError], object] = lambda e: warnings.warn(str(e), stacklevel=3),
) -> Iterator[tuple[str, Any]]:
    """Load the objects of a group of entry points by name; `report` failures."""
    for name, extension in extensions(group).items():
        try:
            yield name, extension.load()
        except CheckFailedError as error:
            if isinstance(error.__cause__, EOFError):
                raise  # truncated Python byte code, which `oxo` removes
            report(error)
