# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys: Esc cancels rebuilds, bakes and exports anywhere, and Enter ends the drawing of a curve;
without any, they keep their usual function. Alt+Up and Alt+Down move the active layer, over the 3D
Viewport and its sidebar: Blender's lists offer Python no drag and drop.
"""

from typing import Any, cast

import bpy

KEYS: tuple[tuple[str, str, str, dict[str, Any], dict[str, Any]], ...] = (
    ("Window", "terrain.cancel", "ESC", {}, {}),
    ("Curve", "terrain.end_drawing", "RET", {}, {}),
    ("Curve", "terrain.end_drawing", "NUMPAD_ENTER", {}, {}),
    *(
        (
            "3D View Generic",
            "terrain.layer_move",
            f"{direction}_ARROW",
            {"alt": True, "repeat": True},
            {"direction": direction},
        )
        for direction in ("UP", "DOWN")
    ),
)
"""Keymaps, operators and keys, how they are pressed, and properties of the operators."""
SPACES = {"3D View Generic": "VIEW_3D"}
_made: list[tuple[Any, Any]] = []


def register() -> None:
    config = bpy.context.window_manager.keyconfigs.addon
    for name, operator, key, how, values in KEYS if config else ():  # none in background mode
        keymap = config.keymaps.new(name=name, space_type=cast(Any, SPACES.get(name, "EMPTY")))
        item = keymap.keymap_items.new(operator, cast(Any, key), "PRESS", **how)
        for setting, value in values.items():
            setattr(item.properties, setting, value)
        _made.append((keymap, item))


def unregister() -> None:
    while _made:
        keymap, item = _made.pop()
        keymap.keymap_items.remove(item)
