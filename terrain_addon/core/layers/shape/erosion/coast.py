# SPDX-License-Identifier: GPL-3.0-or-later
"""Coasts eroded by waves, on any terrain."""

from __future__ import annotations

import numpy as np

from ....erosion.coast import Coast, shore_distance, worn_by_waves
from ....numerics.arrays import Floats
from ....numerics.resample import blend_columns, blend_rows
from ....settings.params import angle_param, length_param, param
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ._coarse import coarse_heights

CELLS = 6
"""Lattice points across the width of the beach."""


@layer(
    "coast",
    "Smooth Coast",
    "Waves straighten the shore and build beaches; high headlands stay cliffs",
    group=SHAPE,
    icon="MOD_WAVE",
)
class CoastLayer(LayerKind):
    """A beach of constant slope along the smoothed shoreline at the water level."""

    width: float = param(
        20.0,
        "Width",
        "Reach of the waves from the shore",
        min=1e-2,
        max=1e5,
        soft_max=200.0,
        unit="m",
    )
    slope: float = angle_param(6.0, "Beach Slope", "Slope of the beaches", max=45.0)
    cliff: float = length_param(
        20.0, "Cliffs From", "Coasts higher than this stay cliffs", soft_max=200.0
    )

    @property
    def reads_water_level(self) -> bool:
        return True

    def apply(self, context: LayerContext) -> Floats:
        coast = Coast.of(context.water_level, self.width, self.slope, self.cliff)
        terrain = coarse_heights(context, self.width / CELLS, margin=2 * CELLS)
        shore = blend_columns(
            shore_distance(terrain.height, terrain.spacing, coast), terrain.columns
        )
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            side = blend_rows(shore, terrain.rows.part(rows))
            out[rows] = worn_by_waves(context.height[rows], side, coast)
        return out
