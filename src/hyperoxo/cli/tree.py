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
from hyperoxo.cli.output import write

if TYPE_CHECKING:
    from hyperoxo.game import Game


@click.command()
@game_argument
@click.option(
    "--plies",
    type=click.IntRange(min=0),
    help="Number of moves shown; default: as many as fit a page.",
)
@click.option("--whole", is_flag=True, help="Show every sequence of moves, not one of equivalent.")
@click.option("--line", metavar="CELLS", help="Show only the positions of one line of play: 4,0,8.")
@click.option(
    "--layout",
    type=click.Choice(("down", "lines", "rings")),
    help="Plies downwards, or across with lines of play below each other, or on rings around the "
    "empty board; default: the first of these that a page has room for.",
)
@picture_option(
    "tree.svg", "The SVG file, or a .html page whose branches open; - for standard output."
)
@shared_options
def command(
    game: Game,
    plies: int | None,
    whole: bool,
    line: str | None,
    layout: str | None,
    file: Path,
    options: Options,
) -> None:
    """Draw the game tree of GAME: each board is the one before it and one stone more.

    The tree is pruned to one of equivalent positions, unless it is to be whole. Colour and sign
    show who wins under best play.
    """
    from hyperoxo.errors import SpecError
    from hyperoxo.lab.pictures.tree import draw_line, draw_tree, tree_page

    answer: dict[str, object] = {"game": str(game)}
    page = file.suffix.lower() in (".html", ".htm")
    if line is not None and (plies is not None or whole or layout or page):
        raise SpecError("a line of play is drawn alone, as SVG, without the options of trees")
    if page and layout:
        raise SpecError("a page has no layout")
    if line is not None:
        picture = draw_line(game.start(), _history(game, line))
    elif page:
        picture = tree_page(game, plies, whole=whole)
    else:
        picture = draw_tree(game, plies, whole=whole, layout=layout)
    write_picture(picture, file, answer, options)


def _history(game: Game, line: str) -> tuple[int, ...]:
    return game.position(f"moves:{line.removeprefix('moves:')}").history


def write_picture(picture: str, file: Path, answer: dict[str, object], options: Options) -> None:
    """Write an SVG picture to a file, or on stdout for ``-``, and say so."""
    if not write(file, picture):
        return
    boards = picture.count('href="#board"')
    options.emit(
        {**answer, "file": str(file), "boards": boards},
        text=lambda: f"{file}: {boards:,} boards",
    )
