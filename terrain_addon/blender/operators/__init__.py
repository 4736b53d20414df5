# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do: thin operators that read settings, call the core and write the mesh."""

from . import add, bake, code, layers, open_map, presets, realism, regions, show, update, whole

_MODULES = (add, layers, open_map, code, regions, presets, bake, realism, show, update, whole)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
