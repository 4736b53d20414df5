# SPDX-License-Identifier: GPL-3.0-or-later
"""Paint a map of a layer by hand, from one button."""

from typing import Any, cast

import bpy

from ...app.registration import registered
from ...data.terrains import objects_of
from ...live import paint_overlay
from ...mesh.painted_maps import is_color
from ..base import Result, reporting
from ..maps import OnMap

BRUSH_SIZE = 60
"""Least radius of the brush in pixels."""


@registered
class TERRAIN_OT_paint_map(OnMap):
    """Paint this map on the terrain. Without one, a vertex group is added: it is 0 everywhere"""

    bl_idname = "terrain.paint_map"
    bl_label = "Paint"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        item = self.subject_object(context)
        group = self.group(mesh, terrain)
        name = getattr(group, self.setting)
        if name:
            mode = _select(item, name)
        else:
            mode = "WEIGHT_PAINT"
            name = _new_group(item, f"{_layer_name(mesh, self.settings)}{self._suffix(group)}")
            setattr(group, self.setting, name)
        if hasattr(group, "use"):  # a mask
            group.use = True
        bpy.ops.object.mode_set(mode=cast(Any, mode))
        _prepare_brush(context)
        paint_overlay.follow_mode()
        return {"FINISHED"}

    def _suffix(self, group: Any) -> str:
        """Return what distinguishes this map of a layer from others."""
        if hasattr(group, "use"):
            return " Mask"
        label = group.bl_rna.properties[self.setting].name
        return "" if label == "Map" else f" {label}"


def _layer_name(mesh: bpy.types.Mesh, path: str) -> str:
    """Return the name of the layer that settings at a path belong to; "Painted" for no path."""
    layer: Any = mesh.path_resolve(path.rpartition(".")[0]) if path else None
    return layer.name if layer else "Painted"


def _new_group(item: bpy.types.Object, wanted: str) -> str:
    """Add a vertex group, make it active, and return its name, which no other map has."""
    mesh = cast(bpy.types.Mesh, item.data)
    taken = {*mesh.attributes.keys(), *bpy.data.images.keys(), *bpy.data.objects.keys()}
    taken |= {group.name for user in objects_of(mesh) for group in user.vertex_groups}
    numbered = (f"{wanted} {n}" for n in range(2, len(taken) + 3))
    name = next(name for name in (wanted, *numbered) if name not in taken)
    item.vertex_groups.active = item.vertex_groups.new(name=name)
    return name


def _select(item: bpy.types.Object, name: str) -> str:
    """Make a map the one that strokes go to, and return the mode that paints it.

    ValueError for maps that Blender does not paint on a mesh.
    """
    mesh: Any = item.data
    attribute = mesh.attributes.get(name)
    if attribute and is_color(attribute):
        mesh.attributes.active_color = attribute
        return "VERTEX_PAINT"
    if attribute is None and name in item.vertex_groups:
        item.vertex_groups.active = item.vertex_groups[name]
        return "WEIGHT_PAINT"
    raise ValueError(
        f"{name!r} is neither a vertex group nor a color attribute of the terrain: clear the field "
        "to paint a new map"
    )


def _prepare_brush(context: bpy.types.Context) -> None:
    """Let the first stroke show: weight 1, at a size that is seen from afar."""
    tools: Any = context.tool_settings
    paint = tools.weight_paint if context.mode == "PAINT_WEIGHT" else tools.vertex_paint
    # From Blender 5.0 on, each paint mode has its own.
    unified = getattr(paint, "unified_paint_settings", None) or tools.unified_paint_settings
    for settings in filter(None, (unified, paint.brush)):
        settings.size = max(settings.size, BRUSH_SIZE)
        if context.mode == "PAINT_WEIGHT":
            settings.weight = 1.0
