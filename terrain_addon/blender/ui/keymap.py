# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc cancels rebuilds, bakes and exports anywhere, and Enter ends the drawing of a curve; without
any, they keep their usual function."""

from typing import Any, cast

import bpy

KEYS = (
    ("Window", "terrain.cancel", "ESC"),
    ("Curve", "terrain.end_drawing", "RET"),
    ("Curve", "terrain.end_drawing", "NUMPAD_ENTER"),
)
"""Keymaps, operators and keys."""
_made: list[tuple[Any, Any]] = []


def register() -> None:
    config = bpy.context.window_manager.keyconfigs.addon
    for name, operator, key in KEYS if config else ():  # there is none in background mode
        keymap = config.keymaps.new(name=name)
        _made.append((keymap, keymap.keymap_items.new(operator, cast(Any, key), "PRESS")))


def unregister() -> None:
    while _made:
        keymap, item = _made.pop()
        keymap.keymap_items.remove(item)
