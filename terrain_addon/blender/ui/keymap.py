# SPDX-License-Identifier: GPL-3.0-or-later
"""Esc stops what is being made, wherever the pointer is. When nothing is, it does what it did."""

from typing import Any

import bpy

_made: list[tuple[Any, Any]] = []


def register() -> None:
    config = bpy.context.window_manager.keyconfigs.addon
    if config:  # in the background there is none
        keymap = config.keymaps.new(name="Window")
        _made.append((keymap, keymap.keymap_items.new("terrain.cancel", "ESC", "PRESS")))


def unregister() -> None:
    while _made:
        keymap, item = _made.pop()
        keymap.keymap_items.remove(item)
