# SPDX-License-Identifier: GPL-3.0-or-later
"""The grid a part at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..numerics import progress as cancel
from ..numerics.arrays import Floats
from ..numerics.blocks import even_parts
from .context import Work

SIDE = 264
"""Rows and columns worked on at once: temporaries stay in the cache. Grids have 2^n + 1 points."""
NOISE_SIDE = 520
"""The same where noise is made, above all a domain warp: it takes longer in smaller squares."""


def row_bands(work: Work) -> Iterator[slice]:
    """Slices of rows that cover the grid; reports progress and stops when cancelled."""
    for rows in cancel.row_bands(work.grid.shape, work.cancelled):
        work.progress(rows.start / work.grid.ny)
        yield rows


def squares(work: Work, side: int) -> Iterator[tuple[slice, slice]]:
    """Slices of rows and columns, at most so many, that cover the grid; as :func:`row_bands`."""
    nx, ny = work.grid.nx, work.grid.ny
    for rows in even_parts(ny, side):
        for columns in even_parts(nx, side):
            work.poll()
            work.progress((rows.start + (rows.stop - rows.start) * columns.start / nx) / ny)
            yield rows, columns


def by_rows(work: Work, function: Callable[[Floats], Floats]) -> Floats:
    """A new land from a function of the heights alone."""
    out = np.empty(work.grid.shape, np.float32)
    for rows in row_bands(work):
        out[rows] = function(work.height[rows])
    return out
