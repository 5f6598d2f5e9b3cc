"""Text forms of games: drawings, one-line records, sequences, PGN, JSON, SGF and others."""

from hyperoxo.notation.drawing import looks_drawn, read_board, read_drawings, write_drawings
from hyperoxo.notation.formats import (
    FORMATS,
    Format,
    convert,
    detect,
    read,
    read_named,
    suffixes,
    write,
)
from hyperoxo.notation.json_record import read_json, record_from_dict, record_to_dict, write_json
from hyperoxo.notation.oneline import read_record, read_records, write_record, write_records
from hyperoxo.notation.pgn import read_pgn, write_pgn
from hyperoxo.notation.record import Record
from hyperoxo.notation.sequence import (
    MoveSequence,
    parse_sequence,
    read_sequences,
    write_sequences,
)
from hyperoxo.notation.sgf import read_sgf, write_sgf
from hyperoxo.notation.tesseract import read_tesseract, write_tesseract

__all__ = [
    "FORMATS",
    "Format",
    "MoveSequence",
    "Record",
    "convert",
    "detect",
    "looks_drawn",
    "parse_sequence",
    "read",
    "read_board",
    "read_drawings",
    "read_json",
    "read_named",
    "read_pgn",
    "read_record",
    "read_records",
    "read_sequences",
    "read_sgf",
    "read_tesseract",
    "record_from_dict",
    "record_to_dict",
    "suffixes",
    "write",
    "write_drawings",
    "write_json",
    "write_pgn",
    "write_record",
    "write_records",
    "write_sequences",
    "write_sgf",
    "write_tesseract",
]
