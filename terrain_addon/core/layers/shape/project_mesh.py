# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of objects, seen from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import length_param, param
from ...shapes import AREA, KeptClear, Shape
from ..blend import BLENDS
from ..context import LayerContext
from ..handles import Handle, length_handle, object_handle
from ..kind import POINT, SHAPE, LayerKind, layer

HIGHER, LOWER, REPLACE = "max", "min", "replace"


@layer(
    "project_mesh",
    "Project Mesh",
    "Heights of objects from above, such as sculpted rocks",
    group=SHAPE,
    icon="MOD_SHRINKWRAP",
)
class ProjectMesh(LayerKind):
    """Takes the heights of the faces of objects and of the surfaces of closed curves, seen from
    above.

    Around them, the terrain rises or falls to their border over a distance. What lies under other
    faces, such as the lower side of a rock, does not count.
    """

    drawn = AREA
    line_color = (0.55, 0.35, 0.85)
    depends_on = POINT
    heights: ClassVar[tuple[str, ...]] = ()
    unset_notes: ClassVar[Mapping[str, str]] = {"source": "No object yet: nothing is projected"}

    source: str = param("", "Shape", "Object with faces, closed curve or collection", unit="shape")
    mode: str = param(
        HIGHER,
        "Mode",
        "How the object joins the terrain",
        choices=[
            (HIGHER, "Higher of Both", "Where the object is higher, such as a rock"),
            (LOWER, "Lower of Both", "Where the object is lower, such as a quarry"),
            (REPLACE, "Replace", "The object replaces the terrain, such as the ground of a base"),
        ],
    )
    falloff: float = length_param(
        20.0,
        "Falloff",
        "Distance from the border of the object over which the terrain meets it",
        soft_max=200.0,
    )

    def fault_in(self, shape: Shape, size_x: float, size_y: float) -> str:
        fault = super().fault_in(shape, size_x, size_y)
        if not fault and not len(shape.surface.triangles):
            return "The object has no faces seen from above: choose a mesh or a closed curve"
        return fault

    def kept_clear(self, shapes: Mapping[str, Shape]) -> Sequence[KeptClear]:
        shape = shapes.get(self.source)
        return () if shape is None else (KeptClear(shape),)

    def handles(
        self, size_x: float, size_y: float, shapes: Mapping[str, Shape]
    ) -> Sequence[Handle]:
        shape = shapes.get(self.source)
        if shape is None or not len(shape.surface.triangles):
            return ()
        corners = shape.surface.triangles.reshape(-1, 3)
        x, y = (float(end) for end in corners[corners[:, 0].argmax(), :2])
        falloff = length_handle("Falloff", "falloff", self.falloff, (x, y), (1.0, 0.0))
        return (object_handle(shape), falloff)

    def apply(self, context: LayerContext) -> Floats:
        out = context.height.copy()
        if not self.source:
            return out
        surface = context.shape_named(self.source).surface
        heights = surface.heights(context.grid, context.cancelled)
        inside = np.isfinite(heights)
        combined = BLENDS[self.mode][2]
        if self.falloff:
            rim, away = surface.around(context.grid, self.falloff, context.cancelled)
            near = np.isfinite(away) & ~inside
            share = 1 - away[near] / np.float32(self.falloff)
            weight = share * share * (3 - 2 * share)
            below = out[near]
            out[near] = below + weight * (combined(below, rim[near]) - below)
        out[inside] = combined(out[inside], heights[inside])
        return out
