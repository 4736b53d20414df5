# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of water of a terrain, and the objects that show them, with the bridges over it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Recipe
from ...core.output import InlandWater, WaterMesh
from .. import materials
from ..app.undo import note_new_data
from ..data import water_objects
from ..data.attributes import clear_geometry
from ..data.terrains import is_terrain_object, objects_of, why_not_editable
from ..materials.bridge import bridge_material
from ..materials.water import inland_material, sea_material
from . import drawn_objects, sea
from .scenery import surroundings

SOLID_COLOR = "Color"
"""Attribute that viewports without materials show."""
SHALLOW = np.array([0.10, 0.36, 0.40, 1.0])
DEEP = np.array([0.012, 0.09, 0.20, 1.0])
CLEAR = 8.0
"""Depth in meters over which the shallow color fades by a factor of e."""


class WaterKind(NamedTuple):
    """A kind of water."""

    switch: str
    """Setting of the recipe's water that shows it; "" if the layers do."""
    fill: Callable[[Any, Recipe, Any], None]
    """Fills its mesh with inland water, or with the sea if there is ground below it."""
    material: Callable[[], bpy.types.Material] = inland_material
    """Gives its initial material."""
    inland: bool = False
    """Whether it depends on the heights."""
    limit: tuple[str, str] = ("", "")
    """The setting that may rule out any of it, and the note below that setting."""
    needed: Callable[[InlandWater | None], bool] = lambda made: True
    """Returns whether a terrain needs an object of this kind."""


def _fill_inland(mesh: Any, water: WaterMesh) -> None:
    """Replace the geometry of a mesh by rivers or lakes, and keep its materials."""
    clear_geometry(mesh)
    mesh.vertices.add(len(water.points))
    mesh.loops.add(water.faces.size)
    mesh.polygons.add(len(water.faces))
    mesh.attributes["position"].data.foreach_set("vector", water.points.reshape(-1))
    mesh.loops.foreach_set("vertex_index", water.faces.reshape(-1))
    mesh.polygons.foreach_set("loop_start", range(0, water.faces.size, 4))
    for name, values in water.values.items():
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values)
    if "depth" in water.values:
        _color(mesh, water.values["depth"])
    mesh.update(calc_edges=True)


def _color(mesh: Any, depth: NDArray[np.float32]) -> None:
    """Color a mesh of water of those depths in meters, as solid viewports show it."""
    clear = np.exp(-depth[:, None] / CLEAR)
    values = clear * SHALLOW + (1 - clear) * DEEP
    colors = mesh.color_attributes.new(SOLID_COLOR, "FLOAT_COLOR", "POINT")
    colors.data.foreach_set("color", values.astype(np.float32).ravel())
    mesh.color_attributes.active_color = colors


KINDS = {
    "Sea": WaterKind(
        "show", sea.fill_sea, sea_material, limit=("level", "No ground below: raise this")
    ),
    "Rivers": WaterKind(
        "rivers",
        lambda mesh, _, water: _fill_inland(mesh, water.rivers),
        inland=True,
        limit=("min_catchment_area", "No river: lower this"),
    ),
    "Lakes": WaterKind(
        "lakes",
        lambda mesh, _, water: _fill_inland(mesh, water.lakes),
        inland=True,
        limit=("min_lake_size", "No lake: lower this"),
    ),
    "Bridges": WaterKind(
        "",
        lambda mesh, _, water: _fill_inland(mesh, water.bridges),
        bridge_material,
        inland=True,
        needed=lambda made: bool(made and made.bridges and len(made.bridges.faces)),
    ),
}
"""By the initial name of their objects."""


def sync(
    mesh: bpy.types.Mesh, recipe: Recipe, made: InlandWater | None, *, refit: bool = False
) -> None:
    """Add, update or remove the water of every object that shows this terrain.

    Without ``made``, inland water is not updated. The sea is updated if it is new, outdated,
    to ``refit``, or if it comes, goes or moves with the ground at its level.
    """
    plane = sea.plane_of(mesh, recipe) if recipe.water.show else None
    for terrain in objects_of(mesh):
        there = water_objects.waters_of(terrain)
        for name, kind in KINDS.items():
            found = there.get(name, [])
            if not _is_shown(kind, recipe) or (made and not kind.needed(made)):
                for item in found:
                    water_objects.remove(item)
                continue
            if not found and not kind.needed(made):
                continue
            for item in found or [_add(terrain, name)]:
                outdated = (
                    not found
                    or water_objects.is_behind(item)
                    or sea.is_outdated(item.data, recipe, plane)
                )
                if made if kind.inland else refit or outdated:
                    _fill(item, kind, recipe, made if kind.inland else plane)
        surroundings.refresh(terrain)


def is_in_sync(mesh: bpy.types.Mesh, recipe: Recipe) -> bool:
    """Return whether every object that shows this terrain has exactly the water of the recipe."""
    shown = {name for name, kind in KINDS.items() if kind.switch and _is_shown(kind, recipe)}
    return all(_has(water_objects.waters_of(terrain), shown) for terrain in objects_of(mesh))


def notes(terrain: bpy.types.Object) -> dict[str, str]:
    """Explain, by setting, why water that is shown is empty."""
    said: dict[str, str] = {}
    for name, items in water_objects.waters_of(terrain).items():
        setting, text = KINDS[name].limit if name in KINDS else ("", "")
        current: list[Any] = [item.data for item in items if not water_objects.is_behind(item)]
        if setting and len(current) == len(items) and not any(mesh.polygons for mesh in current):
            said[setting] = text
    return said


def _has(there: dict[str, list[Any]], shown: set[str]) -> bool:
    items = [item for found in there.values() for item in found]
    late = [
        item for item in items if water_objects.is_behind(item) and not why_not_editable(item.data)
    ]
    switched = {name for name in there if name not in KINDS or KINDS[name].switch}
    return switched == shown and not late


def _is_shown(kind: WaterKind, recipe: Recipe) -> bool:
    return getattr(recipe.water, kind.switch) if kind.switch else recipe.may_have_bridges


def _add(terrain: bpy.types.Object, name: str) -> bpy.types.Object:
    note_new_data()
    mesh = bpy.data.meshes.new(name)
    material = KINDS[name].material()
    mesh.materials.append(material)
    materials.match_haze(material, terrain.data)
    made = water_objects.add_water(terrain, name, mesh)
    if KINDS[name].inland:
        drawn_objects.include(terrain, made)
    return made


def _fill(item: Any, kind: WaterKind, recipe: Recipe, made: InlandWater | float | None) -> None:
    waits = bool(why_not_editable(item.data))
    water_objects.set_behind(item, waits)
    if waits:
        return
    if _is_shared(item):
        note_new_data()
        item.data = item.data.copy()
    kind.fill(item.data, recipe, made)


def _is_shared(item: Any) -> bool:
    """Return whether another terrain shows the same water.

    Make Single User copies the mesh of a terrain, but not those of its children.
    """
    owners = [user.parent for user in objects_of(item.data) if user.parent]
    return any(is_terrain_object(owner) and owner.data != item.parent.data for owner in owners)
