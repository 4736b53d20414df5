# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc cancels rebuilds, bakes and exports anywhere; without any, it keeps its usual function."""

from typing import Any

import bpy

_made: list[tuple[Any, Any]] = []


def register() -> None:
    config = bpy.context.window_manager.keyconfigs.addon
    if config:  # there is none in background mode
        keymap = config.keymaps.new(name="Window")
        _made.append((keymap, keymap.keymap_items.new("terrain.cancel", "ESC", "PRESS")))


def unregister() -> None:
    while _made:
        keymap, item = _made.pop()
        keymap.keymap_items.remove(item)
