# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples of a TIFF file, read block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

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

Put = Callable[[NDArray[Any], Floats], None]
"""Takes (rows, columns) samples, or (rows, columns, 2) with alpha, and the heights they are of."""


def read_blocks(
    file: IO[bytes], layout: Layout, mark: float | None, cancelled: Cancel | None = None
) -> Floats:
    """Return (rows, columns) float32, row 0 the last one of the file; marks and large values as
    NaN.

    Blocks that the file leaves out hold the mark of voids, or 0, as GDAL writes them.
    """
    height = np.empty((layout.rows, layout.columns), np.float32)
    blank = 0.0 if mark is None else np.nan

    def put(values: NDArray[Any], target: Floats) -> None:
        if layout.samples > 1:
            store(values[:, :, 0], target, mark)
            target[values[:, :, 1] == 0] = np.nan
        else:
            store(values, target, mark)

    _each_block(file, layout, height, put, blank, cancelled)
    if layout.alpha:
        shifted = replace(layout, offsets=layout.offsets[layout.alpha :],
                          counts=layout.counts[layout.alpha :], alpha=0)  # fmt: skip
        apply_mask(file, shifted, height, cancelled)
    return height


def apply_mask(
    file: IO[bytes], layout: Layout, height: Floats, cancelled: Cancel | None = None
) -> int:
    """Make heights void where a mask is 0; return how many became void.

    Raises ValueError for a mask of another size.
    """
    if (layout.rows, layout.columns) != height.shape:
        raise ValueError("its mask has another size than the heights: remove the mask, or mend it")
    count = 0

    def put(values: NDArray[Any], target: Floats) -> None:
        nonlocal count
        void = values == 0
        count += int((void & ~np.isnan(target)).sum())
        target[void] = np.nan

    _each_block(file, layout, height, put, np.nan, cancelled)
    return count


def _each_block(
    file: IO[bytes],
    layout: Layout,
    height: Floats,
    put: Put,
    blank: float,
    cancelled: Cancel | None,
) -> None:
    """Hand the samples of each block to ``put``, with the part of the heights that they are of.

    Blocks that the file leaves out are ``blank``."""
    north_first = height[::-1]
    block_rows, block_columns = layout.block
    size = block_rows * layout.row_bytes
    across = -(-layout.columns // block_columns)
    together = min(max(BATCH // size, 1), MOST_TOGETHER)
    total = layout.alpha or layout.offsets.size
    for start in range(0, total, together):
        poll(cancelled)
        numbers = range(start, min(start + together, total))
        raw = [_raw(file, layout, number) for number in numbers]
        made = METHODS[layout.compression]([block or BytesIO() for block in raw], size)
        if across == 1 and size <= BATCH and all(raw):  # strips, which are often of one row
            strips = north_first[numbers.start * block_rows : numbers.stop * block_rows]
            rows = [min(block_rows, layout.rows - number * block_rows) for number in numbers]
            data = b"".join(_rows(*pair, layout) for pair in zip(made, rows, strict=True))
            _store(data, layout, strips, put)
            continue
        for number, source, stream in zip(numbers, raw, made, strict=True):
            j, i = number // across * block_rows, number % across * block_columns
            target = north_first[j : j + block_rows, i : i + block_columns]
            if source is None:
                target[:] = blank
            else:
                _read_rows(stream, layout, target, put, cancelled)


def _read_rows(
    stream: Stream, layout: Layout, target: Floats, put: Put, cancelled: Cancel | None
) -> None:
    """Fill the part of a block that lies within the image."""
    for rows in parts(target.shape[0], BATCH // layout.row_bytes, cancelled):
        _store(_rows(stream, rows.stop - rows.start, layout), layout, target[rows], put)


def _rows(stream: Stream, count: int, layout: Layout) -> bytes:
    """Return the next rows of a block; ValueError if it has fewer."""
    data = stream.read(count * layout.row_bytes)
    if len(data) < count * layout.row_bytes:
        raise ValueError("this is not a complete TIFF file: a block is cut off")
    return data


def _store(data: bytes, layout: Layout, target: Floats, put: Put) -> None:
    """Hand over rows of samples without the columns beyond the image."""
    if layout.bits == 1:
        packed = np.frombuffer(data, np.uint8).reshape(-1, layout.row_bytes)
        values = np.unpackbits(packed, axis=1)
    else:
        values = undo(data, layout.predictor, layout.dtype, layout.block[1], layout.samples)
    put(values[:, : target.shape[1]], target)


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
