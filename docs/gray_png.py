# SPDX-License-Identifier: GPL-3.0-or-later
"""Write grayscale pictures for the docs, with the standard library alone."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]


def write_png(path: Path, image: Gray) -> None:
    """Write an 8-bit grayscale PNG file; the first row of ``image`` (H, W) is on top."""
    height, width = image.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = image
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body
        data += struct.pack(">I", zlib.crc32(kind + body))
    path.write_bytes(data)
