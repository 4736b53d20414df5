# SPDX-License-Identifier: GPL-3.0-or-later
"""Base classes and decorators of operators."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy
from bpy.props import StringProperty

from ...core.numerics import user_message
from ..data.terrains import active_layer, active_mesh, active_terrain, problem, terrain_of

Result = set[Any]


def reporting(execute: Callable[[Any, bpy.types.Context], Result]) -> Any:
    """Report errors that the user can act on; the operator has changed nothing then."""

    @wraps(execute)
    def wrapped(self: bpy.types.Operator, context: bpy.types.Context) -> Result:
        try:
            return execute(self, context)
        except (ValueError, OSError, MemoryError) as error:
            self.report({"ERROR"}, user_message(error))
            return {"CANCELLED"}

    return wrapped


class OnTerrain(bpy.types.Operator):
    """Base of operators that change the active terrain or only read its recipe."""

    bl_options = {"REGISTER", "UNDO"}

    reads_only = False

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = problem(context, reading=cls.reads_only)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @staticmethod
    def subject(context: bpy.types.Context) -> tuple[bpy.types.Mesh, Any]:
        """Return the active terrain's mesh and its settings; ValueError if there is none."""
        mesh = active_mesh(context)
        if mesh is None:
            raise ValueError("Select a terrain")
        return mesh, terrain_of(mesh)

    @classmethod
    def subject_object(cls, context: bpy.types.Context) -> bpy.types.Object:
        """Return the object of the active terrain; ValueError if there is none."""
        item = active_terrain(context)
        if item is None:
            raise ValueError("Select a terrain")
        return item


UNSEEN: Any = {"HIDDEN", "SKIP_SAVE"}
"""Options of properties that only buttons set."""


class OnSetting(OnTerrain):
    """Base of operators on a setting of a layer or mask that names something."""

    settings: StringProperty(
        name="Settings",
        description="Path of the settings from the mesh, such as terrain.layers[0].height_map. "
        "If empty, those of the active layer",
        options=UNSEEN,
    )
    setting: StringProperty(
        name="Setting", description="Name of the setting", default="source", options=UNSEEN
    )

    def group(self, mesh: bpy.types.Mesh, terrain: Any) -> Any:
        """Return the property group that holds the setting; ValueError if there is none."""
        if not self.settings:
            return self.of_active(active_layer(terrain))
        try:
            return mesh.path_resolve(self.settings)
        except ValueError:
            raise ValueError("The layer no longer exists: select another one") from None

    def of_active(self, layer: Any) -> Any:
        """Return the settings of the active layer, which may be None, that hold the setting."""
        own = layer and getattr(layer, layer.kind, None)
        if not hasattr(own, self.setting):
            raise ValueError("Select a layer that has this setting")
        return own
