"""Solving: what can be counted, forced or proved about a game.

The room bears the name of its main function and can be called like it: ``ox.solve(game)``.
"""

import sys
from types import ModuleType

from hyperoxo.solve.perft import PerftResult, perft
from hyperoxo.solve.solution import MoveValue, Solution
from hyperoxo.solve.values import solve

__all__ = ["MoveValue", "PerftResult", "Solution", "perft", "solve"]


class _CallableRoom(ModuleType):
    """Lets ``hyperoxo.solve`` be this module and the function `solve` at once."""

    __call__ = staticmethod(solve)


sys.modules[__name__].__class__ = _CallableRoom
