"""Generalised tic-tac-toe on n^d boards and any other hypergraph: rules, agents, measurements.

Every public name is loaded from its home, which ``__init__.pyi`` names, when it is first used, so
that ``import hyperoxo`` costs nothing.

Examples
--------
>>> import hyperoxo as ox
>>> ox.Game("3^2").start().play(4).to_move
2
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

__version__ = "0.1.0"

_MORE = "; more names come with hyperoxo_research, which is not installed"


@cache
def _core() -> tuple[Callable[[str], Any], frozenset[str]]:
    """Return the lazy loader of the stub's names, and all these names."""
    import lazy_loader  # the manual page is written without it

    load, _, names = lazy_loader.attach_stub(__name__, __file__)
    return load, frozenset(names)


@cache
def _added() -> dict[str, str]:
    """Return the homes of the names that extensions add, such as the research package."""
    from hyperoxo.registry import loaded

    found: dict[str, str] = {}
    for _, homes in loaded("hyperoxo.names", report=lambda _: None):
        for home, names in homes.items():
            found |= {name: home for name in names.split() if name not in _core()[1]}
    return found


def __getattr__(name: str) -> Any:
    """Load a public name from its home and keep it."""
    if name == "__all__":
        return sorted(["__version__", *_core()[1], *_added()])
    load, names = _core()
    if name in names:
        return load(name)
    home = None if name.startswith("_") else _added().get(name)
    if home is None:
        from hyperoxo.extensions import extensions

        has_more = "" if "research" in extensions("hyperoxo.names") else _MORE
        raise AttributeError(f"module 'hyperoxo' has no attribute {name!r}{has_more}")
    return globals().setdefault(name, getattr(importlib.import_module(home), name))


def __dir__() -> list[str]:
    """List the public names, loaded or not, and those of every module."""
    every = (name for name in globals() if name.startswith("__"))
    return sorted({*every, *_core()[1], *_added()})
