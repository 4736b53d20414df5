# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps what the natural material reads from an object the same as on the object's mesh.

Terrains write it when they are built. New objects for a mesh, objects that get another mesh, and
files of earlier versions need it too.
"""

from collections.abc import Iterable
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...app.registration import handlers_factory
from . import parameters


def _follow(items: Iterable[Any]) -> None:
    for item in items:
        if isinstance(item.data, bpy.types.Mesh) and parameters.PROPERTY in item.data:
            parameters.follow(item)


@persistent
def _on_update(_: Any, graph: bpy.types.Depsgraph) -> None:
    """Look at the objects whose meshes changed, or that are new."""
    if graph.mode == "RENDER" or not graph.id_type_updated("OBJECT"):
        return
    found = [update.id.original for update in graph.updates if update.is_updated_geometry]
    _follow(one for one in found if isinstance(one, bpy.types.Object))


@persistent
def _on_load(*_: Any) -> None:
    _follow(bpy.data.objects)


register, unregister = handlers_factory(
    {"depsgraph_update_post": _on_update, "load_post": _on_load}
)
