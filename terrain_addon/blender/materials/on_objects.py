# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps what the natural material reads from an object the same as on the object's mesh.

Terrains write it when they are built. New objects for a mesh, objects that get another mesh, and
files of earlier versions need it too.
"""

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from . import parameters


def follow(items: Iterable[Any]) -> None:
    """Copy to objects what their meshes have for the natural material."""
    for item in items:
        if isinstance(item.data, bpy.types.Mesh) and parameters.PROPERTY in item.data:
            parameters.follow(item)


@persistent
def _on_load(*_: Any) -> None:
    follow(bpy.data.objects)


register, unregister = handlers_factory({"load_post": _on_load})
