"""`oxo study ladder`: strength of agents, of the levels for people, and of `expert`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game
from hyperoxo.display import table

_TEXT = """
|rungs| game | ladder={kind} | stronger | weaker | won | lost | drawn={draws} \
| 95 % interval={interval:.0p; to } | holds | equal={equal:.0p} |
"""


@cli.command("study ladder 3^3 --games 50", "study ladder --experts 4^3 --out bouts.json")
def command(
    options: cli.Options,
    games: tuple[str, ...] = cli.argument("[GAME ...]", nargs=-1, shell_complete=complete_game),
    count: int = cli.number(
        "Games per match; with --levels and --experts, the most.", 1, default=200, spelled="--games"
    ),
    levels: bool = cli.flag("Measure the levels for people instead."),
    experts: bool = cli.flag("Play expert against every agent that may think as long instead."),
    seconds: float = cli.seconds_limit(0.1, "With --experts, seconds a move."),
    out: Path | None = cli.output_file(
        "With --levels or --experts, a file of matches: those measured with the settings of today "
        "stay, the others are played and added one by one."
    ),
    work: cli.Work = cli.work(),
) -> int:
    """Play each agent of a ladder against the next: deeper search, more simulations.

    Seats rotate. The exit code is 1 if an agent that should be stronger is weaker: its share of the
    decided games is below one half by more than the 95 % interval.

    With --levels, each level for people plays the one below, until it is clear that it takes 60 to
    80 % of the points; games of level 8, which thinks by the clock, are a fifth as many.

    With --experts, expert plays puct, mcts, minimax and alphazero, each with as many seconds a
    move, until a sequential test tells whether the other wins more of the decided games; the exit
    code is 1 if one does.
    """
    if levels and experts:
        raise click.UsageError("--levels or --experts, not both")
    if out is not None and not (levels or experts):
        raise click.UsageError("--out belongs to --levels and --experts")
    given: dict[str, Any] = {"count": count, "seed": options.seed or 0}
    with work.task(options.progress("measuring" if levels or experts else "climbing")) as task:
        given["progress"] = task
        if levels:
            from hyperoxo_research.lab.levels import measure, steps_table

            steps = measure(games, out=out, **given)
            return _emit(options, "steps", steps, lambda: [table(*steps_table(steps))])
        if experts:
            from hyperoxo_research.lab.experts import bouts, bouts_table

            found = bouts(games, seconds=seconds, out=out, **given)
            return _emit(options, "bouts", found, lambda: [table(*bouts_table(found))])
        from hyperoxo_research.lab.ladder import climb

        rungs = list(climb(games, **given))
    return _emit(options, "rungs", rungs, _TEXT)


def _emit(options: cli.Options, name: str, rows: Sequence[Any], text: Any) -> int:
    """Show matches; return 1 if one does not hold, else 0."""
    holds = all(row.holds for row in rows)
    options.emit({name: [row.as_data() for row in rows], "holds": holds}, text)
    return 0 if holds else 1
