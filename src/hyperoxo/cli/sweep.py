"""`oxo sweep`: an agent plays with many values of its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.lab import LabOptions, lab_options, request_options

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.sweep import SweepResult


@click.command()
@cli.game_argument
@request_options("sweep")
@cli.flag("--show", "Draw the points in the terminal.")
@cli.figure_option("points and curve, or a heat map")
@lab_options("sweep")
def command(
    game: Game,  # noqa: ARG001 - the request has it
    request: RunRequest,
    show: bool,
    figure: Path | None,
    lab: LabOptions,
    options: cli.Options,
) -> None:
    """Play GAME with many values of one or two parameters of an agent.

    A curve is fitted to the results, with its 95 % band, its best value and the uncertainty of that
    value.
    """
    from hyperoxo.lab.plots.sweep import sweep_figure

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
