"""`oxo atlas`: the regions of all n^d, beside the published table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.options import Options, OutputFolder, seconds_option, shared_options
from hyperoxo.cli.output import command_line, table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo_research.lab.atlas import Atlas


@click.command()
@click.option(
    "--out",
    type=OutputFolder(),
    default="atlas",
    show_default=True,
    help="Folder for the proofs, the data, a picture and a page.",
)
@click.option("--sides", type=click.IntRange(1, 99), default=12, show_default=True, help="Sides.")
@click.option("--dims", type=click.IntRange(1, 20), default=8, show_default=True, help="Axes.")
@seconds_option(60.0, "Time limit for each board.")
@shared_options
def command(out: Path, sides: int, dims: int, seconds: float, options: Options) -> None:
    """Classify all boards n^d, as `oxo classify` does, beside the table of Golomb and Hales.

    Called again, it goes on where it was stopped.
    """
    from hyperoxo_research.lab.atlas import atlas

    with Progress("boards", quiet=options.quiet) as progress:
        found = atlas(
            out, sides=sides, dims=dims, seconds=seconds, creator=command_line(), progress=progress
        )
    options.emit({**found.as_data(), "folder": str(out)}, text=lambda: _print(found, out))


def _print(found: Atlas, out: Path) -> None:
    dims = sorted({entry.dim for entry in found.entries})
    rows: dict[int, list[object]] = {}
    for entry in found.entries:
        text = "/".join(map(str, entry.regions)) + ("*" if entry.contradicted else "")
        rows.setdefault(entry.side, [entry.side]).append(text)
    table(["side", *(f"d={dim}" for dim in dims)], list(rows.values()))
    counts = found.as_data()["counts"]
    click.echo(", ".join(f"{count} {status}" for status, count in counts.items()))
    if any(entry.contradicted for entry in found.entries):
        click.echo("* contradicts the published table")
    click.echo(out / "index.html")
