# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, panels and menus."""

from . import analysis_panel, bake_panel, lists, menus, panels, swatches

_MODULES = (swatches, lists, menus, panels, bake_panel, analysis_panel)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
