"""`oxo perft`: count the legal move sequences, ply by ply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import (
    Options,
    cluster_executor,
    shared_options,
    start_argument,
    work_options,
)
from hyperoxo.cli.output import INTERRUPTED, table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Game, Position
    from hyperoxo.solvers import PerftResult


@click.command()
@start_argument
@click.option(
    "--plies", type=click.IntRange(min=0), required=True, help="Length of the longest sequences."
)
@work_options("Processes that share the count.")
@shared_options
def command(
    start: Position,
    plies: int,
    workers: int,
    cluster: str | None,
    options: Options,
) -> int:
    """Count the legal move sequences of each length; finished games are not extended."""
    from hyperoxo.jit import working_time
    from hyperoxo.solvers import perft

    begin = working_time()
    with (
        cluster_executor(cluster) as executor,
        Progress("counting", quiet=options.quiet) as progress,
    ):
        result = perft(start, plies, progress=progress, workers=workers, executor=executor)
    seconds = working_time() - begin
    answer = _answer(start.game, result, seconds)
    options.emit(answer, text=lambda: _print(answer))
    if not result.complete:
        options.note("interrupted; the counts are incomplete")
        return INTERRUPTED
    return 0


def _answer(game: Game, result: PerftResult, seconds: float) -> dict[str, Any]:
    finished = [
        sum(wins) + draws
        for wins, draws in zip(result.wins_by_ply, result.draws_by_ply, strict=True)
    ]
    answer: dict[str, Any] = {
        "game": str(game),
        "sequences_by_ply": list(result.sequences_by_ply),
        "wins_by_ply": [list(wins) for wins in result.wins_by_ply],
        "draws_by_ply": list(result.draws_by_ply),
        "wins": list(result.wins),
        "draws": result.draws,
        "complete": result.complete,
        "seconds": round(seconds, 6),
    }
    if not (game.misere and game.players > 2):
        # Where several share a win each of them is counted, so that games cannot be summed up.
        answer["games_by_ply"] = finished
    return answer


def _print(answer: dict[str, Any]) -> None:
    players = range(1, len(answer["wins"]) + 1)
    rows: list[tuple[object, ...]] = []
    for ply, sequences in enumerate(answer["sequences_by_ply"]):
        rows.append((ply, sequences, *answer["wins_by_ply"][ply], answer["draws_by_ply"][ply]))
    headings = ["ply", "sequences", *(f"won by {player}" for player in players), "drawn"]
    table(headings, rows)
    wins = ", ".join(
        f"{count:,} by {player}" for player, count in zip(players, answer["wins"], strict=True)
    )
    click.echo(f"won {wins}; {answer['draws']:,} drawn; {answer['seconds']:.2f} s")
