# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG images (.png): gray ones and encoded heights are read, gray or color ones written.

Source: W3C, *Portable Network Graphics (PNG) Specification*, third edition, 2025.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..elevation import Picture, Unread, check_count
from ..numerics.arrays import Floats
from ..numerics.blocks import grid_pieces, parts
from ..numerics.progress import Cancel, poll
from ..settings import replaced
from .beside import Beside
from .encodings import Encoding, encoding_of
from .quantization import height_to_uint16
from .raster import Raster
from .registry import Format, add
from .rows import POINT, HeightRows
from .samples import ANYWAY, MOST_RATIO, check_row, mark_of
from .streams import Inflated, Stream

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, GRAY_ALPHA: 2, RGBA: 4}
"""Channels by color type; the last one of an even number is alpha."""
COLOR_TYPES = {1: 0, 3: 2, 4: 6}
"""The color type that is written, by number of channels: gray, RGB, RGBA."""
FEW_CHUNKS, PIXELS = 10_000, 16
"""Chunks that an image of any size may have, and pixels for each further one."""
BAND, BAND_BYTES = 1024, 8 << 20
"""Rows that are unfiltered together, and their bytes."""
PIECE = 1 << 20
"""Bytes that are decompressed together, at least one row."""
NARROW = 64
"""Rows or columns from which NumPy is quicker than a loop in Python."""
CUT_OFF = "this is not a complete PNG file: it is cut off"
WRONG_SUM = "this PNG file is damaged: a checksum is wrong"
SUB, UP, AVERAGE, PAETH = 1, 2, 3, 4
FAST = 4
"""Compression level for large files: level 9 takes four times as long and saves 3 %."""
CHUNK = 1 << 20
"""Compressed bytes of a written chunk, at least, except for the last one."""

SEEN = 64
"""Rows of a picture by which the encoding of its heights is known."""

Bytes = NDArray[np.uint8]
Put = Callable[[Bytes, NDArray[Any]], None]
"""Takes (rows, columns, bytes of a pixel), and the heights or colors of these rows."""


def read_png(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read a gray image as heights, the stored numbers, or a picture of encoded heights."""
    with _opened(path) as (columns, rows, depth, channels, data):
        height = np.empty((rows, columns), np.float32)
        colors = _Colors(beside.stated.encoding, depth, channels)
        _pixels(Inflated(data.read), channels * depth // 8, height[::-1], colors.put, cancelled)
    if colors.encoding is not None:
        return Raster(height, notes=colors.notes)
    notes = [f"Read as {depth}-bit numbers, first row in the north.", *colors.notes]
    if depth == 8:
        notes.append("An image of 8 bits holds 256 heights only: slopes become steps.")
    mark = mark_of(beside.no_data or data.no_data, np.dtype(f"u{depth // 8}"))
    if mark is not None:
        height[height == mark] = np.nan
    return Raster(height, stored=(0.0, float(2**depth - 1)), notes=tuple(notes))


def read_colors(path: Path) -> Bytes:
    """Return the colors of an image, (rows, columns, 4): sRGB and alpha, row 0 in the south.

    Of 16 bits, the upper 8 are taken. Raises ValueError for a damaged file, and for one with a
    palette or interlaced.
    """
    with _opened(path) as (columns, rows, depth, channels, data):
        colors = np.full((rows, columns, 4), 255, np.uint8)
        size = depth // 8
        targets = {1: [0], 2: [0, 3], 3: [0, 1, 2], 4: [0, 1, 2, 3]}[channels]

        def put(pixels: Bytes, part: Bytes) -> None:
            part[..., targets] = pixels[..., ::size]
            if channels < 3:
                part[..., 1:3] = part[..., :1]

        _pixels(Inflated(data.read), channels * size, colors[::-1], put, None)
    return colors


@contextmanager
def _opened(path: Path) -> Generator[tuple[int, int, int, int, _ImageData], None, None]:
    """Open an image: columns, rows, bits, channels and data, which are checked to their end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(8) != SIGNATURE:
            raise ValueError("this is not a PNG file")
        columns, rows, depth, channels = _header(file)
        line = 1 + columns * channels * depth // 8
        if rows * line > MOST_RATIO * size:
            raise ValueError(f"its {size} bytes cannot hold {columns} x {rows} pixels")
        if size > 2 * rows * line + ANYWAY:
            raise ValueError(f"its {size} bytes are too many for {columns} x {rows} pixels")
        check_row(line - 1)
        data = _ImageData(file, FEW_CHUNKS + columns * rows // PIXELS)
        try:
            yield columns, rows, depth, channels, data
        except zlib.error:
            raise ValueError("this PNG file is damaged: its data cannot be decompressed") from None
        data.finish()


def _header(file: IO[bytes]) -> tuple[int, int, int, int]:
    """Read the header: columns, rows, bits and channels."""
    start = file.read(25)
    if len(start) != 25 or start[:8] != struct.pack(">I4s", 13, b"IHDR"):
        raise ValueError("this is not a complete PNG file")
    if zlib.crc32(start[4:21]) != int.from_bytes(start[21:], "big"):
        raise ValueError(WRONG_SUM)
    columns, rows, depth, kind, method, filters, interlaced = struct.unpack_from(
        ">IIBBBBB", start, 8
    )
    check_count(columns, rows)
    if kind == PALETTE:
        raise Picture("it is a picture with a palette: only gray images hold heights")
    if kind not in CHANNELS or depth not in (8, 16) or method or filters:
        raise Unread(f"its {depth} bits (type {kind}) are not read: gray of 8 or 16 bits is")
    if interlaced:
        raise Unread("it is interlaced: save it without, for example with gdal_translate")
    return columns, rows, depth, CHANNELS[kind]


class _Colors:
    """What the channels of an image say: a gray number or an encoded height, and alpha.

    Parameters
    ----------
    stated : name of the encoding of a picture; None if it is to be known by its first rows
    depth : bits of a channel
    channels : of the image
    """

    def __init__(self, stated: str | None, depth: int, channels: int) -> None:
        self._stated, self._bytes, self._channels = stated, depth // 8, channels
        self.encoding: Encoding | None = None
        self.notes: tuple[str, ...] = ()
        if channels < 3 and stated is not None:
            raise ValueError("it is gray: an encoding of colors is for pictures of three channels")
        if channels > 2 and depth != 8:
            raise Picture("it is a picture with colors: only gray images hold heights")

    def put(self, pixels: Bytes, heights: Floats) -> None:
        """Fill heights with some rows of pixels."""
        if self._channels < 3:
            heights[...] = pixels[..., : self._bytes].view(f">u{self._bytes}")[..., 0]
        else:
            if self.encoding is None:
                self.encoding, self.notes = encoding_of(self._stated, pixels[:SEEN, :, :3])
            self.encoding.decode(pixels, heights)
        if self._channels % 2 == 0:
            void = ~pixels[..., (self._channels - 1) * self._bytes :].any(axis=2)
            if void.any():
                heights[void] = np.nan


class _ImageData:
    """The compressed bytes of the IDAT chunks. The checksums of all chunks are verified."""

    def __init__(self, file: IO[bytes], most_chunks: int) -> None:
        self._file, self._chunks = file, most_chunks
        self._name, self._left, self._sum = b"", 0, 0
        self._transparent = b""

    @property
    def no_data(self) -> str | None:
        """The gray that is transparent, which GDAL writes for the value of voids."""
        key = self._transparent
        return str(int.from_bytes(key, "big")) if len(key) == 2 else None

    def read(self, count: int, /) -> bytes:
        """Return the next bytes, at most ``count``; none at the end."""
        while self._name != b"IEND":
            data = self._part(count) if self._left else self._begin()
            if data:
                return data
        return b""

    def finish(self) -> None:
        """Read and check the rest of a chunk that was begun."""
        while self._left:
            self._part(PIECE)

    def _begin(self) -> bytes:
        start = self._file.read(8)
        if len(start) != 8:
            raise ValueError(CUT_OFF)
        self._left, self._name = struct.unpack(">I4s", start)
        self._sum = zlib.crc32(self._name)
        self._chunks -= 1
        if self._chunks < 0:
            raise ValueError("it is cut into too many chunks: save it again")
        if not self._left:
            self._check()
        return b""

    def _part(self, count: int) -> bytes:
        data = self._file.read(min(count, self._left))
        if not data:
            raise ValueError(CUT_OFF)
        self._sum = zlib.crc32(data, self._sum)
        self._left -= len(data)
        if not self._left:
            self._check()
        if self._name == b"tRNS":
            self._transparent = data
        return data if self._name == b"IDAT" else b""

    def _check(self) -> None:
        end = self._file.read(4)
        if len(end) != 4:
            raise ValueError(CUT_OFF)
        if self._sum != int.from_bytes(end, "big"):
            raise ValueError(WRONG_SUM)


def _pixels(data: Stream, size: int, out: NDArray[Any], put: Put, cancelled: Cancel | None) -> None:
    """Hand rows of pixels of ``size`` bytes to ``put``, with the rows of ``out`` that they fill."""
    rows, columns = out.shape[:2]
    line = 1 + columns * size
    most = min(BAND, max(BAND_BYTES // (columns * size), 1), rows)
    # A row above and a pixel on the left, of zeros: the neighbors of the first ones.
    pixels = np.zeros((most + 1, columns + 1, size), np.uint8)
    filters = np.empty(most, np.uint8)
    for band in parts(rows, most):
        count = band.stop - band.start
        for some in parts(count, PIECE // line, cancelled):
            needed = (some.stop - some.start) * line
            raw = data.read(needed)
            if len(raw) != needed:
                raise ValueError("this is not a complete PNG file: rows are missing")
            lines = np.frombuffer(raw, np.uint8).reshape(-1, line)
            filters[some] = lines[:, 0]
            pixels[1:][some, 1:] = lines[:, 1:].reshape(-1, columns, size)
        _unfilter(pixels[: count + 1], filters[:count], cancelled)
        for some in parts(count, PIECE // line):
            put(pixels[1:][some, 1:], out[band][some])
        pixels[0] = pixels[count]


def _unfilter(pixels: Bytes, filters: Bytes, cancelled: Cancel | None) -> None:
    """Undo the filters of all rows after the first one, in the fastest way for their number."""
    highest, columns = filters.max(), pixels.shape[1] - 1
    if highest > PAETH:
        raise ValueError("this PNG file is damaged: a filter is not known")
    if highest <= UP and columns >= NARROW:
        _by_rows(pixels, filters)
    elif min(filters.size, columns) >= NARROW:
        _by_diagonals(pixels, filters, cancelled)
    elif highest:
        _by_bytes(pixels, filters, cancelled)


def _by_rows(pixels: Bytes, filters: Bytes) -> None:
    """Undo the filters that take differences along one axis, row by row."""
    for number in np.flatnonzero(filters).tolist():
        row = pixels[number + 1, 1:]
        if filters[number] == UP:
            row += pixels[number, 1:]
        else:
            np.add.accumulate(row, axis=0, out=row)


def _by_diagonals(pixels: Bytes, filters: Bytes, cancelled: Cancel | None) -> None:
    """Undo any filters. A pixel needs those on its left and above: diagonals are done at once."""
    rows, columns = filters.size, pixels.shape[1] - 1
    kind = filters[:, None]
    sub, up, average, paeth = (kind == number for number in (SUB, UP, AVERAGE, PAETH))
    number = np.arange(rows)
    for diagonal in range(rows + columns - 1):
        poll(cancelled)
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


def _by_bytes(pixels: Bytes, filters: Bytes, cancelled: Cancel | None) -> None:
    """Undo any filters byte by byte, for images whose diagonals would be short."""
    for rows, columns in grid_pieces((filters.size, pixels.shape[1] - 1), cancelled):
        part = pixels[rows.start : rows.stop + 1, columns.start : columns.stop + 1]
        for byte in range(pixels.shape[2]):
            flat = part[..., byte].ravel().tolist()
            _undo(flat, filters[rows].tolist(), part.shape[1])
            part[..., byte] = np.array(flat, np.uint8).reshape(part.shape[:2])


def _undo(flat: list[int], filters: list[int], width: int) -> None:
    """Undo the filters of consecutive rows, which follow a row that is done and a byte each."""
    start = 1
    for kind in filters:
        start += width
        a, c = flat[start - 1], flat[start - 1 - width]
        for k in range(start, start + width - 1):
            b = flat[k - width]
            if kind == PAETH:
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - c - c)
                guess = a if pa <= pb and pa <= pc else b if pb <= pc else c
            else:
                guess = (0, a, b, (a + b) >> 1)[kind]
            a = flat[k] = (flat[k] + guess) & 255
            c = b


def _paeth(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """Return the neighbor nearest to a + b - c."""
    pa, pb = np.abs(b - c), np.abs(a - c)
    pc = np.abs(a + b - 2 * c)
    return np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))


class PngWriter:
    """A PNG file of 8 or 16 bits that is written some rows at a time, from the top.

    Parameters
    ----------
    file : binary file
        Open for writing, at its beginning.
    shape : tuple of int
        (H, W, channels) of the image; one channel is gray, three or four are sRGB.
    depth : int
        Bits of a sample, 8 or 16.
    level : int
        Compression level, 1 to 9.
    """

    def __init__(
        self, file: IO[bytes], shape: tuple[int, int, int], depth: int, level: int = FAST
    ) -> None:
        height, width, channels = shape
        self._file, self._depth, self._step = file, depth, channels * depth // 8
        self._above = np.zeros(width * self._step, np.uint8)
        self._packer, self._packed = zlib.compressobj(level), b""
        kind = COLOR_TYPES[channels]
        file.write(SIGNATURE)
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
        if kind:
            self._chunk(b"sRGB", b"\0")

    def write(self, rows: Bytes | NDArray[np.uint16]) -> None:
        """Write the next rows, (h, W) or (h, W, channels)."""
        lines = rows.astype(f">u{self._depth // 8}").reshape(len(rows), -1).view(np.uint8)
        self._packed += self._packer.compress(_filtered(lines, self._above, self._step).tobytes())
        self._above = lines[-1]
        if len(self._packed) > CHUNK:
            self._chunk(b"IDAT", self._packed)
            self._packed = b""

    def finish(self) -> None:
        """Write what follows the last row; the file stays open."""
        self._chunk(b"IDAT", self._packed + self._packer.flush())
        self._chunk(b"IEND", b"")

    def _chunk(self, kind: bytes, body: bytes) -> None:
        checksum = struct.pack(">I", zlib.crc32(kind + body))
        self._file.write(struct.pack(">I", len(body)) + kind + body + checksum)


def _filtered(lines: Bytes, above: Bytes, step: int) -> Bytes:
    """Return each row behind the number of its filter, as differences from the mean of the bytes to
    the left and above, which compress best."""
    count, width = lines.shape
    wide = np.zeros((count + 1, width + step), np.uint16)
    wide[0, step:] = above
    wide[1:, step:] = lines
    mean = (wide[1:, :-step] + wide[:-1, step:]) >> 1
    rows = np.full((count, width + 1), AVERAGE, np.uint8)
    rows[:, 1:] = (lines - mean).astype(np.uint8)
    return rows


def write_png(path: Path, image: Bytes, level: int = 9) -> None:
    """Write an 8-bit image: gray (H, W), sRGB (H, W, 3), or sRGB with alpha (H, W, 4).

    The first row is on top. An existing file is replaced only once the new one is complete. Raises
    OSError if the path is not writable.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "red.png"
    >>> write_png(path, np.full((2, 2, 4), (255, 0, 0, 255), np.uint8))
    >>> path.read_bytes()[1:4]
    b'PNG'
    """
    height, width = image.shape[:2]
    channels = image.shape[2] if image.ndim == 3 else 1
    with replaced(path) as new, new.open("wb") as file:
        writer = PngWriter(file, (height, width, channels), 8, level)
        writer.write(image)
        writer.finish()


def _write_heights(file: IO[bytes], rows: HeightRows) -> None:
    """Write 0 to 65535 from the lowest to the highest point, the northern row on top."""
    low, high = rows.range
    writer = PngWriter(file, (*rows.shape, 1), 16)
    for part in rows.from_north():
        writer.write(height_to_uint16(part, low, high))
    writer.finish()


add(
    Format(
        ".png",
        "a gray image of 8 or 16 bits, or Terrain-RGB",
        read_png,
        _write_heights,
        POINT + 2,
        plain=True,
    )
)
