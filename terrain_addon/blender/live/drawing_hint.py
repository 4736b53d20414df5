# SPDX-License-Identifier: GPL-3.0-or-later
"""The status bar says how to end the drawing of a curve, while one is in Edit Mode."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..app import status
from ..app.registration import handlers_factory
from ..objects.drawn_objects import is_drawn

HINT = "Drag on the terrain to draw, or move points. Enter or Tab: done"


@persistent
def follow_mode(*_: Any) -> None:
    """Show or hide the hint, by the mode of the active object."""
    layer = bpy.context.view_layer
    item = layer.objects.active if layer else None
    drawing = item is not None and item.mode == "EDIT" and is_drawn(item)
    status.hint(HINT if drawing else "")


register, _remove_handlers = handlers_factory(
    {"undo_post": follow_mode, "redo_post": follow_mode, "load_post": follow_mode}
)


def unregister() -> None:
    _remove_handlers()
    status.hint("")
