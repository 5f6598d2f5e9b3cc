"""`oxo coalition`: what each seat can force against all the others together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, game_argument, shared_options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.rules import Game
    from hyperoxo.solve.coalition import Coalition

__all__ = ["command"]


@click.command()
@game_argument
@click.option("--position", metavar="P", help="Begin there: one character a cell, or moves:0,3,60.")
@click.option(
    "--proof",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the strategy of each seat that can force something; FILE-K.EXT for seat K where "
    "there are several.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    help="Time limit for each seat and goal.",
)
@click.option(
    "--kingmakers",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Most kingmaker positions listed.",
)
@shared_options
def command(
    game: Game,
    position: str | None,
    proof: Path | None,
    seconds: float,
    kingmakers: int,
    options: Options,
) -> None:
    """Tell what each seat can force against all the others together.

    A win, at least a draw (nobody else wins), nothing, or unknown within the time. The value by
    max^n answers another question: what happens if everybody cares for himself alone.
    """
    from hyperoxo.solve.coalition import coalition

    begins = game if position is None else game.position(position)
    with Progress("seats", quiet=options.quiet) as progress:
        found = coalition(begins, seconds=seconds, kingmakers=kingmakers, progress=progress)
    answer = _answer(found)
    if proof is not None:
        answer["proofs"] = _write(found, proof, seconds, options)
    options.emit(answer, text=lambda: _print(answer))


def _answer(found: Coalition) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "game": str(found.position.game),
        "position": found.position.text,
        "seats": [
            {
                "player": seat.player,
                "forces": seat.forces,
                "bounds": [seat.at_least, seat.at_most],
                "evidence": seat.evidence,
                "nodes": seat.nodes,
            }
            for seat in found.seats
        ],
        "interesting": found.interesting,
        "kingmakers": None,
        "maxn": None,
        "seconds": round(found.seconds, 6),
    }
    if found.table is not None:
        listed = [position.text for position in found.table.listed]
        answer["kingmakers"] = {"classes": found.table.kingmakers, "positions": listed}
        answer["maxn"] = list(found.table.maxn)
        answer["classes"] = found.table.classes
    return answer


def _write(found: Coalition, path: Path, seconds: float, options: Options) -> list[dict[str, Any]]:
    from hyperoxo.proof import write_strategy
    from hyperoxo.solve.coalition import coalition_strategy

    proved = [seat for seat in found.seats if seat.at_least != "nothing"]
    if not proved:
        options.note("no seat was shown to force anything; no proof is written")
    written = []
    for seat in proved:
        strategy = coalition_strategy(found.position, seat.player, seat.at_least, seconds=None)
        if strategy is None:
            continue
        alone = len(proved) == 1
        file = path if alone else path.with_name(f"{path.stem}-{seat.player}{path.suffix}")
        creator = f"oxo coalition {found.position.game} --seconds {seconds:g}"
        write_strategy(strategy, file, creator=creator)
        written.append(
            {
                "player": seat.player,
                "claim": seat.at_least,
                "file": str(file),
                "positions": len(strategy.moves),
            }
        )
    return written


def _print(answer: dict[str, Any]) -> None:
    rows = [(seat["player"], seat["forces"], seat["evidence"]) for seat in answer["seats"]]
    table(["player", "forces", "evidence"], rows)
    told = {True: "yes", False: "no", None: "unknown"}[answer["interesting"]]
    click.echo(f"interesting: {told}")
    if answer["kingmakers"] is not None:
        kings = answer["kingmakers"]
        click.echo(f"kingmaker positions up to symmetry: {kings['classes']:,}")
        for text in kings["positions"]:
            click.echo(f"  {text}")
        click.echo(f"results by max^n: {', '.join(answer['maxn'])}")
    for proof in answer.get("proofs", []):
        click.echo(
            f"player {proof['player']}: {proof['claim']}, {proof['positions']:,} positions in "
            f"{proof['file']}"
        )
