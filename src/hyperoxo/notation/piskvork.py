"""Games of Piskvork and Gomocup: ``.psq`` records, and openings of RenLib as bytes.

::

    Piskvorky 15x15, 11:11, 0       columns x rows, kinds of players, and who of them begins
    8,8,120                         column and row from the upper left, from 1, and milliseconds
    9,7,3100
    ada.zip                         players, in tournaments
    bob.zip
    0                               code of the end; Gomocup adds a winner and the rule

The game is five in a row on its board, exactly five by a rule such as Standard, unless the caller
names another one. Times, kinds of players, codes and winners are not carried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation.record import (
    Record,
    Remark,
    check_only_moves,
    planar,
    read_game,
    read_parts,
    unheard,
)

_HEADER = re.compile(
    r"Piskvorky\s+(\d{1,2}|100)x(\d{1,2}|100)\s*,\s*-?\d+\s*:\s*-?\d+\s*,\s*([01])\s*"
)
_START = re.compile(r"^(?=Piskvorky\b)", re.MULTILINE)
_MOVE = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})(?:\s*,\s*-?\d+)?")
_CODE = re.compile(r"-?\d+")
_RULE = re.compile(r"\d\s*,\s*([A-Za-z]\w*)")
_EXACTLY = re.compile("standard", re.IGNORECASE)
_LARGEST = 100
_RENLIB_SIDE = 15


def read_psq(
    text: str, *, game: Game | str | None = None, remark: Remark = unheard
) -> list[Record]:
    """Read a game, or several, each after its header."""
    parts = [part for part in _START.split(text) if part.strip()]
    return read_parts("game", parts, lambda part: _read(part, game, remark))


def _read(text: str, asked: Game | str | None, remark: Remark) -> Record:
    header, *rest = text.split("\n")
    match = _HEADER.fullmatch(header)
    if match is None:
        example = "'Piskvorky 15x15, 0:0, 0'"
        raise NotationError(f"the first line is {header.strip()[:40]!r}; did you mean {example}?")
    columns, rows, second = map(int, match.groups())
    # 1. Moves, up to the first line that is none, and the rules after them.
    lines = [line.strip() for line in rest]
    played = [*takewhile(lambda line: not line or _MOVE.fullmatch(line), lines)]
    last = [*filter(None, lines[len(played) :])]
    rules = [found[1][:40] for found in map(_RULE.fullmatch, last) if found]
    exactly = any(map(_EXACTLY.match, rules))
    spec = f"{columns},{rows},5{':exact' * exactly}"
    game = read_game(spec) if asked is None else Game(str(asked))
    if planar(game, "psq", _LARGEST) != (rows, columns):
        raise NotationError(f"the file is for a {columns} x {rows} board, not for {game}")
    moves: list[int] = []
    for line in filter(None, played):
        column, row = map(int, line.split(",")[:2])
        if not (1 <= column <= columns and 1 <= row <= rows):
            where = f"{column},{row} is not on the {columns} x {rows} board"
            raise NotationError(f"move {len(moves) + 1}: {where}")
        moves.append((row - 1) * columns + column - 1)
    # 2. Names, of the player who is first in the header first, and codes in separate lines.
    names = [line for line in last if not (_RULE.fullmatch(line) or _CODE.fullmatch(line))]
    if len(names) > 2:
        raise NotationError(f"{names[2][:40]!r} is neither a move nor one of two players")
    if asked is None or rules:
        known = exactly and game.exact
        though = f", though its rule is {rules[0]}" if rules and not known else ""
        remark(f"read as a game of {game}{though}")
    players = [*names, "", ""][:2]
    return Record(game, tuple(moves), players=tuple(players[::-1] if second else players))


def write_psq(records: Iterable[Record]) -> str:
    """Write games of five in a row, one after another."""
    return "".join(map(_write, records))


def _write(record: Record) -> str:
    rows, columns = planar(record.game, "psq", _LARGEST)
    plain = Game(f"{columns},{rows},5")
    if record.game not in (plain, Game(f"{plain}:exact")):
        raise NotationError(f"psq holds games such as {plain}, not {str(record.game)[:60]}")
    check_only_moves(record, "psq")
    places = (divmod(cell, columns) for cell in record.moves)
    moves = (f"{column + 1},{row + 1},0" for row, column in places)
    lines = [f"Piskvorky {columns}x{rows}, 0:0, 0", *moves]
    lines += record.players if all(map(_is_name, record.players)) else ()
    rule = ["0,Standard"] if record.game.exact else []
    return "\n".join([*lines, "0", *rule, ""])


def _is_name(text: str) -> bool:
    """Return True if a line with this name cannot be read as something else."""
    others = any(one.match(text) for one in (_CODE, _RULE, _START))
    return text == text.strip() != "" and text.splitlines() == [text] and not others


def renlib_moves(data: bytes) -> str:
    """Return the moves of a ``.pos`` file of RenLib, or an empty string for other bytes.

    The first byte counts the moves; each other is a cell of a 15 x 15 board, row by row.
    """
    count, cells = data[:1], data[1:].rstrip(b"\0")
    cells += bytes(max(0, sum(count) - len(cells)))  # zeros at the end may be a move on cell 0
    fits = 0 < sum(count) == len(cells) == len({*cells}) and max(cells) < _RENLIB_SIDE**2
    return f"moves:{','.join(map(str, cells))}" if fits else ""
