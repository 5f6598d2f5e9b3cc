"""Text forms of games: one-line records, sequences, PGN, JSON, SGF and tesseract strings."""

from hyperoxo.notation.formats import FORMATS, Format, convert, detect, read, write
from hyperoxo.notation.json_record import record_from_dict, record_to_dict
from hyperoxo.notation.oneline import write_record
from hyperoxo.notation.record import Record

__all__ = [
    "FORMATS",
    "Format",
    "Record",
    "convert",
    "detect",
    "read",
    "record_from_dict",
    "record_to_dict",
    "write",
    "write_record",
]
