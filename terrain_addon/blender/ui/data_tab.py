# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of the sidebar once more, in Properties > Object Data.

Each is a subclass of its counterpart, made when the extension is registered, and all are inside of
one: a new panel of the sidebar appears here too.
"""

from collections.abc import Iterator
from typing import Any

import bpy

from ..data.terrains import active_mesh
from . import panels

ROOT = "TERRAIN_PT_terrain"
_made: list[type] = []


def _id(name: str) -> str:
    """Return the identifier of the counterpart of a panel."""
    return name.replace("TERRAIN_PT_", "TERRAIN_PT_data_", 1)


def sidebar_panels(base: type = panels.Panel) -> Iterator[Any]:
    """Yield the panels of the sidebar."""
    for cls in base.__subclasses__():
        if cls.__name__.startswith("TERRAIN_PT_") and cls.bl_space_type == "VIEW_3D":
            yield cls
        yield from sidebar_panels(cls)


def _counterpart(panel: Any) -> type:
    """Return the panel as it is in the tab of the mesh."""

    def poll(cls: Any, context: Any) -> bool:
        mesh = active_mesh(context)
        shown = mesh is not None and mesh == getattr(context, "mesh", None)
        return shown and panel.poll(context)

    values: dict[str, Any] = {
        "bl_idname": _id(panel.bl_idname),
        "bl_space_type": "PROPERTIES",
        "bl_region_type": "WINDOW",
        "bl_context": "data",
        "poll": classmethod(poll),
    }
    if panel.bl_idname != ROOT:
        values["bl_parent_id"] = _id(_parent(panel))
    return type(_id(panel.__name__), (panel,), values)


def _parent(panel: Any) -> str:
    """Return the identifier of the panel that contains a panel in this tab."""
    return getattr(panel, "bl_parent_id", ROOT)


def register() -> None:
    found = {panel.bl_idname: panel for panel in sidebar_panels()}

    def depth(panel: Any) -> int:
        return 0 if panel.bl_idname == ROOT else 1 + depth(found[_parent(panel)])

    for panel in sorted(found.values(), key=depth):  # Blender registers containers first
        _made.append(_counterpart(panel))
        bpy.utils.register_class(_made[-1])


def unregister() -> None:
    while _made:
        bpy.utils.unregister_class(_made.pop())
