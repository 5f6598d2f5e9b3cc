"""Files of records: their encodings, suffixes, and openings of RenLib as bytes."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from encodings.aliases import aliases
from pathlib import PurePath
from typing import Any

from hyperoxo.errors import NotationError, meant, quoted
from hyperoxo.notation.formats import detect, read, suffixes
from hyperoxo.notation.piskvork import renlib_moves
from hyperoxo.notation.record import Record, Remark, unheard
from hyperoxo.untrusted import decoded

_SGF = re.compile(rb"\A[^(]{0,1000}\(\s*;(?:[^()]*?\bCA\s*\[\s*([^\]\\]{1,40}?)\s*\])?")
"""Start of an SGF file, with the encoding that it declares."""

_LATIN = "ISO-8859-1"
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_file(
    data: bytes,
    name: str,
    source: str | None = None,
    *,
    encoding: str | None = None,
    remark: Remark = unheard,
    **options: Any,
) -> tuple[str, list[Record]]:
    """Read all records of a file; return its notation too.

    Without a `source`, the suffix of its name (``-`` for standard input) is a hint: a file that
    cannot be read accordingly, or has another suffix or ``.txt``, is read by its content. Each
    remark is made once; errors name the file.
    """
    remarks: dict[str, None] = {}
    suffix = PurePath(name).suffix.lower()
    moves = renlib_moves(data) if suffix == ".pos" and source in (None, "position") else ""
    if moves and not options.get("game"):
        options["game"] = "15,15,5"
        remarks["stones of RenLib; read as a game of 15,15,5"] = None
    text = moves or _text_of(data, name, encoding, remarks.setdefault)
    options["remark"] = remarks.setdefault
    hint = source or (None if suffix == ".txt" else suffixes().get(suffix))
    try:
        found = _read(text, hint, certain=source is not None, **options)
    except NotationError as error:
        raise NotationError(str(error) if name == "-" else f"{name}: {error}") from None
    for one in remarks:
        remark(one)
    return found


def _read(
    text: str, hint: str | None, *, certain: bool, **options: Any
) -> tuple[str, list[Record]]:
    if hint is not None:
        try:
            return hint, read(text, hint, **options)
        except NotationError:
            other = hint
            with suppress(NotationError):
                other = detect(text, options.get("game"))
            if certain or other == hint:
                raise
    source = detect(text, options.get("game"))
    return source, read(text, source, **options)


def _text_of(data: bytes, name: str, encoding: str | None, remark: Remark) -> str:
    """Decode a file: as requested, by its byte order mark, by SGF's CA, or else as UTF-8."""
    sgf = _SGF.match(data)
    if encoding is None and data.startswith(_MARKS):
        encoding = "utf-16"
    if encoding is None and sgf is not None and sgf[1]:
        charset = sgf[1].decode("ascii", "replace")
        with suppress(NotationError):
            return _decoded(data, name, charset)
        remark(f"the text is not in the encoding of CA[{charset}]")
    try:
        return _decoded(data, name, encoding or "utf-8")
    except NotationError as error:
        if encoding is not None:
            raise
        if sgf is None:
            raise NotationError(f"{error}; 'oxo convert --encoding NAME' reads others") from None
    remark(f"read as {_LATIN} text, since it is not UTF-8")
    return data.decode(_LATIN)


def _decoded(data: bytes, name: str, encoding: str) -> str:
    try:
        return decoded(data, name, encoding)
    except (LookupError, ValueError) as error:
        if isinstance(error, NotationError):
            raise
        near = meant(encoding.lower().replace("-", "_"), {*aliases, *aliases.values()})
        about = f"unknown encoding {quoted(encoding, 20)}"
        raise NotationError(f"{about}; {near}" if near else about) from None
