# SPDX-License-Identifier: GPL-3.0-or-later
"""Orogen: parametric terrain for Blender, and a NumPy library that works without it.

`terrain_addon.core` generates terrain with NumPy alone. `terrain_addon.blender` brings it into
Blender. It is imported only when Blender enables the extension, so the core does not need `bpy`.
"""


def register() -> None:
    """Add the extension's classes, properties and menus to the running Blender."""
    from . import blender

    blender.register()


def unregister() -> None:
    """Remove what `register` added."""
    from . import blender

    blender.unregister()
