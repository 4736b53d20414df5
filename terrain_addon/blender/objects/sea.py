# SPDX-License-Identifier: GPL-3.0-or-later
"""The sea as a mesh: a plane at the water level, as large as the terrain.

Where no ground lies below that level there is no sea, and no face. Flat ground at the water level
is dry: the plane lies a little lower then, as both in one plane would be drawn as flickering
patches of either.
"""

from typing import Any

import numpy as np

from ...core import Recipe
from ..mesh.terrain_mesh import HEIGHT, recorded

FLAT = 4
"""Points at the water level that count as flat ground: the corners of a face."""
LOWER = 5e-4
"""How much lower the plane lies then, as a share of the terrain's size. From as far away as the
terrain is wide, the viewport's 24 bits of depth tell apart 1.2e-4 of it."""


def plane_of(terrain: Any, recipe: Recipe) -> float | None:
    """Return the height of the plane for a terrain's mesh, None where all ground lies above the
    sea.

    The water level if the heights are unknown.
    """
    level = np.float32(recipe.water.level)
    heights = recorded(terrain, (HEIGHT,))
    if not heights or not heights[0].size:  # all points may have been deleted by hand
        return recipe.water.level
    if heights[0].min() >= level:
        return None
    flat = np.count_nonzero(heights[0] == level) >= FLAT
    return _lowered(recipe) if flat else recipe.water.level


def is_outdated(mesh: Any, recipe: Recipe, plane: float | None) -> bool:
    """Return whether a sea is to appear, to disappear, or to move between the two heights of a
    plane."""
    if plane is None or not len(mesh.polygons):
        return (plane is None) == bool(len(mesh.polygons))
    other = recipe.water.level if plane != recipe.water.level else _lowered(recipe)
    return len(mesh.vertices) == 4 and mesh.vertices[0].co.z == np.float32(other)


def _lowered(recipe: Recipe) -> float:
    return recipe.water.level - LOWER * max(recipe.size_x, recipe.size_y)


def fill_sea(mesh: Any, recipe: Recipe, plane: float | None) -> None:
    """Move the corners to the borders of the terrain, at the height of the plane.

    A plane with other points than these four was edited and stays.
    """
    if len(mesh.vertices) not in (0, 4):
        return
    if plane is None:
        mesh.clear_geometry()
        return
    if not len(mesh.vertices):
        mesh.from_pydata([(0, 0, 0)] * 4, [], [(0, 1, 3, 2)])
        mesh.uv_layers.new(name="UVMap")
    corners = np.empty((4, 3), np.float32)
    corners[:, 0] = np.array([-0.5, 0.5, -0.5, 0.5]) * recipe.size_x
    corners[:, 1] = np.array([-0.5, -0.5, 0.5, 0.5]) * recipe.size_y
    corners[:, 2] = plane
    mesh.attributes["position"].data.foreach_set("vector", corners.reshape(-1))
    mesh.update()
