# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a recipe lets nothing grow: on roads, pads and in rivers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..evaluation.heightfield import Heightfield
from ..numerics.arrays import Bools, Doubles
from ..numerics.progress import Cancel
from ..output.water_meshes import found_rivers
from ..recipe.recipe import Recipe
from ..shapes import KeptClear, Shape


@dataclass(frozen=True)
class Clearings:
    """Ground that a recipe keeps clear of plants.

    Call it with the x and y of points in meters: it returns which of them are kept clear.
    """

    parts: Sequence[KeptClear]

    @classmethod
    def of(cls, recipe: Recipe, terrain: Heightfield, cancelled: Cancel | None = None) -> Clearings:
        """Return the clearings of a recipe: what its layers keep clear, and the rivers of a terrain
        that it shows."""
        shapes = {shape.name: shape for shape in recipe.shapes}
        parts = [one for layer in recipe.active for one in layer.settings.kept_clear(shapes)]
        if recipe.water.rivers:
            rivers = found_rivers(recipe, terrain.height, terrain.grid, cancelled=cancelled)
            # The radius of a point holds half the width there.
            lines = [
                np.stack([one.x, one.y, one.z, one.width * one.head / 2], axis=1) for one in rivers
            ]
            parts.append(KeptClear(Shape.of("Rivers", lines), half=1.0))
        return cls(parts)

    def __call__(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) are kept clear."""
        found = np.zeros(len(x), bool)
        for part in self.parts:
            found |= part.holds(x, y)
        return found
