# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of elevation files, which stay relative to the blend file wherever it is saved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.layers import LAYERS, MASKS
from ...core.settings import settings_of
from ..app.registration import handlers_factory
from ..data import elevation_files
from ..data.terrains import is_terrain, terrain_of
from ..properties.recipe import MASK
from . import rebuild


@persistent
def _before_save(path: Any = "", *_: Any) -> None:
    """Write paths for the folder that a file is saved to: relative ones would point elsewhere."""
    if isinstance(path, str) and path:
        _move(elevation_files.folder(), Path(path).parent)


@persistent
def _after_save(path: Any = "", *_: Any) -> None:
    """Restore the paths of the open file after a copy was saved elsewhere."""
    if isinstance(path, str) and path and bpy.data.filepath:
        _move(Path(path).parent, elevation_files.folder())


def _move(old: Path, new: Path) -> None:
    if old == new:
        return
    for mesh in bpy.data.meshes:
        if is_terrain(mesh) and not mesh.library:
            for group, name in _maps(terrain_of(mesh)):
                text = getattr(group, name)
                moved = elevation_files.moved(text, old, new)
                if moved != text:
                    with rebuild.quiet():
                        setattr(group, name, moved)


def _maps(terrain: Any) -> Iterator[tuple[Any, str]]:
    """Yield the property groups and names of all settings that name a map."""
    kinds = {**LAYERS, **{MASK + key: mask for key, mask in MASKS.items()}}
    for layer in terrain.layers:
        for key, kind in kinds.items():
            for setting in settings_of(kind):
                if setting.unit == "map":
                    yield getattr(layer, key), setting.name


register, unregister = handlers_factory({"save_pre": _before_save, "save_post": _after_save})
