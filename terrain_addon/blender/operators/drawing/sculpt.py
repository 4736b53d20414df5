# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep what was sculpted by hand as a layer."""

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core import HeightMap, Layer
from ....core.output import positions
from ...app.registration import registered
from ...data.attributes import values_of
from ...data.terrains import active_layer, objects_of
from ...live import rebuild
from ...live.surface import Target
from ...mesh import sculpted, terrain_mesh
from ...mesh.signature import Signature
from ...mesh.terrain_mesh import HEIGHT
from ...properties.recipe import write_layer
from ..base import OnTerrain, Result, reporting
from ..layers import check_room, insert

NAME = "Sculpt"
LEAST = 1e-3
"""Smallest strength of a layer that takes further strokes."""


@registered
class TERRAIN_OT_keep_sculpt(OnTerrain):
    """Keep what was sculpted by hand as a layer, or add it to the active or last Sculpt layer"""

    bl_idname = "terrain.keep_sculpt"
    bl_label = "Keep as Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        if not rebuild.is_edited(mesh):
            raise ValueError("Nothing was sculpted: the terrain is as its settings say")
        layer = _sculpt_layer(mesh, terrain)
        check_room(terrain, int(layer is None))
        strength = _strength(layer)
        difference = _difference(mesh)
        with rebuild.one_rebuild(mesh):
            if layer is None:
                layer = _new_layer(mesh, terrain)
            _add(mesh, layer.height_map.source, difference / np.float32(strength))
        return {"FINISHED"}


def _sculpt_layer(mesh: bpy.types.Mesh, terrain: Any) -> Any:
    """Return the layer that further strokes go to, active or last; None for a new one."""
    candidates = [active_layer(terrain), *list(terrain.layers)[-1:]]
    return next(
        (candidate for candidate in candidates if candidate and _is_sculpt(mesh, candidate)), None
    )


def _is_sculpt(mesh: bpy.types.Mesh, layer: Any) -> bool:
    """Return whether a layer adds the differences in an attribute of the mesh."""
    group: Any = layer.height_map
    attribute: Any = mesh.attributes.get(group.source) if layer.kind == HeightMap.key else None
    kind = attribute and (attribute.domain, attribute.data_type)
    placed = (group.values, group.fit, layer.blend) == ("meters", "stretch", "add")
    return kind == ("POINT", "FLOAT") and placed


def _strength(layer: Any) -> float:
    """Return the factor on the differences in a layer's attribute."""
    if layer is None:
        return 1.0
    strength = layer.opacity * layer.height_map.exaggeration * layer.enabled
    if abs(strength) < LEAST:
        raise ValueError(f"The layer {layer.name!r} has no effect: raise its Opacity first")
    return strength


def _difference(mesh: bpy.types.Mesh) -> NDArray[np.float32]:
    """Return the sculpted differences in meters, flat; the mesh becomes the sculpted grid.

    Raises ValueError, and changes nothing, if the terrain cannot be built.
    """
    grid = Signature.built(mesh.terrain).grid  # type: ignore[attr-defined]
    before = terrain_mesh.recorded(mesh, (HEIGHT,))
    if grid is None or not before or not terrain_mesh.is_grid(mesh, grid.nx, grid.ny):
        grid = Target.of(mesh.terrain).grid  # type: ignore[attr-defined]
        heights = sculpted.heights_of(mesh, grid)
        rebuild.update(mesh, None, fresh=True)
        before = terrain_mesh.recorded(mesh, (HEIGHT,))
    else:
        heights = sculpted.heights_of(mesh, grid)
    assert before
    base = before[0].reshape(grid.shape)
    heights = np.where(np.isfinite(heights), heights, base)
    # The record of the heights: the mesh counts as built, and waits for its rebuild.
    terrain_mesh.set_positions(mesh, positions(grid, heights))
    _write(mesh, HEIGHT, heights)
    return (heights - base).reshape(-1)


def _new_layer(mesh: bpy.types.Mesh, terrain: Any) -> Any:
    """Add a last layer that adds the differences in a new attribute."""
    taken = {group.name for item in objects_of(mesh) for group in item.vertex_groups}
    taken |= {*mesh.attributes.keys(), *bpy.data.images.keys()}
    numbered = (f"{NAME} {n}" for n in range(2, len(taken) + 3))
    name = next(one for one in (NAME, *numbered) if one not in taken)
    mesh.attributes.new(name, "FLOAT", "POINT")
    settings = HeightMap(source=name, values="meters")
    layer = Layer.of(settings, name=name, blend="add")
    sizes = terrain.size_x, terrain.size_y
    insert(terrain, lambda item: write_layer(item, layer, *sizes), len(terrain.layers))
    return active_layer(terrain)


def _add(mesh: bpy.types.Mesh, name: str, difference: NDArray[np.float32]) -> None:
    _write(mesh, name, values_of(mesh.attributes[name]).reshape(-1) + difference)


def _write(mesh: bpy.types.Mesh, name: str, values: NDArray[np.float32]) -> None:
    attribute: Any = mesh.attributes[name]
    attribute.data.foreach_set("value", np.ascontiguousarray(values, np.float32).reshape(-1))
