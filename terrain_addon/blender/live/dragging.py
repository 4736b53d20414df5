# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows terrains with fewer points while one of their settings is dragged with the mouse.

Blender does not tell when a drag begins or ends. A drag is a series of changes without any other
event between them than moves of the mouse: an operator watches the events after each change. It
sees them before anything else does. So the mesh is whole again before the undo step of the drag is
pushed, and before anything can be saved, rendered, exported, copied or undone. It is also whole
when the mouse rests and the terrain is up to date.

Only a modifier is added and removed: the mesh itself always has all its points.
"""

from dataclasses import dataclass
from typing import Any, cast

import bpy
from bpy.app.handlers import persistent

from ..app import timers
from ..app.preferences import lightens_drags
from ..app.registration import handlers_factory
from ..data.terrains import mesh_of, objects_of, terrain_of
from ..mesh.lighter import MOST, lighter_shape, lighter_tree
from ..mesh.signature import Signature
from ..mesh.terrain_mesh import UV_MAP, is_grid
from . import rebuild

NAME = "Lighter While Dragging"
POLL = 0.1
"""Seconds between two looks at the state of a drag."""
REST = 5
"""Looks without a change after which the mouse rests. Between two changes of a drag there are few,
however long Blender draws: it handles events after each picture."""

MOVES = {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "NONE"}
MODIFIER_KEYS = {f"{side}_{key}" for side in ("LEFT", "RIGHT") for key in ("SHIFT", "CTRL", "ALT")}
"""Keys that change the speed or the steps of a drag."""


@dataclass
class _State:
    """State between calls: plain data only.

    Attributes
    ----------
    mesh : session_uid of the mesh that was changed last
    window : address of the window where it was changed
    watching : whether there were only moves of the mouse since
    rested : looks since the last change
    """

    mesh: int = 0
    window: int = 0
    watching: bool = False
    rested: int = 0


_state = _State()


def changed(mesh: bpy.types.Mesh, context: bpy.types.Context) -> None:
    """Show fewer points of a terrain if one of its settings is being dragged."""
    # Without a region a script has changed it, which may use the evaluated mesh at once.
    if not context.window or not context.region or not _suits(mesh, context):
        return
    if _state.watching and _state.mesh == mesh.session_uid:
        _lighten(mesh)
    else:
        end()
    _state.mesh, _state.window, _state.rested = mesh.session_uid, context.window.as_pointer(), 0
    timers.start(_look, POLL)


def _suits(mesh: bpy.types.Mesh, context: bpy.types.Context) -> bool:
    """Return whether a mesh has so many points that drawing fewer of them saves time."""
    if bpy.app.background or not lightens_drags(context):
        return False
    built = Signature.built(terrain_of(mesh))
    shape = built.nx, built.ny
    if not terrain_of(mesh).live or lighter_shape(*shape) == shape or built.nx * built.ny > MOST:
        return False
    return is_grid(mesh, *shape)


def _look() -> float | None:
    """Watch events from a timer after a change, and end the drag when the mouse rests."""
    _state.rested += 1
    if not _state.watching and _state.rested == 1:
        _watch()
    mesh = mesh_of(_state.mesh)
    busy = mesh is not None and rebuild.progress_of(mesh) is not None
    if _state.watching and (_state.rested < REST or busy):
        return POLL
    end()
    return None


def _watch() -> None:
    """Start the operator that watches events."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager else ():
        if window.as_pointer() == _state.window:
            # In a region, Blender would cancel the button that is being dragged.
            with bpy.context.temp_override(window=window, area=None, region=None):
                started: Any = cast(Any, bpy.ops).terrain.watch_drag("INVOKE_DEFAULT")
            _state.watching = "RUNNING_MODAL" in started


def is_watching() -> bool:
    """Return whether a drag may be under way."""
    return _state.watching


def belongs_to_drag(event: bpy.types.Event) -> bool:
    """Return whether a drag goes on after an event."""
    return event.type in MOVES | MODIFIER_KEYS or event.type.startswith("TIMER")


def _lighten(mesh: bpy.types.Mesh) -> None:
    """Show the objects of a mesh with fewer points.

    Those that have modifiers or several materials of the user's stay as they are: what these do may
    depend on the points.
    """
    items = [item for item in objects_of(mesh) if _is_plain(item)]
    if not items:
        return
    built = Signature.built(terrain_of(mesh))
    tree = lighter_tree(mesh, built.nx, built.ny, UV_MAP)
    for item in items:
        modifier: Any = item.modifiers.new(NAME, "NODES")
        modifier.show_render = False
        modifier.node_group = tree


def _is_plain(item: bpy.types.Object) -> bool:
    return not (
        item.modifiers or len(item.material_slots) > 1 or item.mode != "OBJECT" or item.library
    )


def end() -> None:
    """Show all points again."""
    _state.watching = False
    for item in bpy.data.objects:
        modifier: Any = item.modifiers.get(NAME)
        if modifier:
            tree = modifier.node_group
            item.modifiers.remove(modifier)
            if tree and not tree.users:
                bpy.data.node_groups.remove(tree)


@persistent
def _on_change_of_file(*_: Any) -> None:
    end()


register, _remove_handlers = handlers_factory(
    dict.fromkeys(("save_pre", "undo_pre", "redo_pre", "load_post"), _on_change_of_file)
)


def unregister() -> None:
    _remove_handlers()
    end()
    timers.stop(_look)
