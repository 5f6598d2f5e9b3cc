"""The method ``plan`` of `solve` and of ``oxo solve``: a key plan for the player not to move."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.methods import Method

if TYPE_CHECKING:
    from hyperoxo.game import Position
    from hyperoxo.solvers import Solution
    from hyperoxo_research.draws.key_plan_search import PlanProgress


def _solve(
    position: Position,
    *,
    keys: str | None = None,
    report: Callable[[str], object] | None = None,
    **options: Any,
) -> Solution:
    from hyperoxo_research.draws.solve_by_plan import solve_by_plan

    return solve_by_plan(
        position,
        keys=None if keys is None else _cells(keys),
        on_progress=None if report is None else lambda found: report(_progress(found)),
        **options,
    )


def _cells(text: str) -> tuple[int, ...]:
    """Read cells with commas between them."""
    if not re.fullmatch(r"[0-9]{1,9}(,[0-9]{1,9})*", text):
        raise click.BadParameter("write cells like 0,5,30", param_hint="'--keys'")
    return tuple(map(int, text.split(",")))


def _progress(found: PlanProgress) -> str:
    """Figures of a search for a plan in one line."""
    done = found.after or f"round {found.rounds}, states {found.states:,}"
    return f"plan: {done}, {found.seconds:.0f} s"


METHOD = Method(
    _solve,
    about="a plan that keeps the player to move from any line",
    sought="a plan",
    options=(
        click.Option(
            ["--keys"],
            metavar="CELLS",
            help="Plan: the key cells, as 0,5,30; default: those of the space diagonals, or on the "
            "most lines.",
        ),
        click.Option(
            ["--by-lines"],
            is_flag=True,
            help="Plan: know which lines bear many stones of the other player; proves more, takes "
            "longer.",
        ),
    ),
    takes=("megabytes", "threads", "checkpoint"),
)
