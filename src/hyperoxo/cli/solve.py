"""`oxo solve`: the value of a game or a position, and of every move."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, game_argument, shared_options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.rules import Game
    from hyperoxo.solve import Solution

__all__ = ["command"]

FAILED = 1
INTERRUPTED = 130


@click.command()
@game_argument
@click.option("--position", metavar="P", help="Solve this: one character a cell, or moves:0,3,60.")
@click.option(
    "--proof", metavar="FILE", type=click.Path(dir_okay=False), help="Write a checked strategy."
)
@click.option(
    "--proof-seat", metavar="K", type=click.IntRange(min=1), help="Whose strategy FILE holds."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="Time limit of the search.",
)
@click.option("--nodes", type=click.IntRange(min=0), default=0, help="Most positions visited.")
@click.option(
    "--concept",
    type=click.Choice(["exact", "maxn"]),
    default="exact",
    help="maxn: each of several players for himself.",
)
@shared_options
def command(
    game: Game,
    position: str | None,
    proof: str | None,
    proof_seat: int | None,
    seconds: float,
    nodes: int,
    concept: str,
    options: Options,
) -> int:
    """Find who wins GAME, in how many plies, and what every move is worth.

    With three or more players: what the player to move can force against all others together.
    What the limit leaves undecided is unknown, with the bounds that were proved.
    """
    from hyperoxo.solve import solve

    if math.isnan(seconds):
        raise click.BadParameter("seconds must be a number", param_hint="'--seconds'")
    first = game.start() if position is None else game.position(position)
    with Progress("solving", quiet=options.quiet) as progress:
        solution = solve(
            first,
            seconds=seconds,
            nodes=nodes,
            concept=concept,
            proof=proof,
            proof_seat=proof_seat,
            creator=_creator(),
            progress=progress,
        )
    answer = _answer(solution)
    options.emit(answer, text=lambda: _print(answer))
    if solution.interrupted:
        options.note("interrupted; the bounds are those proved so far")
        return INTERRUPTED
    if proof is not None and solution.proof is None:
        options.note(solution.evidence[-1])
        return FAILED
    return 0


def _creator() -> str:
    """The command line as it was called."""
    return " ".join(["oxo", *sys.argv[1:]])


def _answer(solution: Solution) -> dict[str, Any]:
    return {
        "game": str(solution.game),
        "position": solution.position.text,
        "player": solution.player,
        "value": solution.value,
        "winner": solution.winner,
        "remoteness": solution.remoteness,
        "bounds": list(solution.bounds),
        "moves": [
            {
                "cell": move.cell,
                "value": move.value,
                "remoteness": move.remoteness,
                "bounds": list(move.bounds),
            }
            for move in solution.moves
        ],
        "evidence": list(solution.evidence),
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "proof": solution.proof,
        "complete": solution.complete,
    }


def _print(answer: dict[str, Any]) -> None:
    click.echo(_headline(answer))
    for sentence in answer["evidence"]:
        click.echo(f"  {sentence}")
    if answer["moves"]:
        rows = [
            (move["cell"], _value(move), "" if move["remoteness"] is None else move["remoteness"])
            for move in answer["moves"]
        ]
        table(["cell", "value", "plies"], rows)
    click.echo(f"{answer['nodes']:,} positions; {answer['seconds']:.2f} s")


def _headline(answer: dict[str, Any]) -> str:
    value = {
        "win": "wins",
        "draw": "can force a draw and no more",
        "loss": "loses",
        "nothing": "can force nothing against all others together",
        "unknown": f"can force something between {' and '.join(answer['bounds'])}",
    }[answer["value"]]
    plies = answer["remoteness"]
    after = "" if plies is None else f", {plies} plies to the end"
    return f"player {answer['player']}, to move, {value}{after}"


def _value(move: dict[str, Any]) -> str:
    if move["value"] != "unknown":
        return str(move["value"])
    return f"unknown ({' to '.join(move['bounds'])})"
