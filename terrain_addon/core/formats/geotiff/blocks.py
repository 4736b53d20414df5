# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples of a TIFF file, read block by block."""

from __future__ import annotations

from typing import IO

import numpy as np

from ...numerics.arrays import Floats
from .compression import METHODS
from .layout import Layout
from .predictors import undo

BATCH = 1 << 20
"""Decompressed bytes of the blocks that are decoded together; at least one block is."""


def read_blocks(file: IO[bytes], layout: Layout, no_data: float | None) -> Floats:
    """(rows, columns) float32, row 0 the last one of the file; large values as NaN.

    Blocks that the file leaves out hold the mark of voids, or 0, as GDAL writes them.
    """
    height = np.empty((layout.rows, layout.columns), np.float32)
    north_first = height[::-1]
    block_rows, block_columns = layout.block
    row_size = block_columns * layout.dtype.itemsize
    across = -(-layout.columns // block_columns)
    together = max(BATCH // (block_rows * row_size), 1)
    for start in range(0, layout.offsets.size, together):
        numbers = range(start, min(start + together, layout.offsets.size))
        raw = [_raw(file, layout, number) for number in numbers]
        made = METHODS[layout.compression]([one or b"" for one in raw], block_rows * row_size)
        for number, source, block in zip(numbers, raw, made, strict=True):
            j, i = number // across * block_rows, number % across * block_columns
            target = north_first[j : j + block_rows, i : i + block_columns]
            if source is None:
                target[:] = 0 if no_data is None else no_data
                continue
            needed = target.shape[0] * row_size
            if len(block) < needed:
                raise ValueError("this is not a complete TIFF file: a block is cut off")
            values = undo(block[:needed], layout.predictor, layout.dtype, block_columns)
            with np.errstate(over="ignore", invalid="ignore"):
                target[:] = values[:, : target.shape[1]]
            target[np.isinf(target)] = np.nan
    return height


def _raw(file: IO[bytes], layout: Layout, number: int) -> bytes | None:
    """The bytes of a block in the file; None if it is left out."""
    count = int(layout.counts[number])
    if not count:
        return None
    # No method makes a block more than twice as large, LZW with its codes of 12 bits included.
    if count > 2 * layout.block[0] * layout.block[1] * layout.dtype.itemsize + 4096:
        raise ValueError("this is not a complete TIFF file: a block is too large")
    file.seek(int(layout.offsets[number]))
    raw = file.read(count)
    if len(raw) != count:
        raise ValueError("this is not a complete TIFF file: a block is cut off")
    return raw
