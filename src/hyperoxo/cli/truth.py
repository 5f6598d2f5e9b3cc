"""`oxo truth`: how often agents keep the exact value of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.completion import complete_agent
from hyperoxo.cli.options import Options, OutputFile, game_argument, shared_options
from hyperoxo.cli.output import as_json, table, write
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Game


@click.command()
@game_argument
@click.argument(
    "agents", metavar="AGENT...", nargs=-1, required=True, shell_complete=complete_agent
)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    help="Take a sample: one position from each of this number of random games. Default: all.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "validation", "test"]),
    help="Only positions of this split: eight, one and one of ten classes, the same in data sets.",
)
@click.option("--out", type=OutputFile(), help="Also write the answer to this file, as JSON.")
@click.option("--figure", type=OutputFile(), help="Draw the shares by ply: .svg, .png or .pdf.")
@shared_options
def command(
    game: Game,
    agents: tuple[str, ...],
    positions: int | None,
    split: str | None,
    out: Path | None,
    figure: Path | None,
    options: Options,
) -> None:
    """Measure agents by exact values: the share of positions whose value their move keeps.

    Positions in which every move keeps the value are left out. Each agent chooses in one position
    of each class, weighted by the positions in it; the seed is 0 unless given.
    """
    from hyperoxo.lab.plots.style import check_figure, save
    from hyperoxo.lab.plots.truth import truth_figure
    from hyperoxo.learn.truth import truth

    if figure is not None:
        check_figure(figure)
    with Progress("exact values", quiet=options.quiet) as progress:

        def begun(what: str) -> None:
            progress.what = what
            progress.line(what)

        found = truth(
            game,
            *agents,
            positions=positions,
            split=split,
            seed=options.seed or 0,
            progress=progress,
            begun=begun,
        )
    answer = found.as_data()
    options.emit(answer, text=lambda: _print(answer))
    if out is not None:
        write(out, f"{as_json(answer)}\n")
        options.note(f"wrote {out}")
    if figure is not None:
        save(truth_figure(found), figure)
        options.note(f"wrote {figure}")


def _print(answer: dict[str, Any]) -> None:
    plies = sorted({share["ply"] for mark in answer["agents"] for share in mark["by_ply"]})
    rows = []
    for mark in answer["agents"]:
        shares = {share["ply"]: _percent(share["kept"]) for share in mark["by_ply"]}
        more: Any = _percent(mark["kept_by_class"])
        if mark["interval"] is not None:
            more = " to ".join(_percent(end) for end in mark["interval"])
        by_ply = [shares.get(ply, "") for ply in plies]
        rows.append((mark["agent"], _percent(mark["kept"]), more, *by_ply))
    kind = "95 % interval" if answer["sample"] else "by class"
    right = {"kept, %", "by class", *map(str, plies)}
    table(["agent", "kept, %", kind, *map(str, plies)], rows, right=right)
    whole = f", {answer['classes']:,} classes" if answer["classes"] is not None else ""
    how = "positions of random games" if answer["sample"] else "positions"
    click.echo(
        f"{answer['positions']:,} {how}{whole}; {answer['left_out']:,} left out, in which every "
        f"move keeps the value; columns are stones on the board, seed {answer['seed']}"
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"
