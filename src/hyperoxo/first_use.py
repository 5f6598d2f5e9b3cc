"""Who hears what is compiled at its first use; set here, for importing Numba takes a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class News:
    """The one listener.

    It hears the number of a function that begins to be compiled, and how many are known to need
    it; two zeros say that the compiler is done for now.
    """

    hear: Callable[[int, int], object] | None = None


news = News()
