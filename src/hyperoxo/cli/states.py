"""`oxo states`: count all positions of a game, and write them and their moves to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import (
    Options,
    OutputFile,
    cluster_executor,
    game_argument,
    shared_options,
    work_options,
)
from hyperoxo.cli.output import INTERRUPTED, table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.solvers.states.enumerate import States


@click.command()
@game_argument
@click.option(
    "--plies", type=click.IntRange(min=0), help="Greatest number of stones, to bound large games."
)
@click.option("--one-by-one", is_flag=True, help="List every position, not one of each class.")
@click.option(
    "--out",
    "files",
    type=OutputFile(),
    multiple=True,
    help="Also write the graph: .csv, .parquet, .graphml or .dot; can be repeated.",
)
@click.option(
    "--published",
    is_flag=True,
    help="Write .csv as the published program did: the cells, then the row of a predecessor.",
)
@click.option(
    "--checkpoint",
    type=OutputFile(),
    help="Save finished work here, and resume from it.",
)
@work_options("Processes that share every large layer of positions.")
@shared_options
def command(
    game: Game,
    plies: int | None,
    one_by_one: bool,
    files: tuple[Path, ...],
    published: bool,
    checkpoint: Path | None,
    workers: int,
    cluster: str | None,
    options: Options,
) -> int:
    """Count the legal positions of GAME ply by ply, in all and up to symmetry.

    Nodes in files are positions up to symmetry; with --one-by-one, and in the published form, they
    are single positions.
    """
    from hyperoxo.jit import working_time
    from hyperoxo.solvers.states.enumerate import enumerate_states
    from hyperoxo.solvers.states.graph_files import form_of

    forms = [(path, form_of(path)) for path in files]
    if published:
        forms = [(path, "published" if form == "csv" else form) for path, form in forms]
    begin = working_time()
    try:
        with (
            cluster_executor(cluster) as executor,
            Progress("counting", quiet=options.quiet) as progress,
        ):
            states = enumerate_states(
                game,
                symmetry=not one_by_one,
                max_plies=plies,
                checkpoint=checkpoint,
                progress=progress,
                workers=workers,
                executor=executor,
            )
    except KeyboardInterrupt:
        if checkpoint is not None and checkpoint.exists():
            options.note(f"interrupted; the same command resumes from {checkpoint}")
        return INTERRUPTED
    seconds = working_time() - begin
    answer = _answer(states, seconds)
    if forms:
        answer["files"] = [str(path) for path in files]
    options.emit(answer, text=lambda: _print(states, seconds))
    _write(states, forms, one_by_one, plies, options)
    for path in files:
        options.note(f"wrote {path}")
    return 0


def _write(
    states: States,
    forms: list[tuple[Path, str]],
    one_by_one: bool,
    plies: int | None,
    options: Options,
) -> None:
    from hyperoxo.solvers.states.graph import StateGraph
    from hyperoxo.solvers.states.graph_files import write_graph

    graphs: dict[bool, StateGraph] = {}
    for path, form in forms:
        merged = states.classes is not None and not one_by_one and form != "published"
        if merged not in graphs:
            with Progress("listing", quiet=options.quiet) as progress:
                graphs[merged] = StateGraph(
                    states.game, symmetry=merged, max_plies=plies, progress=progress
                )
        with Progress(f"writing {path.name}", quiet=options.quiet) as progress:
            write_graph(graphs[merged], path, form, progress=progress)


def _answer(states: States, seconds: float) -> dict[str, Any]:
    return {
        "game": str(states.game),
        "positions": states.positions,
        "classes": states.classes,
        "positions_by_ply": list(states.positions_by_ply),
        "classes_by_ply": None if states.classes_by_ply is None else list(states.classes_by_ply),
        "finals": {"wins": list(states.finals.wins), "draws": states.finals.draws},
        "games": {"wins": list(states.games.wins), "draws": states.games.draws},
        "complete": states.complete,
        "seconds": round(seconds, 6),
    }


def _print(states: States, seconds: float) -> None:
    classes = states.classes_by_ply
    rows: list[tuple[object, ...]] = []
    for ply, positions in enumerate(states.positions_by_ply):
        rows.append((ply, positions) if classes is None else (ply, positions, classes[ply]))
    table(["ply", "positions", "classes"][: len(rows[0])], rows)
    kinds = "" if states.classes is None else f", {states.classes:,} up to symmetry"
    click.echo(f"{states.positions:,} positions{kinds}; {seconds:.2f} s")
    if classes is None:
        order = states.game.symmetry.order_text
        click.echo(f"no classes: the board has {order} symmetries, over 100,000")
    for what, ends in (("final positions", states.finals), ("complete games", states.games)):
        wins = ", ".join(f"{count:,} won by {who}" for who, count in enumerate(ends.wins, 1))
        click.echo(f"{what}: {wins}, {ends.draws:,} drawn")
    if not states.complete:
        click.echo("some games go on beyond these plies")
