"""`oxo truth`: how often agents keep the exact value of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_agent
from hyperoxo.cli.output import as_json, write
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Game


@cli.command("truth 3^2 greedy ising", "truth 3^2:misere td --figure plies.svg")
@cli.game_argument
@click.argument(
    "agents", metavar="AGENT...", nargs=-1, required=True, shell_complete=complete_agent
)
@cli.number(
    "--positions",
    "Take a sample: one position from each of this number of random games. Default: all.",
    1,
)
@cli.choice(
    "--split",
    "Only positions of this split: eight, one and one of ten classes, the same in data sets.",
    ["train", "validation", "test"],
)
@cli.file_option("--out", "Also write the answer to this file, as JSON.")
@cli.figure_option("the shares by ply")
@cli.shared_options
def command(
    game: Game,
    agents: tuple[str, ...],
    positions: int | None,
    split: str | None,
    out: Path | None,
    figure: Path | None,
    options: cli.Options,
) -> None:
    """Measure agents by exact values: the share of positions whose value their move keeps.

    Positions in which every move keeps the value do not count. Each agent chooses in one position
    of each class, weighted by the positions in it; the default seed is 0.
    """
    from hyperoxo.lab.plots.figures import truth_figure
    from hyperoxo.learn.truth import truth

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
    options.show(found)
    if out is not None:
        write(out, f"{as_json(found.as_data())}\n")
        options.note(f"wrote {out}")
    options.save_figure(figure, lambda: truth_figure(found))
