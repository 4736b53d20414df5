# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of the drainage network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ... import hydrology as hy
from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import pieces, row_bands
from ...numerics.progress import Cancel
from .relief import ROUNDING
from .spectrum import fitted_slope

CHANNEL_CELLS = 100
"""Drainage area, in cells, above which a cell counts as a stream."""


class DrainageMeasures:
    """Measures of the drainage, without the border, where water leaves."""

    def __init__(self, height: Floats, spacing: float, cancelled: Cancel | None) -> None:
        self.height, self.spacing, self.cancelled = height, spacing, cancelled
        self.tree = hy.route(height, cancelled=cancelled)
        self.area: Floats = hy.drainage_area(self.tree, spacing, cancelled)

    def share_below_spill(self) -> float:
        """Return the share of samples in closed hollows."""
        level = hy.spill_levels(self.height, self.tree, self.cancelled)
        least = np.float32(ROUNDING * (float(self.height.max()) - float(self.height.min())))
        count = 0
        for rows in self._inner_rows():
            # On the border the spill level is the height.
            count += int(np.count_nonzero(level[rows] > self.height[rows] + least))
        return count / level.size

    def concavity(self) -> float:
        """Return the exponent of the fall of the streams' slope with drainage area (Flint 1974)."""
        tree = self.tree
        level = tree.gather(self.height, self.cancelled)
        slope = tree.step_lengths(self.spacing, self.cancelled)
        slope[: tree.levels[1]] = 0
        for below, donors, parent in tree.upstream(self.cancelled):
            drop = level[donors] - level[below][parent]
            slope[donors] = np.maximum(drop, 0, out=drop) / slope[donors]
        cell = self.spacing**2
        edges = np.geomspace(30 * cell, max(0.03 * slope.size, 60) * cell, 13)
        slopes = tree.scatter(slope, self.cancelled)
        area, means = self._means_by_area(slopes, edges, 15)
        return -fitted_slope(area, np.log(np.maximum(means, 1e-9)))

    def hack_exponent(self) -> float:
        """Return the exponent of the growth of a river's length with its drainage area (Hack
        1957)."""
        length = hy.upstream_length(self.tree, self.spacing, self.cancelled)
        low = CHANNEL_CELLS * self.spacing**2
        largest = float(self.area[1:-1, 1:-1].max())
        edges = np.geomspace(low, max(largest, 2 * low), 12)
        return fitted_slope(*self._means_by_area(length, edges, 5, np.log))

    def _means_by_area(
        self,
        values: Floats,
        edges: Doubles,
        least: int,
        function: Callable[[Doubles], Doubles] = np.asarray,
    ) -> tuple[Doubles, Doubles]:
        """Return the mean logarithm of the drainage area, and mean of a function of ``values``, of
        the cells between two ``edges`` each; where there are no more than ``least``, they are left
        out."""
        limits = edges.astype(np.float32)
        count, areas, sums = np.zeros((3, limits.size - 1))
        for rows in self._inner_rows():
            area = self.area[rows, 1:-1]
            chosen = (area >= limits[0]) & (area < limits[-1])
            area, value = area[chosen], function(values[rows, 1:-1][chosen].astype(np.float64))
            number = np.searchsorted(limits, area, side="right") - 1
            count += np.bincount(number, minlength=count.size)
            areas += np.bincount(number, np.log(area.astype(np.float64)), count.size)
            sums += np.bincount(number, value, count.size)
        kept = count > least
        return areas[kept] / count[kept], sums[kept] / count[kept]

    def _inner_rows(self) -> Iterator[slice]:
        for rows in row_bands((self.height.shape[0] - 2, self.height.shape[1]), self.cancelled):
            yield slice(rows.start + 1, rows.stop + 1)

    @cached_property
    def order(self) -> NDArray[np.uint8]:
        """(H, W) Strahler order of stream cells, 0 elsewhere."""
        streams = self.area > CHANNEL_CELLS * self.spacing**2
        return hy.stream_order(self.tree, streams, self.cancelled)

    def bifurcation_ratio(self) -> float:
        """Return the streams of one Strahler order per stream of the next (Horton 1945)."""
        order = self.tree.gather(self.order, self.cancelled)
        heads = order > 0
        for here, donors, parent in self.tree.downstream(self.cancelled):
            same = order[donors] == order[here][parent]
            heads[here][parent[same]] = False
        counts = np.zeros(256, np.int64)  # orders are uint8
        for part in pieces(order.size, self.cancelled):
            counts += np.bincount(order[part][heads[part]], minlength=counts.size)
        counts = counts[1:].astype(np.float64)
        several = counts >= 2
        numbers = np.flatnonzero(several).astype(np.float64)
        return float(np.exp(-fitted_slope(numbers, np.log(counts[several]))))
