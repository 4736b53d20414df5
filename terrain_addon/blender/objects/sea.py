# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea as a mesh: a plane at the water level, as large as the terrain.

Where no ground lies below that level there is no sea, and no face: flat ground at the water level
and a sea in the same plane would be drawn as flickering patches of both.
"""

from typing import Any

import numpy as np

from ...core import Recipe
from ..mesh.terrain_mesh import HEIGHT, range_of


def floods(terrain: Any, recipe: Recipe) -> bool:
    """Whether some ground of a terrain's mesh lies below the water level; True if unknown."""
    ends = range_of(terrain, HEIGHT)
    return ends is None or bool(ends[0] < np.float32(recipe.water.level))


def fill(mesh: Any, recipe: Recipe, flooded: bool) -> None:
    """Move the corners to the borders of the terrain, at the water level.

    A plane with other points than these four was edited and stays.
    """
    if len(mesh.vertices) not in (0, 4):
        return
    if not flooded:
        mesh.clear_geometry()
        return
    if not len(mesh.vertices):
        mesh.from_pydata([(0, 0, 0)] * 4, [], [(0, 1, 3, 2)])
        mesh.uv_layers.new(name="UVMap")
    corners = np.empty((4, 3), np.float32)
    corners[:, 0] = np.array([-0.5, 0.5, -0.5, 0.5]) * recipe.size_x
    corners[:, 1] = np.array([-0.5, -0.5, 0.5, 0.5]) * recipe.size_y
    corners[:, 2] = recipe.water.level
    mesh.attributes["position"].data.foreach_set("vector", corners.reshape(-1))
    mesh.update()
