# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR images (.exr) of heights in meters.

Source: Academy Software Foundation, *OpenEXR File Layout* and *Technical Introduction*, 2023.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .elevation import Elevation, check_count, without_marks
from .registry import Format, add, as_heights

MAGIC = 20000630
SINGLE_PART = 2
"""The version field of files of scan lines in one part, with short names."""
LINES = {0: 1, 2: 1, 3: 16}
"""Rows of a block by compression: none, ZIPS, ZIP."""
OTHERS = {1: "RLE", 4: "PIZ", 5: "PXR24", 6: "B44", 7: "B44A", 8: "DWAA", 9: "DWAB"}
TYPES = {0: "<u4", 1: "<f2", 2: "<f4"}
WANTED = ("Y", "R", "height", "Z", "V")
"""Names of the channel that holds heights, the first that there is."""
MOST_ATTRIBUTES, MOST_BYTES = 1000, 1 << 20
MOST_RATIO = 1100
"""Deflate makes data at most 1032 times smaller (zlib's documentation)."""


@dataclass(frozen=True)
class _Layout:
    """Size, compression, and the types of the channels in the order in which they are stored."""

    columns: int
    rows: int
    first: int
    compression: int
    channels: dict[str, np.dtype]

    @property
    def row_bytes(self) -> int:
        return self.columns * sum(dtype.itemsize for dtype in self.channels.values())


def read(path: Path) -> Elevation:
    """The channel Y or R of an image, or the only one, in meters; the first row in the north.

    Raises ValueError for damaged files, tiles, several parts, and compressions other than ZIP.
    """
    data = path.read_bytes()
    try:
        layout, place = _header(data)
        name = next((one for one in WANTED if one in layout.channels), None)
        if name is None:
            name = next(iter(layout.channels))
        height = as_heights(_pixels(data, layout, place, name)[::-1])
    except (struct.error, zlib.error, IndexError, OverflowError):
        raise ValueError("this is not a complete OpenEXR file") from None
    return Elevation(height, notes=(f"Read channel {name}.", *without_marks(height, None)[1]))


def _header(data: bytes) -> tuple[_Layout, int]:
    """The layout, and where the table of offsets begins."""
    magic, version = struct.unpack_from("<iI", data)
    if magic != MAGIC:
        raise ValueError("this is not an OpenEXR file")
    if version != SINGLE_PART:
        raise ValueError("only OpenEXR files of scan lines in one part are read")
    place, found = 8, dict[str, bytes]()
    while data[place] and len(found) < MOST_ATTRIBUTES:
        name, place = _text(data, place)
        _, place = _text(data, place)
        (size,) = struct.unpack_from("<i", data, place)
        if not 0 <= size <= MOST_BYTES or place + 4 + size > len(data):
            raise ValueError("this is not a complete OpenEXR file")
        found[name] = data[place + 4 : place + 4 + size]
        place += 4 + size
    for name in ("channels", "compression", "dataWindow"):
        if name not in found:
            raise ValueError(f"this is not a complete OpenEXR file: it has no {name}")
    compression = found["compression"][0]
    if compression not in LINES:
        kind = OTHERS.get(compression, str(compression))
        raise ValueError(f"its compression {kind} is not read: save it with ZIP")
    x0, y0, x1, y1 = struct.unpack_from("<4i", found["dataWindow"])
    columns, rows = x1 - x0 + 1, y1 - y0 + 1
    check_count(columns, rows)
    layout = _Layout(columns, rows, y0, compression, _channels(found["channels"]))
    if rows * layout.row_bytes > MOST_RATIO * len(data):
        raise ValueError(f"its {len(data)} bytes cannot hold {columns} x {rows} pixels")
    return layout, place + 1


def _text(data: bytes, place: int) -> tuple[str, int]:
    end = data.find(b"\0", place, place + 256)
    if end < 0:
        raise ValueError("this is not a complete OpenEXR file")
    return data[place:end].decode("latin-1"), end + 1


def _channels(data: bytes) -> dict[str, np.dtype]:
    place, found = 0, dict[str, np.dtype]()
    while data[place]:
        name, place = _text(data, place)
        kind, _, across, along = struct.unpack_from("<iB3xii", data, place)
        if kind not in TYPES or (across, along) != (1, 1):
            raise ValueError("its channels are subsampled, or of an unknown type")
        found[name] = np.dtype(TYPES[kind])
        place += 16
    if not found:
        raise ValueError("it has no channels")
    return found


def _pixels(data: bytes, layout: _Layout, place: int, wanted: str) -> NDArray[np.float32]:
    """One channel, (rows, columns), the first row on top."""
    lines = LINES[layout.compression]
    count = -(-layout.rows // lines)
    offsets = struct.unpack_from(f"<{count}Q", data, place)
    start = 0
    for name, dtype in layout.channels.items():
        if name == wanted:
            break
        start += dtype.itemsize * layout.columns
    dtype = layout.channels[wanted]
    span = slice(start, start + dtype.itemsize * layout.columns)
    out, seen = np.empty((layout.rows, layout.columns), np.float32), set[int]()
    for offset in offsets:
        row, size = struct.unpack_from("<ii", data, offset)
        row -= layout.first
        if not 0 <= row < layout.rows or row % lines or size < 0 or row in seen:
            raise ValueError("this OpenEXR file is damaged: its blocks are out of place")
        seen.add(row)
        height = min(lines, layout.rows - row)
        block = data[offset + 8 : offset + 8 + size]
        plain = _plain(block, height * layout.row_bytes).reshape(height, layout.row_bytes)
        with np.errstate(over="ignore", invalid="ignore"):
            out[row : row + height] = np.ascontiguousarray(plain[:, span]).view(dtype)
    return out


def _plain(block: bytes, size: int) -> NDArray[np.uint8]:
    """A block without compression: Deflate, differences, bytes of odd and even places."""
    if len(block) == size:
        return np.frombuffer(block, np.uint8)
    stored = zlib.decompressobj().decompress(block, size)
    if len(stored) != size:
        raise ValueError("this is not a complete OpenEXR file: rows are missing")
    values = np.frombuffer(stored, np.uint8).copy()
    values[1:] -= np.uint8(128)
    values = np.add.accumulate(values, dtype=np.uint8)
    out = np.empty(size, np.uint8)
    half = -(-size // 2)
    out[::2], out[1::2] = values[:half], values[half:]
    return out


add(Format(".exr", "OpenEXR, float32 in meters", read))
