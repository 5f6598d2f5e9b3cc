"""`oxo perft`: count the legal move sequences, ply by ply."""

from __future__ import annotations

from typing import Any

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.display import as_data

_SUMMARY = "won {won}; {draws:,} drawn; {seconds:.2f} s"


@cli.command("perft 3^2 --plies 9", "perft 4^3:gravity --plies 5")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    plies: int = cli.option(
        "Length of the longest sequences.", cli.WholeRange(min=0), required=True
    ),
    work: cli.Work = cli.work(),
) -> int:
    """Count the legal move sequences of each length; finished games go no further."""
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
        # Where several share a win each of them is counted, so that games cannot be summed up.
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
