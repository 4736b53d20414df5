# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by a geometry node tree of the user."""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Floats
from ...settings.params import param
from ..context import LayerContext
from ..node_results import FromNodes
from .kind import Mask, mask


@mask("nodes", "From Geometry Nodes", "Act where geometry nodes of yours return 1")
class NodesMask(FromNodes, Mask):
    """The result of a node group, limited to 0 to 1.

    Blender evaluates it on a grid of its own, and keeps the result in the recipe.
    """

    invert: bool = param(False, "Invert", "Act where the nodes return 0 instead")

    def weight(self, context: LayerContext) -> Floats:
        found = self.sampled(context) if self.nodes else context.zeros() + np.float32(1)
        share = np.clip(found, np.float32(0), np.float32(1))
        return np.float32(1) - share if self.invert else share
