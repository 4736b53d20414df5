# SPDX-License-Identifier: GPL-3.0-or-later
"""What the natural material reads from a terrain's mesh.

Attributes hold the weights of the surface classes. A custom property of the mesh holds what is the
same for all points, so that all terrains share one material. Modifiers that build a new mesh drop
this property, so the objects have it too, and the surroundings that show their meshes.
"""

from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core import Recipe
from ...core.recipe import ROCK, SURFACES
from ..data.scenery_objects import surroundings_of
from ..data.terrains import objects_of

PROPERTY = "terrain_material"
"""Custom property of meshes and objects: numbers by name, four each, since shaders read at most
eight. Attribute nodes look at the object first."""
CHANNELS = ("red", "green", "blue")
PLACE = "place"
"""Water level, whether there is a sea (0 or 1), and the longer side of the terrain, in meters."""
BEDS = "beds"
"""The direction across the beds of the rock, and how much the beds show: 0 to 1."""
MASSIVE = 0.15
"""How much beds show in rock of which the recipe says nothing: granite has hardly any."""
STACK = 3
"""As many colors of rock one above the other are a stack of beds."""
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
    values = {PLACE: [float(water.level), float(water.show), float(size), 0.0], BEDS: beds(recipe)}
    for n, channel in enumerate(CHANNELS):
        for half, rows in zip(HALVES, (slice(0, 4), slice(4, 8)), strict=True):
            values[f"{channel}_{half}"] = [float(one) for one in table[rows, n]]
    return values


def beds(recipe: Recipe) -> list[float]:
    """Return the direction across the beds of the rock, and how much the beds show, 0 to 1.

    The last layer that has beds says how they dip: strike and dip, or direction and dip.
    """
    across, shown = (0.0, 0.0, 1.0), MASSIVE
    for layer in recipe.layers:
        found = _beds_of(layer.settings) if layer.on else None
        if found:
            across, shown = _across(*found[:2]), max(shown, 0.5 + 0.5 * found[2])
    colors = {one.color for one in recipe.palette.by_height if one.surface_class == ROCK}
    return [*across, 1.0 if len(colors) >= STACK else shown]


def _beds_of(settings: Any) -> tuple[float, float, float] | None:
    """Return the dip, the direction of the dip and the contrast of a layer's beds, in degrees; None
    if it has none."""
    if getattr(settings, "bed_contrast", 0.0) > 0:
        return settings.dip, settings.strike - 90.0, settings.bed_contrast
    if getattr(settings, "strata_contrast", 0.0) > 0:
        return 0.0, 0.0, settings.strata_contrast
    if settings.key == "strata":
        return settings.dip, settings.direction, 1.0
    return (0.0, 0.0, 0.5) if settings.key == "terrace" else None


def _across(dip: float, direction: float) -> tuple[float, float, float]:
    """Return the unit vector across beds that dip in a direction, in degrees."""
    slope, way = radians(dip), radians(direction)
    return sin(slope) * cos(way), sin(slope) * sin(way), cos(slope)
