"""`oxo atlas`: the regions of all n^d, beside the published table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hyperoxo.cli import options as cli
from hyperoxo.cli.output import command_line

_TEXT = """\
{counts}
?contradicted * contradicts the published table
{folder}/index.html"""


@cli.command("atlas", "atlas --sides 5 --dims 3 --out small")
def command(
    options: cli.Options,
    out: Path = cli.option(
        "Folder for the proofs, the data, a picture and a page.",
        cli.OutputFolder(),
        default="atlas",
    ),
    sides: int = cli.number("Sides.", 1, 99, default=12),
    dims: int = cli.number("Axes.", 1, 20, default=8),
    seconds: float = cli.seconds_limit(60.0, "Time limit for each board."),
    work: cli.Work = cli.work(),
) -> None:
    """Classify all boards n^d, as `oxo classify` does, beside the table of Golomb and Hales.

    The next call resumes.
    """
    from hyperoxo_research.lab.atlas import atlas

    with work.task(options.progress("boards")) as task:
        found = atlas(
            out, sides=sides, dims=dims, seconds=seconds, creator=command_line(), progress=task
        )
    dims_of = sorted({entry.dim for entry in found.entries})
    rows: dict[int, dict[str, Any]] = {}
    for one in found.entries:
        text = "/".join(map(str, one.regions)) + ("*" if one.contradicted else "")
        rows.setdefault(one.side, {"side": one.side})[f"d{one.dim}"] = text
    columns = " | ".join(f"d={dim}={{d{dim}}}" for dim in dims_of)
    data = {**found.as_data(), "folder": str(out)}
    options.emit(data, f"|rows| side | {columns} |\n{_TEXT}", rows=[*rows.values()])
