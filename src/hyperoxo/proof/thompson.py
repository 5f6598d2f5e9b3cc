"""Dictionaries of strategic moves in Thompson's text form.

A line for each position: the cells in order, ``x`` for a stone of player 1, ``o`` for one of player
2, a number for that many cells without a stone; those after the last one written have none either;
then a space and the move. ``xo1x8x8o41o 41`` is a position of 4^3, and `` 0`` says that player 1
begins in cell 0. Nothing is stripped from lines; any that do not look like this are prose.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.game import BLOCKED, FREE, Game, Position
from hyperoxo.proof.dictionary import Dictionary, collect
from hyperoxo.proof.envelope import read_bytes

_ENTRY = re.compile(rb"([xo0-9]*) ([0-9]+)")
_PIECE = re.compile(rb"[xo]|[0-9]+")
_SIGNS = b".xo".ljust(256, b".")
_DIGITS = 9
_EXAMPLES = 3


@dataclass(frozen=True)
class DictionaryText:
    """Result of reading a dictionary: counts of each kind of line, examples of illegal ones."""

    dictionary: Dictionary
    entries: int
    prose: int
    duplicates: int
    contradictions: int
    illegal: int
    examples: tuple[str, ...]


def read_dictionary(
    source: str | os.PathLike[str] | bytes,
    game: Game,
    *,
    seat: int | None = None,
    begins: Position | None = None,
) -> DictionaryText:
    """Read a dictionary in Thompson's text form.

    The attacker is `seat`, or the player to move in the first legal entry; the win begins at
    `begins`, or at the start.
    """
    data = read_bytes(source)
    # Refuse unsupported games before any line is read.
    Dictionary(game, 1, None, {})
    rows = data.split(b"\n")
    if not rows[-1]:
        rows.pop()
    found: list[tuple[bytes, int]] = []
    examples: list[str] = []
    prose = illegal = 0
    for number, row in enumerate(rows, start=1):
        # Lines that match are entries, legal or not; all others are prose, which published files
        # contain. The first legal entry determines the attacker, if none is given.
        if not _ENTRY.fullmatch(row):
            prose += 1
            continue
        try:
            position, move = read_entry(row, game, seat)
        except NotationError as error:
            illegal += 1
            if len(examples) < _EXAMPLES:
                examples.append(f"line {number}: {error}")
            continue
        seat = position.to_move
        found.append((position.owners, move))
    moves, duplicates, contradictions = collect(game, found)
    dictionary = Dictionary(game, seat or 1, begins, moves)
    entries = len(rows) - prose
    return DictionaryText(
        dictionary, entries, prose, duplicates, contradictions, illegal, tuple(examples)
    )


def read_entry(row: bytes, game: Game, seat: int | None = None) -> tuple[Position, int]:
    """Read one entry."""
    match = _ENTRY.fullmatch(row)
    if match is None:
        raise NotationError(f"{quoted(row.decode('latin-1'))} is not an entry")
    owners = bytearray(game.start().owners)
    at = 0
    for piece in _PIECE.findall(match[1]):
        if piece not in (b"x", b"o"):
            at += _number(piece)
            continue
        if at >= len(owners) or owners[at] == BLOCKED:
            raise NotationError(f"there is no cell {at} for a stone in {game}")
        owners[at] = 1 if piece == b"x" else 2
        at += 1
    if at > len(owners):
        raise NotationError(f"the position has {at} cells, {game} has {len(owners)}")
    position = Position.from_owners(game, bytes(owners))
    move = _number(match[2])
    if position.is_over:
        raise NotationError("the game is over")
    if seat not in (None, position.to_move):
        raise NotationError(f"player {seat} is not to move")
    if move not in position.legal_moves:
        raise NotationError(f"the move {move} is not legal")
    return position, move


def _number(digits: bytes) -> int:
    digits = digits.lstrip(b"0") or b"0"
    if len(digits) > _DIGITS:
        raise NotationError(f"the number {quoted(digits.decode())} is too large")
    return int(digits)


def dictionary_text(dictionary: Dictionary) -> bytes:
    """Write a dictionary in Thompson's text form, positions in ascending order."""
    size, lines = dictionary.game.board.cell_count, []
    for owners, move in sorted(dictionary.moves.items()):
        if len(owners) != size or {*owners} - {FREE, 1, 2, BLOCKED}:
            raise CheckFailedError(
                f"a move is listed for a row that is not a position of {dictionary.game}"
            )
        lines.append(f"{entry_text(owners, move)}\n")
    return "".join(lines).encode("ascii")


def entry_text(owners: bytes, move: int) -> str:
    """Write one entry."""
    signs = owners.translate(_SIGNS).decode("ascii").rstrip(".")
    return f"{re.sub(r'[.]+', lambda run: str(len(run[0])), signs)} {move}"
