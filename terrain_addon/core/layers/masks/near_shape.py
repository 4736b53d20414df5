# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by the distance from a shape."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Doubles
from ...settings.params import length_param
from ...shapes import nearest, winding
from ..context import LayerContext
from ._shape_mask import ShapeMask
from .kind import mask

LEAST_RADIUS = 1e-3
"""Smaller radii of points count as this."""


@mask("near_shape", "Near Shape", "Act along curves, and around objects")
class NearShapeMask(ShapeMask):
    """1 up to a distance from lines and from objects with faces, fading to 0 beyond.

    The radius of a curve's points, 1 unless it was changed, is a factor on both lengths.
    """

    distance: float = length_param(
        20.0,
        "Distance",
        "Up to this distance the layer acts fully; multiplied by the radius of a curve's points",
    )
    fade: float = length_param(
        40.0, "Fade", "Distance beyond over which the layer fades out; multiplied by the radius too"
    )

    def distances(self, context: LayerContext) -> tuple[Doubles, float, float]:
        shape = context.shape_named(self.source)
        radii = np.maximum(shape.line_points[:, 3], LEAST_RADIUS)
        reach = (self.distance + self.fade) * radii.max(initial=LEAST_RADIUS)
        found = nearest(shape.lines, context.grid, reach, context.cancelled)
        with np.errstate(divide="ignore"):
            away = found.distance / found.value(radii)
        if len(shape.faces):
            away[winding(shape.faces, context.grid) > 0] = 0
        return away, self.distance, self.fade
