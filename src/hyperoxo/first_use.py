"""Who hears what is compiled at its first use; set here, for importing Numba takes a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class News:
    """The one listener.

    It hears the number of a function that begins to be compiled, and how many are known to need
    it; two zeros say that the compiler is done for now. `waits` is called where another process
    compiles what is needed next; two zeros, or a number, follow.
    """

    hear: Callable[[int, int], object] | None = None
    waits: Callable[[], object] | None = None


news = News()
