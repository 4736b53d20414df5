# SPDX-License-Identifier: GPL-3.0-or-later
"""Thermal erosion: loose rock slides down slopes that are too steep."""

from __future__ import annotations

from ....erosion.thermal import ROWS_PER_PASS, slide
from ....numerics.arrays import Floats
from ....numerics.blocks import default_threads
from ....settings.params import param
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ._coarse import passes_over


@layer(
    "thermal_erosion",
    label="Thermal Erosion",
    help="Loose rock slides down slopes that are too steep and comes to rest below",
    group=SHAPE,
    icon="OUTLINER_OB_POINTCLOUD",
)
class ThermalErosion(LayerKind):
    """Thermal erosion (Musgrave, Kolb and Mace 1989); conserves mass."""

    talus: float = param(
        38.0,
        label="Talus Angle",
        help="Steepest stable slope",
        min=0.0,
        max=89.0,
        unit="deg",
    )
    distance: float = param(
        20.0,
        label="Distance",
        help="Distance that material slides, at most 200 grid samples",
        min=0.0,
        max=1e5,
        soft_max=200.0,
        unit="m",
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
