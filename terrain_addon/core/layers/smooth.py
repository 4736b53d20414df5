# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth: heights mixed with those around them."""

from __future__ import annotations

import numpy as np

from ..params import param
from ..work import Array, Work
from . import SHAPE, Kind, layer
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
    """A bell-shaped mean over a radius in metres, the same at any resolution."""

    radius: float = param(
        20.0,
        label="Radius",
        help="Heights farther away than this have no influence",
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

    def boxes(self, dx: float, dy: float) -> tuple[Box, Box]:
        """The running means along X and along Y at that spacing in metres."""
        x, y = (Box.of_variance((self.radius / PASSES / d) ** 2 / 3) for d in (dx, dy))
        return x, y

    def halo(self, dx: float, dy: float) -> int:
        return PASSES * max(box.halo for box in self.boxes(dx, dy))

    def apply(self, work: Work) -> Array:
        across, along = self.boxes(work.grid.dx, work.grid.dy)
        smooth = _smoothed(_smoothed(work.height, along, work).T, across, work).T
        smooth -= work.height
        smooth *= np.float32(self.strength)
        smooth += work.height
        return np.ascontiguousarray(smooth)


def _smoothed(height: Array, box: Box, work: Work) -> Array:
    """Smooth along axis 0. Samples beyond the ends count as equal to the last ones."""
    out = np.empty(height.shape, np.float32)
    margin = PASSES * box.halo
    for start in range(0, height.shape[1], COLUMNS):
        work.poll()
        part = np.pad(height[:, start : start + COLUMNS], ((margin, margin), (0, 0)), mode="edge")
        for _ in range(PASSES):
            part = box.mean_of_rows(part)
        out[:, start : start + COLUMNS] = part
    return out
