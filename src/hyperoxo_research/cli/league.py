"""`oxo study league`: learners measured after equal times of learning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game
from hyperoxo.display import table


class _Minutes(cli.RealRange):
    """One number or several, with commas between them."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read them."""
        return tuple(super(_Minutes, self).convert(one, param, ctx) for one in value.split(","))


@cli.command("study league 3^2 --minutes 0.1 --seeds 1", "study league --out league.json")
def command(
    options: cli.Options,
    games: tuple[str, ...] = cli.argument("[GAME ...]", nargs=-1, shell_complete=complete_game),
    minutes: tuple[float, ...] = cli.option(
        "Minutes of processor time for each learner, one number or several.",
        _Minutes(min=0, min_open=True),
        default="1,10",
        metavar="M,...",
    ),
    seeds: int = cli.number("Runs of each learner, with separate seeds.", 1, default=3),
    count: int = cli.number(
        "Games in each seat against each agent that does not learn.",
        *(1, None),
        default=20,
        spelled="--games",
    ),
    positions: int = cli.number("Positions of the test split to draw.", 1, default=1000),
    out: Path | None = cli.output_file(
        "A file of the measurements: those made with the settings of today stay, the others are "
        "made and added one by one."
    ),
    work: cli.Work = cli.work(),
) -> None:
    """Let all learners of `oxo train` learn for equal times, and measure them.

    The error is the share of positions of the test split in which the move does not keep the exact
    value, as `oxo truth` has it, where values are within reach. The rating is by games against
    random, greedy, mcts and expert, in every seat, after random openings; in each game its mean is
    0. Both have 95 % intervals. A learner that is not installed is named and left out.
    """
    from hyperoxo_research.lab.league import league, league_table, missing

    absent = missing()
    with work.task(options.progress("learning")) as task:
        found = league(
            games,
            minutes=minutes,
            seeds=seeds,
            seed=options.seed or 0,
            count=count,
            positions=positions,
            out=out,
            progress=task,
        )

    def text() -> list[Any]:
        head, rows = league_table(found)
        return [table(head, [*rows, *(["", one, "not installed", "", "", ""] for one in absent)])]

    for reason in absent.values():
        options.note(reason)
    options.emit({"entries": [one.as_data() for one in found], "missing": absent}, text)
