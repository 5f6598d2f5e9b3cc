"""`oxo truth`: share of positions in which agents keep the exact value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED, as_json, read_bytes, write
from hyperoxo.display import as_data

if TYPE_CHECKING:
    from hyperoxo.task import Task


@cli.command("truth 3^2 greedy ising", "truth --set easy.columns 7,6,4:gravity expert")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    agents: tuple[str, ...] = cli.agents("AGENT..."),
    positions: int | None = cli.number(
        "Sample one position from each of this number of random games. Default: all.", 1
    ),
    file: str | None = cli.input_file(
        "Take the positions of this file, and compare the scores that it has with exact ones.",
        spelled="--set",
    ),
    split: str | None = cli.choice(
        "Only positions of this split, as in data sets: 80, 10 and 10 % of the classes.",
        ["train", "validation", "test"],
    ),
    out: Path | None = cli.output_file("Also write the answer to this file, as JSON."),
    figure: Path | None = cli.figure("the shares by ply"),
    work: cli.Work = cli.work(),
) -> int:
    """Measure agents by exact values: the share of positions whose value their move keeps.

    Positions in which every move keeps the value do not count. Each agent chooses in one position
    of each class, weighted by the positions in it; the default seed is 0.

    A file for --set may be in any notation that 'oxo convert' reads. In the notation of test sets a
    line has the columns played and a score, '44455554221 -15'; the command lists wrong scores by
    line, then ends with exit code 1, and needs no AGENT.
    """
    from hyperoxo.lab.plots.figures import truth_figure

    if positions is not None and file is not None:
        raise click.UsageError("--set and --positions exclude each other")
    if not agents and (file is None or figure is not None):
        raise click.UsageError("Missing argument 'AGENT...'.")
    progress = options.progress("exact values")

    def begun(what: str) -> None:
        progress.what = what
        progress.line(what)

    with work.task(progress) as task:
        given, scores = (positions, None) if file is None else _set(file, game, options, task)
        if not agents and scores is None:
            raise click.UsageError(f"{file} has no scores; name an AGENT to measure")
        found = None
        if agents:
            found = ox.truth(
                game,
                *agents,
                positions=given,
                split=split,
                seed=options.seed or 0,
                progress=task,
                begun=begun,
            )
    more = {"scores": as_data(scores)} if found is not None and scores is not None else {}
    options.show(found or scores, **more)
    if more and not options.json:
        options.show(scores)
    if out is not None:
        write(out, f"{as_json({**as_data(found or scores), **more})}\n")
        options.note(f"wrote {out}")
    if found is not None:
        options.save_figure(figure, lambda: truth_figure(found))
    return FAILED if scores is not None and scores.wrong else 0


def _set(
    file: str, game: ox.Game, options: cli.Options, task: Task
) -> tuple[list[ox.Position], ox.ScoreCheck | None]:
    """Read the positions of a file, and check the scores that it has."""
    from hyperoxo.notation import SCORE, read_file
    from hyperoxo.notation.record import rows_of

    data = read_bytes(file)
    notation, records = read_file(data, file, remark=options.note, game=game)
    other = next((one for one in records if one.game != game), None)
    if other is not None:
        raise click.UsageError(f"{file} has a position of {other.game}, not of {game}")
    lines = [number for number, _ in rows_of(data.decode(errors="replace"))]
    scores = None
    if any(one.tag(SCORE) is not None for one in records):
        numbers = lines if notation == "columns" else None
        scores = ox.check_scores(records, numbers, progress=task)
    return [one.position for one in records], scores
