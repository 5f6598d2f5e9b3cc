"""`oxo play` and `oxo tui`: play in the terminal, at a prompt or on a full screen."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.errors import HyperoxoError, MissingExtraError

if TYPE_CHECKING:
    from hyperoxo.play.session import Session

_LOAD = cli.plain_file("Continue a saved game.", metavar="FILE", spelled="--load")
_ICONS = cli.option("Your own symbols for the players, separated by blanks.", metavar="'X O'")


@cli.command("play 4^3", "play 4^3:gravity human minimax:depth=4 --explain")
def command(
    options: cli.Options,
    game: ox.Game | None = cli.game("GAME", required=False),
    agents: tuple[str, ...] = cli.agents("[A B ...]"),
    position: str | None = cli.position(),
    save_path: Path | None = cli.output_file("Save after every move.", spelled="--save"),
    load_path: Path | None = _LOAD,
    numbers: bool = cli.flag("Show the numbers of free cells."),
    ascii_only: bool = cli.flag("Use letters only.", spelled="--ascii"),
    width: int | None = cli.number("Width of the drawing in columns.", 16),
    icons: str | None = _ICONS,
    explain: bool = cli.flag("Let agents explain their moves."),
    boards: bool = cli.flag("Draw the board after every move of an agent."),
) -> None:
    """Play in the terminal: a GAME and one agent per seat, 'human' for a person.

    Without agents you play first, against level:3 of the eight levels. A loaded game keeps its
    players; seats without a name wait for people. At the prompt, 'help' lists what you can type.
    The suffix of a saved game's name gives its notation: .json, .pgn, .oxo.
    """
    # The game appears only when all this is loaded.
    with options.progress("getting ready"):
        from hyperoxo.play.board_style import BoardStyle, style_of
        from hyperoxo.play.saving import written_as
        from hyperoxo.terminal.prompt import Terminal
        from hyperoxo.terminal.screen import Screen

        session, record = game_of(game, agents, position, load_path, options)
        screen = Screen.standard(boards_to_stderr=options.json)
    style = BoardStyle.of(
        session.game.players,
        ascii_only=ascii_only or not screen.unicode,
        icons=icons.split() if icons else None,
        numbers=numbers,
        width=width or screen.width,
    )
    if record is not None and not icons:
        style = style_of(record, style)
    if save_path is not None:
        try:
            # A notation that cannot hold this game is refused now, not after the first move.
            written_as(save_path, session.record(style.icons))
        except HyperoxoError as error:
            raise click.UsageError(f"--save: {error}") from None
    summary = Terminal(
        session,
        screen,
        style,
        save_path=save_path,
        explain=explain,
        quiet=options.quiet,
        every_board=boards,
    ).run()
    if options.json:
        options.emit(summary, "")


def game_of(
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


@cli.command("tui 4^3", "tui --load game.oxo")
def tui(
    options: cli.Options,
    game: ox.Game | None = cli.game("[GAME]", required=False),
    agents: tuple[str, ...] = cli.agents("[A B ...]"),
    position: str | None = cli.position(),
    load_path: Path | None = _LOAD,
    theme: str | None = cli.choice("Background: light or dark.", ["light", "dark"]),
    icons: str | None = _ICONS,
    ascii_only: bool = cli.flag("Use letters only.", spelled="--ascii"),
    seconds: float = cli.seconds_limit(10.0, "Time limit of an analysis.", most=1e6),
) -> None:
    """Play GAME on a full screen, with mouse or keys; the default game is 3^2.

    Name one agent per seat, 'human' for a person. Without agents you play first and choose the
    level of your opponent. Press ? for the keys, a for the analysis, g for a new game. When you
    quit, the tui prints the game as a one-line record.
    """
    if importlib.util.find_spec("textual") is None:
        raise MissingExtraError("tui", "the terminal application")
    from hyperoxo.play.session import LEVEL
    from hyperoxo.terminal.tui.dialogs import LevelDialog, check_drawable

    if game is None and load_path is None:
        game = ox.Game("3^2")
    if game is not None:
        check_drawable(game)
    session, _ = game_of(game, agents, position, load_path, options)
    check_drawable(session.game)
    # The screen is drawn on standard error, so that standard output is free for the record.
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("this needs a terminal; 'oxo play' works in a pipe")
    from hyperoxo.notation import record_to_dict, write_record
    from hyperoxo.play.board_style import BoardStyle
    from hyperoxo.terminal.streams import data_stream
    from hyperoxo.terminal.tui.app import HyperoxoApp

    plain = ascii_only or os.environ.get("TERM") == "linux"
    app = HyperoxoApp(session, seed=options.seed, theme=theme, analysis_seconds=seconds)
    app.board_style = BoardStyle.of(
        session.game.players, ascii_only=plain, icons=icons.split() if icons else None
    )
    if not agents and load_path is None and LEVEL in session.seats:
        app.asks = LevelDialog(session)
    app.run()
    # The record goes out when the screen has been left.
    record = app.session.record()
    if options.json:
        options.emit(record_to_dict(record), "")
    elif record.moves:
        click.echo(write_record(record), file=data_stream())
