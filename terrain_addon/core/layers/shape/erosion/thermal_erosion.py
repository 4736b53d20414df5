# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose rock slides down slopes that are too steep."""

from __future__ import annotations

from ....erosion.thermal import ROWS_PER_PASS, slide
from ....numerics.arrays import Floats
from ....numerics.blocks import default_threads
from ....settings.params import angle_param, length_param
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ._coarse import passes_over


@layer(
    "thermal_erosion",
    "Thermal Erosion",
    "Loose rock slides down slopes that are too steep and comes to rest below",
    group=SHAPE,
    icon="OUTLINER_OB_POINTCLOUD",
)
class ThermalErosion(LayerKind):
    """Thermal erosion (Musgrave, Kolb and Mace 1989); conserves mass."""

    talus: float = angle_param(38.0, "Talus Angle", "Steepest stable slope", max=89.0)
    distance: float = length_param(
        20.0, "Distance", "Distance that material slides, at most 200 grid samples", soft_max=200.0
    )

    def halo(self, dx: float, dy: float) -> int:
        return ROWS_PER_PASS * passes_over(self.distance, dx, dy)

    def apply(self, context: LayerContext) -> Floats:
        spacing = (context.grid.dx, context.grid.dy)
        return slide(
            context.height,
            spacing,
            self.talus,
            passes_over(self.distance, *spacing),
            threads=default_threads(),
            progress=context.progress,
            cancelled=context.cancelled,
        )
