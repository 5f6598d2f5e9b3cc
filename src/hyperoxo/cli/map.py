"""`oxo map`: draw the nested map of optimal moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.options import (
    Options,
    picture_option,
    shared_options,
    start_argument,
)

if TYPE_CHECKING:
    from hyperoxo.game import Position


@click.command()
@start_argument
@click.option(
    "--seat",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="Player whose best moves to show.",
)
@click.option("--depth", type=click.IntRange(min=1), help="Number of nested boards.")
@picture_option("map.svg")
@shared_options
def command(start: Position, seat: int, depth: int | None, file: Path, options: Options) -> None:
    """Draw the map of optimal moves for one seat of GAME, as SVG.

    Each cell holds the board after the opponent's move there with the best answer, and so on
    inwards. For two-player games small enough to be solved completely. --position draws the part
    after some moves on a sheet of its own, where the inner boards are larger.
    """
    from hyperoxo.cli.tree import write_picture
    from hyperoxo.play.pictures.map import draw_map

    picture = draw_map(start.game, seat, depth, start)
    write_picture(picture, file, {"game": str(start.game), "seat": seat}, options)
