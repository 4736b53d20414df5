# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth: heights mixed with those around them."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..grid import outside_limit
from ..params import param
from ..work import Work
from . import SHAPE, Kind, layer
from ._bands import row_bands
from ._box import Box

PASSES = 3  # means of means of means are close to a Gaussian
COLUMNS = 256  # at a time: temporaries stay in the processor's cache


@layer(
    "smooth",
    label="Smooth",
    help="Soften the land, or sharpen it with a strength below zero",
    group=SHAPE,
    icon="MOD_SMOOTH",
)
class Smooth(Kind):
    """A bell-shaped mean over a radius in metres, the same at any resolution.

    The radius counts as no longer than the terrain along either axis, or 32 samples if that is
    more. Land farther than half the extent beyond the border counts as equal to the last there.
    """

    radius: float = param(
        20.0,
        label="Radius",
        help="Heights farther away than this have no influence; at most the terrain's extent",
        unit="m",
        min=0.0,
        max=1e5,
        soft_max=200.0,
    )
    strength: float = param(
        1.0,
        label="Strength",
        help="How much is smoothed; below 0 sharpens",
        min=-4.0,
        max=1.0,
        soft_min=-1.0,
    )

    def halo(self, dx: float, dy: float) -> int:
        return PASSES * _box(self.radius / min(dx, dy)).halo

    def apply(self, work: Work) -> Floats:
        axes = ((work.size_x, work.grid.dx), (work.size_y, work.grid.dy))
        across, along = (
            _box(min(self.radius / spacing, 2 * outside_limit(size, spacing)))
            for size, spacing in axes
        )
        smooth = _smoothed(_smoothed(work.height, along, work).T, across, work).T
        out = np.empty(work.grid.shape, np.float32)
        for rows in row_bands(work):
            change = np.subtract(smooth[rows], work.height[rows], out=out[rows])
            change *= np.float32(self.strength)
            change += work.height[rows]
        return out


def _box(radius: float) -> Box:
    """The running mean that, taken in all passes, reaches as far as a radius in samples."""
    return Box.of_variance((radius / PASSES) ** 2 / 3)


def _smoothed(height: Floats, box: Box, work: Work) -> Floats:
    """Smooth along axis 0. Samples beyond the ends count as equal to the last ones."""
    out = np.empty(height.shape, np.float32)
    margin = PASSES * box.halo
    for start in range(0, height.shape[1], COLUMNS):
        part = np.pad(height[:, start : start + COLUMNS], ((margin, margin), (0, 0)), mode="edge")
        for _ in range(PASSES):
            work.poll()
            part = box.mean_of_rows(part)
        out[:, start : start + COLUMNS] = part
    return out
