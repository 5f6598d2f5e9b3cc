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

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.proof.forms import forms_of
from hyperoxo.proof.strategy import CLAIMS, Strategy
from hyperoxo.rules import Game

__all__ = ["ProofFile", "read_strategy", "strategy_text", "write_strategy"]

_MAGIC = b"hyperoxo-strategy 1\n"
_HASH = b"sha256 "
_BODY = len(_MAGIC) + len(_HASH) + 64
_FIELDS = ("game", "position", "seat", "claim", "creator", "symmetries", "moves")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_SIGNS = bytes.maketrans(bytes([0, *range(1, 9), 255]), b".12345678#")
_OWNERS = bytes.maketrans(b".12345678#", bytes([0, *range(1, 9), 255]))
_KNOWN_OWNERS = bytes([0, *range(1, 9), 255])
_UNKNOWN_SIGNS = bytes(set(range(256)) - set(b".12345678#"))
_LONGEST = 1000


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
    # A reader never finds half a file: the new one takes the old one's place in one step.
    target = Path(path)
    part = target.with_name(f"{target.name}.part{os.getpid()}")
    try:
        part.write_bytes(text)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
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
    plain = creator.strip()[:_LONGEST].strip()
    written = "".join(c if " " <= c <= "~" else "?" for c in plain) or "-"
    values = (
        str(strategy.game),
        strategy.position.text,
        strategy.seat,
        strategy.claim,
        written,
        forms_of(strategy.game).count,
        len(strategy.moves),
    )
    lines = [f"{name} {value}" for name, value in zip(_FIELDS, values, strict=True)]
    size = strategy.game.board.cell_count
    for owners, move in sorted(strategy.moves.items()):
        if len(owners) != size or owners.translate(None, _KNOWN_OWNERS) or move < 0:
            raise SpecError(f"a move, {move}, is stored for what is no position of {strategy.game}")
        lines.append(f"{owners.translate(_SIGNS).decode('ascii')} {move}")
    body = b"\n" + "".join(f"{line}\n" for line in lines).encode("ascii")
    return _MAGIC + _HASH + _digest(body).encode("ascii") + body


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
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if not data.startswith(_MAGIC + _HASH):
        raise NotationError("this is no strategy file")
    body = data[_BODY:]
    sha256 = _digest(body)
    if data[_BODY - 64 : _BODY] != sha256.encode("ascii"):
        raise NotationError("the file is damaged: its hash is wrong")
    if not body.isascii() or not body.startswith(b"\n") or not body.endswith(b"\n"):
        raise NotationError("the file is not lines of ASCII text")
    lines = body[1:-1].decode("ascii").split("\n")
    fields = [_field(name, lines[at] if at < len(lines) else "") for at, name in enumerate(_FIELDS)]
    strategy, creator = _header(fields, lines[len(_FIELDS) :])
    found = ProofFile(strategy, creator, sha256)
    # One spelling of everything: what reads well must also be written the same.
    if strategy_text(strategy, creator=creator) != data:
        raise NotationError("the file is not written the way strategy files are")
    return found


def _digest(body: bytes) -> str:
    return hashlib.sha256(_MAGIC + _HASH + body).hexdigest()


def _field(name: str, line: str) -> str:
    word, space, value = line.partition(" ")
    if word != name or not space:
        raise NotationError(f"the line '{name} ...' is missing")
    return value


def _number(text: str, what: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"{what} is {quoted(text)}, which is no number")
    return int(text)


def _header(fields: list[str], rows: list[str]) -> tuple[Strategy, str]:
    spec, position, seat, claim, creator, symmetries, moves = fields
    game = Game(spec)
    if claim not in CLAIMS:
        raise NotationError(f"the claim is {quoted(claim)}, neither 'win' nor 'draw'")
    count = _number(moves, "the number of moves")
    if count != len(rows):
        raise NotationError(f"the file promises {count:,} moves and holds {len(rows):,}")
    if _number(symmetries, "the number of symmetries") != forms_of(game).count:
        raise NotationError(f"{game} has {forms_of(game).count} symmetries, not {symmetries}")
    stored = dict(_entry(row, game) for row in rows)
    if len(stored) != len(rows):
        raise NotationError("a position is listed twice")
    strategy = Strategy(game, _number(seat, "the seat"), claim, stored, game.position(position))
    return strategy, "" if creator == "-" else creator


def _entry(row: str, game: Game) -> tuple[bytes, int]:
    position, _, move = row.partition(" ")
    owners = position.encode("ascii").translate(_OWNERS, _UNKNOWN_SIGNS)
    if len(owners) != game.board.cell_count or len(position) != len(owners):
        raise NotationError(f"{quoted(position)} is no position of {game}")
    return owners, _number(move, "a move")
