# SPDX-License-Identifier: GPL-3.0-or-later
"""Pointwise shapers, a few rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .. import cancel
from ..arrays import Floats
from ..work import Work


def row_bands(work: Work) -> Iterator[slice]:
    """Slices of rows that cover the grid; reports progress and stops when cancelled."""
    for rows in cancel.row_bands(work.grid.shape, work.cancelled):
        work.progress(rows.start / work.grid.ny)
        yield rows


def by_rows(work: Work, function: Callable[[Floats], Floats]) -> Floats:
    """A new land from a function of the heights alone."""
    out = np.empty(work.grid.shape, np.float32)
    for rows in row_bands(work):
        out[rows] = function(work.height[rows])
    return out
