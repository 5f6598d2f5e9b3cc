"""`oxo match`: agents play many games, and wins are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.lab import LabOptions, lab_options, request_options, verdict_line
from hyperoxo.cli.options import Options, game_argument
from hyperoxo.cli.output import table

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab import MatchResult
    from hyperoxo.lab.requests import RunRequest


@click.command()
@game_argument
@request_options("match")
@lab_options("match")
def command(game: Game, request: RunRequest, lab: LabOptions, options: Options) -> None:
    """Play many games between agents: A in seat 1, B in seat 2, and so on.

    Wins are counted by seat, with --swap by agent; a game that several players win together counts
    for each. Intervals are 95 % Wilson intervals. With --until, the match ends when a sequential
    test has decided the question.
    """
    agents = request.options["agents"]
    if len(agents) != game.players:
        raise click.UsageError(
            f"{game} has {game.players} seats, one agent each; {len(agents)} named"
        )
    result: MatchResult = lab.carry_out(request, options)
    if result.test is not None and not result.swap:
        options.note(
            "seats are fixed, so the test is of agents on these seats; --swap rotates them"
        )
    answer = result.as_data()
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
    if "test" in answer:
        click.echo(verdict_line(answer["test"]))
