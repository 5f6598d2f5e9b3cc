"""Registry of notations: detection, reading, writing, conversion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hyperoxo.errors import HyperoxoError, NotationError, meant
from hyperoxo.game import Game
from hyperoxo.game.drawn import is_drawn
from hyperoxo.game.reading import OFFSETS, names_of, offsets_of
from hyperoxo.notation.columns import SCORED, read_columns, write_columns
from hyperoxo.notation.drawing import is_drawing, read_drawings, write_drawings
from hyperoxo.notation.json_record import read_json, write_json
from hyperoxo.notation.oneline import MOVES, read_records, write_records
from hyperoxo.notation.pgn import read_pgn, write_pgn
from hyperoxo.notation.piskvork import read_psq, write_psq
from hyperoxo.notation.record import SPEC, Record, agreed_game, read_each, rows_of, taken_game
from hyperoxo.notation.sequence import SEQUENCE, read_sequences, write_sequences
from hyperoxo.notation.sgf import read_sgf, write_sgf
from hyperoxo.notation.tesseract import read_tesseract, write_tesseract
from hyperoxo.untrusted import decoded, read_bytes

_OPENINGS = (
    ("tesseract", re.compile(r'"?\{\s*[0-9]|NC4loadGame')),
    ("json", re.compile(r"\{|\[\s*[{\]]")),
    ("pgn", re.compile(r"\[\s*[A-Za-z]")),
    ("sgf", re.compile(r"\(\s*;")),
    ("psq", re.compile(r"Piskvorky\b")),
    ("columns", re.compile(rf"{SCORED.pattern}[ \t\r]*$", re.MULTILINE)),
    ("position", re.compile(rf"\[|(?:{OFFSETS.pattern})[ \t\r]*$", re.MULTILINE)),
)
"""Beginnings of texts in these notations, the more specific first."""

_NEAR = (
    (re.compile(r"[;(]*\s*(?:(?:FF|GM|SZ|A?[BW])\[)"), "SGF, which begins with '(;'"),
    (re.compile(r"(?i)pis[ckq]?[vkq]or"), "'Piskvorky 15x15, 0:0, 0', as psq begins"),
    (re.compile(r"(?i)moves?\b"), "'moves:4,0'"),
    (re.compile(r"(?i)columns?\b"), "'columns:4453'"),
    (re.compile(r"[0-9]+[ ,;\t]"), "'moves:4,0' or 'columns:4453'"),
    (re.compile(r"\S+\.[A-Za-z]{2,9}\s*$"), "a file, as in ox.read(Path('game.sgf'))"),
)
"""Beginnings of texts that are nearly in a notation, with the correct spelling."""

_COLUMNS = re.compile(r"\S*:\S*gravity\S* +[1-9][0-9]{3,}\s*")
"""Columns without a score: a cell number has fewer digits."""

_TESSERACT_OPTIONS = ("numbering", "moves", "cells")


@dataclass(frozen=True)
class Format:
    """One notation.

    Attributes
    ----------
    name : str
        Its name in `convert` and on the command line.
    about : str
        A line about it.
    extensions : tuple of str
        Suffixes of its files.
    read : callable
        From text, and the options below, to a list of records.
    write : callable
        From a sequence of records, and the options below, to text.
    read_options, write_options : tuple of str
        Options that the two take.
    """

    name: str
    about: str
    extensions: tuple[str, ...]
    read: Callable[..., list[Record]]
    write: Callable[..., str]
    read_options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()


_SIGNS = re.compile(r"[XOxo-]+")
_ROW = re.compile(r"-?[0-9A-Za-z.](,-?\w+|,[.]){8,}")
_LIST = re.compile(r"(?!([1-9][0-9]*,){2}[1-9][0-9]*\s*$)[0-9]+(,[0-9]+)+\s*")
"""Numbers that are not a board m,n,k."""

_TABLE = re.compile(r"(?=.*[ ,;\t])[-012 ,;\t\r]+\n[-012 ,;\t\r\n]+")
_POSITION = re.compile(
    rf"[.#1-8]+|(moves|columns):[0-9A-Za-z.,]*|([0-9.]*[A-Za-z]{{1,2}}[0-9]+)+|{_ROW.pattern}"
)
"""One-line positions that no other notation has."""


def _read_positions(text: str, *, game: Game | str | None = None) -> list[Record]:
    # An array fills several lines, and so may the moves of one game.
    named = agreed_game(None, game)
    moves = None if named is None else names_of(named, text)
    whole = text.lstrip()[:1] == "[" or (moves and moves == text.strip().split("\n"))
    # Openings that count from the middle may have lines without a minus sign.
    signed = "-" in text
    rows = [(1, text)] if whole else rows_of(text)
    return read_each("line", rows, lambda line: _read_position(line.strip(), named, signed=signed))


def _read_position(line: str, game: Game | None, *, signed: bool) -> Record:
    words = line.split()
    offsets = OFFSETS.fullmatch(line) is not None
    alone = len(words) == 1 or line[0] == "[" or offsets
    if alone and game is None:
        form = "a position is a game spec, a blank and one character per cell"
        raise NotationError(f"{form}; or name the game apart, such as 15,15,5")
    chosen = game if alone else taken_game(words, game)
    if chosen is None:
        raise NotationError(f"'{words[0][:40]}' is not a game spec")
    cells = offsets_of(chosen, line) if offsets and signed else None
    return Record.of(chosen.position(f"moves:{','.join(cells)}" if cells else " ".join(words)))


def _write_tesseracts(records: Sequence[Record], **options: str) -> str:
    if len(records) != 1:
        raise NotationError(f"a tesseract string holds one game, not {len(records)}")
    return write_tesseract(records[0], **options) + "\n"


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            "position",
            "game spec and position, one per line; only the last position of a game is kept",
            (".pos",),
            _read_positions,
            lambda records: "".join(f"{one.game} {one.position.text}\n" for one in records),
            ("game",),
        ),
        Format(
            "drawing",
            "a drawn board such as X.O/.X./..O; only the last position of a game is kept",
            (".board",),
            read_drawings,
            write_drawings,
            ("game",),
        ),
        Format(
            "record",
            "one-line records: game, setup, moves, result",
            (".oxo", ".txt"),
            read_records,
            write_records,
        ),
        Format(
            "names",
            "one-line records with the names of cells, such as 3a4",
            (".names",),
            read_records,
            partial(write_records, names=True),
        ),
        Format(
            "pgn", "tag pairs and numbered rounds; holds everything", (".pgn",), read_pgn, write_pgn
        ),
        Format("json", "JSON; holds everything", (".json",), read_json, write_json),
        Format(
            "sgf",
            "Smart Game Format, for two players on planar boards",
            (".sgf",),
            read_sgf,
            write_sgf,
            ("game", "remark"),
        ),
        Format(
            "psq",
            "games of Piskvork and Gomocup: five in a row on planar boards",
            (".psq",),
            read_psq,
            write_psq,
            ("game", "remark"),
        ),
        Format(
            "columns",
            "columns played under gravity, and a score, one per line, as in test sets",
            (".columns",),
            read_columns,
            write_columns,
            ("game",),
        ),
        Format(
            "tesseract",
            "export string of the tesseract program, for 3^4 with its centre blocked",
            (".tesseract",),
            lambda text, **options: [read_tesseract(text, **options)],
            _write_tesseracts,
            _TESSERACT_OPTIONS,
            _TESSERACT_OPTIONS,
        ),
        Format(
            "sequence",
            "quiet moves joined by -, then forced ones joined by x, as in articles on Qubic",
            (".seq",),
            read_sequences,
            write_sequences,
            ("game",),
        ),
    )
}
"""Every notation by name."""


def detect(text: str, game: Game | str | None = None) -> str:
    """Return the notation of some text, by its beginning; rows on a named board are a drawing."""
    # From unmistakable to ambiguous. 1. Notations that a first line identifies.
    rows = text.removeprefix("\ufeff").split("\n")
    start = "\n".join(line for line in rows if not line.startswith("# ")).strip()
    lines = [line.strip() for line in start.split("\n")]
    found = next((name for name, opening in _OPENINGS if opening.match(start)), "")
    if not found and (named := agreed_game(None, game)) is not None:
        whole = (len(line) == named.board.cell_count or names_of(named, line) for line in lines)
        found = "position" if all(whole) else ""
    if found:
        return found
    # 2. Moves joined by dashes or 'x': a long number after a gravity game is columns.
    first, _, below = start.partition("\n")
    words = first.split()
    if _is_sequence(words):
        return "columns" if _COLUMNS.fullmatch(first) else "sequence"
    # 3. Dashes can also be free cells: a word with a sign for every cell of its board is a
    #    position. Then drawings, which have rows.
    signs = len(words) == 2 and _SIGNS.fullmatch(words[1]) and _fills(*words)
    if len(words) > 1 and MOVES.fullmatch(words[1]) and not signs:
        return "record"
    if (game is not None and _TABLE.fullmatch(start)) or (not signs and is_drawing(start)):
        return "drawing"
    # 4. A game spec, and what follows it; then positions without one, and else a hint.
    row = bool(words) and (_ROW.fullmatch(words[0]) or _LIST.fullmatch(first))
    if words and SPEC.match(words[0]) and not row:
        drawn = len(words) == 1 and below.strip() and not SPEC.match(below)
        record = len(words) == 1 or words[1].startswith("moves:") or "=" in words[1]
        return "drawing" if drawn else "record" if record else "position"
    near = (f"; did you mean {written}?" for opening, written in _NEAR if opening.match(first))
    hint, listed = next(near, ""), words and _POSITION.fullmatch(words[0])
    if not listed and (game is None or hint or not is_drawn(start)):
        hint = hint or f" ({', '.join(FORMATS)})"
        raise NotationError(f"this is written in no known notation{hint}")
    return "position" if listed else "drawing"


def _is_sequence(words: list[str]) -> bool:
    """Return True if words are a sequence, not a position or a list of moves."""
    named = bool(words) and SPEC.match(words[0]) is not None
    moves = words[1:] if named else words
    if not SEQUENCE.fullmatch(" ".join(moves)):
        return False
    if not named:
        return "-" in words[0] or "x" in words[-1]
    quiet = "-" not in moves[0] and not _fills(*words[:2])
    return len(moves) == 2 or "x" in moves[0] or quiet


def _fills(spec: str, word: str) -> bool:
    """Return True if a word has one character for every cell of a game's board."""
    try:
        return Game(spec).board.cell_count == len(word)
    except HyperoxoError:
        return False


def read(text: str | bytes | Path, source: str | None = None, **options: Any) -> list[Record]:
    """Read all records in some text.

    Parameters
    ----------
    text : str, bytes or Path
        The text, or the file that holds it.
    source : str, optional
        Name of its notation; None detects it.
    **options
        Options of the notation: ``game`` for a position or an SGF file that does not name
        it; ``numbering``, ``moves`` and ``cells`` for a tesseract string; ``remark``, called with
        what was understood of an SGF or psq file that leaves something open. Others are ignored.

    Returns
    -------
    list of Record
        The records.

    Raises
    ------
    NotationError
        If the text cannot be read.

    Examples
    --------
    >>> read("....1....", game="3^2")[0].setup
    '....1....'
    """
    if not isinstance(text, str):
        text = decoded(text if isinstance(text, bytes) else read_bytes(text), str(text))
    entry = _format(detect(text, options.get("game")) if source is None else source)
    return entry.read(text.removeprefix("\ufeff"), **_chosen(options, entry.read_options))


def suffixes() -> dict[str, str]:
    """Names of notations by the suffixes of their files."""
    return {suffix: name for name, entry in FORMATS.items() for suffix in entry.extensions}


def write(records: Sequence[Record] | Record, target: str, **options: Any) -> str:
    r"""Write records in the notation named `target`.

    Parameters
    ----------
    records : sequence of Record, or Record
        What to write.
    target : str
        Name of a notation, such as ``"pgn"``.
    **options
        Options of that notation.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> write(read("3^2 moves:4,0"), "position")
    '3^2 2...1....\n'
    """
    entry, each = _format(target), [records] if isinstance(records, Record) else records
    return entry.write(each, **_chosen(options, entry.write_options))


def convert(text: str, source: str | None, target: str, **options: Any) -> str:
    """Convert text from one notation to another.

    Data that the target cannot hold is left out if it does not affect play (names, icons, tags,
    comments) and refused if it does (setups, resignations, rules).

    Parameters
    ----------
    text : str
        The text.
    source : str or None
        Name of its notation; None detects it.
    target : str
        Name of the other notation.
    **options
        As in `read`; those of a tesseract string apply to writing too.

    Returns
    -------
    str
        The text in the other notation.

    Raises
    ------
    NotationError
        If the text cannot be read, or the target cannot hold it.

    Examples
    --------
    >>> print(convert("3^2 4-0-8", None, "pgn"), end="")
    [Game "3^2"]
    [Result "*"]
    <BLANKLINE>
    1. 4 0 2. 8 *
    """
    return write(read(text, source, **options), target, **options)


def _format(name: str) -> Format:
    if name not in FORMATS:
        listed = meant(name, FORMATS) or f"there are {', '.join(FORMATS)}"
        raise NotationError(f"unknown notation '{name}'; {listed}")
    return FORMATS[name]


def _chosen(options: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    if unknown := set(options) - {"game", "remark", *_TESSERACT_OPTIONS}:
        raise NotationError(f"unknown option '{min(unknown)}'")
    return {name: value for name, value in options.items() if name in known and value is not None}
