# SPDX-License-Identifier: GPL-3.0-or-later
"""Coasts eroded by waves, on any terrain."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ....erosion.coast import Coast, shore_distance, worn_by_waves
from ....erosion.exposure import Waves
from ....erosion.shores import Shores
from ....numerics.arrays import Floats
from ....numerics.resample import blend_columns, blend_rows
from ....settings.params import NOT_ZERO, angle_param, factor_param, length_param, param, seed_param
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ._coarse import coarse_heights
from ._exposed import exposed_shores, lattices

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
    """A beach of constant slope along the smoothed shoreline at the water level.

    With a fetch, shores differ by how much they are exposed. Produces the fields "beach" and
    "platform" then (0 to 1).
    """

    produces = ("beach", "platform")

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

    fetch: float = length_param(
        0.0,
        "Fetch",
        "Open water that lets waves grow. Headlands before so much of it become cliffs above a "
        "platform, and sand gathers in sheltered bays and on low coasts; 0 makes all shores alike",
        soft_max=2000.0,
    )
    platform: float = length_param(
        30.0,
        "Platform",
        "Width of the rock platform that waves cut on a high, open coast",
        soft_max=200.0,
        shown_if=("fetch", NOT_ZERO),
    )
    stacks: float = factor_param(
        0.4,
        "Stacks",
        "How many stacks are left standing off headlands",
        shown_if=("fetch", NOT_ZERO),
    )
    platform_slope: float = angle_param(
        2.0,
        "Platform Slope",
        "Slope of the platforms",
        max=20.0,
        shown_if=("fetch", NOT_ZERO),
        advanced=True,
    )
    cliff_slope: float = angle_param(
        70.0,
        "Cliff Slope",
        "Slope of the cliffs above platforms",
        min=20.0,
        max=85.0,
        shown_if=("fetch", NOT_ZERO),
        advanced=True,
    )
    wind_strength: float = factor_param(
        0.0,
        "Wind Strength",
        "How much more waves come with the wind than against it",
        shown_if=("fetch", NOT_ZERO),
        advanced=True,
    )
    wind: float = param(
        0.0,
        "Wind Direction",
        "Direction that the wind blows toward, from X",
        min=-360.0,
        max=360.0,
        unit="deg",
        shown_if=("wind_strength", NOT_ZERO),
        advanced=True,
    )
    seed: int = seed_param("Seed of the cliffs and stacks", shown_if=("fetch", NOT_ZERO))

    @property
    def reads_water_level(self) -> bool:
        return True

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        return {"platform": (0.2, 0.6), "beach": (0.2, 0.7)} if self.fetch > 0 else {}

    def apply(self, context: LayerContext) -> Floats:
        coast = Coast.of(context.water_level, self.width, self.slope, self.cliff)
        context.produced.update({n: context.zeros() for n in self.produces if context.needs(n)})
        if self.fetch > 0:
            return self._by_exposure(context, coast)
        terrain = coarse_heights(context, self.width / CELLS, margin=2 * CELLS)
        shore = blend_columns(
            shore_distance(terrain.height, terrain.spacing, coast), terrain.columns
        )
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            side = blend_rows(shore, terrain.rows.part(rows))
            out[rows] = worn_by_waves(context.height[rows], side, coast)
        return out

    def _by_exposure(self, context: LayerContext, coast: Coast) -> Floats:
        shores = Shores(
            coast.sea,
            coast.width,
            coast.beach,
            coast.cliff,
            self.platform,
            math.tan(math.radians(self.platform_slope)),
            math.tan(math.radians(self.cliff_slope)),
        )
        waves = Waves(self.fetch, self.wind, self.wind_strength)
        known = lattices(context, coast, shores, waves)
        out = context.height.copy()
        for rows, here, part in exposed_shores(context, known, shores, self.stacks, self.seed):
            out[rows][here] = part.height
            for name, field in context.produced.items():
                field[rows][here] = getattr(part, name)
        return out
