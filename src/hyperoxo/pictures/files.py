"""Pixels as files: PNG, and GIF for pictures that move.

Pictures of boards have few colours and large even patches, so both formats keep a palette.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.pictures.pixels import Picture

__all__ = ["Frame", "as_gif", "as_png"]

Frame = tuple[Picture, float, tuple[slice, slice]]
"""A picture, the seconds for which it is shown, and the part in which it differs from the last."""

_COLOURS = 256
_MOST_CODES = 4096


def as_png(picture: Picture) -> bytes:
    """Write a picture as PNG, with a palette where it has few colours."""
    height, width, _ = picture.shape
    palette, indices = _indexed(picture)
    few = len(palette) <= _COLOURS
    rows = indices.astype(np.uint8) if few else picture.reshape(height, 3 * width)
    scanlines = np.zeros((height, rows.shape[1] + 1), dtype=np.uint8)
    scanlines[:, 1:] = rows
    parts = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3 if few else 2, 0, 0, 0)),
        _chunk(b"PLTE", palette.tobytes()) if few else b"",
        _chunk(b"IDAT", zlib.compress(scanlines.tobytes(), 9)),
        _chunk(b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def as_gif(frames: Iterable[Frame]) -> bytes:
    """Write pictures that are each shown for some seconds, again and again.

    A frame holds only what has changed since the one before it, in a palette of its own.
    """
    parts = []
    before: Picture | None = None
    for picture, seconds, (rows, columns) in frames:
        if before is None:
            height, width, _ = picture.shape
            parts.append(b"GIF89a" + struct.pack("<HHBBB", width, height, 0x70, 0, 0))
            parts.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
            changed = np.ones((height, width), bool)
            before = picture.copy()
        else:
            changed = (picture[rows, columns] != before[rows, columns]).any(-1)
            before[rows, columns] = picture[rows, columns]
        place = rows.indices(height)[0], columns.indices(width)[0]
        parts.append(_frame(picture[rows, columns], changed, place, max(2, round(100 * seconds))))
    return b"".join([*parts, b"\x3b"])


def _frame(
    part: Picture, changed: NDArray[np.bool_], place: tuple[int, int], hundredths: int
) -> bytes:
    """Write what has changed in a part of a picture."""
    if not changed.any():
        changed[0, 0] = True  # a frame holds something
    palette, indices = _indexed(part[changed])
    for coarser in np.array([0xF0, 0xC0], np.uint8):
        if len(palette) >= _COLOURS:
            palette, indices = _indexed(part[changed] & coarser)
    bits = max(2, len(palette).bit_length())
    table = np.zeros((2**bits, 3), dtype=np.uint8)
    table[: len(palette)] = palette
    clear = len(palette)  # the colour after the last is transparent: what was there stays
    pixels = np.full(changed.shape, clear, dtype=np.uint8)
    pixels[changed] = indices
    height, width = part.shape[:2]
    return b"".join(
        [
            b"\x21\xf9\x04" + struct.pack("<BHB", 0x05, hundredths, clear) + b"\x00",
            b"\x2c" + struct.pack("<HHHH", place[1], place[0], width, height),
            bytes([0x80 | bits - 1]),
            table.tobytes(),
            bytes([bits]),
            *_blocks(_squeezed(pixels.tobytes(), bits)),
            b"\x00",
        ]
    )


def _indexed(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return the colours of some pixels, ``[colour, 3]``, and the number of each pixel's."""
    packed = pixels.astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
    found = np.unique(packed)
    palette = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=-1).astype(np.uint8)
    return palette, np.searchsorted(found, packed)


def _blocks(data: bytes) -> Iterator[bytes]:
    """Cut data into pieces that begin with their lengths."""
    for start in range(0, len(data), 255):
        piece = data[start : start + 255]
        yield bytes([len(piece)]) + piece


def _squeezed(data: bytes, bits: int) -> bytes:
    """Compress numbers below ``2**bits`` by Lempel, Ziv and Welch's method, as GIF has it."""
    clear = 1 << bits
    out = bytearray()
    codes: dict[int, int] = {}  # (code of what came before) * 256 + next number -> its code
    following, size = clear + 2, bits + 1
    held, count = clear, size  # bits that do not fill a byte yet
    code = data[0]
    for number in data[1:]:
        known = codes.get(code << 8 | number)
        if known is not None:
            code = known
            continue
        held |= code << count
        count += size
        while count >= 8:
            out.append(held & 255)
            held >>= 8
            count -= 8
        if following < _MOST_CODES:
            codes[code << 8 | number] = following
            if following == 1 << size:
                size += 1
            following += 1
        else:
            held |= clear << count
            count += size
            codes.clear()
            following, size = clear + 2, bits + 1
        code = number
    held |= code << count
    count += size
    if following == 1 << size and size < 12:
        size += 1
    held |= clear + 1 << count
    count += size
    return bytes(out) + held.to_bytes(count + 7 >> 3, "little")
