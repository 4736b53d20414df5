# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea as a mesh: a plane at the water level, as large as the terrain."""

from typing import Any

import numpy as np

from ...core import Recipe
from ...core.output import InlandWater


def fill(mesh: Any, recipe: Recipe, _: InlandWater | None) -> None:
    """Move the corners to the borders of the terrain, at the water level.

    A plane with other points than these four was edited and stays.
    """
    if not len(mesh.vertices):
        mesh.from_pydata([(0, 0, 0)] * 4, [], [(0, 1, 3, 2)])
        mesh.uv_layers.new(name="UVMap")
    if len(mesh.vertices) != 4:
        return
    corners = np.empty((4, 3), np.float32)
    corners[:, 0] = np.array([-0.5, 0.5, -0.5, 0.5]) * recipe.size_x
    corners[:, 1] = np.array([-0.5, -0.5, 0.5, 0.5]) * recipe.size_y
    corners[:, 2] = recipe.water.level
    mesh.attributes["position"].data.foreach_set("vector", corners.reshape(-1))
    mesh.update()
