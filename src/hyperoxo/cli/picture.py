"""`oxo picture`: draw a position, or a game move by move."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.completion import complete_game_or_file
from hyperoxo.cli.options import (
    GameType,
    NotationType,
    Options,
    picture_option,
    shared_options,
)
from hyperoxo.cli.output import read_records, write
from hyperoxo.errors import NotationError

if TYPE_CHECKING:
    from hyperoxo.game import Game, Position


def _size(_: object, __: object, given: str | None) -> int | tuple[int, int] | None:
    """Read ``960`` or ``1200x630``."""
    if given is None:
        return None
    read = re.fullmatch(r"([0-9]{1,5})(?:x([0-9]{1,5}))?", given)
    if read is None:
        raise click.BadParameter(f"'{given}' is neither a number nor WIDTHxHEIGHT")
    return int(read[1]) if read[2] is None else (int(read[1]), int(read[2]))


@click.command()
@click.argument("source", metavar="GAME|FILE", shell_complete=complete_game_or_file)
@click.option("--position", metavar="P", help="Of GAME: one character per cell, or moves:0,3,60.")
@click.option("--move", type=click.IntRange(min=0), help="Of FILE: as it stood after that move.")
@click.option("--from", "from_", type=NotationType(), help="Notation of FILE.")
@click.option("--game", type=GameType(), help="The game, if FILE does not name it.")
@click.option(
    "--size",
    callback=_size,
    metavar="N|WxH",
    help="Pixels of the longer side, at most, or width and height; default: 960, animated 640.",
)
@click.option(
    "--theme",
    type=click.Choice(("light", "dark")),
    help="Colours; default: light, and in SVG as the reader prefers.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.02, 10),
    default=0.7,
    show_default=True,
    help="How long an animated picture shows each move.",
)
@picture_option(
    "picture.svg", "The .svg or .png file, or an animated .gif; - writes SVG on standard output."
)
@shared_options
def command(
    source: str,
    position: str | None,
    move: int | None,
    from_: str | None,
    game: Game | None,
    size: int | tuple[int, int] | None,
    theme: str | None,
    seconds: float,
    file: Path,
    options: Options,
) -> None:
    """Draw a position of GAME, or the end of the game in FILE.

    FILE may be in any notation that 'oxo convert' reads. The last move is tinted, lines that ended
    the game are marked. A .gif shows every move.
    """
    from hyperoxo.pictures import KINDS, described, picture

    kind = "svg" if str(file) == "-" else file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise click.UsageError(f"the name '{file}' must end in .svg, .png or .gif")
    if Path(source).is_file():
        if position is not None:
            raise click.UsageError("--position goes with a GAME; --move with a FILE")
        shown = _recorded(source, from_, game, move)
    else:
        if (move, from_, game) != (None, None, None):
            raise click.UsageError(f"--move, --from and --game need a FILE; '{source}' is none")
        played = GameType().convert(source, None, click.get_current_context())
        shown = played.start() if position is None else played.position(position)
    drawn = picture(shown, kind, size=size, theme=theme, seconds=seconds)
    if not write(file, drawn):
        return
    answer = {"game": str(shown.game), "shows": described(shown), "bytes": len(drawn)}
    options.emit({**answer, "file": str(file)}, text=lambda: f"{file}: {answer['shows']}")


def _recorded(source: str, notation: str | None, game: Game | None, move: int | None) -> Position:
    """Read the one game in a file, as it stood after a move."""
    _, records = read_records(source, notation, game=game)
    if len(records) != 1:
        raise NotationError(f"{source} holds {len(records)} games; one can be drawn")
    position = records[0].position
    made = len(position.history)
    if move is not None and move > made:
        raise click.UsageError(f"the game in {source} has {made} moves, not {move}")
    return position if move is None else position.undo(made - move)
