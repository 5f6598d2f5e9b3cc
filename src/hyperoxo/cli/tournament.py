"""`oxo tournament`: agents on every seating, and ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.lab import LabOptions, lab_options, request_options
from hyperoxo.cli.options import Options, OutputFile, game_argument
from hyperoxo.cli.output import table

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.tournament import TournamentResult


@click.command()
@game_argument
@request_options("tournament")
@click.option("--openskill", is_flag=True, help="Also rate with openskill.")
@click.option(
    "--figure",
    type=OutputFile(),
    help="Draw the table of a two-player tournament: .svg, .png or .pdf.",
)
@click.option("--show", is_flag=True, help="Draw the ratings in the terminal.")
@lab_options("tournament")
def command(
    game: Game,
    request: RunRequest,
    openskill: bool,
    figure: Path | None,
    show: bool,
    lab: LabOptions,
    options: Options,
) -> None:
    """Play every ordered seating of several agents, each against itself as well.

    Ratings follow Bradley and Terry with draws and first-move advantage; with three or more
    players, Plackett and Luce. 400 points are odds of ten to one. Intervals are 95 %.
    """
    from hyperoxo.lab.plots.style import check_figure, save
    from hyperoxo.lab.plots.tournament import tournament_figure

    if figure is not None:
        check_figure(figure)
        if game.players > 2:
            raise click.UsageError("--figure draws tables of two players")
    if openskill:
        _check_openskill()
    result: TournamentResult = lab.carry_out(request, options)
    answer = result.as_data(openskill=openskill)
    options.emit(answer, text=lambda: _print(answer, show=show))
    # After the answer, which a full disk must not take away.
    if figure is not None:
        save(tournament_figure(result), figure)
        options.note(f"wrote {figure}")


def _check_openskill() -> None:
    """Refuse before the games rather than after them."""
    from hyperoxo.lab.tournament import skills

    skills(0, [])


def _print(answer: dict[str, Any], *, show: bool) -> None:
    seats = len(answer["table"][0]["agents"])
    rows = [
        (
            *row["agents"],
            row["games"],
            *(f"{100 * won / row['games']:.1f}" for won in row["wins"]),
            f"{100 * row['draws'] / row['games']:.1f}",
            f"{1000 * row['seconds'] / row['games']:.3f}",
        )
        for row in answer["table"]
    ]
    names = [f"seat {seat}" for seat in range(1, seats + 1)]
    table([*names, "games", *(f"% {seat}" for seat in names), "% draws", "ms a game"], rows)
    click.echo("")
    rated = [
        (
            row["agent"],
            f"{row['rating']:+.0f}",
            f"{row['interval'][0]:+.0f} to {row['interval'][1]:+.0f}",
            row["wins"],
            row["draws"],
            row["losses"],
            *([f"{row['openskill']['mu']:.2f} ± {row['openskill']['sigma']:.2f}"]
              if "openskill" in row else []),
        )
        for row in answer["ratings"]
    ]  # fmt: skip
    headings = ["agent", "rating", "95 % interval", "wins", "draws", "losses", "openskill"]
    table(headings[: len(rated[0])], rated)
    if show:
        from hyperoxo.lab.plots.text import text_intervals

        ratings = answer["ratings"]
        click.echo("")
        names, values = [row["agent"] for row in ratings], [row["rating"] for row in ratings]
        click.echo(text_intervals(names, values, [tuple(row["interval"]) for row in ratings]))
    model = answer["model"]
    click.echo(
        f"first move {model['first_move']:+.0f} points; deviance {model['deviance']:.1f} "
        f"on {model['degrees']} degrees of freedom; seed {answer['seed']}"
    )
