"""Positions under gravity as the columns that were played, each with its exact score.

::

    line  = [game " "] columns [" " score] | game      as in ``44455554221 -15``
    columns = digits, or numbers with commas    columns count from 1

The test sets of Pascal Pons's articles on Connect Four are written so [1]_. A score counts the
stones that the winner still has when the game ends under best play, that of the last move
included: 1 for a win with the last of all one's stones, 2 for the one before; it is negative where
the player to move loses, 0 in a draw. It is kept as the tag ``Score``. The default game is
7,6,4:gravity. Empty lines and lines that begin with ``#`` and a blank are skipped.

References
----------
.. [1] P. Pons, "Solving Connect 4: how to build a perfect AI", part 2, gamesolver.org.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.game.names import feet_of
from hyperoxo.notation.record import (
    Record,
    agreed_game,
    check_only_moves,
    read_each,
    rows_of,
    taken_game,
)

SCORE = "Score"
"""The tag of a score."""

SCORED = re.compile(r"(?:\S+:\S+ +)?(?:[1-9][0-9]{3,}[ \t]+-?|[1-9][0-9,]*[ \t]+-)[0-9]{1,4}")
"""A line with a score that nothing else can be: cells have fewer digits than four columns."""

_SCORE = re.compile(r"-?[0-9]{1,4}")
_DEFAULT = "7,6,4:gravity"
_DIGITS = 9


def read_columns(text: str, *, game: Game | str | None = None) -> list[Record]:
    """Read a file of positions, one per line."""
    return read_each("line", rows_of(text), lambda line: _read(line, game))


def _read(line: str, asked: Game | str | None) -> Record:
    words = line.split()
    named = taken_game(words, asked) if ":" in words[0] else agreed_game(None, asked)
    game = named or Game(_DEFAULT)
    if len(words) > 2 or not all(map(_SCORE.fullmatch, words[1:])):
        raise NotationError("a line has columns and a whole number, as in '4455 18'")
    position = game.position(f"columns:{words[0]}") if words else game.start()
    return Record.of(position, tags=dict(zip((SCORE,), words[1:], strict=False)))


def write_columns(records: Iterable[Record]) -> str:
    """Write the moves of games as columns, one game per line, with the scores that they have."""
    return "".join(f"{_written(record)}\n" for record in records)


def _written(record: Record) -> str:
    check_only_moves(record, "a line of columns")
    game = record.game
    feet, axis = feet_of(game), game.gravity
    if axis is None or game.blocked:
        raise NotationError("a line of columns needs gravity and no blocked cells")
    if not record.moves:
        return str(game)  # a score alone would be a column
    columns = {game.board.coordinates(foot): number for number, foot in enumerate(feet, start=1)}
    places = ([*game.board.coordinates(cell)] for cell in record.moves)
    played = [str(columns[(*at[:axis], 0, *at[axis + 1 :])]) for at in places]
    joined = "".join(played) if len(feet) <= _DIGITS else ",".join(played)
    lone = "," if len(feet) > _DIGITS and len(played) == 1 else ""  # 12 is two columns, 12, is one
    spec, score = str(game), record.tag(SCORE) or ""
    words = [spec] * (spec != _DEFAULT) + [joined + lone] + _SCORE.findall(score)[:1]
    return " ".join(words)
