# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Overview: relief, histogram and profile of the terrain in one picture.

It is made from the heights in the mesh while the panel is open, and again when these change.
"""

import bpy

from ...core.output import overview
from ..app import manual
from ..app.registration import registered
from ..data import previews
from ..data.attributes import values_of
from ..data.terrains import active_mesh, terrain_of
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import COLOR, HEIGHT, recorded
from ..properties.profile import line_of
from .panels import Panel

KEY = "overview"
BUTTON, MARGIN = 20, 50
"""Pixels of a button, and beside the picture, at a resolution scale of 1."""
SMALLEST, LARGEST = 6.0, 16.0
"""Limits of the width of the picture in buttons."""


@registered
class TERRAIN_PT_overview(Panel):
    """Closed at first: the viewport shows the terrain, and a closed panel costs nothing"""

    bl_idname = "TERRAIN_PT_overview"
    page = manual.ADJUST
    bl_label = "Overview"
    bl_parent_id = "TERRAIN_PT_terrain"
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        mesh = active_mesh(context)
        terrain, layout = self.begin(context)
        if mesh is None or not update(mesh):
            layout.label(text="Press Rebuild to see it", icon="INFO")
            return
        width = context.region.width / (context.preferences.system.ui_scale or 1.0) - MARGIN
        scale = min(max(width / BUTTON, SMALLEST), LARGEST)
        layout.template_icon(previews.icon(KEY), scale=scale)
        column = layout.column(align=True)
        column.use_property_split = False
        column.row(align=True).prop(terrain.profile, "along", expand=True)
        column.prop(terrain.profile, "at", slider=True)


def update(mesh: bpy.types.Mesh) -> bool:
    """Show a terrain as it is in the mesh; false if its heights or colors are not there."""
    terrain = terrain_of(mesh)
    built, line = Signature.built(terrain), line_of(terrain)
    sea = terrain.water.level if terrain.water.show else None
    state = (mesh.session_uid, str(built), line, sea)
    if previews.is_current(KEY, state):
        return True
    heights, color = recorded(mesh, (HEIGHT,)), mesh.attributes.get(COLOR)
    is_color = color and (color.domain, color.data_type) == ("POINT", "FLOAT_COLOR")
    if not built.grid or not heights or not is_color:
        return False
    height, colors = heights[0], values_of(color)
    shape = built.grid.shape
    if height.size != shape[0] * shape[1]:  # points were added or removed by hand
        return False
    picture = overview(built.grid, height.reshape(shape), colors.reshape(*shape, 4), line, sea)
    previews.show(KEY, picture, state)
    return True
