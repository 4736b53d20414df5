# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights lie on a terrain like glass while they are painted: Blender hides the land below them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from ..data.terrains import is_terrain_object

OPACITY, USUAL = 0.5, 1.0
"""Opacity of the weights on a terrain, and Blender's own."""


@dataclass
class _State:
    """Opacities that viewports had before, by their address."""

    before: dict[int, float] = field(default_factory=dict[int, float])


_state = _State()


@persistent
def follow_mode(*_: Any) -> None:
    """Let the land be seen through weights in all viewports while a terrain has its weights
    painted, and restore their opacity afterwards, unless the user changed it."""
    layer = bpy.context.view_layer
    item = layer.objects.active if layer else None
    painted = item is not None and item.mode == "WEIGHT_PAINT" and is_terrain_object(item)
    if not painted and not _state.before:
        return
    for space in _viewports():
        overlay, address = space.overlay, space.as_pointer()
        if painted and address not in _state.before:
            # A file that was saved while its terrain was painted has no other.
            is_ours = overlay.weight_paint_mode_opacity == OPACITY
            _state.before[address] = USUAL if is_ours else overlay.weight_paint_mode_opacity
            overlay.weight_paint_mode_opacity = min(OPACITY, _state.before[address])
        elif not painted and overlay.weight_paint_mode_opacity == OPACITY:
            overlay.weight_paint_mode_opacity = _state.before.get(address, USUAL)
    if not painted:
        _state.before.clear()


def _viewports() -> Iterator[Any]:
    """Yield the viewports of all workspaces, those out of sight included."""
    for screen in bpy.data.screens:
        for area in screen.areas:
            for space in area.spaces:
                if space.type == "VIEW_3D":
                    yield space


@persistent
def _on_load(*_: Any) -> None:
    _state.before.clear()  # of the viewports of another file
    follow_mode()


register, _remove_handlers = handlers_factory(
    {"undo_post": follow_mode, "redo_post": follow_mode, "load_post": _on_load}
)


def unregister() -> None:
    _remove_handlers()
    _state.before.clear()
