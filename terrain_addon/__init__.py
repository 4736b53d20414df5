# SPDX-License-Identifier: GPL-3.0-or-later
"""Procedural Terrain: parametric terrain for Blender, and as a NumPy library without it.

`terrain_addon.core` makes terrain with NumPy alone. `terrain_addon.blender` puts it into
Blender; it is imported only when Blender enables the extension, so that the core can be used
where there is no `bpy`.
"""


def register() -> None:
    """Add the extension's classes, properties and menus to the running Blender."""
    from . import blender

    blender.register()


def unregister() -> None:
    """Remove what `register` added."""
    from . import blender

    blender.unregister()
