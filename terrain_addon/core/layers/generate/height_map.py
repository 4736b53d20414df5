# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights from an image, an attribute or a vertex group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import height_param, meters, param
from ..context import LayerContext
from ..kind import GENERATE, POINT, LayerKind, layer


@layer(
    "height_map",
    "Height Map",
    "Heights from an image, such as a real elevation model, or from a painted map",
    group=GENERATE,
    icon="IMAGE_DATA",
)
class HeightMap(LayerKind):
    """A painted map as heights, interpolated linearly between its samples."""

    depends_on = POINT
    heights = ("low", "high")

    source: str = param(
        "", "Map", "Image, attribute or vertex group; without one, the layer is flat", unit="map"
    )
    low: float = height_param(
        0.0, "Low", "Height where the map is 0", soft_min=-500.0, soft_max=500.0
    )
    high: float = height_param(
        100.0, "High", "Height where the map is 1; other values are in proportion", soft_min=-500.0
    )

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        return "No map yet: flat" if name == "source" and not self.source else ""

    def apply(self, context: LayerContext) -> Floats:
        heights = context.map(self.source) if self.source else context.zeros()
        heights *= np.float32(self.high - self.low)
        heights += np.float32(self.low)
        return heights
