# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of surface water: topographic wetness and the depth of lakes.

Both depend on all heights given. To bound their time, heights of more than `MOST` samples along a
side are averaged in blocks. The fields are solved for the means of these blocks, and sampled from
the solution in any window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import hydrology as hy
from ..numerics.arrays import Floats
from ..numerics.blocks import row_bands
from ..numerics.progress import Cancel, poll
from ..numerics.resample import SplineAxis, area_means, spline
from .derivatives import steepness

MOST = 1024
"""Samples along the longer side above which blocks are averaged."""
FLATTEST = 0.01
"""Tangent assumed for level ground."""
STEEPEST = 1e18
"""Tangent assumed for vertical ground."""
ENDS = (0.02, 0.98)
"""Quantiles of the index that become 0 and 1."""


def wetness(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return the topographic wetness index: 0 on the driest crests to 1 where most water gathers.

    ``ln(a / tan b)`` with the area ``a`` that drains through each meter of contour, by multiple
    flow, and the slope ``b`` (Beven and Kirkby, "A physically based, variable contributing area
    model of basin hydrology", 1979). The driest and the wettest 2 % are 0 and 1; flat
    terrain is 0.

    Raises
    ------
    ValueError
        Heights that are not finite.
    Cancelled
    """
    return _of_all(WETNESS, height, dx, dy, radius, cancelled)


def lake_depth(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return meters of water in hollows filled to their brim, 0 on dry land.

    Hollows smaller than a square of ``radius`` meters stay dry.

    Raises
    ------
    ValueError
        Heights that are not finite.
    Cancelled
    """
    return _of_all(LAKE_DEPTH, height, dx, dy, radius, cancelled)


@dataclass(frozen=True)
class Blocks:
    """The blocks in which a grid of ``shape`` is averaged, each ``size`` samples wide and high."""

    shape: tuple[int, int]

    @property
    def size(self) -> int:
        """Samples along a side of a block."""
        return -(-max(self.shape) // MOST)

    def means(self, height: Floats, cancelled: Cancel | None = None) -> Floats:
        """Return the means of the blocks of some rows of the grid, from the first row of a block
        on.

        The last block is complete, or there are rows of the one before it: incomplete blocks
        mirror what is inside the border.
        """
        if self.size == 1:
            return height
        rows, columns = (
            np.arange(-(-count // self.size) + 1, dtype=np.float64) * self.size
            for count in height.shape
        )
        return area_means(height, rows, columns, cancelled)


@dataclass(frozen=True)
class WholeField:
    """How a field that depends on all heights is solved for the means of blocks, and sampled.

    Attributes
    ----------
    solve : callable
        (means, meters between them, radius in meters, blocks, cancelled) -> (h, w) float32.
    sample : callable
        (solved, blocks, rows, columns, height, cancelled) -> float32 in a window of the grid, given
        the heights there.
    """

    solve: Callable[[Floats, float, float, Blocks, Cancel | None], Floats]
    sample: Callable[[Floats, Blocks, slice, slice, Floats, Cancel | None], Floats]


def _of_all(
    field: WholeField, height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None
) -> Floats:
    """Return a field, solved for all heights given and sampled there."""
    height = hy.check_height(height)
    rows, columns = height.shape
    blocks = Blocks((rows, columns))
    poll(cancelled)
    spacing = blocks.size * (dx * dy) ** 0.5
    solved = field.solve(blocks.means(height, cancelled), spacing, radius, blocks, cancelled)
    return field.sample(solved, blocks, slice(0, rows), slice(0, columns), height, cancelled)


def _index(
    terrain: Floats, spacing: float, radius: float, blocks: Blocks, cancelled: Cancel | None
) -> Floats:
    """Return the wetness of each block."""
    if np.ptp(terrain) <= 0:
        return np.zeros(terrain.shape, np.float32)
    tree = hy.route(terrain, cancelled=cancelled)
    level = hy.spill_levels(terrain, tree, cancelled)
    area = hy.multiple_flow_area(terrain, tree, spacing, cancelled=cancelled)
    slope = steepness(level, spacing, spacing, cancelled)
    slope = np.clip(slope, np.float32(FLATTEST), np.float32(STEEPEST))
    index = np.log(area / (slope * np.float32(spacing)))
    low, high = (float(end) for end in np.quantile(index, ENDS))
    if high - low < 1e-6:
        return np.zeros(terrain.shape, np.float32)
    index -= np.float32(low)
    index *= np.float32(1 / (high - low))
    np.clip(index, 0, 1, out=index)
    poll(cancelled)
    return index


def _index_at(
    index: Floats,
    blocks: Blocks,
    rows: slice,
    columns: slice,
    height: Floats,
    cancelled: Cancel | None,
) -> Floats:
    if blocks.size == 1:
        return np.ascontiguousarray(index[rows, columns])
    down, across = (
        SplineAxis.at(
            (np.arange(part.start, part.stop, dtype=np.float64) + 0.5) / blocks.size - 0.5, count
        )
        for part, count in zip((rows, columns), index.shape, strict=True)
    )
    return spline(index, down, across, cancelled)


def _lake_level(
    terrain: Floats, spacing: float, radius: float, blocks: Blocks, cancelled: Cancel | None
) -> Floats:
    """Return the level of the lakes at each block and beside them, minus infinity elsewhere; the
    depth itself where a block is a sample."""
    tree = hy.route(terrain, cancelled=cancelled)
    lakes = hy.find_lakes(terrain, tree, spacing, min_area=radius**2, cancelled=cancelled)
    if blocks.size == 1:
        return lakes.depth
    # The shore is where the level meets the heights themselves, up to a block beyond the lake.
    level = np.pad(np.where(lakes.label > 0, terrain + lakes.depth, -np.inf), 1, mode="edge")
    rows, columns = terrain.shape
    near = [level[j : j + rows, i : i + columns] for j in range(3) for i in range(3)]
    return np.maximum.reduce(near).astype(np.float32)


def _lake_depth_at(
    level: Floats,
    blocks: Blocks,
    rows: slice,
    columns: slice,
    height: Floats,
    cancelled: Cancel | None,
) -> Floats:
    if blocks.size == 1:
        return np.ascontiguousarray(level[rows, columns])
    out = np.empty(height.shape, np.float32)
    row, column = (
        np.arange(part.start, part.stop, dtype=np.intp) // blocks.size for part in (rows, columns)
    )
    for band in row_bands(out.shape, cancelled):
        above = level[row[band]][:, column]
        deep = np.subtract(above, height[band], out=out[band])
        np.maximum(deep, 0, out=deep)
    return out


WETNESS = WholeField(_index, _index_at)
LAKE_DEPTH = WholeField(_lake_level, _lake_depth_at)
