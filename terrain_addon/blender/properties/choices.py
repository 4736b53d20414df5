# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists for dropdowns that change while Blender runs.

Blender keeps no copy of the texts of a dynamic list, so the last one is kept here.
"""

from typing import Any

from ...core import presets
from . import user_presets
from .declare import EnumItem, enum_items

_kept: dict[str, list[EnumItem]] = {}


def preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """All presets, the user's own after the built-in ones."""
    entries = [
        (name, presets.label(name), user_presets.tooltip(name, ""), icon)
        for names, icon in ((user_presets.built_in(), "NONE"), (user_presets.users_own(), "USER"))
        for name in names
    ]
    return _keep("presets", enum_items(entries))


def own_preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """The user's own presets."""
    entries = [
        (name, name, user_presets.tooltip(name, ""), "USER") for name in user_presets.users_own()
    ]
    return _keep("own", enum_items(entries) or [("", "None", "You saved no presets", "", 0)])


def palette_items(operator: Any, context: Any) -> list[EnumItem]:
    """The palettes that come along."""
    names = presets.palette_names()
    return _keep("palettes", enum_items((n, presets.label(n), "", "COLOR") for n in names))


def _keep(what: str, items: list[EnumItem]) -> list[EnumItem]:
    if _kept.get(what) != items:
        _kept[what] = items
    return _kept[what]
