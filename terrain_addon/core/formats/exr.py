# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR images (.exr): heights in meters are read, and any 32-bit floats written.

Source: Academy Software Foundation, *OpenEXR File Layout* and *Technical Introduction*, 2023.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from io import SEEK_END
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..elevation import Unread, check_count, without_marks
from ..numerics.blocks import default_threads, grid_pieces
from ..numerics.progress import Cancel
from .beside import Beside
from .raster import Raster
from .registry import Format, add
from .rows import HeightRows, regrouped
from .samples import MOST_RATIO, check_blocks, check_padding, mark_of, store
from .streams import Inflated, Section, Stream

MAGIC = b"\x76\x2f\x31\x01"
SINGLE_PART, LONG_NAMES = 2, 0x400
"""The version field of files of scan lines in one part, and its flag for long names."""
SHORT = 31
"""Most bytes of a name without that flag."""
FLOAT, ZIP = 2, 3
LINES = {0: 1, 2: 1, ZIP: 16}
"""Rows of a block by compression: none, ZIPS, ZIP."""
OTHERS = {1: "RLE", 4: "PIZ", 5: "PXR24", 6: "B44", 7: "B44A", 8: "DWAA", 9: "DWAB"}
TYPES = {0: "<u4", 1: "<f2", 2: "<f4"}
WANTED = ("Y", "R", "height", "Z", "V")
"""Names of the channel that holds heights, the first that there is."""
MOST_ATTRIBUTES, MOST_BYTES, MOST_NAME = 1000, 1 << 20, 256
"""Attributes of a header, bytes of one, and of a name."""
PIECE = 1 << 20
"""Bytes of a block that are handled together."""
CHANNELS = ("B", "G", "R")
"""Channels that are written by default, in the order in which they are stored."""
LEVEL = 4
"""Compression level: the default of the reference library since version 3.2."""

Words = NDArray[np.uint32]


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


def read_exr(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read channel Y or R of an image, or its only one, as meters, the northern row first.

    Raises ValueError for damaged files, tiles, several parts, and compressions other than ZIP.
    """
    try:
        with path.open("rb") as file:
            layout = _header(file, path.stat().st_size)
            name = next((name for name in WANTED if name in layout.channels), None)
            if name is None:
                name = next(iter(layout.channels))
            height = _pixels(file, layout, name, cancelled)
    except (struct.error, zlib.error, IndexError, OverflowError):
        raise ValueError("this is not a complete OpenEXR file") from None
    mark = mark_of(beside.no_data, np.dtype("f4"))
    if mark is not None:
        height[height == np.float32(mark)] = np.nan
    return Raster(height, notes=(f"Read channel {name}.", *without_marks(height, mark)[1]))


def _header(file: IO[bytes], size: int) -> _Layout:
    """Read the layout of a file of ``size`` bytes; the table of offsets follows."""
    magic, version = struct.unpack("<4sI", file.read(8))
    if magic != MAGIC:
        raise ValueError("this is not an OpenEXR file")
    if version != SINGLE_PART:
        raise Unread("only OpenEXR files of scan lines in one part are read")
    attributes = dict.fromkeys(("channels", "compression", "dataWindow"), b"")
    for _ in range(MOST_ATTRIBUTES):
        name = _text(file)
        if not name:
            break
        _text(file)
        (length,) = struct.unpack("<i", file.read(4))
        if not 0 <= length <= MOST_BYTES or file.tell() + length > size:
            raise ValueError("this is not a complete OpenEXR file")
        value = file.read(length)
        if name in attributes:
            attributes[name] = value
    for name, value in attributes.items():
        if not value:
            raise ValueError(f"this is not a complete OpenEXR file: it has no {name}")
    compression = attributes["compression"][0]
    if compression not in LINES:
        kind = OTHERS.get(compression, str(compression))
        raise Unread(f"its compression {kind} is not read: save it with ZIP")
    x0, y0, x1, y1 = struct.unpack_from("<4i", attributes["dataWindow"])
    columns, rows = x1 - x0 + 1, y1 - y0 + 1
    check_count(columns, rows)
    layout = _Layout(columns, rows, y0, compression, _channels(attributes["channels"]))
    if rows * layout.row_bytes > MOST_RATIO * size:
        raise ValueError(f"its {size} bytes cannot hold {columns} x {rows} pixels")
    check_padding(rows * layout.row_bytes, 4 * columns * rows, size)
    check_blocks(-(-rows // LINES[compression]), columns * rows)
    return layout


def _text(file: IO[bytes]) -> str:
    """Read the text up to the next zero byte."""
    start = file.tell()
    text, zero, _ = file.read(MOST_NAME).partition(b"\0")
    if not zero:
        raise ValueError("this is not a complete OpenEXR file")
    file.seek(start + len(text) + 1)
    return text.decode("latin-1")


def _channels(data: bytes) -> dict[str, np.dtype]:
    """Return the types of the channels by their names."""
    place, types = 0, dict[str, np.dtype]()
    while data[place]:
        end = data.index(b"\0", place)
        name, place = data[place:end].decode("latin-1"), end + 1
        kind, _, across, along = struct.unpack_from("<iB3xii", data, place)
        if kind not in TYPES or (across, along) != (1, 1):
            raise ValueError("its channels are subsampled, or of an unknown type")
        types[name] = np.dtype(TYPES[kind])
        place += 16
    if not types:
        raise ValueError("it has no channels")
    return types


def _pixels(
    file: IO[bytes], layout: _Layout, wanted: str, cancelled: Cancel | None
) -> NDArray[np.float32]:
    """Read one channel, (rows, columns), the first row at the bottom."""
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


def write_exr(
    file: IO[bytes],
    parts: Iterable[Words],
    shape: tuple[int, int],
    channels: Sequence[str] = CHANNELS,
) -> None:
    """Write channels of floats, given by their bits, which are stored unchanged.

    Parameters
    ----------
    file : binary file
        Open for writing, at its beginning.
    parts : iterable of ndarray of uint32
        Rows from the top: (h, W), equal in all channels, or (h, W, channels). Some engines store
        integers in the bits of floats.
    shape : tuple of int
        (H, W) of the image.
    channels : sequence of str
        Names of the channels; ``layer.R`` is channel R of a layer.
    """
    height, width = shape
    order = sorted(range(len(channels)), key=lambda n: channels[n])  # as the format demands
    header = _header_bytes(height, width, [channels[n] for n in order])
    file.write(header)
    count = -(-height // LINES[ZIP])
    file.write(bytes(8 * count))
    offsets: list[int] = []
    for number, packed in enumerate(_all_packed(regrouped(parts, LINES[ZIP]), order)):
        offsets.append(file.tell())
        file.write(struct.pack("<ii", number * LINES[ZIP], len(packed)))
        file.write(packed)
    file.seek(len(header))
    file.write(struct.pack(f"<{count}Q", *offsets))
    file.seek(0, 2)


def _header_bytes(height: int, width: int, names: Sequence[str]) -> bytes:
    channel = struct.pack("<iB3xii", FLOAT, 0, 1, 1)
    channels = b"".join(name.encode() + b"\0" + channel for name in names) + b"\0"
    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    attributes = (
        ("channels", "chlist", channels),
        ("compression", "compression", bytes([ZIP])),
        ("dataWindow", "box2i", box),
        ("displayWindow", "box2i", box),
        ("lineOrder", "lineOrder", b"\0"),
        ("pixelAspectRatio", "float", struct.pack("<f", 1.0)),
        ("screenWindowCenter", "v2f", struct.pack("<2f", 0.0, 0.0)),
        ("screenWindowWidth", "float", struct.pack("<f", 1.0)),
    )
    body = b"".join(
        name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value
        for name, kind, value in attributes
    )
    long = LONG_NAMES if any(len(name.encode()) > SHORT for name in names) else 0
    return struct.pack("<4sI", MAGIC, SINGLE_PART | long) + body + b"\0"


def _all_packed(blocks: Iterable[Words], order: Sequence[int]) -> Iterator[bytes]:
    """Yield the compressed blocks in order; zlib releases the lock, so threads share the work."""
    threads = default_threads()
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[bytes]] = deque()
        for block in blocks:
            waiting.append(pool.submit(_packed, block, order))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _packed(block: Words, order: Sequence[int]) -> bytes:
    """Return rows as ZIP compression stores them: even bytes, then odd bytes, as differences,
    deflated; unchanged where that is not smaller."""
    if block.ndim == 2:
        lines = np.repeat(block[:, None], len(order), axis=1).astype("<u4")
    else:
        lines = np.ascontiguousarray(block[..., list(order)].swapaxes(1, 2), "<u4")
    plain = lines.reshape(-1).view(np.uint8)
    apart = np.concatenate([plain[::2], plain[1::2]])
    apart[1:] -= apart[:-1].copy() + np.uint8(128)
    packed = zlib.compress(apart.tobytes(), LEVEL)
    return packed if len(packed) < plain.size else plain.tobytes()


def _write_heights(file: IO[bytes], rows: HeightRows) -> None:
    """Write meters in three equal channels, which all engines read, the northern row on top."""
    write_exr(file, (part.view(np.uint32) for part in rows.from_north()), rows.shape)


add(Format(".exr", "OpenEXR, float32 in meters", read_exr, _write_heights, 12))
