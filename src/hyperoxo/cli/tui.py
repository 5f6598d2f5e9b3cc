"""`oxo tui`: play and analyse on a full screen."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.play import session_of
from hyperoxo.errors import MissingExtraError

if TYPE_CHECKING:
    from hyperoxo.play.session import Session


@cli.command("tui 4^3", "tui --load game.oxo")
def command(
    options: cli.Options,
    game: ox.Game | None = cli.game("[GAME]", required=False),
    agents: tuple[str, ...] = cli.agents("[A B ...]"),
    position: str | None = cli.position(),
    load_path: Path | None = cli.plain_file(
        "Continue a saved game.", metavar="FILE", spelled="--load"
    ),
    theme: str | None = cli.choice("Background: light or dark.", ["light", "dark"]),
    icons: str | None = cli.option(
        "Your own symbols for the players, separated by blanks.", metavar="'X O'"
    ),
    ascii_only: bool = cli.flag("Use letters only.", spelled="--ascii"),
    seconds: float = cli.seconds_limit(10.0, "Time limit of an analysis.", most=1e6),
) -> None:
    """Play GAME on a full screen, with mouse or keys; the default game is 3^2.

    Name one agent per seat, 'human' for a person. Without agents you play first and choose the
    level of your opponent. Press ? for the keys, a for the analysis, g for a new game. When you
    quit, the command prints the game as a one-line record.
    """
    if importlib.util.find_spec("textual") is None:
        raise MissingExtraError("tui", "the terminal application")
    from hyperoxo.play.session import LEVEL
    from hyperoxo.terminal.tui.dialogs import LevelDialog, check_drawable

    if game is None and load_path is None:
        game = ox.Game("3^2")
    if game is not None:
        check_drawable(game)
    session, _ = session_of(game, agents, position, load_path, options)
    check_drawable(session.game)
    # The screen is drawn on standard error, so that standard output is free for the record.
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("this needs a terminal; 'oxo play' works in a pipe")
    from hyperoxo.play.look import Look
    from hyperoxo.terminal.tui.app import HyperoxoApp

    plain = ascii_only or os.environ.get("TERM") == "linux"
    look = Look.of(session.game.players, ascii_only=plain, icons=icons.split() if icons else None)
    app = HyperoxoApp(session, seed=options.seed, theme=theme, look=look, analysis_seconds=seconds)
    if not agents and load_path is None and LEVEL in session.seats:
        app.asks = LevelDialog(session)
    app.run()
    _print(app.session, options)


def _print(session: Session, options: cli.Options) -> None:
    """Print the game when the screen has been left."""
    from hyperoxo.notation import record_to_dict, write_record
    from hyperoxo.terminal.streams import data_stream

    record = session.record()
    if options.json:
        options.emit(record_to_dict(record), "")
    elif session.position.history:
        click.echo(write_record(record), file=data_stream())
