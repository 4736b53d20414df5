# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of Procedural Terrain: the only code that imports bpy."""

from . import operators, property_groups, ui
from .app import preferences
from .bake import jobs
from .live import animation, message_bus, rebuild
from .objects import orphans
from .ui import keymap

_MODULES = (
    preferences,
    property_groups,
    rebuild,
    jobs,
    animation,
    message_bus,
    orphans,
    operators,
    ui,
    keymap,
)


def register() -> None:
    """Make classes, properties, handlers and menus known, in this order."""
    for module in _MODULES:
        module.register()


def unregister() -> None:
    """Take all of it back, in reverse."""
    for module in reversed(_MODULES):
        module.unregister()
