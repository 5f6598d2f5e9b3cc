"""`oxo play`: play in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.errors import HyperoxoError

if TYPE_CHECKING:
    from hyperoxo.play.session import Session


@cli.command("play 4^3", "play 4^3:gravity human minimax:depth=4 --explain")
def command(
    options: cli.Options,
    game: ox.Game | None = cli.game("GAME", required=False),
    agents: tuple[str, ...] = cli.agents("[A B ...]"),
    position: str | None = cli.position(),
    save_path: Path | None = cli.output_file("Save after every move.", spelled="--save"),
    load_path: Path | None = cli.plain_file(
        "Continue a saved game.", metavar="FILE", spelled="--load"
    ),
    numbers: bool = cli.flag("Show the numbers of free cells."),
    ascii_only: bool = cli.flag("Use letters only.", spelled="--ascii"),
    width: int | None = cli.number("Width of the drawing in columns.", 16),
    icons: str | None = cli.option(
        "Your own symbols for the players, separated by blanks.", metavar="'X O'"
    ),
    explain: bool = cli.flag("Let agents explain their moves."),
    boards: bool = cli.flag("Draw the board after every move of an agent."),
) -> None:
    """Play in the terminal: a GAME and one agent per seat, 'human' for a person.

    Without agents you play first, against level:3 of the eight levels. A loaded game keeps its
    players; seats without a name wait for people. At the prompt, 'help' lists what you can type.
    The suffix of a saved game's name gives its notation: .json, .pgn, .oxo.
    """
    # Nothing is to be seen of a game before all this is loaded.
    with options.progress("getting ready"):
        from hyperoxo.play.look import Look, look_of
        from hyperoxo.play.saving import written_as
        from hyperoxo.terminal.prompt import Terminal
        from hyperoxo.terminal.screen import Screen

        session, record = session_of(game, agents, position, load_path, options)
        screen = Screen.standard(boards_to_stderr=options.json)
    look = Look.of(
        session.game.players,
        ascii_only=ascii_only or not screen.unicode,
        icons=icons.split() if icons else None,
        numbers=numbers,
        width=width or screen.width,
    )
    if record is not None and not icons:
        look = look_of(record, look)
    if save_path is not None:
        try:
            written_as(save_path, session.record(look.icons))
        except HyperoxoError as error:
            raise click.UsageError(f"--save: {error}") from None
    summary = Terminal(
        session,
        screen,
        look,
        save_path=save_path,
        explain=explain,
        quiet=options.quiet,
        every_board=boards,
    ).run()
    if options.json:
        options.emit(summary, "")


def session_of(
    game: ox.Game | None,
    agents: tuple[str, ...],
    position: str | None,
    path: Path | None,
    options: cli.Options,
) -> tuple[Session, ox.Record | None]:
    """Begin a game, or continue the one saved at `path`; return its record, too."""
    from hyperoxo.play.saving import load_record
    from hyperoxo.play.session import Session, seats_for

    rng = options.rng()
    if path is None:
        if game is None:
            raise click.UsageError("name a game, such as 3^2, or load one with --load")
        first = game.start() if position is None else game.position(position)
        return Session(first, seats_for(game, agents), rng), None
    if position is not None:
        raise click.UsageError("--load and --position exclude each other")
    record = load_record(path, options.note, game=game)
    if game is not None and game != record.game:
        raise click.UsageError(f"{path} holds a game of {record.game}, not of {game}")
    if not agents and (game is None or record.players):
        return Session.of_record(record, rng), record
    return Session(record.position, seats_for(record.game, agents), rng), record
