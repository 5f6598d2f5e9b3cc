"""`oxo match`: agents play many games, and wins are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hyperoxo.cli.lab import LabOptions, lab_options, scoring_option, verdict_line
from hyperoxo.cli.options import Options, game_argument
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.rules import Game

__all__ = ["command"]

_GAMES = 1000
_MOST = 100_000


@click.command()
@game_argument
@click.argument("agents", nargs=-1, required=True, metavar="A B [C...]")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="Number of games: default 1000; with --until at most 100000 unless given.",
)
@click.option("--swap", is_flag=True, help="Rotate the seats from game to game; count by agent.")
@click.option(
    "--until",
    metavar="'A>B'",
    help="Play until it is clear whether agent A wins more games than B.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="With --until: greatest probability of 'yes' if the agents are equal.",
)
@click.option(
    "--beta",
    type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="With --until: greatest probability of 'no' if A's share of the decided games is "
    "--effect.",
)
@click.option(
    "--effect",
    type=click.FloatRange(0.5, 1, min_open=True, max_open=True),
    default=0.55,
    show_default=True,
    help="With --until: smallest share of the decided games that should be detected.",
)
@scoring_option
@lab_options
def command(
    game: Game,
    agents: tuple[str, ...],
    games: int | None,
    swap: bool,
    until: str | None,
    alpha: float,
    beta: float,
    effect: float,
    scoring: str,
    lab: LabOptions,
    options: Options,
) -> None:
    """Play many games between agents: A in seat 1, B in seat 2, and so on.

    Wins are counted by seat, with --swap by agent; a game that several players win together counts
    for each. Intervals are 95 % Wilson intervals. With --until, the match ends when a sequential
    test has decided the question.
    """
    from hyperoxo.lab import SequentialTest, match

    if len(agents) != game.players:
        raise click.UsageError(
            f"{game} has {game.players} seats, one agent each; {len(agents)} named"
        )
    _check_test(until)
    test = None if until is None else SequentialTest(until, alpha, beta, effect)
    with (
        lab.opened(options) as store,
        lab.shared() as shared,
        Progress("playing", quiet=options.quiet) as progress,
    ):
        result = match(
            game,
            agents,
            games or (_GAMES if test is None else _MOST),
            options.seed or 0,
            swap=swap,
            scoring=scoring,
            until=test,
            store=store,
            progress=progress,
            **shared,
        )
    if test is not None and not swap:
        options.note(
            "seats are fixed, so the test is of agents on these seats; --swap rotates them"
        )
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
        "workers": result.workers,
        "scoring": result.scoring,
        "run": result.run or None,
    }
    if result.test is not None:
        answer["test"] = result.test.as_data()
    options.emit(answer, text=lambda: _print(answer))


def _check_test(until: str | None) -> None:
    """Refuse numbers of a test where none is asked for, rather than play without one."""
    context = click.get_current_context()
    for name in ("alpha", "beta", "effect"):
        given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if until is None and given:
            raise click.UsageError(f"--{name} belongs to --until")


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
