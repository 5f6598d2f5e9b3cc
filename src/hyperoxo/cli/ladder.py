"""`oxo ladder`: whether agents that search more or know more ever play worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hyperoxo.cli.options import Options, shared_options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.lab.ladder import Rung


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME ...]")
@click.option(
    "--games",
    "count",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games per match.",
)
@shared_options
def command(games: tuple[str, ...], count: int, options: Options) -> int:
    """Play each agent of a ladder against the next: deeper search, more simulations.

    Seats rotate. The exit code is 1 if an agent that should be stronger is weaker: its share of the
    decided games is below one half by more than the 95 % interval.
    """
    from hyperoxo.lab.ladder import climb

    seed = 0 if options.seed is None else options.seed
    with Progress("climbing", quiet=options.quiet) as progress:
        rungs = list(climb(games, count=count, seed=seed, progress=progress))
    options.emit(
        {"rungs": [rung.as_data() for rung in rungs], "holds": all(rung.holds for rung in rungs)},
        text=lambda: _print(rungs),
    )
    return 0 if all(rung.holds for rung in rungs) else 1


def _print(rungs: list[Rung]) -> None:
    table(
        ["game", "ladder", "stronger", "weaker", "won", "lost", "drawn", "95 % interval", "equal"],
        [
            (
                rung.game,
                rung.kind,
                rung.stronger,
                rung.weaker,
                rung.won,
                rung.lost,
                rung.draws,
                f"{100 * rung.interval[0]:.0f} to {100 * rung.interval[1]:.0f}"
                + ("" if rung.holds else "  weaker"),
                f"{100 / rung.players:.0f}",
            )
            for rung in rungs
        ],
    )
