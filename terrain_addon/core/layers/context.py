# SPDX-License-Identifier: GPL-3.0-or-later
"""What a layer sees while it is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..numerics import blocks
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, poll
from .maps import Map

SIDE = 264
"""Rows and columns worked on at once: temporaries stay in the cache. Grids have 2^n + 1 points."""
NOISE_SIDE = 520
"""The same for noise, above all a domain warp, which takes longer in smaller squares."""


@dataclass(frozen=True)
class LayerContext:
    """One layer's view of the evaluation.

    ``height`` is the (ny, nx) float32 land so far in meters and ``masks`` what the layers below
    left behind: both are shared, so make new arrays instead of writing into them. A layer that
    has masks of its own to offer puts them into ``produced``.
    """

    grid: Grid
    height: Floats
    masks: Mapping[str, Floats]
    produced: dict[str, Floats]
    size_x: float
    size_y: float
    water_level: float
    seed: int
    progress: Progress
    cancelled: Cancel
    heights_below: Callable[[Grid], Floats]
    """The land below this layer on any other grid, for layers that need the whole extent."""
    maps: Mapping[str, Map]
    """Painted maps by name."""

    def poll(self) -> None:
        """Stop here if the user asked for it: raises Cancelled."""
        poll(self.cancelled)

    def map(self, name: str, grid: Grid | None = None) -> Floats:
        """A painted map at the points of ``grid``, by default the layer's own: float32.

        ValueError when there is none of that name.
        """
        if name not in self.maps:
            raise ValueError(
                f"There is no map named {name!r}: name an attribute, a vertex group or an image"
            )
        return self.maps[name].sample(grid or self.grid, self.size_x, self.size_y, self.cancelled)

    def row_bands(self) -> Iterator[slice]:
        """Slices of rows that cover the grid; reports progress and raises Cancelled."""
        for rows in blocks.row_bands(self.grid.shape, self.cancelled):
            self.progress(rows.start / self.grid.ny)
            yield rows

    def squares(self, side: int) -> Iterator[tuple[slice, slice]]:
        """Slices of at most ``side`` rows and columns that cover the grid; as :meth:`row_bands`."""
        nx, ny = self.grid.nx, self.grid.ny
        for rows in blocks.even_parts(ny, side):
            for columns in blocks.even_parts(nx, side):
                self.poll()
                self.progress((rows.start + (rows.stop - rows.start) * columns.start / nx) / ny)
                yield rows, columns

    def by_rows(self, function: Callable[[Floats], Floats]) -> Floats:
        """New heights from a pointwise function of the heights below."""
        out = np.empty(self.grid.shape, np.float32)
        for rows in self.row_bands():
            out[rows] = function(self.height[rows])
        return out

    def zeros(self) -> Floats:
        """A new field of the grid's shape, all zero."""
        return np.zeros(self.grid.shape, np.float32)
