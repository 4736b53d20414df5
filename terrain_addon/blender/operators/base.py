# SPDX-License-Identifier: GPL-3.0-or-later
"""Base classes and decorators of operators."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy

from ...core.numerics import user_message
from ..data.terrains import active_mesh, active_terrain, problem, terrain_of

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
