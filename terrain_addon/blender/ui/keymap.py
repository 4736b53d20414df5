# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys: Esc cancels rebuilds, bakes and exports anywhere; without any, it keeps its usual function.
Alt+Up and Alt+Down move the active layer, over the 3D Viewport and its sidebar: Blender's lists
offer Python no drag and drop.
"""

from typing import Any

import bpy

_made: list[tuple[Any, Any]] = []


def register() -> None:
    config = bpy.context.window_manager.keyconfigs.addon
    if not config:  # there is none in background mode
        return
    anywhere = config.keymaps.new(name="Window")
    _made.append((anywhere, anywhere.keymap_items.new("terrain.cancel", "ESC", "PRESS")))
    viewport = config.keymaps.new(name="3D View Generic", space_type="VIEW_3D")
    for direction in ("UP", "DOWN"):
        item: Any = viewport.keymap_items.new(
            "terrain.layer_move", f"{direction}_ARROW", "PRESS", alt=True, repeat=True
        )
        item.properties.direction = direction
        _made.append((viewport, item))


def unregister() -> None:
    while _made:
        keymap, item = _made.pop()
        keymap.keymap_items.remove(item)
