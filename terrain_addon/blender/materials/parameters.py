# SPDX-License-Identifier: GPL-3.0-or-later
"""What the natural material reads from a terrain's mesh.

Attributes hold the weights of the surface classes. A custom property of the mesh holds what is the
same for all points, so that all terrains share one material. Modifiers that build a new mesh drop
this property, so the objects have it too, and the surroundings that show their meshes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core import Recipe
from ...core.recipe import SURFACES
from ..data.scenery_objects import surroundings_of
from ..data.terrains import objects_of

PROPERTY = "terrain_material"
"""Custom property of meshes and objects: numbers by name, four each, since shaders read at most
eight. Attribute nodes look at the object first."""
CHANNELS = ("red", "green", "blue")
PLACE = "place"
"""Water level, whether there is a sea (0 or 1), and the longer side of the terrain, in meters."""
HALVES = ("ground", "cover")
"""Of the surface classes: those of `SURFACES` in two sets of four."""


def path(name: str) -> str:
    """Return the name by which an Attribute node finds one of these numbers."""
    return f'["{PROPERTY}"]["{name}"]'


def write(mesh: Any, recipe: Recipe) -> None:
    """Write the custom property to a mesh and to what shows it, if it is not there already."""
    values = _values(recipe)
    if _known(mesh) != values:
        mesh[PROPERTY] = values
    for item in objects_of(mesh):
        follow(item)


def follow(item: Any) -> None:
    """Copy the custom property of an object's mesh to the object and its surroundings."""
    values = _known(item.data)
    if values is None or item.library:
        return
    behind = [one for one in (item, *surroundings_of(item)) if _known(one) != values]
    for one in behind:
        one[PROPERTY] = values
        one.update_tag(refresh={"OBJECT"})  # otherwise renders show the old values


def remove(mesh: Any) -> None:
    """Remove the custom property from a mesh and from what shows it."""
    shown = [(item, *surroundings_of(item)) for item in objects_of(mesh)]
    for one in (mesh, *(item for items in shown for item in items)):
        if PROPERTY in one:
            del one[PROPERTY]


def _known(data: Any) -> dict[str, list[float]] | None:
    known = data.get(PROPERTY)
    if not hasattr(known, "items"):
        return None
    return {name: list(numbers) for name, numbers in known.items()}


def _values(recipe: Recipe) -> dict[str, list[float]]:
    colors = recipe.colors.surface_colors
    table: NDArray[np.float32] = np.zeros((len(SURFACES), 3), np.float32)
    for row, key in enumerate(SURFACES):
        table[row] = colors.get(key, 0.0)
    water, size = recipe.water, max(recipe.size_x, recipe.size_y)
    values = {PLACE: [float(water.level), float(water.show), float(size), 0.0]}
    for n, channel in enumerate(CHANNELS):
        for half, rows in zip(HALVES, (slice(0, 4), slice(4, 8)), strict=True):
            values[f"{channel}_{half}"] = [float(one) for one in table[rows, n]]
    return values
