# SPDX-License-Identifier: GPL-3.0-or-later
"""A core setting as a Blender property, and conversion of its values.

The core has short decimals, degrees and sRGB hex codes; Blender has float32, radians and sRGB
triples. A value converted to Blender and back is unchanged.
"""

import math
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import bpy
import numpy as np

from ...core.numerics import srgb
from ...core.settings import Setting
from ..mesh import drawn_shapes, imagery, node_values, painted_maps
from .drag_speeds import USUAL, step, variants

Update = Callable[[Any, Any], None]
Icon = Any
"""The name of an icon, or the number of a picture."""
EnumItem = tuple[str, str, str, Icon, int]


def permanent_number(key: str) -> int:
    """Derive the number of an enum item in blend files from its key, not its position.

    It has 24 bits because Blender's buttons compare these numbers as float32.
    """
    return zlib.crc32(key.encode()) & 0xFFFFFF


def enum_items(entries: Iterable[tuple[str, str, str, Icon]]) -> list[EnumItem]:
    """Return the items of an EnumProperty from (key, label, help, icon)."""
    return [(*entry, permanent_number(entry[0])) for entry in entries]


_ICONS = {
    "replace": "DUPLICATE",
    "add": "ADD",
    "subtract": "REMOVE",
    "multiply": "PANEL_CLOSE",
    "min": "TRIA_DOWN_BAR",
    "max": "TRIA_UP_BAR",
    "difference": "ARROW_LEFTRIGHT",
    "average": "ALIGN_MIDDLE",
}
"""Icons of the blend modes: the list of layers has no room for their names."""


def blender_property(setting: Setting, update: Update | None, *, animatable: bool = True) -> Any:
    """Return the annotation that declares a setting in a property group."""
    common: dict[str, Any] = {"name": setting.label, "description": setting.help}
    if not animatable:
        common["options"] = set()
    if update:
        common["update"] = update
    return _MAKERS[setting.kind](setting, common)


def blender_properties(
    setting: Setting, update: Update | None, *, animatable: bool = True
) -> dict[str, Any]:
    """Return the declarations of a setting and of its drag-speed variants, by name."""

    def declare(**extra: Any) -> Any:
        return _float(setting, {"name": setting.label, "description": setting.help}, **extra)

    own = blender_property(setting, update, animatable=animatable)
    return {setting.name: own, **variants(setting, declare)}


def _limits(setting: Setting, convert: Callable[[float], Any]) -> dict[str, Any]:
    names = ("min", "max", "soft_min", "soft_max")
    given = {name: getattr(setting, name) for name in names}
    return {name: convert(value) for name, value in given.items() if value is not None}


def _float(setting: Setting, common: dict[str, Any], **given: Any) -> Any:
    if setting.unit == "deg":
        limits = _limits(setting, math.radians)
        default = math.radians(setting.default)
        return bpy.props.FloatProperty(subtype="ANGLE", default=default, **limits, **common)
    limits = _limits(setting, float)
    extra: dict[str, Any] = {"precision": 3}
    if setting.unit == "m":
        limits = {name: limits[name] for name in ("min", "max")}  # drags stop at soft limits
        extra = {
            "subtype": "DISTANCE",
            "unit": "LENGTH",
            "precision": 2,
            "step": step(setting, USUAL),
        }
    elif setting.unit == "factor":
        extra = {"subtype": "FACTOR", "precision": 3}
    return bpy.props.FloatProperty(
        default=setting.default, **limits, **{**extra, **given}, **common
    )


def _int(setting: Setting, common: dict[str, Any]) -> Any:
    return bpy.props.IntProperty(default=setting.default, **_limits(setting, int), **common)


def _bool(setting: Setting, common: dict[str, Any]) -> Any:
    return bpy.props.BoolProperty(default=setting.default, **common)


def _text(setting: Setting, common: dict[str, Any]) -> Any:
    if setting.unit == "map":
        common |= {"search": painted_maps.suggestions, "search_options": {"SUGGESTION"}}
    if setting.unit == "image":
        common |= {"search": imagery.suggestions, "search_options": {"SUGGESTION"}}
    if setting.unit == "shape":
        common |= {"search": drawn_shapes.suggestions, "search_options": {"SUGGESTION"}}
    if setting.unit == "nodes":
        common |= {"search": node_values.suggestions, "search_options": {"SUGGESTION"}}
    if setting.unit == "grid":  # written with the result of nodes
        common |= {"options": {"HIDDEN"}}
    if setting.unit == "path":
        common |= {"subtype": "FILE_PATH"}
        if bpy.app.version >= (4, 5):  # allows paths that begin with //
            options = common.get("options", {"ANIMATABLE"})
            common["options"] = options | {"PATH_SUPPORTS_BLEND_RELATIVE"}
    return bpy.props.StringProperty(default=setting.default, **common)


def _choice(setting: Setting, common: dict[str, Any]) -> Any:
    icons = _ICONS if setting.name == "blend" else {}
    items = enum_items((c.key, c.label, c.help, icons.get(c.key, "NONE")) for c in setting.choices)
    return bpy.props.EnumProperty(items=items, default=setting.default, **common)


def _color(setting: Setting, common: dict[str, Any]) -> Any:
    return bpy.props.FloatVectorProperty(
        subtype="COLOR_GAMMA",
        size=3,
        min=0,
        max=1,
        default=srgb.channels(setting.default),
        **common,
    )


_MAKERS = {
    "float": _float,
    "int": _int,
    "bool": _bool,
    "text": _text,
    "choice": _choice,
    "color": _color,
}


def to_blender(setting: Setting, value: Any) -> Any:
    """Convert a core value to the value that the property stores."""
    if setting.kind == "color":
        return srgb.channels(value)
    return math.radians(value) if setting.unit == "deg" else value


def from_blender(setting: Setting, stored: Any) -> Any:
    """Convert a property's value to the value that the core stores."""
    if setting.kind == "color":
        return srgb.hex_code(stored)
    if setting.kind != "float":
        return stored
    return _short_degrees(stored) if setting.unit == "deg" else _short(stored)


def _short(stored: float) -> float:
    """Return the shortest decimal with the same float32: 0.1, not 0.10000000149011612."""
    return float(str(np.float32(stored)))


def _short_degrees(stored: float) -> float:
    """Return the shortest decimal in degrees whose radians have the same float32."""
    exact = math.degrees(stored)
    for digits in range(1, 10):
        short = float(f"{exact:.{digits}g}")
        if np.float32(math.radians(short)) == np.float32(stored):
            return short
    return exact
