# SPDX-License-Identifier: GPL-3.0-or-later
"""Pointwise shapers, a few rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..arrays import Floats
from ..work import Work

POINTS = 65536  # at a time: temporaries stay in the processor's cache


def row_bands(work: Work) -> Iterator[slice]:
    """Slices of rows that cover the grid; reports progress and stops when cancelled."""
    ny, nx = work.grid.shape
    rows = max(POINTS // nx, 1)
    for start in range(0, ny, rows):
        work.poll()
        work.progress(start / ny)
        yield slice(start, min(start + rows, ny))


def by_rows(work: Work, function: Callable[[Floats], Floats]) -> Floats:
    """A new land from a function of the heights alone."""
    out = np.empty(work.grid.shape, np.float32)
    for rows in row_bands(work):
        out[rows] = function(work.height[rows])
    return out
