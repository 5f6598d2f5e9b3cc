"""`oxo sweep`: an agent plays with many values of its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.lab import LabOptions, lab_options, scoring_option
from hyperoxo.cli.options import Options, game_argument
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.lab.sweep import SweepResult
    from hyperoxo.rules import Game

__all__ = ["command"]

_ROWS = 41


class DegreeType(click.ParamType["int | None"]):
    """A degree, or ``auto``."""

    name = "degree"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        if value is None or value == "auto":
            return None
        return click.INT.convert(value, param, ctx)


@click.command()
@game_argument
@click.option("--agent", required=True, help="The agent, without the parameters that vary.")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="NAME=FROM:TO:STEP",
    help="Parameter and values, end included; twice for two parameters.",
)
@click.option(
    "--versus",
    multiple=True,
    required=True,
    metavar="B",
    help="The agent in all other seats; or repeated, one for each seat in order.",
)
@click.option(
    "--seat", type=click.IntRange(min=1), default=1, show_default=True, help="The agent's seat."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Games per value.",
)
@click.option(
    "--measure",
    type=click.Choice(["score", "wins", "losses"]),
    default="score",
    show_default=True,
    help="Quantity to fit: share of points, of wins, or of losses.",
)
@click.option(
    "--fit",
    type=click.Choice(["polynomial", "spline"]),
    default="polynomial",
    show_default=True,
    help="Curve through the points, for one parameter.",
)
@click.option(
    "--degree", type=DegreeType(), metavar="auto|D", help="Degree of the polynomial; auto by BIC."
)
@click.option("--adaptive", is_flag=True, help="Play more games where the best value may lie.")
@click.option("--show", is_flag=True, help="Draw the points in the terminal.")
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw points and curve, or a heat map: .svg, .png or .pdf.",
)
@scoring_option
@lab_options
def command(
    game: Game,
    agent: str,
    vary: tuple[str, ...],
    versus: tuple[str, ...],
    seat: int,
    games: int,
    measure: str,
    fit: str,
    degree: int | None,
    adaptive: bool,
    show: bool,
    figure: Path | None,
    scoring: str,
    lab: LabOptions,
    options: Options,
) -> None:
    """Play GAME with many values of one or two parameters of an agent.

    A curve is fitted to the results, with its 95 % band, its best value and the uncertainty of that
    value.
    """
    from hyperoxo.lab.plots import check_figure, save, sweep_figure
    from hyperoxo.lab.sweep import sweep

    if figure is not None:
        check_figure(figure)
    with (
        lab.opened(options) as store,
        lab.shared() as shared,
        Progress("playing", quiet=options.quiet) as progress,
    ):
        result = sweep(
            game,
            agent,
            vary,
            versus,
            seat,
            games,
            options.seed or 0,
            measure=measure,
            fit=fit,
            degree=degree,
            adaptive=adaptive,
            scoring=scoring,
            store=store,
            progress=progress,
            **shared,
        )
    answer = {
        "game": result.game,
        "agent": result.agent,
        "vary": list(result.names),
        "versus": list(result.versus),
        "seat": result.seat,
        "points": [point.as_data() for point in result.points],
        "fit": {"measure": measure, **result.fit.as_data()},
        "best_point": result.best_point.as_data(),
        "seconds": round(result.seconds, 6),
        "seed": result.seed,
        "run": result.run or None,
    }
    options.emit(answer, text=lambda: _print(result, show=show))
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
    from hyperoxo.lab.plots import text_chart, text_map

    shares = 100 * result.samples.shares
    if len(result.names) == 1:
        return text_chart(result.samples.at[:, 0].tolist(), shares.tolist())
    rows, columns = (sorted({point.values[i] for point in result.points}) for i in range(2))
    return text_map(rows, columns, shares.reshape(len(rows), len(columns)).tolist())


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
