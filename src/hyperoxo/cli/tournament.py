"""`oxo tournament`: agents on every seating, and ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.lab import LabOptions, lab_options, request_options

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.tournament import TournamentResult


@click.command()
@cli.game_argument
@request_options("tournament")
@cli.flag("--openskill", "Also rate with openskill.")
@cli.figure_option("the table of a two-player tournament")
@cli.flag("--show", "Draw the ratings in the terminal.")
@lab_options("tournament")
def command(
    game: Game,
    request: RunRequest,
    openskill: bool,
    figure: Path | None,
    show: bool,
    lab: LabOptions,
    options: cli.Options,
) -> None:
    """Play every ordered seating of several agents, each against itself as well.

    Ratings follow Bradley and Terry with draws and first-move advantage; with three or more
    players, Plackett and Luce. 400 points are odds of ten to one. Intervals are 95 %.
    """
    from hyperoxo.lab.plots.text import text_intervals
    from hyperoxo.lab.plots.tournament import tournament_figure
    from hyperoxo.lab.tournament import skills

    if figure is not None and game.players > 2:
        raise click.UsageError("--figure draws tables of two players")
    if openskill:
        skills(0, [])  # refuses before the games rather than after them
    result: TournamentResult = lab.carry_out(request, options)
    data = result.as_data(openskill=openskill)
    options.show(result, **data)
    if show and not options.json:
        names, values, spans = (
            [row[key] for row in data["ratings"]] for key in ("agent", "rating", "interval")
        )
        click.echo(f"\n{text_intervals(names, values, spans)}")
    options.save_figure(figure, lambda: tournament_figure(result))
