# SPDX-License-Identifier: GPL-3.0-or-later
"""Gray PNG images (.png) of 8 or 16 bits.

Source: W3C, *Portable Network Graphics (PNG) Specification*, third edition, 2025.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .elevation import Elevation, check_count
from .registry import Format, add, as_heights

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, GRAY_ALPHA = 0, 4
KINDS = {2: "colors", 3: "a palette", 6: "colors"}
MOST_RATIO = 1100
"""Deflate makes data at most 1032 times smaller (zlib's documentation)."""
BAND = 1024
"""Rows that are unfiltered together."""
SUB, UP, AVERAGE, PAETH = 1, 2, 3, 4

Bytes = NDArray[np.uint8]


def read(path: Path) -> Elevation:
    """The stored numbers, 0 to 65535 or 0 to 255."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(8) != SIGNATURE:
            raise ValueError("this is not a PNG file")
        columns, rows, depth, channels = _header(file)
        step = channels * depth // 8
        expected = rows * (1 + columns * step)
        if expected > MOST_RATIO * size:
            raise ValueError(f"its {size} bytes cannot hold {columns} x {rows} pixels")
        data = _image_data(file, expected)
    lines = np.frombuffer(data, np.uint8).reshape(rows, 1 + columns * step)
    pixels = _unfiltered(lines, step).reshape(rows, columns, step)
    values = pixels[..., : depth // 8].copy().view(f">u{depth // 8}")[..., 0]
    notes = [f"Read as {depth}-bit numbers, first row in the north."]
    if depth == 8:
        notes.append("An image of 8 bits holds 256 heights only: slopes become steps.")
    stored = (0.0, float(2**depth - 1))
    return Elevation(as_heights(values[::-1]), stored=stored, notes=tuple(notes))


def _header(file: IO[bytes]) -> tuple[int, int, int, int]:
    """Columns, rows, bits and channels."""
    name, data = _chunk(file)
    if name != b"IHDR" or len(data) != 13:
        raise ValueError("this is not a complete PNG file")
    columns, rows, depth, kind, method, filters, interlaced = struct.unpack(">IIBBBBB", data)
    check_count(columns, rows)
    if kind in KINDS:
        raise ValueError(f"it is a picture with {KINDS[kind]}: only gray images hold heights")
    if kind not in (GRAY, GRAY_ALPHA) or depth not in (8, 16) or method or filters:
        raise ValueError(f"its {depth} bits (type {kind}) are not read: gray of 8 or 16 bits is")
    if interlaced:
        raise ValueError("it is interlaced: save it without, for example with gdal_translate")
    return columns, rows, depth, 1 if kind == GRAY else 2


def _chunk(file: IO[bytes]) -> tuple[bytes, bytes]:
    """Name and contents of the next chunk, checked."""
    start = file.read(8)
    if len(start) != 8:
        raise ValueError("this is not a complete PNG file: it is cut off")
    length, name = struct.unpack(">I4s", start)
    data = b"" if length > 2**31 else file.read(length)
    end = file.read(4)
    if len(data) != length or len(end) != 4:
        raise ValueError("this is not a complete PNG file: it is cut off")
    if zlib.crc32(name + data) != int.from_bytes(end, "big"):
        raise ValueError("this PNG file is damaged: a checksum is wrong")
    return name, data


def _image_data(file: IO[bytes], expected: int) -> bytes:
    """The decompressed rows, each with the number of its filter in front."""
    inflate = zlib.decompressobj()
    out = bytearray()
    name = b""
    try:
        while len(out) < expected and name != b"IEND":
            name, data = _chunk(file)
            if name == b"IDAT":
                out += inflate.decompress(data, expected - len(out))
    except zlib.error:
        raise ValueError("this PNG file is damaged: its data cannot be decompressed") from None
    if len(out) != expected:
        raise ValueError("this is not a complete PNG file: rows are missing")
    return bytes(out)


def _unfiltered(lines: Bytes, step: int) -> Bytes:
    """Undo the filters of the rows; ``step`` is the number of bytes of a pixel."""
    filters = lines[:, 0]
    if filters.max() > PAETH:
        raise ValueError("this PNG file is damaged: a filter is not known")
    width = lines.shape[1] - 1
    # A row above and a pixel on the left, of zeros: the neighbors of the first ones.
    out = np.zeros((lines.shape[0] + 1, step + width), np.uint8)
    out[1:, step:] = lines[:, 1:]
    for start in range(0, lines.shape[0], BAND):
        part = filters[start : start + BAND]
        band = out[start : start + 1 + part.size]
        if part.max() > UP:
            _by_diagonals(band, part, step)
        else:
            _by_rows(band, part, step)
    return out[1:, step:]


def _by_rows(band: Bytes, filters: Bytes, step: int) -> None:
    """Rows without a filter, and those of differences along one axis."""
    for number in np.flatnonzero(filters).tolist():
        row = band[number + 1, step:]
        if filters[number] == UP:
            row += band[number, step:]
        else:
            pixels = row.reshape(-1, step)
            np.add.accumulate(pixels, axis=0, out=pixels)


def _by_diagonals(band: Bytes, filters: Bytes, step: int) -> None:
    """Rows of any filter: a pixel needs those on its left and above, so that pixels whose column
    and row have one sum are made together."""
    rows, columns = filters.size, band.shape[1] // step - 1
    pixels = band.reshape(rows + 1, columns + 1, step)
    kind = filters[:, None]
    sub, up, average, paeth = (kind == one for one in (SUB, UP, AVERAGE, PAETH))
    number = np.arange(rows)
    for diagonal in range(rows + columns - 1):
        first = max(diagonal - columns + 1, 0)
        last = min(diagonal, rows - 1) + 1
        j, i = number[first:last], diagonal - number[first:last]
        a = pixels[j + 1, i].astype(np.int16)  # left
        b = pixels[j, i + 1].astype(np.int16)  # above
        c = pixels[j, i].astype(np.int16)
        k = slice(first, last)
        guess = _paeth(a, b, c)
        guess *= paeth[k]
        guess += a * sub[k]
        guess += b * up[k]
        guess += ((a + b) >> 1) * average[k]
        pixels[j + 1, i + 1] += guess.astype(np.uint8)


def _paeth(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """The neighbor nearest to a + b - c."""
    pa, pb = np.abs(b - c), np.abs(a - c)
    pc = np.abs(a + b - 2 * c)
    return np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))


add(Format(".png", "a gray image of 8 or 16 bits", read))
