"""`oxo convert`: positions and games from one notation into another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import read_records
from hyperoxo.display import number_of
from hyperoxo.files import replace_file
from hyperoxo.terminal.streams import data_stream


@cli.command("convert game.oxo game.json", "convert - - --from drawing --to record")
def command(
    options: cli.Options,
    source: str = cli.argument("IN", cli.FILE),
    target: Path = cli.argument("OUT", cli.OutputFile(allow_dash=True)),
    from_: str | None = cli.option("Notation of IN.", cli.NotationType(), spelled="--from"),
    to: str | None = cli.option("Notation of OUT.", cli.NotationType()),
    game: ox.Game | None = cli.option("The game, if IN does not name it.", cli.GameType()),
    encoding: str | None = cli.option(
        "Encoding of IN, such as gb18030; default: the one that an .sgf file declares, or UTF-8.",
        metavar="NAME",
    ),
    numbering: str | None = cli.choice(
        "Tesseract strings: cells from 0 behind a marker, or from 1 without the centre.",
        ["marker", "skip"],
    ),
    moves: str | None = cli.choice(
        "Tesseract strings: whether the first or the last move comes first.",
        ["forward", "backward"],
    ),
    cells: str | None = cli.choice(
        "Tesseract strings: cells in array order or in picture order.", ["array", "picture"]
    ),
) -> None:
    """Convert the file IN to the file OUT; - is standard input or output.

    The suffix .oxo, .names, .seq, .pgn, .json, .sgf, .psq, .columns, .tesseract, .board or .pos
    gives the notation; if it does not fit IN, the content does. A .txt OUT gets one-line records.
    --from and --to choose any notation.
    """
    from hyperoxo.notation import suffixes

    readings = {"numbering": numbering, "moves": moves, "cells": cells}
    to = to or suffixes().get(target.suffix.lower())
    if to is None:
        raise click.UsageError(f"the name '{target}' gives no notation; name one with --to")
    from_, records = read_records(
        source, from_, options.note, game=game, encoding=encoding, **readings
    )
    written = ox.write(records, to, **readings)
    answer: dict[str, Any] = {"records": len(records), "from": from_, "to": to}
    if str(target) == "-":
        answer["text"] = written
        options.emit(answer, lambda: click.echo(written, file=data_stream(), nl=False))
        return
    replace_file(target, written.encode())
    about = f"{number_of(len(records), 'record')}, from {from_} to {to}: {target}"
    options.emit(answer, lambda: options.note(about))
