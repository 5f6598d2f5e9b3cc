"""`oxo match`: agents play many games, and wins are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, game_argument, shared_options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.rules import Game

__all__ = ["command"]


@click.command()
@game_argument
@click.argument("agents", nargs=-1, required=True, metavar="A B [C...]")
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, help="Games to play."
)
@click.option("--swap", is_flag=True, help="Rotate the seats from game to game; count by agent.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Threads for agents that play in compiled loops.",
)
@shared_options
def command(
    game: Game,
    agents: tuple[str, ...],
    games: int,
    swap: bool,
    threads: int,
    options: Options,
) -> None:
    """Let agents play many games: A in seat 1, B in seat 2, and so on.

    Wins are counted by seat, with --swap by agent; where several players win a game together,
    each is counted. Intervals are Wilson's, of 95 %.
    """
    from hyperoxo.lab import match

    if len(agents) != game.players:
        raise click.UsageError(
            f"{game} has {game.players} seats, one agent each; {len(agents)} named"
        )
    seed = int(options.rng().integers(2**32)) if options.seed is None else options.seed
    with Progress("playing", quiet=options.quiet) as progress:
        result = match(game, agents, games, seed, swap=swap, threads=threads, progress=progress)
    answer: dict[str, Any] = {
        "game": str(game),
        "agents": list(result.agents),
        "swap": swap,
        "games": result.games,
        "wins": list(result.wins),
        "draws": result.draws,
        "seconds": round(result.seconds, 6),
        "games_per_second": round(result.games_per_second, 3),
        "interval": [list(pair) for pair in result.interval],
        "plies": result.plies,
        "seed": result.seed,
        "compiled": result.compiled,
    }
    options.emit(answer, text=lambda: _print(answer))


def _print(answer: dict[str, Any]) -> None:
    games = answer["games"]
    swapped = answer["swap"]
    rows = []
    for number, spec in enumerate(answer["agents"]):
        wins = answer["wins"][number]
        low, high = answer["interval"][number]
        interval = f"{100 * low:.1f} to {100 * high:.1f}"
        who = "ABCDEFGH"[number] if swapped else str(number + 1)
        rows.append((who, spec, wins, f"{100 * wins / games:.1f}", interval))
    draws = answer["draws"]
    rows.append(("", "draw", draws, f"{100 * draws / games:.1f}", ""))
    table(["agent" if swapped else "seat", "", "wins", "%", "95 % interval"], rows)
    seconds, speed = answer["seconds"], answer["games_per_second"]
    click.echo(
        f"{games:,} games in {seconds:.2f} s, {speed:,.0f} a second, "
        f"{answer['plies']:.1f} moves a game, seed {answer['seed']}"
    )
