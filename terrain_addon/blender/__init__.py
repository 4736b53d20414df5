# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of Procedural Terrain: the only code that imports bpy."""

from . import (
    addon,
    animation,
    bake_jobs,
    groups,
    keymap,
    live,
    message_bus,
    operators,
    orphans,
    ui,
)

_MODULES = (addon, groups, live, bake_jobs, animation, message_bus, orphans, operators, ui, keymap)


def register() -> None:
    """Make classes, properties, handlers and menus known, in this order."""
    for module in _MODULES:
        module.register()


def unregister() -> None:
    """Take all of it back, in reverse."""
    for module in reversed(_MODULES):
        module.unregister()
