# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of an export in Blender: those of the core, those of each engine, a folder."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ...core import Recipe
from ...core.analysis import FIELDS
from ...core.output import engines, exports, fields_of
from ...core.output.exports import ExportSettings
from ...core.settings import Setting, settings_of
from ..properties.declare import blender_property, enum_items, from_blender
from .output import home

SETTINGS: dict[str, Setting] = {setting.name: setting for setting in settings_of(ExportSettings)}
BY_ENGINE = ("size", "height")
"""Settings that each engine has for itself: its own values are offered."""
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
LONGEST_NAME = 40
NAME = "If empty, the name of the terrain"


def common_properties() -> dict[str, Any]:
    """Declare the properties that all engines share."""
    declared = {
        name: blender_property(one, None, animatable=False)
        for name, one in SETTINGS.items()
        if name not in BY_ENGINE
    }
    declared["name"] = StringProperty(
        name=SETTINGS["name"].label, description=f"{SETTINGS['name'].help}. {NAME}", options=set()
    )
    return {**declared, "folder": folder_property()}


def folder_property() -> Any:
    """Return the declaration of the folder."""
    options: Any = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5) else set()
    return StringProperty(
        name="Folder",
        description="New or empty folder, or that of an earlier export. In any other folder, and "
        "beside the blend file if this is empty, a folder is made for the files",
        subtype="DIR_PATH",
        options=options,
    )


def engine_properties(engine: engines.Engine) -> dict[str, Any]:
    """Declare the properties of the sizes and formats of an engine."""
    size, height = SETTINGS["size"], SETTINGS["height"]
    labels = {choice.key: choice.label for choice in height.choices}
    sizes = [(str(size), str(size), f"{size} samples", "NONE") for size in engine.sizes]
    formats = [(suffix[1:], labels[suffix[1:]], "", "NONE") for suffix in engine.suffixes]
    automatic = (
        exports.AUTOMATIC,
        f"{labels[exports.AUTOMATIC]} ({engine.suffixes[0]})",
        "",
        "NONE",
    )
    return {
        "size": EnumProperty(
            name=size.label,
            description="Samples along the longer side of a tile, from border to border",
            items=enum_items(sizes),
            default=str(engine.usual),
            options=set(),
        ),
        "height": EnumProperty(
            name=height.label,
            description=height.help,
            items=enum_items([automatic, *formats]),
            default=exports.AUTOMATIC,
            options=set(),
        ),
    }


def mask_properties() -> dict[str, Any]:
    """Return a switch for each field that may be a mask."""
    return {
        name: BoolProperty(
            name=field.label, description=f"Write a mask. {field.help}", options=set()
        )
        for name, field in FIELDS.items()
    }


def settings(
    item: bpy.types.Object, terrain: Any, recipe: Recipe, given: Mapping[str, Any] | None = None
) -> ExportSettings:
    """Return the settings of an export: those ``given``, the others from the panel.

    Masks that the terrain does not have are not exported. Raises ValueError for a value out of
    range.
    """
    group, values = terrain.export, dict(given or {})
    for name, one in SETTINGS.items():
        if name not in values and name not in BY_ENGINE:
            values[name] = from_blender(one, getattr(group, name))
    engine = engines.named(values["engine"])
    own = getattr(group, engine.key)
    if not values.get("size"):
        sizes = engine.sizes_of(values["tiles_x"] * values["tiles_y"] > 1)
        values["size"] = sizes[list(engine.sizes).index(int(own.size))]
    if "masks" not in values:
        values["masks"] = [name for name in fields_of(recipe) if getattr(group.masks, name)]
        pairs = zip(terrain.layers, recipe.layers, strict=True)
        values["masks"] += [
            exports.LAYER + layer.name
            for item, layer in pairs
            if item.export_mask and layer.on and layer.masks
        ]
    values = {"height": own.height, **values, "masks": tuple(values["masks"])}
    values["name"] = values["name"].strip() or file_name(item.name, engine)
    return ExportSettings(**values)


def file_name(name: str, engine: engines.Engine) -> str:
    """Return a name for files that the engine takes, from that of an object."""
    made = NOT_IN_NAMES.sub("-", name)[:LONGEST_NAME].strip("-")
    try:
        engine.check_name(made)
    except ValueError:
        return exports.USUAL_NAME
    return made


def target(folder: str, made: ExportSettings) -> Path:
    """Return the folder of an export, with its full path: the one given, or a folder in it.

    Raises ValueError for a path that begins with // in an unsaved blend file.
    """
    text, own = folder.strip(), f"{made.name}_{made.engine}"
    if not text:
        return Path(os.path.dirname(bpy.data.filepath) or home(), own)
    if text.startswith("//") and not bpy.data.filepath:
        raise ValueError("Save the blend file first, or choose a folder with its full path")
    path = Path(bpy.path.abspath(text)).expanduser()
    try:
        exports.check_folder(path)
    except (ValueError, OSError):
        return path / own if path.is_dir() else path
    return path
