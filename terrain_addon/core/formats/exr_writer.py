# SPDX-License-Identifier: GPL-3.0-or-later
"""Write OpenEXR files of 32-bit floats with the standard library alone.

Source: Academy Software Foundation, *OpenEXR File Layout* and *Technical Introduction*, 2023.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..numerics.blocks import default_threads
from .registry import Format, add
from .rows import HeightRows

MAGIC = b"\x76\x2f\x31\x01\x02\0\0\0"
"""The number of the format, version 2, one part of scan lines."""
CHANNELS = ("B", "G", "R")
"""Of an image in one part, in the order in which they are stored."""
SHORT, LONG_NAMES = 31, 4
"""Bytes of a name at most, without the flag of the format for longer ones."""
FLOAT, ZIP = 2, 3
LINES = 16
"""Rows that are compressed together."""
LEVEL = 4
"""Of the compression: the usual one of the reference library since version 3.2."""

Words = NDArray[np.uint32]


def write(file: IO[bytes], rows: HeightRows) -> None:
    """Meters, three equal channels, which all engines read; the first row is the northern one."""
    ny, nx = rows.shape
    write_bits(file, (part.view(np.uint32) for part in rows.from_north()), (ny, nx))


def write_bits(
    file: IO[bytes],
    parts: Iterable[Words],
    shape: tuple[int, int],
    channels: Sequence[str] = CHANNELS,
) -> None:
    """Write channels of floats, given by their bits, which are kept as they are.

    Parameters
    ----------
    file : binary, open for writing, at its beginning
    parts : rows from the top, uint32: (rows, W), equal in all channels, or (rows, W, channels).
        Some engines store integers in the bits of floats
    shape : (H, W) of the whole
    channels : their names; ``layer.R`` is the channel R of a layer
    """
    height, width = shape
    order = sorted(range(len(channels)), key=lambda n: channels[n])  # as the format demands
    header = _header(height, width, [channels[n] for n in order])
    file.write(header)
    count = -(-height // LINES)
    file.write(bytes(8 * count))
    offsets: list[int] = []
    for number, packed in enumerate(_all_packed(_blocks(parts), order)):
        offsets.append(file.tell())
        file.write(struct.pack("<ii", number * LINES, len(packed)))
        file.write(packed)
    file.seek(len(header))
    file.write(struct.pack(f"<{count}Q", *offsets))
    file.seek(0, 2)


def _header(height: int, width: int, names: Sequence[str]) -> bytes:
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
    return MAGIC[:5] + bytes([long]) + MAGIC[6:] + body + b"\0"


def _blocks(parts: Iterable[Words]) -> Iterator[Words]:
    """Yield the rows, as many at a time as are compressed together."""
    left: Words | None = None
    for part in parts:
        rows = part if left is None else np.concatenate([left, part])
        whole = len(rows) // LINES * LINES
        for start in range(0, whole, LINES):
            yield rows[start : start + LINES]
        left = rows[whole:]
    if left is not None and len(left):
        yield left


def _all_packed(blocks: Iterable[Words], order: Sequence[int]) -> Iterator[bytes]:
    """Yield the compressed blocks in order; zlib lets several threads work at once."""
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
    """Rows as the format's ZIP compression stores them: bytes with even and with odd places apart,
    then differences, then Deflate; as they are where that is not smaller."""
    if block.ndim == 2:
        lines = np.repeat(block[:, None], len(order), axis=1).astype("<u4")
    else:
        lines = np.ascontiguousarray(block[..., list(order)].swapaxes(1, 2), "<u4")
    plain = lines.reshape(-1).view(np.uint8)
    apart = np.concatenate([plain[::2], plain[1::2]])
    apart[1:] -= apart[:-1].copy() + np.uint8(128)
    packed = zlib.compress(apart.tobytes(), LEVEL)
    return packed if len(packed) < plain.size else plain.tobytes()


add(Format(".exr", "float32 in meters, OpenEXR", write=write, point=12))
