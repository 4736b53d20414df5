# SPDX-License-Identifier: GPL-3.0-or-later
"""Write small PNG files with the standard library alone."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...settings.atomic_files import replaced

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TRUECOLOR_ALPHA = 6
AVERAGE = 3


def write_png(path: Path, image: NDArray[np.uint8]) -> None:
    """Write an 8-bit sRGB image with alpha; the first row of ``image`` (H, W, 4) is on top.

    An existing file is replaced only once the new one is complete. Raises OSError if the path is
    not writable.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "red.png"
    >>> write_png(path, np.full((2, 2, 4), (255, 0, 0, 255), np.uint8))
    >>> path.read_bytes()[1:4]
    b'PNG'
    """
    height, width = image.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, 8, TRUECOLOR_ALPHA, 0, 0, 0)
    pixels = zlib.compress(_filtered(image).tobytes(), 9)
    chunks = ((b"IHDR", header), (b"sRGB", b"\0"), (b"IDAT", pixels), (b"IEND", b""))
    with replaced(path) as beside:
        beside.write_bytes(SIGNATURE + b"".join(_chunk(*one) for one in chunks))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _filtered(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows as differences to the mean of the pixels to the left and above, which pack better."""
    height, width = image.shape[:2]
    wide = np.zeros((height + 1, width + 1, 4), np.uint16)
    wide[1:, 1:] = image
    mean = (wide[1:, :-1] + wide[:-1, 1:]) // 2
    rows = np.full((height, width * 4 + 1), AVERAGE, np.uint8)
    rows[:, 1:] = (image - mean).astype(np.uint8).reshape(height, -1)
    return rows
