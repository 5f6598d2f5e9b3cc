"""Entry points as if other packages were installed than are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import hyperoxo
from hyperoxo import extensions as module
from hyperoxo.agents.spec import opponents
from hyperoxo.cli.commands import old_names, registered
from hyperoxo.extensions import extensions
from hyperoxo.proof import KINDS
from hyperoxo.solvers import theorems, values
from hyperoxo.solvers.sources import sources
from hyperoxo.solvers.theorems import SOURCES


def _forget() -> None:
    """Forget what was loaded from entry points."""
    loaders = extensions, registered, old_names, hyperoxo._added, opponents, sources
    for cached in (*loaders, values._cached, theorems._kept):
        cached.cache_clear()
    for registry in (KINDS, SOURCES):
        vars(registry).pop("_others", None)
    # Their help lists what other packages register, so that they are imported anew.
    for name in ("solve", "train"):
        sys.modules.pop(f"hyperoxo.cli.{name}", None)


@contextmanager
def declared(*texts: str) -> Iterator[None]:
    """Let these files of entry points be all that there are, also those of hyperoxo."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_declarations", lambda: texts)
        _forget()
        yield
    _forget()
