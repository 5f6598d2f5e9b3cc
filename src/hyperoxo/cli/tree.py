"""`oxo tree`: draw the game tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.options import (
    Options,
    game_argument,
    picture_option,
    shared_options,
)
from hyperoxo.cli.output import write_text

if TYPE_CHECKING:
    from hyperoxo.rules import Game


@click.command()
@game_argument
@click.option(
    "--plies",
    type=click.IntRange(min=0),
    help="Number of moves shown; default: as many as fit a page.",
)
@picture_option("tree.svg")
@shared_options
def command(game: Game, plies: int | None, file: Path, options: Options) -> None:
    """Draw the game tree of GAME up to symmetry, as SVG.

    Positions lie on rings around the empty board. Colour and sign show who wins under best play;
    size shows how many games lead there.
    """
    from hyperoxo.play.pictures.tree import draw_tree

    write_picture(draw_tree(game, plies), file, {"game": str(game)}, options)


def write_picture(picture: str, file: Path, answer: dict[str, object], options: Options) -> None:
    """Write an SVG picture to a file, or on stdout for ``-``, and say so."""
    if not write_text(file, picture):
        return
    boards = picture.count('href="#board"')
    options.emit(
        {**answer, "file": str(file), "boards": boards},
        text=lambda: f"{file}: {boards:,} boards",
    )
