# SPDX-License-Identifier: GPL-3.0-or-later
"""Bell-shaped means of the heights around each point, over a radius in meters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.grid import outside_limit
from ..numerics.resample import window_sums
from .context import LayerContext

PASSES = 3  # means of means of means are close to a Gaussian
COLUMNS = 256  # at a time: temporaries stay in the processor's cache


@dataclass(frozen=True)
class Box:
    """A running mean over ``2 * reach + 1`` samples, and one at each end by ``share``.

    The "extended box" of Gwosdek et al., "Theoretical foundations of Gaussian convolution by
    extended box filtering" (2011): its variance varies smoothly, so that any radius is possible.
    """

    reach: int
    share: float

    @classmethod
    def of_variance(cls, variance: float) -> Box:
        """Return the box of a variance in squared samples."""
        reach = int((math.sqrt(1 + 12 * variance) - 1) / 2)
        missing = variance - reach * (reach + 1) / 3
        share = (2 * reach + 1) * missing / (2 * ((reach + 1) ** 2 - variance))
        return cls(reach, share)

    @property
    def halo(self) -> int:
        """Number of samples to each side that the mean includes."""
        return self.reach + 1 if self.share > 0 else self.reach

    def mean_of_rows(self, values: Floats) -> Floats:
        """Compute the running mean along axis 0: ``2 * halo`` fewer rows than ``values`` has."""
        count = len(values) - 2 * self.halo
        total = window_sums(values, 2 * self.reach + 1)
        if self.share > 0:
            total = total[1:-1]
            ends = values[:count] + values[2 * self.halo :]
            ends *= np.float32(self.share)
            total = np.add(total, ends, out=ends)
        total *= np.float32(1 / (2 * self.reach + 1 + 2 * self.share))
        return total


def mean_halo(radius: float, dx: float, dy: float) -> int:
    """Return the samples around a point that its mean depends on."""
    return PASSES * _box(radius / min(dx, dy)).halo


def mean_around(height: Floats, radius: float, context: LayerContext) -> Floats:
    """Return the mean of the heights around each point, (ny, nx) float32.

    The radius is limited to the terrain's extent along either axis, or to 32 samples if that is
    more.
    """
    axes = ((context.size_x, context.grid.dx), (context.size_y, context.grid.dy))
    across, along = (
        _box(min(radius / spacing, 2 * outside_limit(size, spacing))) for size, spacing in axes
    )
    return _smoothed(_smoothed(height, along, context).T, across, context).T


def _box(radius: float) -> Box:
    """Return the running mean that reaches a radius in samples after all passes."""
    return Box.of_variance((radius / PASSES) ** 2 / 3)


def _smoothed(height: Floats, box: Box, context: LayerContext) -> Floats:
    """Smooth along axis 0. Samples beyond the ends count as equal to the last ones."""
    out = np.empty(height.shape, np.float32)
    margin = PASSES * box.halo
    for columns in parts(height.shape[1], COLUMNS):
        part = np.pad(height[:, columns], ((margin, margin), (0, 0)), mode="edge")
        for _ in range(PASSES):
            context.poll()
            part = box.mean_of_rows(part)
        out[:, columns] = part
    return out
