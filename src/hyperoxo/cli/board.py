"""`oxo board`: drawings and counts of a board."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import write
from hyperoxo.display import as_data
from hyperoxo.errors import CheckFailedError, SpecError, quoted

MAX_DIGITS = 4000
"""Longer numbers are given as text; many readers of JSON refuse them."""

_MOST_LINES_LISTED = 200
_MOST_ORBITS_LISTED = 48
_MOST_AXES = 4
_MOST_INNER_LISTED = 8
_MOST_CLASSIFIED = 2000
"""Largest groups whose elements are counted by what they do."""

_KINDS_OF_LINES = ("one cell", "along an axis", "diagonals of a plane", "diagonals of space")

_COMBINE = "Inner automorphisms, which combine with turns and mirrors:"
_TURN = "automorphisms turn and mirror the board; each combines with inner ones:"
_TEXT = """
{title}
cells            {cells:,}
?blocked_count blocked          {blocked_count:,}
lines            {lines:,}
cells on a line  {length}
automorphisms    {order}
orbits           {orbit_count:,}
?degree lines per cell   {degree}
?kinds
|kinds| coordinates that change={kind} | lines |

|shown| orbit of cell={representative} | cells={size} | lines per cell |
?more_orbits ... and {more_orbits:#more orbit}
?generators
?generators generators of the automorphisms
*generators   {}
?inner
?inner {combine}
*listed   {text}
?more_inner   ... and {more_inner:,} more
?cell_name
?cell_name {through:#line} through cell {cell_name}
*line_names   {}
?more_lines   ... and {more_lines:,} more
?direction
?direction {begun:#line} in direction {direction.step:;,}, from cell to cell \
{direction.offset:+}; starts:
*starts   {}
*drawn {}
*pictures {}
"""


@cli.command("board 4^3", "board 3^3 --draw")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    drawn: bool = cli.flag(
        "Draw the board, and the directions in which lines leave a cell of each class.",
        spelled="--draw",
    ),
    every: bool = cli.flag(
        "With --draw: all directions that stay on the board, even those without a line.",
        spelled="--all-directions",
    ),
    half: bool = cli.flag(
        "With --draw: only one of two opposite directions, since a line has both."
    ),
    scattered: bool = cli.flag(
        "With --draw: place stones by a random number of random moves.",
        spelled="--random",
    ),
    draws: bool = cli.flag("Look for a full board without a line of any player, and a pairing."),
    cell: str | None = cli.option(
        "List and draw the lines through one cell: 13 or 1,1,1.", metavar="C"
    ),
    direction: str | None = cli.option(
        "List the cells in which lines with a direction, such as -1,0, start.", metavar="V"
    ),
    out: Path | None = cli.output_file(
        "Write cells and lines to a file, one line per row; with --draw the directions "
        "as a picture, FILE.svg. - is stdout.",
        dash=True,
    ),
    ascii_only: bool = cli.LETTERS,
    width: int | None = cli.number("Width of the drawing in columns.", 16),
) -> None:
    """Count cells, lines, symmetries and orbits of a board.

    Symmetries preserve lines, blocked cells and gravity. GAME may be @FILE: one line of the
    board per row, as cell names.
    """
    _refuse({"all-directions": every, "half": half, "random": scattered}, drawn, out, draws=draws)
    chosen = None if cell is None else _read_cell(game, cell)
    if drawn and out is not None:
        _write_picture(game, chosen, out, options, every=every, half=half)
        return
    answer = describe(game)
    shown = _random_position(game, options) if scattered else game.start()
    if scattered:
        answer["position"] = shown.text
    answer |= _optional_parts(game, chosen, direction, options, draws=draws)
    shape = None if game.board.wrap else game.board.shape
    if drawn and shape is not None and len(shape) <= _MOST_AXES:
        from hyperoxo.board.directions import limit_cells

        answer["directions"] = _directions(game, chosen)
        answer["limit_cells"] = [limit_cells(game.board, axis) for axis in range(len(shape))]
    if out is not None:
        if not write(out, ox.write_hypergraph(game.board)):
            return
        options.note(f"written to {out}")

    if options.json:
        options.emit(answer, "")
        return
    pictures = []
    if drawn or chosen is not None:
        pictures.append("\n" + _drawing(shown, chosen, ascii_only, width))
    if "directions" in answer:
        from hyperoxo.lab.plots.compass import directions_text
        from hyperoxo.terminal.screen import Screen

        plain = ascii_only or not Screen.standard().unicode
        text = directions_text(game.board, chosen, ascii_only=plain, every=every, half=half)
        pictures.append(f"\n{text}")
    options.emit(answer, _TEXT, **_texts(game, answer, ascii_only, width), pictures=pictures)


def _optional_parts(
    game: ox.Game, chosen: int | None, direction: str | None, options: cli.Options, *, draws: bool
) -> dict[str, Any]:
    """Return the optional parts of the answer: lines of a cell or a direction, and draws."""
    answer: dict[str, Any] = {}
    if chosen is not None:
        numbers = game.board.lines_through(chosen).tolist()
        answer["cell"] = chosen
        answer["lines_through"] = [game.board.line(n).tolist() for n in numbers]
    if direction is not None:
        answer["direction"] = _starts(game, direction)
    if draws:
        answer["draws"] = _draws(game, options)
    return answer


def _draws(game: ox.Game, options: cli.Options) -> dict[str, Any]:
    """Search for a draw (a full board without a line) and, for two players, a pairing."""
    from hyperoxo.solvers.draws.pairing import crowded_lines, pairs_of
    from hyperoxo.solvers.sources import full_board

    found = full_board(game, seed=options.seed or 0)
    drawn = None if found.owners is None else ox.Position.from_owners(game, bytes(found.owners))
    answer: dict[str, Any] = {"full_board": drawn and drawn.text, "none": found.exhausted}
    if game.players == 2:
        crowded = crowded_lines(game.start(), 2)
        answer["pairing"] = pairs_of(game.start(), 2)
        answer["crowded"] = crowded and {"lines": crowded[0], "cells": crowded[1]}
    return answer


def _draws_texts(
    game: ox.Game, found: dict[str, Any], ascii_only: bool, width: int | None
) -> list[str]:
    if found["full_board"] is not None:
        board = _drawing(game.position(found["full_board"]), None, ascii_only, width)
        texts = ["\na full board without a line of any player:", board]
    elif found["none"]:
        texts = ["\nevery full board has a line of one player: no game is drawn"]
    else:
        texts = ["\nno full board without a line was found; there may be one"]
    if found.get("pairing") is not None:
        texts.append(f"pairing of all lines: {' '.join(f'{a}-{b}' for a, b in found['pairing'])}")
    elif "crowded" in found:
        lines, cells = len(found["crowded"]["lines"]), len(found["crowded"]["cells"])
        texts.append(
            f"no pairing of all lines: {lines} lines need {2 * lines} cells of their own, and have "
            f"{cells} between them"
        )
    return texts


def _refuse(drawing: dict[str, bool], drawn: bool, out: Path | None, *, draws: bool) -> None:
    """Refuse options of drawings where nothing is drawn, and stones in a picture of directions."""
    for option, given in drawing.items():
        if given and not drawn:
            raise click.UsageError(f"--{option} goes with --draw")
    if drawing["random"] and out is not None:
        raise click.UsageError("--random draws in the terminal, not to a file")
    if draws and drawn and out is not None:
        raise click.UsageError("--draws does not go into a picture of directions")


def describe(game: ox.Game) -> dict[str, Any]:
    """Return the counts of a game's board, and its symmetries in words."""
    from hyperoxo.board.coordinates import lines_by_kind

    board, symmetry = game.board, game.symmetry
    kinds = lines_by_kind(board)
    degrees = Counter(board.degrees[board.playable].tolist())
    sizes = board.line_sizes
    order = symmetry.order
    orbits = [
        {
            "size": len(orbit),
            "lines_per_cell": int(board.degrees[orbit[0]]),
            "representative": int(orbit[0]),
        }
        for orbit in symmetry.orbits()
    ]
    return {
        "game": str(game),
        "cells": game.cells,
        "lines": board.line_count,
        "line_length": [int(sizes.min()), int(sizes.max())] if len(sizes) else None,
        "lines_by_changing_coordinates": kinds and {str(kind): kinds[kind] for kind in kinds},
        "degrees": {str(degree): degrees[degree] for degree in sorted(degrees)},
        "blocked": list(game.blocked),
        "automorphisms": order if order < 10**MAX_DIGITS else symmetry.order_text,
        "orbits": orbits,
        **_symmetries(game),
    }


def _symmetries(game: ox.Game) -> dict[str, Any]:
    """Return the generators and kinds of automorphisms, on boards of limited size."""
    from hyperoxo.board.coordinates import MOST_CELLS, inner_symmetries, motion, symmetry_text

    board, symmetry = game.board, game.symmetry
    if board.cell_count > MOST_CELLS:
        return {}
    inner = inner_symmetries(board, game.below)
    found: dict[str, Any] = {
        "generators": [symmetry_text(board, image) for image in symmetry.generators],
        "inner": [{"values": list(one.values[0]), "text": one.text} for one in inner],
    }
    if board.shape is not None and symmetry.order <= _MOST_CLASSIFIED:
        moves = [motion(board, image) for image in symmetry.permutations()]
        found["turns_and_mirrors"] = sum(one is not None and one.turns_or_mirrors for one in moves)
    return found


def _random_position(game: ox.Game, options: cli.Options) -> ox.Position:
    rng = options.rng()
    position = game.start()
    for _ in range(int(rng.integers(game.cells + 1))):
        if position.is_over:
            break
        position = position.play(int(rng.choice(position.legal_moves)))
    return position


def _read_cell(game: ox.Game, text: str) -> int:
    from hyperoxo.game.names import named_move
    from hyperoxo.terminal.typed import read_typed_move

    # On the board alone every free cell is a legal move, whatever gravity and opening say.
    start = ox.Game(board=game.board).start()
    try:
        named = named_move(game.start(), text.strip())
        return read_typed_move(start, text if named is None else f"#{named}")
    except ValueError as error:
        raise SpecError(f"--cell: {error}") from None


def _write_picture(
    game: ox.Game, cell: int | None, out: Path, options: cli.Options, *, every: bool, half: bool
) -> None:
    """Write the picture of directions, or say in one line why there is none."""
    from hyperoxo.extensions import extensions, missing
    from hyperoxo.lab.plots.compass import cells_to_draw

    if str(out) != "-" and out.suffix != ".svg":
        raise SpecError(f"the picture is SVG: the name of {out} must end in .svg")
    drawing = extensions("hyperoxo.pictures").get("directions")
    if drawing is None:
        raise CheckFailedError(missing("the picture"))
    picture = drawing.load()(game.board, cell, every=every, half=half)
    if not write(out, picture):
        return
    cells = len(cells_to_draw(game.board, cell))
    answer = {"game": str(game), "file": str(out), "cells": cells}
    options.emit(answer, "{file}: directions from {cells:#cell}")


def _directions(game: ox.Game, cell: int | None) -> list[dict[str, Any]]:
    from hyperoxo.board.directions import inward
    from hyperoxo.lab.plots.compass import cells_to_draw

    shape = game.board.shape or (1,)
    return [
        {
            **as_data(one, "kind cell cells lines"),
            "directions": [list(ray.step) for ray in one.rays],
            "inward": [list(step) for step in inward(game.board, one.cell)],
            "ahead": [list(step) for step in inward(game.board, one.cell, max(shape))],
        }
        for one in cells_to_draw(game.board, cell)
    ]


def _starts(game: ox.Game, text: str) -> dict[str, Any]:
    """Return a direction, its step in cell numbers, and the starts of its lines."""
    from hyperoxo.board.directions import offset, starts

    try:
        step = tuple(int(word) for word in text.split(","))
    except ValueError:
        raise SpecError(f"--direction: {quoted(text)} is not numbers such as -1,0") from None
    found = {"offset": offset(game.board, step), "starts": starts(game.board, step)}
    return {"step": step, **found}


def _texts(
    game: ox.Game, answer: dict[str, Any], ascii_only: bool, width: int | None
) -> dict[str, Any]:
    """Return the values of the text that are not in the data."""
    from hyperoxo.game.names import cell_name
    from hyperoxo.play.describe import line_name

    spec, order = answer["game"], game.symmetry.order_text
    least, most = answer["line_length"] or (0, 0)
    kinds = answer["lines_by_changing_coordinates"] or {}
    turns, words = answer.get("turns_and_mirrors"), dict(enumerate(_KINDS_OF_LINES))
    orbits, degrees = answer["orbits"], [*answer["degrees"]]
    texts = {
        "title": spec if len(spec) <= 76 else spec[:73] + "...",
        "length": f"{least}" if least == most else f"{least} to {most}",
        "order": f"{int(order):,}" if order.isdigit() else order,
        "orbit_count": len(orbits),
        "blocked_count": len(answer["blocked"]),
        "degree": degrees[0] if len(degrees) == 1 else None,
        "kinds": [
            {"kind": f"{kind} ({words[int(kind)]})" if int(kind) in words else kind, "lines": lines}
            for kind, lines in kinds.items()
            if len(kinds) > 1
        ],
        "shown": orbits[:_MOST_ORBITS_LISTED],
        "more_orbits": max(0, len(orbits) - _MOST_ORBITS_LISTED),
        "combine": _COMBINE if turns is None else f"{turns:,} {_TURN}",
        "listed": (answer.get("inner") or [])[:_MOST_INNER_LISTED],
        "more_inner": max(0, len(answer.get("inner") or ()) - _MOST_INNER_LISTED),
    }
    if "draws" in answer:
        texts["drawn"] = _draws_texts(game, answer["draws"], ascii_only, width)
    if "cell" in answer:
        numbers = game.board.lines_through(answer["cell"]).tolist()
        texts |= {
            "cell_name": cell_name(game, answer["cell"]),
            "through": len(numbers),
            "line_names": [line_name(game, number) for number in numbers[:_MOST_LINES_LISTED]],
            "more_lines": max(0, len(numbers) - _MOST_LINES_LISTED),
        }
    if "direction" in answer:
        starts = answer["direction"]["starts"]
        texts["begun"] = len(starts)
        texts["starts"] = [cell_name(game, cell) for cell in starts]
    return texts


def _drawing(position: ox.Position, cell: int | None, ascii_only: bool, width: int | None) -> str:
    from hyperoxo.game import cells_of_lines
    from hyperoxo.play import draw_board

    game = position.game
    style = cli.terminal_style(game.players, ascii_only=ascii_only, numbers=True, width=width)
    marked = cells_of_lines(position, () if cell is None else game.board.lines_through(cell))
    return draw_board(position, style, marked=marked, chosen=None if cell is None else [cell]).plain
