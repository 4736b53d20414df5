# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings with which erosion finds its rivers, noted on each layer.

They are noted when a layer gets erosion above it, and stay while its heights are dragged. So rivers
stay too, and files, copies and undo keep them.
"""

import json
from typing import Any

from bpy.props import StringProperty

from ...core import Erosion, River
from ...core.layers import LAYERS, LayerKind
from ..mesh import drawn_shapes
from .declare import from_blender

Noted = dict[str, float]


def rivers_property() -> Any:
    """Declare the property of a layer that holds the settings, as JSON."""
    return StringProperty(
        name="Rivers At",
        description="Settings with which erosion finds its rivers",
        options={"HIDDEN"},
    )


def note_rivers(terrain: Any) -> None:
    """Note the settings of layers below erosion that have none noted yet; forget the others."""
    kinds = [LAYERS.get(item.kind) for item in terrain.layers]
    last = max((n for n, kind in enumerate(kinds) if kind and kind.holding), default=-1)
    for n, (item, kind) in enumerate(zip(terrain.layers, kinds, strict=True)):
        below = kind is not None and n <= last
        write_rivers(item, {**_values(item, kind), **_noted(item)} if kind and below else {})


def write_rivers(item: Any, values: Noted) -> None:
    """Note settings on a layer; nothing changes if they are noted already."""
    text = json.dumps(values) if values else ""
    if item.rivers_at != text:
        item.rivers_at = text


def read_rivers(item: Any, kind: type[LayerKind]) -> Noted:
    """Return the settings noted on a layer of a kind that have other values now."""
    values = _values(item, kind)
    return {name: at for name, at in _noted(item).items() if values.get(name) != at}


def holds_rivers(terrain: Any) -> bool:
    """Return whether erosion has other rivers than it would find with the settings as they are.

    It holds none where it follows drawn ones.
    """
    moved = False
    for item in terrain.layers:
        kind = LAYERS.get(item.kind)
        if kind is None or not item.enabled:
            continue
        if kind is River and drawn_shapes.exists(item.river.source):
            return False
        moved = moved or bool(read_rivers(item, kind))
        if moved and kind is Erosion and item.erosion.type == "uplift":
            return True
    return False


def _noted(item: Any) -> Noted:
    return json.loads(item.rivers_at) if item.rivers_at else {}


def _values(item: Any, kind: type[LayerKind]) -> Noted:
    group = getattr(item, kind.key)
    return {
        setting.name: from_blender(setting, getattr(group, setting.name))
        for setting in kind.held_settings()
    }
