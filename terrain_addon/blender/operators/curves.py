# SPDX-License-Identifier: GPL-3.0-or-later
"""Edit and remove the curve of a setting."""

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ..app.registration import registered
from ..live import curves
from .base import OnTerrain, Result, reporting


@registered
class TERRAIN_OT_edit_curve(OnTerrain):
    """Bend heights with a curve: drag its points, click it for another one"""

    bl_idname = "terrain.edit_curve"
    bl_label = "Edit Curve"

    setting: StringProperty(
        name="Setting",
        description="Path of the setting from the mesh, such as terrain.layers[0].levels.curve. "
        "If empty, that of the active layer",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    remove: BoolProperty(
        name="Remove",
        description="Remove the curve: heights are straight again",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        path = self.setting or f"terrain.layers[{terrain.active_layer}].levels.curve"
        try:
            group: Any = mesh.path_resolve(path.rpartition(".")[0])
        except ValueError:
            raise ValueError("The layer no longer exists: select another one") from None
        name = path.rpartition(".")[2]
        if self.remove:
            setattr(group, name, "")
        else:
            curves.load(group, name)
        return {"FINISHED"}
