# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR images (.exr) of heights in meters.

Source: Academy Software Foundation, *OpenEXR File Layout* and *Technical Introduction*, 2023.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from io import SEEK_END
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..elevation import Elevation, check_count, without_marks
from ..numerics.blocks import grid_pieces
from ..numerics.progress import Cancel
from .registry import Format, add
from .samples import MOST_RATIO, check_blocks, check_padding, store
from .streams import Inflated, Section, Stream

MAGIC = 20000630
SINGLE_PART = 2
"""The version field of files of scan lines in one part, with short names."""
LINES = {0: 1, 2: 1, 3: 16}
"""Rows of a block by compression: none, ZIPS, ZIP."""
OTHERS = {1: "RLE", 4: "PIZ", 5: "PXR24", 6: "B44", 7: "B44A", 8: "DWAA", 9: "DWAB"}
TYPES = {0: "<u4", 1: "<f2", 2: "<f4"}
WANTED = ("Y", "R", "height", "Z", "V")
"""Names of the channel that holds heights, the first that there is."""
MOST_ATTRIBUTES, MOST_BYTES, MOST_NAME = 1000, 1 << 20, 256
"""Attributes of a header, bytes of one, and of a name."""
PIECE = 1 << 20
"""Bytes of a block that are handled together."""


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


def read(path: Path, cancelled: Cancel | None = None) -> Elevation:
    """Read the channel Y or R of an image, or its only one, in meters, the first row in the north.

    Raises ValueError for damaged files, tiles, several parts, and compressions other than ZIP.
    """
    try:
        with path.open("rb") as file:
            layout = _header(file, path.stat().st_size)
            name = next((one for one in WANTED if one in layout.channels), None)
            if name is None:
                name = next(iter(layout.channels))
            height = _pixels(file, layout, name, cancelled)
    except (struct.error, zlib.error, IndexError, OverflowError):
        raise ValueError("this is not a complete OpenEXR file") from None
    return Elevation(height, notes=(f"Read channel {name}.", *without_marks(height, None)[1]))


def _header(file: IO[bytes], size: int) -> _Layout:
    """Read the layout of a file of ``size`` bytes; the table of offsets follows."""
    magic, version = struct.unpack("<iI", file.read(8))
    if magic != MAGIC:
        raise ValueError("this is not an OpenEXR file")
    if version != SINGLE_PART:
        raise ValueError("only OpenEXR files of scan lines in one part are read")
    found = dict.fromkeys(("channels", "compression", "dataWindow"), b"")
    for _ in range(MOST_ATTRIBUTES):
        name = _text(file)
        if not name:
            break
        _text(file)
        (length,) = struct.unpack("<i", file.read(4))
        if not 0 <= length <= MOST_BYTES or file.tell() + length > size:
            raise ValueError("this is not a complete OpenEXR file")
        value = file.read(length)
        if name in found:
            found[name] = value
    for name, value in found.items():
        if not value:
            raise ValueError(f"this is not a complete OpenEXR file: it has no {name}")
    compression = found["compression"][0]
    if compression not in LINES:
        kind = OTHERS.get(compression, str(compression))
        raise ValueError(f"its compression {kind} is not read: save it with ZIP")
    x0, y0, x1, y1 = struct.unpack_from("<4i", found["dataWindow"])
    columns, rows = x1 - x0 + 1, y1 - y0 + 1
    check_count(columns, rows)
    layout = _Layout(columns, rows, y0, compression, _channels(found["channels"]))
    if rows * layout.row_bytes > MOST_RATIO * size:
        raise ValueError(f"its {size} bytes cannot hold {columns} x {rows} pixels")
    check_padding(rows * layout.row_bytes, 4 * columns * rows, size)
    check_blocks(-(-rows // LINES[compression]), columns * rows)
    return layout


def _text(file: IO[bytes]) -> str:
    """Read a text that ends in a zero byte."""
    start = file.tell()
    text, zero, _ = file.read(MOST_NAME).partition(b"\0")
    if not zero:
        raise ValueError("this is not a complete OpenEXR file")
    file.seek(start + len(text) + 1)
    return text.decode("latin-1")


def _channels(data: bytes) -> dict[str, np.dtype]:
    """Parse the types of the channels by their names."""
    place, found = 0, dict[str, np.dtype]()
    while data[place]:
        end = data.index(b"\0", place)
        name, place = data[place:end].decode("latin-1"), end + 1
        kind, _, across, along = struct.unpack_from("<iB3xii", data, place)
        if kind not in TYPES or (across, along) != (1, 1):
            raise ValueError("its channels are subsampled, or of an unknown type")
        found[name] = np.dtype(TYPES[kind])
        place += 16
    if not found:
        raise ValueError("it has no channels")
    return found


def _pixels(
    file: IO[bytes], layout: _Layout, wanted: str, cancelled: Cancel | None
) -> NDArray[np.float32]:
    """One channel, (rows, columns), the first row at the bottom."""
    lines = LINES[layout.compression]
    count = -(-layout.rows // lines)
    offsets = np.frombuffer(file.read(8 * count), "<u8")
    if offsets.size != count:
        raise ValueError("this is not a complete OpenEXR file")
    if int(offsets.max()) >= file.seek(0, SEEK_END):
        raise ValueError("this is not a complete OpenEXR file: it is cut off")
    height = np.empty((layout.rows, layout.columns), np.float32)
    seen = np.zeros(layout.rows, np.bool_)
    for offset in offsets:
        row, size = struct.unpack("<ii", Section(file, int(offset), 8).read(8))
        row -= layout.first
        if not 0 <= row < layout.rows or row % lines or seen[row]:
            raise ValueError("this OpenEXR file is damaged: its blocks are out of place")
        seen[row] = True
        end = layout.rows - row
        block = Section(file, int(offset) + 8, size)
        _read_block(block, size, layout, wanted, height[max(end - lines, 0) : end], cancelled)
    return height


def _read_block(
    block: Stream,
    size: int,
    layout: _Layout,
    wanted: str,
    height: NDArray[np.float32],
    cancelled: Cancel | None,
) -> None:
    """Fill the rows of a block, of which the first is the last one here.

    The bytes of the channel are put where its heights will be, which are as long or longer.
    """
    dtype = layout.channels[wanted]
    names = list(layout.channels)
    before = sum(layout.channels[name].itemsize for name in names[: names.index(wanted)])
    start, row_bytes = before * layout.columns, layout.row_bytes
    into = height.view(np.uint8)[::-1, : dtype.itemsize * layout.columns]
    plain = height.shape[0] * row_bytes
    if not 0 <= size <= plain:
        raise ValueError("this OpenEXR file is damaged: a block is too large")
    if size == plain:
        _copy(block, into, row_bytes, start, cancelled)
    else:  # first all bytes at even places, then those at odd ones
        stored = _Sums(Inflated(block.read))
        for odd in (0, 1):
            _copy(stored, into[:, odd::2], row_bytes // 2, start // 2, cancelled)
    values, north_first = into.view(dtype), height[::-1]
    for piece in reversed(list(grid_pieces(height.shape))):  # longer ones do not cover others
        store(values[piece], north_first[piece])


def _copy(
    stream: Stream, into: NDArray[np.uint8], row_bytes: int, start: int, cancelled: Cancel | None
) -> None:
    """Read rows of so many bytes, of which those from ``start`` on are wanted."""
    stop = start + into.shape[1]
    for rows, part in grid_pieces((into.shape[0], row_bytes), cancelled, PIECE):
        shape = rows.stop - rows.start, part.stop - part.start
        data = stream.read(shape[0] * shape[1])
        if len(data) != shape[0] * shape[1]:
            raise ValueError("this is not a complete OpenEXR file: rows are missing")
        first, last = max(part.start, start), min(part.stop, stop)
        if first < last:
            values = np.frombuffer(data, np.uint8).reshape(shape)
            into[rows, first - start : last - start] = values[
                :, first - part.start : last - part.start
            ]


class _Sums:
    """The bytes of which a stream holds the differences, plus 128 but for the first one."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._last = stream, np.uint8(128)

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, fewer than ``count`` only at the end."""
        values = np.frombuffer(self._stream.read(count), np.uint8) - np.uint8(128)
        values[:1] += self._last
        np.add.accumulate(values, dtype=np.uint8, out=values)
        self._last = values[-1] if values.size else self._last
        return values.tobytes()


add(Format(".exr", "OpenEXR, float32 in meters", read))
