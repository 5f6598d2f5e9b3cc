"""`oxo draw`: pictures of positions, games and game trees."""

from __future__ import annotations

import re
from pathlib import Path

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game_or_file
from hyperoxo.cli.output import write
from hyperoxo.errors import SpecError


def _size(_: object, __: object, given: str | None) -> int | tuple[int, int] | None:
    """Read ``960`` or ``1200x630``."""
    if given is None:
        return None
    read = re.fullmatch(r"([0-9]{1,5})(?:x([0-9]{1,5}))?", given)
    if read is None:
        raise click.BadParameter(f"'{given}' is neither a number nor WIDTHxHEIGHT")
    return int(read[1]) if read[2] is None else (int(read[1]), int(read[2]))


@cli.command("draw position 4^3 --size 480", "draw position game.oxo --out game.gif")
def position(
    options: cli.Options,
    source: str = cli.argument("GAME|FILE", shell_complete=complete_game_or_file),
    given: str | None = cli.position("For GAME: one character per cell, or moves:0,3,60."),
    move: int | None = cli.number("For FILE: the position after that move.", 0),
    from_: str | None = cli.option("Notation of FILE.", cli.NotationType(), spelled="--from"),
    game: ox.Game | None = cli.option("The game, if FILE does not name it.", cli.GameType()),
    size: int | tuple[int, int] | None = cli.option(
        "Pixels of the longer side, at most, or width and height; default: 960, animated 640.",
        callback=_size,
        metavar="N|WxH",
    ),
    theme: str | None = cli.choice(
        "Colours; default: light, in SVG the viewer's preference.", ("light", "dark")
    ),
    seconds: float = cli.option(
        "Seconds for each move of an animated picture.", cli.RealRange(0.02, 10), default=0.7
    ),
    file: Path = cli.picture(
        "picture.svg",
        "The .svg or .png file, or an animated .gif; - writes SVG on standard output.",
    ),
) -> None:
    """Draw a position of GAME, or the end of the game in FILE.

    FILE may be in any notation that 'oxo convert' reads. A tint marks the last move, a stroke each
    line that ended the game. A .gif shows every move.
    """
    from hyperoxo.notation import suffixes
    from hyperoxo.pictures import KINDS, described
    from hyperoxo.play.saving import load_record

    kind = "svg" if str(file) == "-" else file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise click.UsageError(f"the name '{file}' must end in .svg, .png or .gif")
    if Path(source).is_file():
        if given is not None:
            raise click.UsageError("--position goes with a GAME; --move with a FILE")
        shown = load_record(Path(source), options.note, source=from_, game=game).position
        made = len(shown.history)
        if move is not None and move > made:
            raise click.UsageError(f"the game in {source} has no move {move}")
        shown = shown if move is None else shown.undo(made - move)
    else:
        if Path(source).suffix.lower() in suffixes():
            raise click.BadParameter(f"there is no file '{source}'", param_hint="'GAME|FILE'")
        if (move, from_, game) != (None, None, None):
            raise click.UsageError(f"--move, --from and --game need a FILE; '{source}' is not one")
        played = cli.GameType().convert(source, None, click.get_current_context())
        shown = played.start() if given is None else played.position(given)
    drawn = ox.picture(shown, kind, size=size, theme=theme, seconds=seconds)
    answer = {"game": str(shown.game), "shows": described(shown), "bytes": len(drawn)}
    _write(drawn, file, answer, "{file}: {shows}", options)


@cli.command("draw tree 2^2", "draw tree 3^2 --plies 2 --out tree.html")
def tree(
    options: cli.Options,
    game: ox.Game = cli.game(),
    plies: int | None = cli.number("Number of moves shown; default: as many as fit a page.", 0),
    whole: bool = cli.flag("Show every sequence of moves, not one of equivalent."),
    line: str | None = cli.option(
        "Show only the positions of one line of play: 4,0,8.", metavar="CELLS"
    ),
    layout: str | None = cli.choice(
        "Plies downwards, or across with lines of play below each other, or on rings around the "
        "empty board; default: the first of these that a page has room for.",
        ("down", "lines", "rings"),
    ),
    file: Path = cli.picture(
        "tree.svg", "The SVG file, or a .html page whose branches open; - for standard output."
    ),
) -> None:
    """Draw the game tree of GAME: each board is the one before it and one stone more.

    The tree has one of each class of equivalent positions, or all with --whole. Colour and sign
    show who wins under best play.
    """
    from hyperoxo.lab.pictures.tree import draw_line, draw_tree, tree_page

    page = file.suffix.lower() in (".html", ".htm")
    if line is not None and (plies is not None or whole or layout or page):
        raise SpecError("a line of play is drawn alone, as SVG, without the options of trees")
    if page and layout:
        raise SpecError("a page has no layout")
    if line is not None:
        played = game.position(f"moves:{line.removeprefix('moves:')}")
        picture = draw_line(game.start(), played.history)
    elif page:
        picture = tree_page(game, plies, whole=whole)
    else:
        picture = draw_tree(game, plies, whole=whole, layout=layout)
    write_boards(picture, file, {"game": str(game)}, options)


def write_boards(picture: str, file: Path, answer: dict[str, object], options: cli.Options) -> None:
    """Write an SVG picture of several boards, and report their number."""
    answer = {**answer, "file": str(file), "boards": picture.count('href="#board"')}
    _write(picture, file, answer, "{file}: {boards:#board}", options)


def _write(
    picture: str | bytes, file: Path, answer: dict[str, object], text: str, options: cli.Options
) -> None:
    """Write a picture to a file and say so, or to stdout for ``-``."""
    if write(file, picture):
        options.emit({**answer, "file": str(file)}, text)
