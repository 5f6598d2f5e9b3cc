"""Methods of solving that other packages add to those of `solve` and of ``oxo solve``.

An entry point of the group ``hyperoxo.methods`` names a `Method`; it is called as that is. As
``oxo solve --help`` loads it, its module imports what solves inside its functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hyperoxo.errors import CheckFailedError, SpecError, quoted
from hyperoxo.extensions import extensions, missing
from hyperoxo.registry import loaded

METHODS = ("auto", "exact", "proof")
_RESEARCH = ("plan",)
"""Methods of `hyperoxo_research`; the error names that package if it is missing."""


class Method(NamedTuple):
    """A method of solving a position under the concept ``exact``."""

    solve: Callable[..., Any]
    """Takes a position, and by name ``seconds``, ``proof``, ``creator`` and ``stop`` as `solve`
    does, and returns a `Solution`. From the command line it gets its own `options`, those of
    ``oxo solve`` that it `takes`, and ``report``, which it calls with lines on how far it is."""
    about: str
    """Noun phrase for the help of ``--method``."""
    sought: str
    """The same in two words."""
    options: tuple[Any, ...] = ()
    """Options of the command line, as click has them, that go with this method only."""
    takes: tuple[str, ...] = ()


def added_methods() -> dict[str, Method]:
    """Return the methods of other packages."""
    return dict(loaded("hyperoxo.methods"))


def method_names() -> tuple[str, ...]:
    """Return the names of all methods, those of a missing package too."""
    return tuple(dict.fromkeys((*METHODS, *extensions("hyperoxo.methods"), *_RESEARCH)))


def added_method(name: str) -> Method:
    """Return a method of another package, or raise `SpecError` if none has this name."""
    found = extensions("hyperoxo.methods").get(name)
    if found is not None:
        method: Method = found.load()
        return method
    if name in _RESEARCH:
        raise CheckFailedError(missing(f"the method '{name}'"))
    *most, last = map(repr, method_names())
    raise SpecError(f"method is {', '.join(most)} or {last}, not {quoted(name)}")
