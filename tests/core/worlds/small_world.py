# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe for worlds of small tiles: noise, rivers, and snow where a map is painted."""

import numpy as np

from terrain_addon.core import Erosion, FractalNoise, Layer, Map, MapMask, Recipe, Snow

PAINT = Map("paint", np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4))
RECIPE = Recipe(
    size_x=900.0,
    size_y=700.0,
    layers=(
        FractalNoise(height=150.0, octaves=4),
        Erosion(resolution="128", rivers=1.0),
        Layer.of(Snow(line=20.0), masks=(MapMask(source="paint"),)),
    ),
    maps=(PAINT,),
)
