# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of a field of the terrain, among those that it has.

An EnumProperty lists all fields that there may be; a menu in its place leaves out those of groups
that the terrain does not have.
"""

from typing import Any

import bpy

from ...core.analysis import AREAS, FIELDS
from ...core.output import fields_of
from ..app.registration import registered
from ..data.terrains import active_mesh, terrain_of
from ..properties.mask_view import ITEMS
from ..properties.recipe import read_bare


def available_fields(context: bpy.types.Context) -> list[str]:
    """Return the names of the fields of the active terrain; all while its recipe is not valid."""
    mesh = active_mesh(context)
    try:
        return fields_of(read_bare(terrain_of(mesh))) if mesh else []
    except ValueError:
        return [*FIELDS]


def offered(context: bpy.types.Context) -> list[str]:
    """Return the names of the fields to choose from: all but those of groups that the terrain does
    not have. Layers of other fields can be added, and their names say which."""
    available = available_fields(context)
    return [name for name in FIELDS if name not in AREAS or name in available]


def chooses_field(prop: Any) -> bool:
    """Return whether the items of a property are fields."""
    return prop.type == "ENUM" and AREAS[0] in prop.enum_items


def draw(layout: Any, group: Any, prop: Any) -> None:
    """Draw the choice of a field."""
    chosen = prop.enum_items[getattr(group, prop.identifier)]
    layout.context_pointer_set(OWNER, group)
    layout.menu("TERRAIN_MT_field", text=chosen.name)


OWNER = "terrain_field_owner"
"""Where the menu finds the property group whose field it chooses."""


@registered
class TERRAIN_MT_field(bpy.types.Menu):
    """Field of the terrain"""

    bl_idname = "TERRAIN_MT_field"
    bl_label = "Field"

    def draw(self, context: bpy.types.Context) -> None:
        group = getattr(context, OWNER, None)
        if group is None:  # opened by search
            return
        (prop,) = (one for one in group.bl_rna.properties if chooses_field(one))
        groups = {*AREAS}.difference(offered(context))
        for item in prop.enum_items:
            if item.identifier not in groups:
                self.layout.prop_enum(group, prop.identifier, item.identifier)


@registered
class TERRAIN_MT_show(bpy.types.Menu):
    """Color the terrain by a field, by a mask or by its palette"""

    bl_idname = "TERRAIN_MT_show"
    bl_label = "Show Field or Mask"

    def draw(self, context: bpy.types.Context) -> None:
        groups = {*AREAS}.difference(offered(context))
        for key, label, *_ in ITEMS:
            if key not in groups:
                button: Any = self.layout.operator("terrain.show", text=label)
                button.mask = key
