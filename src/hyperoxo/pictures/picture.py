"""One call for all kinds of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import FREE, Game, Position
from hyperoxo.notation import Record
from hyperoxo.pictures.alt_text import described
from hyperoxo.pictures.colours import THEMES, tone_of
from hyperoxo.pictures.lines import NARROWEST, full_lines, winning_cells
from hyperoxo.pictures.pixels import Canvas, Frame, as_gif
from hyperoxo.pictures.svg import board_svg, line_svg, sheet, text_svg

__all__ = ["KINDS", "drawn", "picture"]

KINDS = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
"""Kinds of pictures, each with its media type."""

MOST_CELLS, MOST_MOVES = 4_000, 1_000
SIZES = (64, 4_096)
_SIZE = {"svg": 960, "png": 960, "gif": 640}
_IN_NOTEBOOKS = 480
# Seconds: each of the two pale steps of a new stone, the frame that clears the old tint, the
# pause at the end, and all moves together.
_SETTLING, _BLINK, _PAUSE, _LONGEST = 0.05, 0.02, 3.0, 60.0


def picture(
    shown: Position | Record,
    kind: str = "svg",
    *,
    size: int | tuple[int, int] | None = None,
    theme: str | None = None,
    seconds: float = 0.7,
    notes: Mapping[int, str] | None = None,
) -> bytes:
    """Draw a position, or a game move by move.

    The last move is tinted. Lines that ended the game are strokes in the colour of the player who
    owns them.

    Parameters
    ----------
    shown : Position or Record
        What to draw; of a record its last position, and with ``"gif"`` every move. So for a
        position that was reached by moves.
    kind : {"svg", "png", "gif"}
        ``"gif"`` is an animated picture, which pauses at the end and begins again.
    size : int or (int, int), optional
        The longer side has at most this many pixels, from 64 to 4096; 960 unless given, 640 for
        ``"gif"``. Cells have 4 to 96 pixels. Two numbers are width and height, with the board in
        the middle.
    theme : {"light", "dark"}, optional
        Colours; unless given, SVG follows what the reader prefers and other kinds are light.
    seconds : float, default 0.7
        How long each move of an animated picture is shown, from 0.02 to 10; long games go faster,
        so that no picture takes much more than a minute.
    notes : mapping of int to str, optional
        A few characters in each of some free cells; SVG only. Values of moves, such as ``W 5``,
        ``=`` or ``56 %``, colour their cells, estimates with stripes.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    SpecError
        If an option has a value that it cannot have.
    LimitError
        If the board has more than 4,000 cells or does not fit the size, or if there are more
        than 1,000 moves to animate.

    Examples
    --------
    >>> position = Game("3^2").position("moves:4,0,2,6")
    >>> picture(position)[:4]
    b'<svg'
    >>> len(picture(position, "png", size=200)) < 2_000
    True
    >>> picture(position, "gif")[:6]
    b'GIF89a'
    """
    if kind not in KINDS:
        raise SpecError(f"a picture is {', '.join(KINDS)}, not '{kind}'")
    if theme not in (None, *THEMES):
        raise SpecError(f"the theme of a picture is light or dark, not '{theme}'")
    if not 0.02 <= seconds <= 10:
        raise SpecError("a move is shown for 0.02 to 10 seconds")
    position = shown.position if isinstance(shown, Record) else shown
    for cell in notes or ():
        if not 0 <= cell < len(position.owners) or position.owners[cell] != FREE:
            raise SpecError(f"a note needs a free cell, and cell {cell} is not free")
    easel = _easel(position.game, size or _SIZE[kind], theme or "light")
    if kind == "svg":
        return _svg(position, easel, theme, notes or {}).encode()
    if notes:
        raise SpecError("only SVG has notes in its cells")
    if kind == "gif":
        return as_gif(_frames(position, easel, seconds))
    from PIL.Image import Dither

    stream, image = BytesIO(), easel.draw(position)
    # None where there are more than 256, the most that a palette holds.
    if image.getcolors() is not None:
        image = image.quantize(dither=Dither.NONE)
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def drawn(position: Position, notes: Mapping[int, str] | None = None) -> str | None:
    """Draw a position for a notebook; None if its board is too large for a picture."""
    try:
        return picture(position, size=_IN_NOTEBOOKS, notes=notes).decode()
    except LimitError:
        return None


def _easel(game: Game, size: int | tuple[int, int], theme: str) -> Canvas:
    """Lay out a board, if it fits."""
    sides = size if isinstance(size, tuple) else (size, size)
    if not all(SIZES[0] <= side <= SIZES[1] for side in sides):
        raise SpecError(f"a picture has {SIZES[0]} to {SIZES[1]:,} pixels per side")
    count = game.board.cell_count
    if count > MOST_CELLS:
        raise LimitError(f"pictures show boards of at most {MOST_CELLS:,} cells, not {count:,}")
    easel = Canvas.fitted(game, size, THEMES[theme])
    if easel.width > sides[0] or easel.height > sides[1]:
        raise LimitError(f"the board of {game} does not fit a picture of that size")
    return easel


def _svg(position: Position, easel: Canvas, theme: str | None, notes: Mapping[int, str]) -> str:
    game, plan, cell = position.game, easel.plan, easel.cell
    box = (float(easel.left), float(easel.top), float(cell))
    parts = []
    if cell >= NARROWEST:
        extra = 'class="soft"' + (' text-anchor="end"' if plan.heads == "aside" else "")
        for x, y, name in plan.names:
            at = (easel.left + cell * x + 1, easel.top + cell * y)
            parts.append(text_svg(*at, round(0.3 * cell), name, extra))
    parts.append(board_svg(position, box, last=position.last_move, plan=plan, notes=notes))
    parts += [line_svg(player, paths, box) for player, paths in full_lines(position, plan)]
    for number, note in notes.items():
        x, y = plan.corners[number]
        at = (easel.left + cell * (x + 0.5), easel.top + cell * (y + 0.62))
        size = round(min(0.34, 1.4 / max(1, len(note))) * cell, 1)
        ink = "ink" if tone_of(note) else "soft"
        parts.append(text_svg(*at, size, note, f'class="{ink}" text-anchor="middle"'))
    title = f"{game}: {described(position)}"
    return sheet(
        game, easel.width, easel.height, title, parts, plan=plan, theme=theme, toned=bool(notes)
    )


def _frames(end: Position, easel: Canvas, seconds: float) -> Iterator[Frame]:
    """Yield a game move by move: stones settle, then full lines are drawn one by one."""
    moves = end.history
    if len(moves) > MOST_MOVES:
        raise LimitError(f"an animated picture shows at most {MOST_MOVES:,} moves")
    seconds = min(seconds, _LONGEST / max(1, len(moves)))
    settling = _SETTLING if seconds >= 6 * _SETTLING else 0.0
    blink = _BLINK if seconds >= 3 * _BLINK else 0.0
    position = end.undo(len(moves))
    canvas = easel.draw(position)
    yield canvas, seconds if moves else _PAUSE, easel.part()
    changed: list[int] = []
    for cell in moves:
        owner = position.to_move
        if before := position.history[-1:]:
            easel.put(canvas, before[0], position.owners[before[0]])
            changed = [*before]
            if blink:  # alone, for a frame holds all between its changes
                yield canvas, blink, easel.part(*before)
                changed = []
        for there in (0.4, 0.75) if settling else ():
            easel.put(canvas, cell, owner, there=there)
            yield canvas, settling, easel.part(cell)
        easel.put(canvas, cell, owner, last=True)
        position = position.play(cell)
        last = len(position.history) == len(moves) and not position.winning_lines
        shown = _PAUSE if last else seconds - 2 * settling - blink
        yield canvas, shown, easel.part(cell, *changed)
    lines = full_lines(end, easel.plan) if moves else []
    for number, (player, paths) in enumerate(lines, start=1):
        if number == 1:
            for cell in winning_cells(end):
                easel.put(canvas, cell, end.owners[cell], glows=True)
        easel.cross_out(canvas, player, paths)
        yield canvas, _PAUSE if number == len(lines) else max(seconds, 0.3), easel.part()
