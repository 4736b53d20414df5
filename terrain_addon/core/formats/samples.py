# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of files as heights, in memory and time that the size of the model justifies.

Beside the heights, a reader takes at most :data:`ANYWAY` bytes. It takes at most about ten times
as long for a sample as for one of a plain file, and can be cancelled. What would take more is
refused.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.blocks import grid_pieces
from ..numerics.progress import Cancel
from .streams import Stream

ANYWAY = 64 << 20
"""Bytes of memory or of work that are taken, whatever the size of the file and of the model."""
MOST_RATIO = 1100
"""Deflate makes data at most 1032 times smaller (zlib's documentation); files that say more are
damaged."""
MOST_ROW = 8 << 20
"""Bytes of a row of a compressed file, which is decompressed whole: two million floats."""
ANY_BLOCKS, BLOCK = 1 << 16, 256
"""Blocks that a file of any size may have, and samples of a block where there are more: each block
takes as long as some dozen samples."""
MOST_PADDING, MOST_HARMLESS = 10, 16
"""Times by which decompressed data may be larger than the samples that are wanted of it, or larger
than the file."""


def check_row(size: int) -> None:
    """Raise ValueError for a row of more than :data:`MOST_ROW` bytes."""
    if size > MOST_ROW:
        raise ValueError(
            f"its rows of {size} bytes are longer than {MOST_ROW}: cut it, for example with "
            "gdal_translate -srcwin"
        )


def check_blocks(blocks: int, samples: int) -> None:
    """Raise ValueError for blocks that are too many and too small."""
    if blocks > max(ANY_BLOCKS, samples // BLOCK):
        raise ValueError(
            f"its {blocks} blocks are too many and too small: rewrite it with larger ones, for "
            "example with gdal_translate"
        )


def check_padding(decompressed: int, wanted: int, size: int) -> None:
    """Raise ValueError if much more must be decompressed than the bytes that are wanted, unless a
    file of that size holds it indeed."""
    if decompressed > max(ANYWAY, MOST_PADDING * wanted, MOST_HARMLESS * size):
        raise ValueError(
            f"{decompressed} bytes would be decompressed for {wanted} bytes of heights: save "
            "the heights alone, for example with gdal_translate"
        )


def mark_of(text: str | None, dtype: np.dtype[Any]) -> int | float | None:
    """Return the mark of voids as a number of the file's own type; None if it can be none.

    Examples
    --------
    >>> mark_of("16777217", np.dtype("i4")), mark_of("-9999.0", np.dtype("i2"))
    (16777217, -9999)
    >>> mark_of("-9999", np.dtype("u1"))
    """
    if text is None:
        return None
    try:
        value = float(text.strip().replace(",", "."))
        whole = int(text) if text.strip().lstrip("+-").isdigit() else None
    except (ValueError, OverflowError):
        return None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return float(dtype.newbyteorder("=").type(value))
    if whole is None:
        if not value.is_integer():
            return None
        whole = int(value)
    limits = np.iinfo(dtype)
    return whole if limits.min <= whole <= limits.max else None


def store(values: NDArray[Any], heights: Floats, mark: int | float | None = None) -> None:
    """Fill heights with numbers; the mark of voids, compared in the type of the numbers, and those
    that are too large for float32 become NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        heights[...] = values
    if values.dtype.kind == "f":
        heights[np.isinf(heights)] = np.nan
    if mark is not None and not math.isnan(mark):
        void = values == mark
        if void.any():
            heights[void] = np.nan


def read_numbers(
    file: Stream,
    dtype: np.dtype[Any],
    heights: Floats,
    cancelled: Cancel | None = None,
    mark: int | float | None = None,
) -> None:
    """Fill heights with the numbers that follow in a file, row by row.

    Raises ValueError if the file ends before.
    """
    for rows, columns in grid_pieces(heights.shape, cancelled):
        part = heights[rows, columns]
        data = file.read(part.size * dtype.itemsize)
        if len(data) != part.size * dtype.itemsize:
            raise ValueError("it is cut off")
        store(np.frombuffer(data, dtype).reshape(part.shape), part, mark)


def flip_rows(heights: Floats) -> None:
    """Reverse the order of the rows, in place."""
    rows, columns = heights.shape
    mirrored = heights[::-1]
    for piece in grid_pieces((rows // 2, columns)):
        kept = heights[piece].copy()
        heights[piece] = mirrored[piece]
        mirrored[piece] = kept
