# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow on the terrain below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....erosion.snow import Snowfall, snow_depth
from ....numerics.arrays import Floats
from ....numerics.blocks import default_threads
from ....settings.params import angle_param, height_param, length_param
from ...context import LayerContext
from ...kind import SHAPE, LayerKind, layer
from ._coarse import passes_over

COVERS = 0.25  # of the depth: where snow hides the ground


@layer(
    "snow",
    "Snow",
    "Snow lies on gentle slopes above the snow line and slides off steep ones. Adding this "
    "layer adds a white color",
    group=SHAPE,
    icon="FREEZE",
)
class Snow(LayerKind):
    """Snowfall that slides until no slope is too steep; produces a field "snow" (meters)."""

    produces = ("snow",)
    height_settings: ClassVar[Mapping[str, float]] = {"line": 0.6}
    above_sea_level = True

    depth: float = length_param(
        2.0, "Depth", "Depth of the snow well above the snow line", max=1e4, soft_max=20.0
    )
    line: float = height_param(
        100.0, "Snow Line", "Height at which half of the snow falls", soft_max=4000.0
    )
    fade: float = length_param(
        50.0, "Fade", "Height range around the snow line over which snow deepens", soft_max=1000.0
    )
    max_slope: float = angle_param(
        38.0, "Max Slope", "Snow slides from slopes steeper than this", max=89.0
    )
    shade: float = length_param(
        0.0,
        "Shade",
        "How much lower the snow line is on walls that face +Y, away from the midday sun, and "
        "higher on those that face it",
        soft_max=500.0,
        advanced=True,
    )
    distance: float = length_param(
        20.0,
        "Distance",
        "Distance that snow slides, at most 200 grid samples",
        soft_max=200.0,
        advanced=True,
    )

    def colored_fields(self) -> Mapping[str, tuple[float, float]]:
        return {"snow": (0.0, COVERS * self.depth)}

    def halo(self, dx: float, dy: float) -> int:
        return self._snowfall(dx, dy).reach

    def apply(self, context: LayerContext) -> Floats:
        spacing = (context.grid.dx, context.grid.dy)
        snow = snow_depth(
            context.height,
            spacing,
            self._snowfall(*spacing),
            threads=default_threads(),
            progress=context.progress,
            cancelled=context.cancelled,
        )
        context.produced["snow"] = snow
        return context.height + snow

    def _snowfall(self, dx: float, dy: float) -> Snowfall:
        passes = passes_over(self.distance, dx, dy)
        return Snowfall(self.depth, self.line, self.fade, self.max_slope, passes, self.shade)
