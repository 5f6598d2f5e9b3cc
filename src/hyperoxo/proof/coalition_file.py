"""Files of what all the others together keep one seat from.

The same envelope and rows as strategy files have (:mod:`hyperoxo.proof.file`), under another
first line::

    hyperoxo-coalition 1
    sha256 5d0c...
    game 4^3:players=3
    position ....                           where play begins
    seat 1                                  the player who is kept from it
    claim no-draw                           no-win or no-draw
    creator oxo coalition 4^3:players=3 --proof x.proof
    symmetries 192
    moves 11868                             replies of the others
    ....

Positions that the checker can close itself are not listed; :mod:`hyperoxo.proof.coalition`
tells which.
"""

from __future__ import annotations

import os

from hyperoxo.errors import NotationError, quoted
from hyperoxo.files import replace_file
from hyperoxo.proof.coalition import PREVENTIONS, Prevention
from hyperoxo.proof.envelope import (
    check_spelling,
    creator_text,
    number,
    opened,
    read_bytes,
    sealed,
    text_creator,
)
from hyperoxo.proof.file import check_symmetry_count, move_rows, rows_moves
from hyperoxo.proof.forms import forms_of
from hyperoxo.rules import Game

__all__ = ["prevention_text", "read_prevention", "write_prevention"]

_MAGIC = b"hyperoxo-coalition 1\n"
_FIELDS = ("game", "position", "seat", "claim", "creator", "symmetries", "moves")


def prevention_text(prevention: Prevention, *, creator: str = "") -> bytes:
    """Write what the others keep a seat from as the content of a file.

    Parameters
    ----------
    prevention : Prevention
        The replies.
    creator : str
        What made them, such as a command line; anything but printable ASCII becomes ``?``.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    SpecError
        If a move is stored for something that is no position of the game.

    Examples
    --------
    >>> text = prevention_text(Prevention(Game("4^3:players=4"), 1, "no-win", {}))
    >>> text.decode().splitlines()[4:]
    ['seat 1', 'claim no-win', 'creator -', 'symmetries 192', 'moves 0']
    """
    game = prevention.game
    values = (
        str(game),
        prevention.position.text,
        prevention.seat,
        prevention.claim,
        creator_text(creator),
        forms_of(game).count,
        None,
    )
    rows = move_rows(game, prevention.moves)
    return sealed(_MAGIC, list(zip(_FIELDS, values, strict=True)), rows)


def write_prevention(
    prevention: Prevention, path: str | os.PathLike[str], *, creator: str = ""
) -> None:
    """Write what the others keep a seat from into a file; see `prevention_text`.

    Examples
    --------
    >>> import tempfile
    >>> claimed = Prevention(Game("4^3:players=4"), 1, "no-win", {})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_prevention(claimed, folder + "/x.proof")
    ...     read_prevention(folder + "/x.proof") == claimed
    True
    """
    replace_file(path, prevention_text(prevention, creator=creator))


def read_prevention(source: str | os.PathLike[str] | bytes) -> Prevention:
    """Read such a file.

    Parameters
    ----------
    source : str or path-like, or bytes
        Name of the file, or its content.

    Returns
    -------
    Prevention
        What it claims. Whether that is true is for `verify` to say.

    Raises
    ------
    NotationError
        If anything in the file is not exactly as `prevention_text` would write it.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> read_prevention(b"something else")
    Traceback (most recent call last):
    ...
    hyperoxo.errors.NotationError: this is no coalition file
    """
    data = read_bytes(source)
    fields, rows = opened(data, _MAGIC, _FIELDS)
    spec, position, seat, claim, creator, symmetries = fields
    game = Game(spec)
    if claim not in PREVENTIONS:
        raise NotationError(f"the claim is {quoted(claim)}, neither 'no-win' nor 'no-draw'")
    check_symmetry_count(game, symmetries)
    moves, begins = rows_moves(game, rows), game.position(position)
    found = Prevention(game, number(seat, "the seat"), claim, moves, begins)
    again = prevention_text(found, creator=text_creator(creator))
    check_spelling(data, again, "coalition files")
    return found
