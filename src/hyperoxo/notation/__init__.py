"""Text forms of games: drawings, one-line records, sequences, PGN, JSON, SGF and others."""

from hyperoxo.notation.columns import SCORE, read_columns, write_columns
from hyperoxo.notation.drawing import is_drawing, read_board, read_drawings, write_drawings
from hyperoxo.notation.files import read_file
from hyperoxo.notation.formats import FORMATS, Format, convert, detect, read, suffixes, write
from hyperoxo.notation.json_record import read_json, record_from_dict, record_to_dict, write_json
from hyperoxo.notation.oneline import read_record, read_records, write_record, write_records
from hyperoxo.notation.pgn import read_pgn, write_pgn
from hyperoxo.notation.piskvork import read_psq, write_psq
from hyperoxo.notation.record import Record, Remark, unheard
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
    "SCORE",
    "Format",
    "MoveSequence",
    "Record",
    "Remark",
    "convert",
    "detect",
    "is_drawing",
    "parse_sequence",
    "read",
    "read_board",
    "read_columns",
    "read_drawings",
    "read_file",
    "read_json",
    "read_pgn",
    "read_psq",
    "read_record",
    "read_records",
    "read_sequences",
    "read_sgf",
    "read_tesseract",
    "record_from_dict",
    "record_to_dict",
    "suffixes",
    "unheard",
    "write",
    "write_columns",
    "write_drawings",
    "write_json",
    "write_pgn",
    "write_psq",
    "write_record",
    "write_records",
    "write_sequences",
    "write_sgf",
    "write_tesseract",
]
