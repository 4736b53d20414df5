# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth: average heights with those around them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.blocks import parts
from ...numerics.grid import outside_limit
from ...numerics.resample import window_sums
from ...settings.params import length_param, param
from ..context import LayerContext
from ..kind import SHAPE, LayerKind, layer


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


PASSES = 3  # means of means of means are close to a Gaussian
COLUMNS = 256  # at a time: temporaries stay in the processor's cache


@layer(
    "smooth",
    "Smooth",
    "Smooth the terrain, or sharpen it with a strength below 0",
    group=SHAPE,
    icon="MOD_SMOOTH",
)
class Smooth(LayerKind):
    """A bell-shaped mean over a radius in meters, the same at any resolution.

    The radius is limited to the terrain's extent along either axis, or to 32 samples if that is
    more. Heights farther than half the extent beyond the border count as equal to the last there.
    """

    radius: float = length_param(
        20.0,
        "Radius",
        "Distance up to which heights are averaged, at most the terrain's extent",
        soft_max=200.0,
    )
    strength: float = param(
        1.0,
        "Strength",
        "Blend with the smoothed terrain; below 0 sharpens",
        min=-4.0,
        max=1.0,
        soft_min=-1.0,
    )

    def halo(self, dx: float, dy: float) -> int:
        return PASSES * _box(self.radius / min(dx, dy)).halo

    def apply(self, context: LayerContext) -> Floats:
        axes = ((context.size_x, context.grid.dx), (context.size_y, context.grid.dy))
        across, along = (
            _box(min(self.radius / spacing, 2 * outside_limit(size, spacing)))
            for size, spacing in axes
        )
        smooth = _smoothed(_smoothed(context.height, along, context).T, across, context).T
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            change = np.subtract(smooth[rows], context.height[rows], out=out[rows])
            change *= np.float32(self.strength)
            change += context.height[rows]
        return out


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
