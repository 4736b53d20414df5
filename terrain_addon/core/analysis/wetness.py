# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields of surface water: topographic wetness and the depth of lakes.

Both depend on all heights given. To bound their time, heights of more than `MOST` samples along a
side are averaged in blocks.
"""

from __future__ import annotations

import numpy as np

from .. import hydrology as hy
from ..numerics.arrays import Floats
from ..numerics.blocks import parts
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
    """Topographic wetness index: 0 on the driest crests to 1 where most water gathers.

    ``ln(a / tan b)`` with the area ``a`` that drains through each meter of contour, by multiple
    flow, and the slope ``b`` (Beven and Kirkby, "A physically based, variable contributing area
    model of basin hydrology", 1979). The driest and the wettest 2 % are 0 and 1; flat
    terrain is 0.

    Raises
    ------
    ValueError : heights that are not finite
    Cancelled
    """
    terrain, spacing, block = _in_blocks(height, dx, dy, cancelled)
    if np.ptp(terrain) <= 0:
        return np.zeros(height.shape, np.float32)
    tree = hy.route(terrain, cancelled=cancelled)
    level = hy.spill_levels(terrain, tree, cancelled)
    area = hy.multiple_flow_area(terrain, tree, spacing, cancelled=cancelled)
    slope = steepness(level, spacing, spacing, cancelled)
    slope = np.clip(slope, np.float32(FLATTEST), np.float32(STEEPEST))
    index = np.log(area / (slope * np.float32(spacing)))
    low, high = (float(end) for end in np.quantile(index, ENDS))
    if high - low < 1e-6:
        return np.zeros(height.shape, np.float32)
    index -= np.float32(low)
    index *= np.float32(1 / (high - low))
    np.clip(index, 0, 1, out=index)
    poll(cancelled)
    if block == 1:
        return index
    rows, columns = (
        SplineAxis.at((np.arange(count, dtype=np.float64) + 0.5) / block - 0.5, coarse)
        for count, coarse in zip(height.shape, index.shape, strict=True)
    )
    return spline(index, rows, columns, cancelled)


def lake_depth(
    height: Floats, dx: float, dy: float, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Meters of water in hollows filled to their brim, 0 on dry land.

    Hollows smaller than a square of ``radius`` meters stay dry.

    Raises
    ------
    ValueError : heights that are not finite
    Cancelled
    """
    terrain, spacing, block = _in_blocks(height, dx, dy, cancelled)
    tree = hy.route(terrain, cancelled=cancelled)
    lakes = hy.find_lakes(terrain, tree, spacing, min_area=radius**2, cancelled=cancelled)
    if block == 1:
        return lakes.depth
    # The shore is where the level meets the heights themselves, up to a block beyond the lake.
    level = np.pad(np.where(lakes.label > 0, terrain + lakes.depth, -np.inf), 1, mode="edge")
    rows, columns = terrain.shape
    near = [level[j : j + rows, i : i + columns] for j in range(3) for i in range(3)]
    level = np.maximum.reduce(near).astype(np.float32)
    out = np.empty(height.shape, np.float32)
    column = np.arange(height.shape[1], dtype=np.intp) // block
    for rows in parts(height.shape[0], block, cancelled):
        deep = np.subtract(level[rows.start // block, column], height[rows], out=out[rows])
        np.maximum(deep, 0, out=deep)
    return out


def _in_blocks(
    height: Floats, dx: float, dy: float, cancelled: Cancel | None
) -> tuple[Floats, float, int]:
    """Means of blocks, the meters between them, and the samples along a block."""
    height = hy.check_height(height)
    poll(cancelled)
    block = -(-max(height.shape) // MOST)
    if block > 1:
        rows, columns = (
            np.arange(-(-count // block) + 1, dtype=np.float64) * block for count in height.shape
        )
        height = area_means(height, rows, columns, cancelled)
    return height, block * (dx * dy) ** 0.5, block
