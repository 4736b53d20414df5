# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights as TIFF files, by tifffile: ``pip install "orogen[tiff]"``."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import IO

import numpy as np

from ..core.formats import Format, HeightRows, add
from .libraries import library

STRIP = 64
"""Rows that are compressed together."""


def write(file: IO[bytes], rows: HeightRows) -> None:
    """Meters, float32, Deflate; the first row is the northern one."""
    tifffile = library("tifffile", "tiff")
    height, width = rows.shape
    large = height * width * 4 > 2**32 - 2**25
    with tifffile.TiffWriter(file, bigtiff=large, byteorder="<") as writer:
        writer.write(
            data=_strips(rows),
            shape=rows.shape,
            dtype=np.float32,
            rowsperstrip=STRIP,
            compression="zlib",
            photometric="minisblack",
            metadata=None,
        )


def _strips(rows: HeightRows) -> Iterator[bytes]:
    """The rows from the north, so many at a time, packed: tifffile itself streams whole pages."""
    left = np.empty((0, rows.shape[1]), np.float32)
    for part in rows.from_north():
        left = np.concatenate([left, part])
        for start in range(0, len(left) - STRIP + 1, STRIP):
            yield zlib.compress(left[start : start + STRIP].astype("<f4").tobytes())
        left = left[len(left) // STRIP * STRIP :]
    if len(left):
        yield zlib.compress(left.astype("<f4").tobytes())


for _suffix in (".tif", ".tiff"):
    add(Format(_suffix, "float32 in meters, by tifffile", write=write, point=8))
