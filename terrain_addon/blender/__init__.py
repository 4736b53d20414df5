# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of Orogen, the only code that imports bpy."""

from . import operators, property_groups, ui, worlds
from .app import command, preferences, tasks, undo
from .data import elevation_files, previews
from .live import (
    animation,
    clipping,
    curves,
    dragging,
    drawing_hint,
    file_paths,
    message_bus,
    node_results,
    paint_overlay,
    plants,
    rebuild,
    shapes,
    watch,
)
from .materials import on_objects
from .objects import orphans

_MODULES = (
    preferences,
    undo,
    command,
    previews,
    elevation_files,
    property_groups,
    rebuild,
    plants,
    file_paths,
    tasks,
    animation,
    clipping,
    message_bus,
    shapes,
    node_results,
    dragging,
    drawing_hint,
    paint_overlay,
    curves,
    orphans,
    worlds,
    on_objects,
    watch,
    operators,
    ui,
)


def register() -> None:
    """Register classes, properties, handlers and menus, in this order."""
    for module in _MODULES:
        module.register()


def unregister() -> None:
    """Remove all of it, in reverse order."""
    for module in reversed(_MODULES):
        module.unregister()
