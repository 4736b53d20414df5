# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, panels and menus."""

from . import attributes, lists, menus, panels

_MODULES = (lists, menus, panels, attributes)


def register() -> None:
    for module in _MODULES:
        module.register()


def unregister() -> None:
    for module in reversed(_MODULES):
        module.unregister()
