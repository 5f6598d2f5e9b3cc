"""`oxo sweep`: an agent plays with many values of its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.lab import LabOptions, lab_options, request_options
from hyperoxo.cli.options import Options, OutputFile, game_argument
from hyperoxo.cli.output import table

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.sweep import SweepResult

_ROWS = 41


@click.command()
@game_argument
@request_options("sweep")
@click.option("--show", is_flag=True, help="Draw the points in the terminal.")
@click.option(
    "--figure",
    type=OutputFile(),
    help="Draw points and curve, or a heat map: .svg, .png or .pdf.",
)
@lab_options("sweep")
def command(
    game: Game,  # noqa: ARG001 - the request has it
    request: RunRequest,
    show: bool,
    figure: Path | None,
    lab: LabOptions,
    options: Options,
) -> None:
    """Play GAME with many values of one or two parameters of an agent.

    A curve is fitted to the results, with its 95 % band, its best value and the uncertainty of that
    value.
    """
    from hyperoxo.lab.plots.style import check_figure, save
    from hyperoxo.lab.plots.sweep import sweep_figure

    if figure is not None:
        check_figure(figure)
    result: SweepResult = lab.carry_out(request, options)
    options.emit(result.as_data(), text=lambda: _print(result, show=show))
    # After the answer, which a full disk must not take away.
    if figure is not None:
        save(sweep_figure(result), figure)
        options.note(f"wrote {figure}")


def _print(result: SweepResult, *, show: bool) -> None:
    if len(result.points) <= _ROWS:
        rows = [
            (
                *(f"{value:g}" for value in point.values),
                point.games,
                point.wins,
                point.draws,
                point.losses,
                f"{100 * point.share(result.measure):.1f}",
                f"{100 * ends[0]:.1f} ({100 * ends[1]:.1f} to {100 * ends[2]:.1f})",
            )
            for point, ends in zip(result.points, result.fit.at_points, strict=True)
        ]
        headings = [*result.names, "games", "wins", "draws", "losses", f"% {result.measure}", "fit"]
        table(headings, rows)
    else:
        click.echo(f"{len(result.points):,} points; --format json lists them")
    if show:
        click.echo(_chart(result))
    click.echo(_summary(result))


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


def _summary(result: SweepResult) -> str:
    fit = result.fit.as_data()
    kind = fit["kind"] if fit["degree"] is None else f"{fit['kind']} of degree {fit['degree']}"
    best = fit["optimum"]
    if best is None:
        return f"{kind}: no value is better than the others, as far as these games tell"
    values = best["value"] if isinstance(best["value"], list) else [best["value"]]
    spans = best["interval"] if isinstance(best["value"], list) else [best["interval"]]
    places = ", ".join(
        f"{name} {value:.4g} ({low:.4g} to {high:.4g})"
        for name, value, (low, high) in zip(result.names, values, spans, strict=True)
    )
    low, high = best["fit_interval"]
    return (
        f"{kind}: best at {places}, with {100 * best['fit']:.2f} % {result.measure} "
        f"({100 * low:.2f} to {100 * high:.2f}); seed {result.seed}"
    )
