# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples of a TIFF file, read block by block."""

from __future__ import annotations

from io import BytesIO
from typing import IO

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import parts
from ...numerics.progress import Cancel, poll
from ..samples import store
from ..streams import Section, Stream
from .compression import METHODS
from .layout import Layout
from .predictors import undo

BATCH = 1 << 20
"""Decompressed bytes that are handled together: some blocks, or some rows of a larger one."""
MOST_TOGETHER = 1024
"""Blocks that are decompressed together, so that small ones take no memory for their contents."""
SLACK = 1024
"""Bytes of a compressed block for headers and tables."""


def read_blocks(
    file: IO[bytes], layout: Layout, no_data: float | None, cancelled: Cancel | None = None
) -> Floats:
    """(rows, columns) float32, row 0 the last one of the file; large values as NaN.

    Blocks that the file leaves out hold the mark of voids, or 0, as GDAL writes them.
    """
    height = np.empty((layout.rows, layout.columns), np.float32)
    north_first = height[::-1]
    block_rows, block_columns = layout.block
    size = block_rows * layout.row_bytes
    across = -(-layout.columns // block_columns)
    together = min(max(BATCH // size, 1), MOST_TOGETHER)
    for start in range(0, layout.offsets.size, together):
        poll(cancelled)
        numbers = range(start, min(start + together, layout.offsets.size))
        raw = [_raw(file, layout, number) for number in numbers]
        made = METHODS[layout.compression]([block or BytesIO() for block in raw], size)
        if across == 1 and size <= BATCH and all(raw):  # strips, which are often of one row
            strips = north_first[numbers.start * block_rows : numbers.stop * block_rows]
            rows = [min(block_rows, layout.rows - number * block_rows) for number in numbers]
            data = b"".join(_rows(*pair, layout) for pair in zip(made, rows, strict=True))
            _store(data, layout, strips)
            continue
        for number, source, stream in zip(numbers, raw, made, strict=True):
            j, i = number // across * block_rows, number % across * block_columns
            target = north_first[j : j + block_rows, i : i + block_columns]
            if source is None:
                target[:] = 0 if no_data is None else no_data
            else:
                _read_rows(stream, layout, target, cancelled)
    return height


def _read_rows(stream: Stream, layout: Layout, target: Floats, cancelled: Cancel | None) -> None:
    """Fill the part of a block that lies within the image."""
    for rows in parts(target.shape[0], BATCH // layout.row_bytes, cancelled):
        _store(_rows(stream, rows.stop - rows.start, layout), layout, target[rows])


def _rows(stream: Stream, count: int, layout: Layout) -> bytes:
    """Return the next rows of a block; ValueError if it has fewer."""
    data = stream.read(count * layout.row_bytes)
    if len(data) < count * layout.row_bytes:
        raise ValueError("this is not a complete TIFF file: a block is cut off")
    return data


def _store(data: bytes, layout: Layout, target: Floats) -> None:
    """Write rows of samples where they belong, without the columns beyond the image."""
    values = undo(data, layout.predictor, layout.dtype, layout.block[1])
    store(values[:, : target.shape[1]], target)


def _raw(file: IO[bytes], layout: Layout, number: int) -> Stream | None:
    """Return the bytes of a block in the file; None if it is left out."""
    count, size = int(layout.counts[number]), layout.block[0] * layout.row_bytes
    if not count:
        return None
    # No method makes a block more than twice as large, LZW with its codes of 12 bits included.
    if count > 2 * size + SLACK:
        raise ValueError("this is not a complete TIFF file: a block is too large")
    section = Section(file, int(layout.offsets[number]), count)
    if size > BATCH:
        return section
    raw = section.read(count)
    if len(raw) != count:
        raise ValueError("this is not a complete TIFF file: a block is cut off")
    return BytesIO(raw)
