# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of dynamic enum properties.

Blender does not copy the strings of dynamic items, so the last items are kept here.
"""

from collections.abc import Callable
from typing import Any

from ...core import presets
from ..data import pictures, previews
from . import biomes, user_presets
from .declare import EnumItem, enum_items

_lists: dict[str, tuple[Any, list[EnumItem]]] = {}


def preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """Return all presets, the built-in ones first, with their pictures."""
    return kept("presets", user_presets.own_abouts(), lambda own: [*_built_in(), *_own(own)])


def own_preset_items(operator: Any, context: Any) -> list[EnumItem]:
    """List the user's own presets."""
    none = [("", "None", "You have not saved any presets", "", 0)]
    return kept("own", user_presets.own_abouts(), lambda own: _own(own) or none)


def _built_in() -> list[EnumItem]:
    return enum_items(
        (name, presets.label(name), user_presets.tooltip(name, ""), user_presets.icon(name))
        for name in user_presets.built_in()
    )


def _own(abouts: dict[str, str]) -> list[EnumItem]:
    return enum_items(
        (name, name, about.removesuffix("."), user_presets.icon(name) or "USER")
        for name, about in abouts.items()
    )


def biome_items(operator: Any, context: Any) -> list[EnumItem]:
    """List all biomes, those of the extension first."""
    return kept("biomes", biomes.saved(), lambda own: [*_ready(own), *_own_biomes(own)])


def _ready(own: list[str]) -> list[EnumItem]:
    return enum_items(
        (name, presets.label(name), about, biomes.icon(name) or "FILE_FOLDER")
        for name, about in biomes.ready().items()
        if name not in own
    )


def _own_biomes(own: list[str]) -> list[EnumItem]:
    return enum_items((name, name, "", "FILE_FOLDER") for name in own)


def own_biome_items(operator: Any, context: Any) -> list[EnumItem]:
    """List the user's own biomes."""
    none = [("", "None", "You have not saved any biomes", "", 0)]
    return kept("own biomes", biomes.saved(), lambda own: _own_biomes(own) or none)


def palette_items(operator: Any, context: Any) -> list[EnumItem]:
    """List the built-in palettes."""
    names = presets.palette_names()
    return kept(
        "palettes",
        names,
        lambda names: enum_items((n, presets.label(n), "", pictures.of_palette(n)) for n in names),
    )


def kept(what: str, source: Any, make: Callable[[Any], list[EnumItem]]) -> list[EnumItem]:
    """Return the items made of a source; make them again only when it has changed."""
    state = source, previews.generation()
    if what not in _lists or _lists[what][0] != state:
        _lists[what] = state, make(source)
    return _lists[what][1]
