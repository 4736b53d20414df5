# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of dynamic enum properties.

Blender does not copy the strings of dynamic items, so the last items are kept here.
"""

from typing import Any

from ...core import presets
from . import user_presets
from .declare import EnumItem, enum_items

_kept: dict[str, list[EnumItem]] = {}


def preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """All presets, the built-in ones first."""
    entries = [
        (name, presets.label(name), user_presets.tooltip(name, ""), icon)
        for names, icon in ((user_presets.built_in(), "NONE"), (user_presets.users_own(), "USER"))
        for name in names
    ]
    return _keep("presets", enum_items(entries))


def own_preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """The user's own presets."""
    names = user_presets.users_own()
    entries = ((name, name, user_presets.tooltip(name, ""), "USER") for name in names)
    none = [("", "None", "You have not saved any presets", "", 0)]
    return _keep("own", enum_items(entries) or none)


def palette_items(operator: Any, context: Any) -> list[EnumItem]:
    """The built-in palettes."""
    names = presets.palette_names()
    return _keep("palettes", enum_items((n, presets.label(n), "", "COLOR") for n in names))


def _keep(what: str, items: list[EnumItem]) -> list[EnumItem]:
    if _kept.get(what) != items:
        _kept[what] = items
    return _kept[what]
