"""Files of pairings and of mirroring.

Both have the envelope of all proof files (:mod:`hyperoxo.proof.envelope`). A pairing lists its
pairs, the lesser cell first, ascending; mirroring lists the same way the cells that answer each
other, and the cells that answer themselves alone on their rows::

    hyperoxo-pairing 1                      hyperoxo-mirroring 1
    sha256 5d0c...                          sha256 91ab...
    game 5^2                                game 3^2:misere
    position .........................      seat 1
    seat 2                                  claim draw
    claim draw                              creator -
    creator -                               answers 5
    pairs 12                                0 8
    0 1                                     1 7
    2 12                                    2 6
    ...                                     3 5
                                            4
"""

from __future__ import annotations

import os

from hyperoxo.errors import NotationError, quoted
from hyperoxo.files import replace_file
from hyperoxo.proof.answers import Mirroring, Pairing
from hyperoxo.proof.envelope import (
    check_spelling,
    creator_text,
    number,
    opened,
    read_bytes,
    sealed,
    text_creator,
)
from hyperoxo.rules import Game

__all__ = ["answers_text", "read_mirroring", "read_pairing", "write_answers"]

_PAIRING, _MIRRORING = b"hyperoxo-pairing 1\n", b"hyperoxo-mirroring 1\n"
_PAIRING_FIELDS = ("game", "position", "seat", "claim", "creator", "pairs")
_MIRRORING_FIELDS = ("game", "seat", "claim", "creator", "answers")


def answers_text(found: Pairing | Mirroring, *, creator: str = "") -> bytes:
    """Write a pairing or mirroring as the content of a file.

    Parameters
    ----------
    found : Pairing or Mirroring
        What is written.
    creator : str
        What made it, such as a command line; anything but printable ASCII becomes ``?``.

    Returns
    -------
    bytes
        The file.

    Examples
    --------
    >>> answers_text(Pairing(Game("3{0+1}"), 2, ((0, 1),))).decode().splitlines()[-2:]
    ['pairs 1', '0 1']
    """
    game, maker = str(found.game), creator_text(creator)
    if isinstance(found, Pairing):
        rows = [f"{one} {two}" for one, two in sorted(sorted(pair) for pair in found.pairs)]
        values = (game, found.position.text, found.seat, "draw", maker, None)
        return sealed(_PAIRING, list(zip(_PAIRING_FIELDS, values, strict=True)), rows)
    rows = [
        str(cell) if cell == image else f"{cell} {image}"
        for cell, image in enumerate(found.images)
        if cell <= image
    ]
    kept = (game, found.seat, "draw", maker, None)
    return sealed(_MIRRORING, list(zip(_MIRRORING_FIELDS, kept, strict=True)), rows)


def write_answers(
    found: Pairing | Mirroring, path: str | os.PathLike[str], *, creator: str = ""
) -> None:
    """Write a pairing or mirroring into a file; see `answers_text`.

    Examples
    --------
    >>> import tempfile
    >>> pairing = Pairing(Game("3{0+1}"), 2, ((0, 1),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_answers(pairing, folder + "/x.proof")
    ...     read_pairing(folder + "/x.proof") == pairing
    True
    """
    replace_file(path, answers_text(found, creator=creator))


def read_pairing(source: str | os.PathLike[str] | bytes) -> Pairing:
    """Read a pairing file.

    Parameters
    ----------
    source : str or path-like, or bytes
        Name of the file, or its content.

    Returns
    -------
    Pairing
        What it claims. Whether that is true is for `verify` to say.

    Raises
    ------
    NotationError
        If anything in the file is not exactly as `answers_text` would write it.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> read_pairing(b"something else")
    Traceback (most recent call last):
    ...
    hyperoxo.errors.NotationError: this is no pairing file
    """
    data = read_bytes(source)
    fields, rows = opened(data, _PAIRING, _PAIRING_FIELDS)
    spec, position, seat, claim, creator = fields
    game = Game(spec)
    _check_claim(claim)
    pairs = tuple(_cells(row, 2) for row in rows)
    found = Pairing(
        game,
        number(seat, "the seat"),
        tuple((one, two) for one, two in pairs),
        game.position(position),
    )
    _check_spelling(found, creator, data, "pairing")
    return found


def read_mirroring(source: str | os.PathLike[str] | bytes) -> Mirroring:
    """Read a mirroring file; see `read_pairing`.

    Examples
    --------
    >>> found = Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1)))
    >>> read_mirroring(answers_text(found)) == found
    True
    """
    data = read_bytes(source)
    fields, rows = opened(data, _MIRRORING, _MIRRORING_FIELDS)
    spec, seat, claim, creator = fields
    game = Game(spec)
    _check_claim(claim)
    images: dict[int, int] = {}
    for row in rows:
        cells = _cells(row, 2 if " " in row else 1)
        images[cells[0]], images[cells[-1]] = cells[-1], cells[0]
    if sorted(images) != list(range(game.board.cell_count)):
        raise NotationError(f"the file does not list each cell of {game}")
    found = Mirroring(
        game, number(seat, "the seat"), tuple(images[cell] for cell in range(len(images)))
    )
    _check_spelling(found, creator, data, "mirroring")
    return found


def _check_claim(claim: str) -> None:
    if claim != "draw":
        raise NotationError(f"the claim is {quoted(claim)}, not 'draw'")


def _cells(row: str, count: int) -> list[int]:
    words = row.split(" ")
    if len(words) != count:
        raise NotationError(f"{quoted(row)} is not a row of cells")
    return [number(word, "a cell") for word in words]


def _check_spelling(found: Pairing | Mirroring, creator: str, data: bytes, kind: str) -> None:
    check_spelling(data, answers_text(found, creator=text_creator(creator)), f"{kind} files")
