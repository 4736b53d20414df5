# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo steps, and undo after data-blocks were added that no step contains.

Blender's undo keeps the data-blocks that are the same in the step it leaves and the step it goes
to. If such a data-block refers to one that was added since the last step, undo frees the new one
and Blender crashes on the pointer that is left. Its Python manual asks for an undo step after each
change, but handlers, timers and results of the worker come after the step they belong to: a step of
their own would bring them back at each undo, and end redo.

So undo reads all data-blocks anew after such an addition. Blender has a preference for that, in
*Experimental*, which is changed for as long as this undo takes.
"""

from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .registration import handlers_factory


@dataclass
class _State:
    """State between calls: plain data only.

    Attributes
    ----------
    has_new_data : whether data-blocks were added that the last undo step may lack
    scene : address of a scene while an undo reads all data-blocks anew, otherwise 0
    preferences : whether developer extras and legacy undo were on before it, and whether the
        preferences were to be saved
    """

    has_new_data: bool = False
    scene: int = 0
    preferences: tuple[bool, bool, bool] = (False, False, False)


_state = _State()


def note_new_data() -> None:
    """Make the next undo safe after data-blocks were added, where no undo step may follow."""
    _state.has_new_data = True


def push_step(message: str) -> None:
    """Make what was done an undo step: otherwise the next undo would remove it."""
    try:
        if not bpy.app.background:
            bpy.ops.ed.undo_push(message=message)
            return
    except RuntimeError:  # Blender cannot push a step now
        pass
    note_new_data()


@persistent
def _before(*_: Any) -> None:
    """Let an undo or redo read all data-blocks anew if it has to."""
    if not _state.has_new_data or _state.scene:
        return
    preferences: Any = bpy.context.preferences
    view, experimental = preferences.view, preferences.experimental
    _state.preferences = (
        view.show_developer_ui,
        experimental.use_undo_legacy,
        preferences.is_dirty,
    )
    view.show_developer_ui = experimental.use_undo_legacy = True
    _state.scene, _state.has_new_data = bpy.data.scenes[0].as_pointer(), False


@persistent
def _after(*_: Any) -> None:
    """Restore the preferences. Undo within a mode reads no data-blocks: the next one has to."""
    if not _state.scene:
        return
    preferences: Any = bpy.context.preferences
    view, experimental = preferences.view, preferences.experimental
    view.show_developer_ui, experimental.use_undo_legacy, preferences.is_dirty = _state.preferences
    before, _state.scene = _state.scene, 0
    if bpy.data.scenes[0].as_pointer() == before:
        _state.has_new_data = True
    else:
        _drop_old_pixels()


def _drop_old_pixels() -> None:
    """Let packed images be read from their files again: Blender kept the pixels from before."""
    for image in bpy.data.images:
        if image.packed_file and not image.is_dirty:
            image.buffers_free()


@persistent
def _on_load(*_: Any) -> None:
    _state.has_new_data = False


register, _remove_handlers = handlers_factory(
    {
        "undo_pre": _before,
        "redo_pre": _before,
        "undo_post": _after,
        "redo_post": _after,
        "load_pre": _on_load,
    }
)


def unregister() -> None:
    _remove_handlers()
    _state.has_new_data = False
