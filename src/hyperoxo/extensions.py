"""Extensions of hyperoxo: the entry points of every installed distribution, by group.

Entry points are read from the folders of the path, since `importlib.metadata` costs a third of
the time that ``oxo --help`` takes. Groups are ``hyperoxo.agents``, ``hyperoxo.commands``, ...
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hyperoxo.errors import CheckFailedError


class Extension(NamedTuple):
    """An entry point: a name, and the object of a module that is loaded for it."""

    name: str
    value: str
    """``module:object``, or a module."""

    def load(self) -> Any:
        """Import the module and return the object; an error of any kind becomes one line."""
        module, _, path = self.value.partition(":")
        try:
            found: Any = importlib.import_module(module)
            for attribute in filter(None, path.split(".")):
                found = getattr(found, attribute)
        except Exception as error:
            raise CheckFailedError(
                f"'{self.name}' of another package does not load: {error}"
            ) from error
        return found


def missing(what: str, package: str = "hyperoxo_research") -> str:
    """Return the message on a feature of an optional hyperoxo package."""
    return f"{what} comes with {package}, which is not installed"


@cache
def extensions(group: str) -> Mapping[str, Extension]:
    """Return the extensions of a group, in the order in which they are declared."""
    found: dict[str, Extension] = {}
    for text in _declarations():
        section = text.partition(f"[{group}]\n")[2].partition("\n[")[0]
        for line in section.splitlines():
            name, equals, value = (part.strip() for part in line.partition("="))
            if equals and not name.startswith("#"):
                found.setdefault(name, Extension(name, value.partition("[")[0].replace(" ", "")))
    return found


@cache
def _declarations() -> tuple[str, ...]:
    """Read the entry points; of two distributions of a name the first on the path counts."""
    # Folders are called `NAME-VERSION.dist-info`.
    texts: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = sorted(os.listdir(folder or "."))  # noqa: PTH208 - pathlib is slower
        except OSError:
            continue
        for entry in entries:
            if entry.endswith((".dist-info", ".egg-info")):
                name = re.sub("[-_.]+", "_", entry.partition("-")[0]).lower()
                if name not in texts:
                    try:
                        texts[name] = Path(folder, entry, "entry_points.txt").read_text("utf-8")
                    except (OSError, UnicodeDecodeError):
                        texts[name] = ""
    return tuple(text for text in texts.values() if "[hyperoxo." in text)
