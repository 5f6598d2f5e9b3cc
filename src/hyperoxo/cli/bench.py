"""`oxo bench`: our figures, beside those of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, shared_options
from hyperoxo.cli.output import table

if TYPE_CHECKING:
    from hyperoxo.lab.bench import Row


@click.command()
@click.argument("cases", nargs=-1, metavar="[CASE ...]")
@click.option("--peers", is_flag=True, help="Also run other programs, where they are installed.")
@shared_options
def command(cases: tuple[str, ...], peers: bool, options: Options) -> None:
    """Measure speed on one core, for all cases or only those named.

    Each figure is the best of a few runs after compilation. With --peers, the ratio says how many
    times faster hyperoxo is than the program named, measured in the same run unless marked
    "published".
    """
    from hyperoxo.lab.bench import CASES, run

    for case in cases:
        if case not in CASES:
            raise click.UsageError(f"there is no benchmark '{case}'; there are {', '.join(CASES)}")
    rows: list[Row] = []
    for row in run(cases, peers=peers):
        options.note(f"{row.name}: {_figure(row.ours, row.unit)}")
        rows.append(row)
    options.emit({"rows": [_as_data(row) for row in rows]}, text=lambda: _print(rows))


def _as_data(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "ours": row.ours,
        "peer": row.peer,
        "ratio": row.ratio,
        "unit": row.unit,
        "peer_name": row.peer_name if row.peer is not None else None,
        "remark": row.remark or None,
        "target": row.target,
        "met": row.met,
    }


def _print(rows: list[Row]) -> None:
    table(
        ["benchmark", "ours", "target", "peer", "ratio", "peer is"],
        [
            (
                row.name,
                _figure(row.ours, row.unit),
                "" if row.target is None else _figure(row.target, row.unit),
                "" if row.peer is None else _figure(row.peer, row.unit),
                "" if row.ratio is None else f"{row.ratio:,.1f}",
                row.remark if row.peer is None else row.peer_name,
            )
            for row in rows
        ],
    )


def _figure(value: float, unit: str) -> str:
    if unit == "/s" and value >= 1e6:
        return f"{value / 1e6:,.2f} M/s"
    if unit == "/s":
        return f"{value:,.0f} /s"
    return f"{value:.4g} {unit}"
