# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights by a geometry node tree of the user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import param
from ..context import LayerContext
from ..kind import GENERATE, POINT, LayerKind, layer
from ..node_results import FromNodes


@layer(
    "from_nodes",
    "Geometry Nodes",
    "Heights that geometry nodes of yours return",
    group=GENERATE,
    icon="GEOMETRY_NODES",
)
class FromGeometryNodes(FromNodes, LayerKind):
    """The result of a node group in meters.

    Blender evaluates it on a grid of its own, which sees the terrain below, and keeps the result in
    the recipe.
    """

    depends_on = POINT
    repeats = False
    heights = ("factor",)
    new_defaults: ClassVar[Mapping[str, object]] = {"factor": 1.0}  # whatever the extent

    factor: float = param(
        1.0, "Factor", "Factor on the heights", min=-1e4, max=1e4, soft_min=-2.0, soft_max=2.0
    )

    def unit_of(self, name: str) -> str:
        return "m" if name == "factor" else super().unit_of(name)  # a larger terrain is higher

    def apply(self, context: LayerContext) -> Floats:
        if not self.nodes:
            return context.zeros()
        return np.multiply(self.sampled(context), np.float32(self.factor), dtype=np.float32)
