# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks: where on the terrain a layer acts, one module per kind.

A kind is a settings class under :func:`~.kind.mask` in a module of this package, named after its
key; registration gives it its JSON, its Blender properties, its UI and its reference documentation.
"""

from ...settings.registry import load_modules
from .kind import MASKS, Mask, mask

__all__ = ["MASKS", "Mask", "mask"]

# As the panel shows them.
load_modules(__name__, first=("height", "slope", "field", "noise", "map"))
