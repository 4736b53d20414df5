# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks: where on the terrain a layer acts, one module per kind.

A kind is a settings class decorated with :func:`~.kind.mask`, in a module of this package named
after its key. JSON, Blender properties, panels and reference pages follow from it.
"""

from ...settings.registry import load_modules
from .kind import MASKS, Mask, mask

__all__ = ["MASKS", "Mask", "mask"]

# The order in the panel.
load_modules(__name__, first=("height", "slope", "field", "noise", "map", "near_shape"))
