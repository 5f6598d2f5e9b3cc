"""Position heuristics: any compiled function of the stones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hyperoxo.errors import SpecError


@dataclass(frozen=True, eq=False)
class PositionHeuristic:
    """An evaluation function of whole positions, more general than a table of lines.

    Attributes
    ----------
    name : str
        Its name in messages.
    function : callable
        Function of ``(owners, counts, sizes, player)``; see :func:`position_heuristic`.

    Examples
    --------
    >>> stones = position_heuristic(lambda owners, counts, sizes, player: (owners == player).sum())
    >>> stones.name
    'heuristic'
    """

    name: str
    function: Callable[..., Any]

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The function in compiled form, tried once.

        Raises
        ------
        SpecError
            If it cannot be compiled or does not return a number.
        """
        from numba.core.errors import NumbaError

        from hyperoxo.kernels.evaluation import compile_evaluation

        compiled = compile_evaluation(self.function)
        try:
            float(compiled(np.zeros(1, np.int32), np.zeros((1, 2), np.int32), _ONE, 1))
        except NumbaError as error:
            first = next(iter(str(error).strip().splitlines()), "it cannot be compiled")
            raise SpecError(f"heuristic '{self.name}': {first}") from None
        except (TypeError, ValueError) as error:
            raise SpecError(f"heuristic '{self.name}' must give a number: {error}") from None
        return compiled


_ONE = np.ones(1, dtype=np.int32)


def position_heuristic(
    function: Callable[..., Any], *, name: str | None = None
) -> PositionHeuristic:
    """Make a heuristic from a function of the whole position.

    Parameters
    ----------
    function : callable
        Function of ``(owners, counts, sizes, player)``: int32 ``[N]`` owners of the cells (0
        free), int32 ``[L, q]`` stones of each player on each line, int32 ``[L]`` line sizes,
        and the player 1..q whose value it returns. It is compiled by Numba and runs at
        native speed in greedy play and in two-player minimax.
    name : str, optional
        Name for messages; default the function's.

    Returns
    -------
    PositionHeuristic
        For ``greedy`` and ``minimax``.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> def open_lines(owners, counts, sizes, player):
    ...     return float((counts.sum(axis=1) == counts[:, player - 1]).sum())
    >>> agent = ox.agent("greedy", heuristic=ox.position_heuristic(open_lines), ties="lowest")
    >>> agent.choose(ox.Game("3^2").position("moves:4"), 0)
    0
    """
    called = name or getattr(function, "__name__", "heuristic").replace("<lambda>", "heuristic")
    return PositionHeuristic(called, function)
