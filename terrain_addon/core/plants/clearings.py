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

    Attributes
    ----------
    parts : sequence of KeptClear
        What nothing stands on, such as roads.
    rivers : sequence of KeptClear
        Beds, in which only species with *In Water* stand.
    """

    parts: Sequence[KeptClear]
    rivers: Sequence[KeptClear] = ()

    @classmethod
    def of(cls, recipe: Recipe, terrain: Heightfield, cancelled: Cancel | None = None) -> Clearings:
        """Return the clearings of a recipe: what its layers keep clear, and the rivers of a terrain
        that it shows."""
        shapes = {shape.name: shape for shape in recipe.shapes}
        parts = [one for layer in recipe.active for one in layer.settings.kept_clear(shapes)]
        beds: list[KeptClear] = []
        if recipe.water.rivers:
            rivers = found_rivers(recipe, terrain.height, terrain.grid, cancelled=cancelled)
            # The radius of a point holds half the width there.
            lines = [
                np.stack([one.x, one.y, one.z, one.width * one.head / 2], axis=1) for one in rivers
            ]
            beds.append(KeptClear(Shape.of("Rivers", lines), half=1.0))
        return cls(parts, beds)

    def __call__(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) are kept clear."""
        return _held(self.parts, x, y) | self.in_rivers(x, y)

    def in_rivers(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) lie in the bed of a river."""
        return _held(self.rivers, x, y)

    def always(self, x: Doubles, y: Doubles) -> Bools:
        """Return which points (n,) are kept clear of everything, also of rocks."""
        return _held(self.parts, x, y)


def _held(parts: Sequence[KeptClear], x: Doubles, y: Doubles) -> Bools:
    found = np.zeros(len(x), bool)
    for part in parts:
        found |= part.holds(x, y)
    return found
