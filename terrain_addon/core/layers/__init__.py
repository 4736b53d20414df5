# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers: the steps that make a terrain, one module per kind.

A kind is a settings class decorated with :func:`~.kind.layer`, in a module of this package named
after its key. JSON, Blender properties, panels, reference pages and tests follow from it.
"""

from ..settings.registry import load_modules
from .context import LayerContext, SolveContext
from .following import FollowsShape
from .groups import Counts, Node, flattened, moved, path_to, spliced, tree
from .handles import Handle
from .kind import AT_END, BEFORE_EROSION, GENERATE, LAYERS, POINT, SHAPE, WHOLE, LayerKind, layer
from .maps import gap_mark
from .masks import MASKS, Mask, mask
from .node_results import FromNodes, packed, unpacked

__all__ = [
    "AT_END",
    "BEFORE_EROSION",
    "GENERATE",
    "LAYERS",
    "MASKS",
    "POINT",
    "SHAPE",
    "WHOLE",
    "Counts",
    "FollowsShape",
    "FromNodes",
    "Handle",
    "LayerContext",
    "LayerKind",
    "Mask",
    "Node",
    "SolveContext",
    "flattened",
    "gap_mark",
    "layer",
    "mask",
    "moved",
    "packed",
    "path_to",
    "spliced",
    "tree",
    "unpacked",
]

load_modules(f"{__name__}.generate")
load_modules(f"{__name__}.shape")
