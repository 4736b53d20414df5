# SPDX-License-Identifier: GPL-3.0-or-later
"""Write PNG files of 8 or 16 bits with the standard library alone.

Source: W3C, *Portable Network Graphics (PNG) Specification*, third edition, 2025.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from .r16 import quantized
from .registry import Format, add
from .rows import POINT, HeightRows

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOR_TYPES = {1: 0, 3: 2, 4: 6}
"""The number of a color type by its channels: gray, RGB, RGBA."""
AVERAGE = 3
"""The filter of all rows: differences to the mean of the bytes to the left and above, which pack
better."""
FAST = 4
"""Of large files: level 9 takes four times as long and saves 3 %."""
CHUNK = 1 << 20
"""Bytes of a part of the file, at least, but for the last."""

Samples = NDArray[np.uint8] | NDArray[np.uint16]


def write(file: IO[bytes], rows: HeightRows) -> None:
    """0 to 65535 from the lowest to the highest point; the first row is the northern one."""
    low, high = rows.range
    height, width = rows.shape
    parts = (quantized(part, low, high) for part in rows.from_north())
    for chunk in encoded(parts, (height, width, 1), depth=16, level=FAST):
        file.write(chunk)


def encoded(
    parts: Iterable[Samples], shape: tuple[int, int, int], *, depth: int, level: int = 9
) -> Iterator[bytes]:
    """Yield the content of a PNG file, some bytes at a time.

    Parameters
    ----------
    parts : rows of the image from the top, (rows, W) or (rows, W, channels), uint8 or uint16
    shape : (H, W, channels) of the whole; one channel is gray, three or four are sRGB
    depth : bits of a sample, 8 or 16
    level : of the compression, 1 to 9
    """
    encoder = Encoder(shape, depth, level)
    yield encoder.start()
    for part in parts:
        yield encoder.rows(part)
    yield encoder.end()


class Encoder:
    """The content of a PNG file, part by part; parameters as in :func:`encoded`."""

    def __init__(self, shape: tuple[int, int, int], depth: int, level: int = 9) -> None:
        self._shape, self._depth = shape, depth
        self._step = shape[2] * depth // 8
        self._above = np.zeros(shape[1] * self._step, np.uint8)
        self._packer, self._packed = zlib.compressobj(level), b""

    def start(self) -> bytes:
        """Return the bytes before the rows."""
        height, width, channels = self._shape
        kind = COLOR_TYPES[channels]
        about = struct.pack(">IIBBBBB", width, height, self._depth, kind, 0, 0, 0)
        return SIGNATURE + _chunk(b"IHDR", about) + (_chunk(b"sRGB", b"\0") if kind else b"")

    def rows(self, part: Samples) -> bytes:
        """Compress the next rows; return the bytes that fill a part of the file."""
        lines = part.astype(f">u{self._depth // 8}").reshape(len(part), -1).view(np.uint8)
        self._packed += self._packer.compress(_filtered(lines, self._above, self._step).tobytes())
        self._above = lines[-1]
        if len(self._packed) <= CHUNK:
            return b""
        packed, self._packed = self._packed, b""
        return _chunk(b"IDAT", packed)

    def end(self) -> bytes:
        """Return the bytes after the last row."""
        return _chunk(b"IDAT", self._packed + self._packer.flush()) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _filtered(lines: NDArray[np.uint8], above: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Return the bytes of rows as differences, each row behind the number of its filter."""
    count, width = lines.shape
    wide = np.zeros((count + 1, width + step), np.uint16)
    wide[0, step:] = above
    wide[1:, step:] = lines
    mean = (wide[1:, :-step] + wide[:-1, step:]) >> 1
    rows = np.full((count, width + 1), AVERAGE, np.uint8)
    rows[:, 1:] = (lines - mean).astype(np.uint8)
    return rows


add(
    Format(
        ".png",
        "a gray image of 16 bits, normalized from the lowest to the highest point",
        write=write,
        point=POINT + 2,
    )
)
