# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by the area of a shape."""

from __future__ import annotations

from ...numerics.arrays import Doubles
from ...settings.params import length_param
from ...shapes import AREA, nearest, winding
from ..context import LayerContext
from ._shape_mask import ShapeMask
from .kind import mask


@mask("inside_shape", "Inside Shape", "Act inside closed curves, and under objects")
class InsideShapeMask(ShapeMask):
    """1 inside closed lines and under faces, fading to 0 outside.

    Areas that overlap unite. Open lines have no area.
    """

    drawn = AREA

    margin: float = length_param(
        0.0,
        "Margin",
        "Up to this distance outside of the area the layer acts fully too",
        soft_max=100.0,
    )
    fade: float = length_param(40.0, "Fade", "Distance beyond over which the layer fades out")

    def distances(self, context: LayerContext) -> tuple[Doubles, float, float]:
        shape = context.shape_named(self.source)
        reach = self.margin + self.fade
        away = nearest(shape.borders, context.grid, reach, context.cancelled).distance
        away[winding(shape.areas, context.grid) != 0] = 0
        return away, self.margin, self.fade
