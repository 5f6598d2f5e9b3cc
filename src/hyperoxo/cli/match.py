"""`oxo match`: agents play many games, and wins are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.lab import LabOptions, lab_options, request_options

if TYPE_CHECKING:
    from hyperoxo.game import Game
    from hyperoxo.lab import MatchResult
    from hyperoxo.lab.requests import RunRequest


@click.command()
@cli.game_argument
@request_options("match")
@lab_options("match")
def command(game: Game, request: RunRequest, lab: LabOptions, options: cli.Options) -> None:
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
    options.show(result)
