"""`oxo states` and `oxo perft`: positions counted and written to files, move sequences counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import INTERRUPTED
from hyperoxo.display import as_data


@cli.command("states 3^2", "states 3^2:gravity --out graph.csv")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    plies: int | None = cli.number("Maximum number of stones, to bound large games.", 0),
    one_by_one: bool = cli.flag("List every position, not one of each class."),
    files: tuple[Path, ...] = cli.output_file(
        "Also write the graph: .csv, .parquet, .graphml or .dot; repeat for more.",
        multiple=True,
        spelled="--out",
    ),
    published: bool = cli.flag(
        "Write .csv as the published program did: the cells, then the row of a predecessor."
    ),
    checkpoint: Path | None = cli.output_file("Save finished work here, and resume from it."),
    work: cli.Work = cli.work(),
) -> int:
    """Count the legal positions of GAME ply by ply, in all and up to symmetry.

    Nodes in files are positions up to symmetry; with --one-by-one, and in the published form, they
    are single positions.
    """
    from hyperoxo.jit import working_time
    from hyperoxo.solvers.states.graph_files import format_of, write_graph

    forms = [(path, format_of(path)) for path in files]
    if published:
        forms = [(path, "published" if form == "csv" else form) for path, form in forms]
    begin = working_time()
    try:
        with work.task(options.progress("counting")) as task:
            states = ox.enumerate_states(
                game,
                symmetry=not one_by_one,
                max_plies=plies,
                checkpoint=checkpoint,
                progress=task,
            )
    except KeyboardInterrupt:
        if checkpoint is not None and checkpoint.exists():
            return options.interrupted(f"the same command resumes from {checkpoint}")
        return INTERRUPTED
    seconds = working_time() - begin
    written = {"files": [str(path) for path in files]} if forms else {}
    options.show(states, seconds=round(seconds, 6), **written)
    graphs: dict[bool, ox.StateGraph] = {}
    for path, form in forms:
        merged = states.classes is not None and not one_by_one and form != "published"
        if merged not in graphs:
            with options.progress("listing") as progress:
                graphs[merged] = ox.StateGraph(
                    game, symmetry=merged, max_plies=plies, progress=progress
                )
        with options.progress(f"writing {path.name}") as progress:
            write_graph(graphs[merged], path, form, progress=progress)
    for path in files:
        options.note(f"wrote {path}")
    return 0


_SUMMARY = "won {won}; {draws:,} drawn; {seconds:.2f} s"


@cli.command("perft 3^2 --plies 9", "perft 4^3:gravity --plies 5")
def perft(
    options: cli.Options,
    start: ox.Position = cli.start(),
    plies: int = cli.number("Length of the longest sequences.", 0, required=True),
    work: cli.Work = cli.work(),
) -> int:
    """Count the legal move sequences of each length, without extending finished games."""
    from hyperoxo.jit import working_time
    from hyperoxo.solvers import perft

    begin = working_time()
    with work.task(options.progress("counting")) as task:
        result = perft(start, plies, progress=task)
    seconds = working_time() - begin
    players = range(1, start.game.players + 1)
    ends = zip(result.wins_by_ply, result.draws_by_ply, strict=True)
    answer: dict[str, Any] = {
        "game": str(start.game),
        **as_data(result),
        "seconds": round(seconds, 6),
    }
    if not (start.game.misere and start.game.players > 2):
        # A shared win counts for each winner, so the sum would not be the number of games.
        answer["games_by_ply"] = [sum(wins) + draws for wins, draws in ends]
    columns = " | ".join(f"won by {one}={{wins.{one - 1}}}" for one in players)
    names = ("sequences", "wins", "drawn")
    counts = zip(result.sequences_by_ply, result.wins_by_ply, result.draws_by_ply, strict=True)
    options.emit(
        answer,
        f"|rows| ply | sequences | {columns} | drawn |\n{_SUMMARY}",
        rows=[{"ply": n, **dict(zip(names, row, strict=True))} for n, row in enumerate(counts)],
        won=[f"{count:,} by {one}" for one, count in enumerate(result.wins, 1)],
    )
    if not result.complete:
        return options.interrupted("the counts are incomplete")
    return 0
