# SPDX-License-Identifier: GPL-3.0-or-later
"""The grid a part at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..numerics import blocks
from ..numerics.arrays import Floats
from ..numerics.blocks import even_parts
from .context import LayerContext

SIDE = 264
"""Rows and columns worked on at once: temporaries stay in the cache. Grids have 2^n + 1 points."""
NOISE_SIDE = 520
"""The same where noise is made, above all a domain warp: it takes longer in smaller squares."""


def row_bands(context: LayerContext) -> Iterator[slice]:
    """Slices of rows that cover the grid; reports progress and stops when cancelled."""
    for rows in blocks.row_bands(context.grid.shape, context.cancelled):
        context.progress(rows.start / context.grid.ny)
        yield rows


def squares(context: LayerContext, side: int) -> Iterator[tuple[slice, slice]]:
    """Slices of rows and columns, at most so many, that cover the grid; as :func:`row_bands`."""
    nx, ny = context.grid.nx, context.grid.ny
    for rows in even_parts(ny, side):
        for columns in even_parts(nx, side):
            context.poll()
            context.progress((rows.start + (rows.stop - rows.start) * columns.start / nx) / ny)
            yield rows, columns


def by_rows(context: LayerContext, function: Callable[[Floats], Floats]) -> Floats:
    """A new land from a function of the heights alone."""
    out = np.empty(context.grid.shape, np.float32)
    for rows in row_bands(context):
        out[rows] = function(context.height[rows])
    return out
