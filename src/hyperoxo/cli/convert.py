"""`oxo convert`: positions and games from one notation into another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.output import read_records
from hyperoxo.display import number_of
from hyperoxo.files import replace_file
from hyperoxo.terminal.streams import data_stream

if TYPE_CHECKING:
    from hyperoxo.game import Game

STANDARD = "-"


@cli.command("convert game.oxo game.json", "convert - - --from drawing --to record")
@click.argument("source", metavar="IN", type=cli.FILE)
@click.argument("target", metavar="OUT", type=cli.OutputFile(allow_dash=True))
@click.option("--from", "from_", type=cli.NotationType(), help="Notation of IN.")
@click.option("--to", type=cli.NotationType(), help="Notation of OUT.")
@click.option("--game", type=cli.GameType(), help="The game, if IN does not name it.")
@cli.choice(
    "--numbering",
    "Tesseract strings: cells from 0 behind a marker, or from 1 without the centre.",
    ["marker", "skip"],
)
@cli.choice(
    "--moves",
    "Tesseract strings: whether the first or the last move comes first.",
    ["forward", "backward"],
)
@cli.choice(
    "--cells", "Tesseract strings: cells in array order or in picture order.", ["array", "picture"]
)
@cli.shared_options
def command(
    source: str,
    target: Path,
    from_: str | None,
    to: str | None,
    game: Game | None,
    options: cli.Options,
    **readings: str | None,
) -> None:
    """Convert the file IN to the file OUT; - is standard input or output.

    The suffix .oxo, .names, .seq, .pgn, .json, .sgf, .tesseract, .board or .pos gives the
    notation; if it does not fit IN, the content does. A .txt OUT gets one-line records. --from and
    --to choose any notation.
    """
    from hyperoxo.notation import suffixes, write

    to = to or suffixes().get(target.suffix.lower())
    if to is None:
        raise click.UsageError(f"the name '{target}' gives no notation; name one with --to")
    from_, records = read_records(source, from_, game=game, **readings)
    written = write(records, to, **readings)
    answer: dict[str, Any] = {"records": len(records), "from": from_, "to": to}
    if str(target) == STANDARD:
        answer["text"] = written
        options.emit(answer, lambda: click.echo(written, file=data_stream(), nl=False))
        return
    replace_file(target, written.encode())
    about = f"{number_of(len(records), 'record')}, from {from_} to {to}: {target}"
    options.emit(answer, lambda: options.note(about))
