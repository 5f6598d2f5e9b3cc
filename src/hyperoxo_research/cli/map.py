"""`oxo draw map`: the nested map of optimal moves."""

from __future__ import annotations

from pathlib import Path

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.draw import write_boards


@cli.command("draw map 3^2", "draw map 3^2 --seat 2 --position moves:4 --out map.svg")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    seat: int = cli.number("Player whose best moves to show.", 1, 2, default=1),
    depth: int | None = cli.number("Number of nested boards.", 1),
    file: Path = cli.picture("map.svg"),
) -> None:
    """Draw the map of optimal moves for one seat of GAME, as SVG.

    Each cell holds the board after the opponent's move there with the best answer, and so on
    inwards. For two-player games that 'oxo solve' decides completely. --position draws the part
    after some moves on a separate sheet, where the inner boards are larger.
    """
    from hyperoxo_research.plots.map import draw_map

    picture = draw_map(start.game, seat, depth, start)
    write_boards(picture, file, {"game": str(start.game), "seat": seat}, options)
