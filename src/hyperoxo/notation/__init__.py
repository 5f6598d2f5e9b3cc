"""Text forms of games: drawings, one-line records, sequences, PGN, JSON, SGF and others."""

from hyperoxo.notation.columns import SCORE
from hyperoxo.notation.drawing import read_board
from hyperoxo.notation.files import read_file
from hyperoxo.notation.formats import FORMATS, Format, convert, detect, read, suffixes, write
from hyperoxo.notation.json_record import read_json, record_from_dict, record_to_dict
from hyperoxo.notation.oneline import write_record
from hyperoxo.notation.record import Record, Remark, unheard

__all__ = [
    "FORMATS",
    "SCORE",
    "Format",
    "Record",
    "Remark",
    "convert",
    "detect",
    "read",
    "read_board",
    "read_file",
    "read_json",
    "record_from_dict",
    "record_to_dict",
    "suffixes",
    "unheard",
    "write",
    "write_record",
]
