"""Answers and measurements kept in files, so that the next call resumes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from hyperoxo.errors import NotationError
from hyperoxo.files import replace_file
from hyperoxo.task import Progress, Task
from hyperoxo.untrusted import parse_json, read_bytes, read_text

_Row = TypeVar("_Row", bound=Any)


class AnswerCache:
    """Answers by name in a JSON file, under `key`; discarded if `made` differs."""

    def __init__(self, path: Path, made: dict[str, Any], key: str) -> None:
        self.path, self.made, self.key = path, made, key
        try:
            data = parse_json(read_bytes(path)) if path.exists() else {}
        except ValueError:
            # A damaged file counts as empty: its answers are found again.
            data = {}
        same = isinstance(data, dict) and all(data.get(one) == made[one] for one in made)
        self.answers: dict[str, Any] = dict(data[key]) if same else {}

    def add(self, name: str, answer: dict[str, Any]) -> None:
        """Keep an answer."""
        self.answers[name] = answer
        text = json.dumps({**self.made, self.key: self.answers}, indent=1)
        replace_file(self.path, f"{text}\n".encode())


class Measurements(Generic[_Row]):
    """Measurements of one kind: those in a file, and those that come with the package.

    Each has a `key`, of which a file has one, and is `current` while it measures what is there now.
    """

    def __init__(
        self,
        name: str,
        kind: str,
        make: Callable[[dict[str, Any]], _Row],
        place: Callable[[_Row], Any],
    ) -> None:
        self._name, self._kind, self._make, self._place = name, kind, make, place

    def read(self, text: str) -> tuple[_Row, ...]:
        """Read measurements from the text of a file."""
        try:
            return tuple(map(self._make, parse_json(text)))
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise NotationError(f"these are not {self._kind}: {error}") from None

    def write(self, path: Path, rows: Iterable[_Row]) -> None:
        """Write measurements to a file, each on its line."""
        lines = ",\n".join(json.dumps(asdict(row)) for row in sorted(rows, key=self._place))
        replace_file(path, f"[\n{lines}\n]\n".encode())

    @cached_property
    def stored(self) -> tuple[_Row, ...]:
        """The measurements that come with the package."""
        path = files("hyperoxo_research") / "data" / self._name
        return self.read(path.read_text(encoding="utf-8"))

    def measure(
        self,
        function: Callable[..., _Row],
        wanted: Sequence[tuple[Any, ...]],
        more: tuple[Any, ...],
        out: Path | None,
        progress: Progress | None,
    ) -> list[_Row]:
        """Return the rows of `wanted` keys: from the file `out`, or measured and added to it."""
        known = self.read(read_text(out)) if out is not None and out.exists() else ()
        found = {row.key: row for row in known}
        left = [(*key, *more) for key in wanted if key not in found or not found[key].current]
        for _, row in Task.of(progress).spread(function, left):
            found[row.key] = row
            if out is not None:
                # After each row anew, so that an interrupt costs no more than the rows at work.
                self.write(out, found.values())
        return [found[key] for key in wanted]


def place_of(name: str, listed: Sequence[str]) -> tuple[int, str]:
    """Return the place of a name in a list; names that are not in it follow."""
    return listed.index(name) if name in listed else len(listed), name
