"""`oxo truth`: how often agents keep the exact value of a position."""

from __future__ import annotations

from pathlib import Path

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import as_json, write


@cli.command("truth 3^2 greedy ising", "truth 3^2:misere td --figure plies.svg")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    agents: tuple[str, ...] = cli.agents("AGENT...", required=True),
    positions: int | None = cli.number(
        "Take a sample: one position from each of this number of random games. Default: all.", 1
    ),
    split: str | None = cli.choice(
        "Only positions of this split: eight, one and one of ten classes, the same in data sets.",
        ["train", "validation", "test"],
    ),
    out: Path | None = cli.output_file("Also write the answer to this file, as JSON."),
    figure: Path | None = cli.figure("the shares by ply"),
    work: cli.Work = cli.work(),
) -> None:
    """Measure agents by exact values: the share of positions whose value their move keeps.

    Positions in which every move keeps the value do not count. Each agent chooses in one position
    of each class, weighted by the positions in it; the default seed is 0.
    """
    from hyperoxo.lab.plots.figures import truth_figure

    progress = options.progress("exact values")

    def begun(what: str) -> None:
        progress.what = what
        progress.line(what)

    with work.task(progress) as task:
        found = ox.truth(
            game,
            *agents,
            positions=positions,
            split=split,
            seed=options.seed or 0,
            progress=task,
            begun=begun,
        )
    options.show(found)
    if out is not None:
        write(out, f"{as_json(found.as_data())}\n")
        options.note(f"wrote {out}")
    options.save_figure(figure, lambda: truth_figure(found))
