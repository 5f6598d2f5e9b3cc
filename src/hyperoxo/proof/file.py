"""Strategies as files.

A strategy file is ASCII text; every line ends in one line feed, also the last::

    hyperoxo-strategy 1
    sha256 5d0c...                          64 hexadecimal digits, lower case
    game 3^2                                canonical spelling
    position .........                      where the strategy begins
    seat 1
    claim draw                              win or draw
    creator oxo solve 3^2 --proof x.proof   what made it, on one line, or - for nothing
    symmetries 8                            symmetries under which positions are merged
    moves 29                                lines that follow
    ......... 4
    ...                                     position, space, cell; positions ascending

The hash is the SHA-256 of all bytes of the file but its own 64 digits. Positions are written
as everywhere (``.`` free, ``1``-``8`` stones, ``#`` blocked), in the form that
:class:`~hyperoxo.proof.forms.Forms` gives them, and stand in ascending order of their owners
(free before stones before blocked). Every number and word has one spelling, and nothing may
stand before, between or behind: a strategy has exactly one file for each creator.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.files import replace_file
from hyperoxo.proof.envelope import (
    check_spelling,
    creator_text,
    file_hash,
    number,
    opened,
    owners_text,
    read_bytes,
    sealed,
    text_creator,
    text_owners,
)
from hyperoxo.proof.forms import forms_of
from hyperoxo.proof.strategy import CLAIMS, Strategy
from hyperoxo.rules import Game

__all__ = [
    "ProofFile",
    "check_symmetry_count",
    "move_rows",
    "read_strategy",
    "rows_moves",
    "strategy_text",
    "write_strategy",
]

_MAGIC = b"hyperoxo-strategy 1\n"
_FIELDS = ("game", "position", "seat", "claim", "creator", "symmetries", "moves")


@dataclass(frozen=True)
class ProofFile:
    """What a strategy file holds.

    Attributes
    ----------
    strategy : Strategy
        The strategy. That the file can be read proves nothing about it.
    creator : str
        What made the file; empty where it does not say.
    sha256 : str
        The file's hash.
    """

    strategy: Strategy
    creator: str
    sha256: str


def write_strategy(
    strategy: Strategy, path: str | os.PathLike[str], *, creator: str = ""
) -> ProofFile:
    r"""Write a strategy into a file.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    path : str or path-like
        Name of the file; it is replaced if it exists.
    creator : str
        What made it, such as a command line; anything but printable ASCII becomes ``?``.

    Returns
    -------
    ProofFile
        What was written.

    Examples
    --------
    >>> import tempfile
    >>> strategy = Strategy(Game("1^1"), 1, "win", {b"\0": 0})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_strategy(strategy, folder + "/one.proof", creator="by hand")
    ...     read_strategy(folder + "/one.proof") == written
    True
    """
    text = strategy_text(strategy, creator=creator)
    replace_file(path, text)
    return read_strategy(text)


def strategy_text(strategy: Strategy, *, creator: str = "") -> bytes:
    r"""Write a strategy as the content of a file; see `write_strategy`.

    Raises
    ------
    SpecError
        If a move is stored for something that is no position of the game.

    Examples
    --------
    >>> text = strategy_text(Strategy(Game("1^1"), 1, "win", {b"\0": 0}))
    >>> text.decode().splitlines()[2:]
    ['game 1^1', 'position .', 'seat 1', 'claim win', 'creator -', 'symmetries 1', 'moves 1', '. 0']
    """
    game = strategy.game
    values = (
        str(game),
        strategy.position.text,
        strategy.seat,
        strategy.claim,
        creator_text(creator),
        forms_of(game).count,
        None,
    )
    return sealed(_MAGIC, list(zip(_FIELDS, values, strict=True)), move_rows(game, strategy.moves))


def move_rows(game: Game, moves: Mapping[bytes, int]) -> list[str]:
    r"""Write positions and the cells played in them as the rows of a file, ascending."""
    size = game.board.cell_count
    rows = []
    for owners, move in sorted(moves.items()):
        if move < 0:
            raise SpecError(f"a move, {move}, is stored for what is not a position of {game}")
        rows.append(f"{owners_text(owners, size)} {move}")
    return rows


def read_strategy(source: str | os.PathLike[str] | bytes) -> ProofFile:
    """Read a strategy file.

    Parameters
    ----------
    source : str or path-like, or bytes
        Name of the file, or its content.

    Returns
    -------
    ProofFile
        What it holds. Whether the claim is true is for `verify` to say.

    Raises
    ------
    NotationError
        If anything in the file is not exactly as `write_strategy` would write it.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> read_strategy(b"hyperoxo-strategy 2").strategy
    Traceback (most recent call last):
    ...
    hyperoxo.errors.NotationError: this is no strategy file
    """
    data = read_bytes(source)
    fields, rows = opened(data, _MAGIC, _FIELDS)
    spec, position, seat, claim, creator, symmetries = fields
    game = Game(spec)
    if claim not in CLAIMS:
        raise NotationError(f"the claim is {quoted(claim)}, neither 'win' nor 'draw'")
    check_symmetry_count(game, symmetries)
    moves = rows_moves(game, rows)
    strategy = Strategy(game, number(seat, "the seat"), claim, moves, game.position(position))
    creator = text_creator(creator)
    check_spelling(data, strategy_text(strategy, creator=creator), "strategy files")
    return ProofFile(strategy, creator, file_hash(data))


def check_symmetry_count(game: Game, text: str) -> None:
    """Check the number of symmetries that a file says its positions are merged under."""
    if number(text, "the number of symmetries") != forms_of(game).count:
        raise NotationError(f"{game} has {forms_of(game).count} symmetries, not {text}")


def rows_moves(game: Game, rows: list[str]) -> dict[bytes, int]:
    """Read what `move_rows` has written."""
    moves = {}
    for row in rows:
        position, _, move = row.partition(" ")
        moves[text_owners(position, game.board.cell_count)] = number(move, "a move")
    if len(moves) != len(rows):
        raise NotationError("a position is listed twice")
    return moves
