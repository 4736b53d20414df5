# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do: thin operators that read settings, call the core and write the mesh."""

from . import add, bake, engine_code, layers, maps, presets, realism, regions, show, terrain

_MODULES = (add, layers, maps, engine_code, regions, presets, bake, realism, show, terrain)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
