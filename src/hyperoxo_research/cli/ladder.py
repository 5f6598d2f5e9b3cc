"""`oxo study ladder`: whether agents that search more or know more ever play worse."""

from __future__ import annotations

from pathlib import Path

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game
from hyperoxo.cli.output import table

_TEXT = """
|rungs| game | ladder={kind} | stronger | weaker | won | lost | drawn={draws} \
| 95 % interval={interval:.0p; to } | holds | equal={equal:.0p} |
"""


@cli.command("study ladder 3^3 --games 50", "study ladder --levels --out steps.json")
def command(
    options: cli.Options,
    games: tuple[str, ...] = cli.argument("[GAME ...]", nargs=-1, shell_complete=complete_game),
    count: int = cli.number(
        "Games per match; with --levels, the most.", 1, default=200, spelled="--games"
    ),
    levels: bool = cli.flag("Measure the levels for people instead."),
    out: Path | None = cli.output_file(
        "With --levels, a file of steps: those measured with the settings of today stay, the "
        "others are measured and added one by one."
    ),
    work: cli.Work = cli.work(),
) -> int:
    """Play each agent of a ladder against the next: deeper search, more simulations.

    Seats rotate. The exit code is 1 if an agent that should be stronger is weaker: its share of the
    decided games is below one half by more than the 95 % interval.

    With --levels, each level for people plays the one below, until it is clear that it takes 60 to
    80 % of the points; games of level 8, which thinks by the clock, are a fifth as many.
    """
    if levels:
        return _levels(games, count, out, work, options)
    if out is not None:
        raise click.UsageError("--out belongs to --levels")
    from hyperoxo_research.lab.ladder import climb

    seed = 0 if options.seed is None else options.seed
    with work.task(options.progress("climbing")) as task:
        rungs = list(climb(games, count=count, seed=seed, progress=task))
    options.emit(
        {"rungs": [rung.as_data() for rung in rungs], "holds": all(rung.holds for rung in rungs)},
        _TEXT,
    )
    return 0 if all(rung.holds for rung in rungs) else 1


def _levels(
    games: tuple[str, ...], count: int, out: Path | None, work: cli.Work, options: cli.Options
) -> int:
    """Measure the steps between levels."""
    from hyperoxo.untrusted import read_text
    from hyperoxo_research.lab.levels import measure, read_steps, steps_table

    known = read_steps(read_text(out)) if out is not None and out.exists() else ()
    seed = 0 if options.seed is None else options.seed
    with work.task(options.progress("measuring levels")) as task:
        steps = measure(games, count=count, seed=seed, known=known, out=out, progress=task)
    holds = all(step.holds for step in steps)
    options.emit(
        {"steps": [step.as_data() for step in steps], "holds": holds},
        text=lambda: table(*steps_table(steps)),
    )
    return 0 if holds else 1
