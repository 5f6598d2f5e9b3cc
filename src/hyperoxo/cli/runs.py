"""`oxo match`, `oxo tournament` and `oxo sweep`: many games between agents, counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.lab import LabOptions, laboratory, requested

if TYPE_CHECKING:
    from hyperoxo.lab import MatchResult
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.sweep import SweepResult
    from hyperoxo.lab.tournament import TournamentResult


@cli.command("match 3^3 random ising --games 1000 --swap", "match 3^2 greedy ising --until 'A>B'")
def match(
    options: cli.Options,
    game: ox.Game = cli.game(),
    request: RunRequest = requested("match"),
    lab: LabOptions = laboratory(),
) -> None:
    """Play many games between agents: A in seat 1, B in seat 2, and so on.

    The results count wins by seat, with --swap by agent; a game that several players win together
    counts for each. Intervals are 95 % Wilson intervals. With --until, the match ends when a
    sequential test has decided the question.
    """
    agents = request.options["agents"]
    if len(agents) != game.players:
        raise click.UsageError(
            f"{game} has {game.players} seats, one agent each; {len(agents)} named"
        )
    result: MatchResult = lab.carry_out(request, options)
    if result.test is not None and not result.swap:
        options.note(
            "seats are fixed, so the test is of agents on these seats; --swap rotates them"
        )
    options.show(result)


@cli.command("tournament 3^3 random greedy ising", "tournament 3^2 random greedy --show")
def tournament(
    options: cli.Options,
    game: ox.Game = cli.game(),
    request: RunRequest = requested("tournament"),
    openskill: bool = cli.flag("Also rate with openskill."),
    figure: Path | None = cli.figure("the table of a two-player tournament"),
    show: bool = cli.flag("Draw the ratings in the terminal."),
    lab: LabOptions = laboratory(),
) -> None:
    """Play every ordered seating of several agents, each against itself as well.

    Ratings follow Bradley and Terry with draws and first-move advantage; with three or more
    players, Plackett and Luce. 400 points are odds of ten to one. Intervals are 95 %.
    """
    from hyperoxo.lab.plots.figures import tournament_figure
    from hyperoxo.lab.plots.text import text_intervals
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


@cli.command(
    "sweep 3^2 --agent ising --vary bias=0:1:0.05 --versus random",
    "sweep 3^3 --agent minimax --vary depth=1:3:1 --versus greedy --games 20",
)
def sweep(
    options: cli.Options,
    game: ox.Game = cli.game(),  # noqa: ARG001 - the request has it
    request: RunRequest = requested("sweep"),
    show: bool = cli.flag("Draw the points in the terminal."),
    figure: Path | None = cli.figure("points and curve, or a heat map"),
    lab: LabOptions = laboratory(),
) -> None:
    """Play GAME with many values of one or two parameters of an agent.

    Fits a curve to the results: its 95 % band, its best value and the uncertainty of that value.
    """
    from hyperoxo.lab.plots.figures import sweep_figure

    result: SweepResult = lab.carry_out(request, options)
    chart = show and not options.json
    options.show(result, **({"chart": _chart(result)} if chart else {}))
    options.save_figure(figure, lambda: sweep_figure(result))


def _chart(result: SweepResult) -> str:
    from hyperoxo.lab.plots.text import text_chart, text_map

    shares = 100 * result.samples.shares
    if len(result.names) == 1:
        curve = ("", result.samples.at[:, 0].tolist(), shares.tolist())
        return text_chart([curve], (result.names[0], f"% {result.measure}"))
    rows, columns = (
        [f"{value:.3g}" for value in sorted({point.values[i] for point in result.points})]
        for i in range(2)
    )
    table = shares.reshape(len(rows), len(columns))
    shades = text_map(rows, columns, table, (result.names[0], result.names[1]))
    return f"% {result.measure}\n{shades}"
