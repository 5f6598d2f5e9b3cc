"""`oxo puzzle`: forced wins to be found."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import write
from hyperoxo.display import as_data, number_of

_LENGTH = 2
_SEEDS = 2**32
_KEYS = "position history=position.history player=position.to_move length"


@cli.command("puzzle 4^3 --length 3", "puzzle 4^3 --daily --solution")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    length: int | None = cli.number(
        "Number of threats in the shortest win, without the completing move; default 2.", 1
    ),
    count: int = cli.number("Number of puzzles.", 1, default=1),
    strict: bool = cli.flag("Prove that no other move wins at all."),
    daily: bool = cli.flag("The puzzle of the day, the same for everyone."),
    date: dt.datetime | None = cli.option(
        "The day of --daily; default today, in UTC.", click.DateTime(["%Y-%m-%d"])
    ),
    solution: bool = cli.flag("Show the solution."),
    file: Path | None = cli.output_file(
        "Draw the puzzles into an SVG file; - for standard output.", dash=True, spelled="--out"
    ),
    ascii_only: bool = cli.LETTERS,
) -> None:
    """Make puzzles on GAME: positions with a forced win that only one move begins.

    A forced win is a chain of threats to complete a line, each with a single answer, until there
    are two threats together. Other moves may win more slowly, unless you add --strict. The same
    seed gives the same puzzles.
    """
    import numpy as np

    if date is not None and not daily:
        raise click.UsageError("--date goes with --daily")
    if daily and (count != 1 or strict or options.seed is not None):
        raise click.UsageError("--daily goes without --count, --strict and --seed")
    day = (date.date() if date else dt.datetime.now(dt.UTC).date()) if daily else None
    drawn = int(options.rng().integers(_SEEDS)) if options.seed is None else options.seed
    seed = None if daily else drawn
    with options.progress("playing") as progress:
        if day is not None:
            puzzles = [ox.daily_puzzle(game, day, length)]
        else:
            rngs = [np.random.default_rng([drawn, number]) for number in range(count)]
            puzzles = [
                ox.make_puzzle(game, length or _LENGTH, rng, strict=strict, progress=progress)
                for rng in rngs
            ]
    if file is not None:
        from hyperoxo.play.pictures.threats import draw_puzzles

        if not write(file, draw_puzzles(puzzles, solutions=solution)):
            return
    keys = f"{_KEYS} first solution" if solution else _KEYS
    answer = {
        "game": str(game),
        "seed": seed,
        "date": None if day is None else day.isoformat(),
        "strict": strict,
        "puzzles": [as_data(puzzle, keys) for puzzle in puzzles],
    }
    head = f"Puzzle of {day}" if day else f"{number_of(len(puzzles), 'puzzle')}, seed {seed}"
    texts = [_text(number, one, solution, ascii_only) for number, one in enumerate(puzzles, 1)]
    options.emit(answer, "{game}: {head}\n*texts {}", head=head, texts=texts)
    if file is not None:
        options.note(str(file))


def _text(number: int, puzzle: ox.Puzzle, solution: bool, ascii_only: bool) -> str:
    from hyperoxo.game import cell_name
    from hyperoxo.play import draw_board

    look = cli.terminal_look(2, ascii_only=ascii_only)
    cells = [cell_name(puzzle.position.game, cell) for cell in puzzle.solution]
    name, threats = look.name(puzzle.position.to_move), number_of(puzzle.length, "threat")
    alone = "   No other first move wins at all.\n" if puzzle.strict else ""
    line = f"\nsolution: {'-'.join(cells)}" if solution else ""
    return (
        f"\n{number}. {name}, to move, wins by force: {threats}, then a line.\n{alone}\n"
        f"{draw_board(puzzle.position, look).plain}\n\nposition: {puzzle.position.text}{line}"
    )
