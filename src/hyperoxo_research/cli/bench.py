"""`oxo bench`: our figures, beside those of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.display import table

if TYPE_CHECKING:
    from hyperoxo_research.bench.rows import Row


@cli.command("bench perft", "bench --peers")
def command(
    options: cli.Options,
    cases: tuple[str, ...] = cli.argument("[CASE ...]", nargs=-1),
    peers: bool = cli.flag("Also run other programs, if installed."),
    figure: Path | None = cli.figure("what growth finds"),
) -> None:
    """Measure speed on one core, for all cases or only those named.

    Each figure is the best of a few runs after compilation. With --peers, the ratio says how many
    times faster hyperoxo is than the program named, measured in the same run unless marked
    "published". The case growth finds how time grows with the side, the dimension, players, games
    and workers, beside the expected exponent; the case first measures first answers without
    compiled code.
    """
    from hyperoxo_research.bench.bench import CASES, run
    from hyperoxo_research.bench.rows import HEADINGS, about
    from hyperoxo_research.plots.growth import growth_figure

    for case in cases:
        if case not in CASES:
            raise click.UsageError(f"there is no benchmark '{case}'; there are {', '.join(CASES)}")
    if figure is not None and "growth" not in cases and not (peers and not cases):
        raise click.UsageError("--figure draws what the case growth finds: name it")
    machine = about()
    rows: list[Row] = []
    for row in run(cases, peers=peers):
        options.note(f"{row.name}: {row.text}")
        rows.append(row)
    options.emit(
        {"machine": about(machine), "rows": [row.as_data() for row in rows]},
        text=lambda: [table(HEADINGS, [row.cells for row in rows])],
    )
    options.save_figure(figure, lambda: growth_figure(rows))
