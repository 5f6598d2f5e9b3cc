"""Entry points as if other packages were installed than are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import hyperoxo
from hyperoxo import extensions as module
from hyperoxo.agents.spec import opponents
from hyperoxo.cli.main import groups
from hyperoxo.extensions import extensions


@contextmanager
def declared(*texts: str) -> Iterator[None]:
    """Let these files of entry points be all that there are, also those of hyperoxo."""
    caches = extensions.cache_clear, groups.cache_clear, hyperoxo._added.cache_clear
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_declarations", lambda: texts)
        for clear in (*caches, opponents.cache_clear):
            clear()
        yield
    for clear in (*caches, opponents.cache_clear):
        clear()
