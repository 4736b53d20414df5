# SPDX-License-Identifier: GPL-3.0-or-later
"""Strata: ledges of layered rock."""

from __future__ import annotations

import math

import numpy as np

from .... import noise
from ....erosion.strata import Strata
from ....numerics.arrays import Floats
from ....settings.params import angle_param, param, seed_param, size_param
from ...context import LayerContext
from ...kind import POINT, SHAPE, LayerKind, layer


@layer(
    "strata",
    "Strata",
    "Beds of hard and soft rock form ledges in the terrain below",
    group=SHAPE,
    icon="ALIGN_JUSTIFY",
)
class StrataLayer(LayerKind):
    """A monotone mapping of height within tilted beds of random thickness and hardness."""

    depends_on = POINT
    repeats = False

    thickness: float = size_param(
        20.0, "Thickness", "Mean thickness of the beds", min=1e-2, max=1e5, soft_max=200.0
    )
    sharpness: float = param(
        3.0,
        "Sharpness",
        "0 leaves the terrain as it is; more gives flatter benches and steeper risers",
        min=0.0,
        max=20.0,
        soft_max=8.0,
    )
    dip: float = angle_param(3.0, "Dip", "Tilt of the beds", max=80.0, soft_max=30.0)
    direction: float = param(
        0.0,
        "Direction",
        "Direction in which the beds dip, from the X axis",
        min=-360.0,
        max=360.0,
        unit="deg",
    )
    wobble: float = param(
        0.3,
        "Wobble",
        "Unevenness of the beds, relative to their thickness",
        min=0.0,
        max=10.0,
        soft_max=2.0,
    )
    seed: int = seed_param("Seed of the beds")

    def apply(self, context: LayerContext) -> Floats:
        seed = (context.seed + self.seed) & 0x7FFFFFFF
        strata = Strata(self.thickness, self.sharpness, seed)
        wave = 15 * self.thickness
        x, y = context.grid.x, context.grid.y
        offset = noise.sample_grid(
            "perlin", x / wave, y / wave, seed=seed, cancelled=context.cancelled
        )
        offset *= np.float32(self.wobble * self.thickness)
        fall, angle = math.tan(math.radians(self.dip)), math.radians(self.direction)
        along_x = (x * fall * math.cos(angle)).astype(np.float32)
        along_y = (y * fall * math.sin(angle)).astype(np.float32)
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            offset[rows] += along_x
            offset[rows] += along_y[rows][:, None]
            out[rows] = strata.ledges(context.height[rows], offset[rows])
        return out
