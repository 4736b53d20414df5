# SPDX-License-Identifier: GPL-3.0-or-later
"""Open an image file for a map setting."""

from typing import Any, cast

import bpy
from bpy.props import BoolProperty, StringProperty

from ..data import images
from ..data.terrains import active_layer
from .base import OnTerrain, Result, reporting

_UNSEEN: Any = {"HIDDEN", "SKIP_SAVE"}


class TERRAIN_OT_open_map(OnTerrain):
    """Open an image file as a map of the active layer, with its values as data"""

    bl_idname = "terrain.open_map"
    bl_label = "Open Map"

    filepath: StringProperty(
        name="File", description="An image, such as an elevation model", subtype="FILE_PATH"
    )
    filter_image: BoolProperty(
        name="Images", description="Show images", default=True, options=_UNSEEN
    )
    filter_folder: BoolProperty(
        name="Folders", description="Show folders", default=True, options=_UNSEEN
    )
    settings: StringProperty(
        name="Settings",
        description="Path of the settings from the mesh, such as terrain.layers[0].height_map. "
        "If empty, those of the active layer",
        options=_UNSEEN,
    )
    setting: StringProperty(
        name="Setting", description="Name of the map setting", default="source", options=_UNSEEN
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        cast(Any, context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        group = self._given(mesh) if self.settings else _of_active(terrain)
        setattr(group, self.setting, images.opened(self.filepath).name)
        if hasattr(group, "use"):  # a mask
            group.use = True
        return {"FINISHED"}

    def _given(self, mesh: bpy.types.Mesh) -> Any:
        try:
            return mesh.path_resolve(self.settings)
        except ValueError:
            raise ValueError("The layer no longer exists: open the map again") from None


def _of_active(terrain: Any) -> Any:
    """The active layer's settings if they have a map, otherwise its mask."""
    layer = active_layer(terrain)
    if layer is None:
        raise ValueError("Add a layer for the map first")
    own = getattr(layer, layer.kind)
    return own if hasattr(own, "source") else layer.mask_map
