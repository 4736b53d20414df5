# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of jobs in Blender's windows."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy

from ...core.numerics import LayerProgress

NOTICE = 12.0
"""Seconds that a notice is shown."""


@dataclass
class _State:
    """The text of the status bar while nothing is being computed, and a passing one."""

    hint: str = ""
    notice: str = ""


_state = _State()


@contextmanager
def at_pointer() -> Iterator[LayerProgress]:
    """Show the progress of work that Blender waits for at the mouse pointer."""
    manager = bpy.context.window_manager
    manager.progress_begin(0, 100)
    try:
        yield lambda share, text: manager.progress_update(int(100 * share))
    finally:
        manager.progress_end()


def redraw(progress: tuple[float, str] | None = None) -> None:
    """Redraw the sidebars and show a share done (0 to 1) and a step in the status bar.

    Without progress the status bar is that of :func:`hint` again, or Blender's own.
    """
    text = _state.notice or _state.hint
    if progress:
        share, what = progress
        text = f"{what or 'Terrain'}: {share:.0%}. Press Esc to cancel"
    _show(text)
    redraw_sidebars()


def hint(text: str) -> None:
    """Say in the status bar what the keys do, until the next call; "" for Blender's own text."""
    if text != _state.hint:
        _state.hint = text
        _show(text)


def notice(text: str) -> None:
    """Show a text in the status bar for some seconds."""
    _state.notice = text
    _show(text)
    if bpy.app.timers.is_registered(_end_notice):
        bpy.app.timers.unregister(_end_notice)
    bpy.app.timers.register(_end_notice, first_interval=NOTICE)


def _end_notice() -> None:
    _state.notice = ""
    _show(_state.hint)


def noticed() -> str:
    """Return the notice that is shown, "" if there is none."""
    return _state.notice


def shown() -> str:
    """Return the hint, "" if there is none."""
    return _state.hint


def _show(text: str) -> None:
    for window in _windows():
        with bpy.context.temp_override(window=window):  # a timer has no window of its own
            window.workspace.status_text_set(text or None)


def redraw_sidebars() -> None:
    """Redraw the sidebars of all 3D Viewports."""
    _redraw_regions("UI")


def redraw_viewports() -> None:
    """Redraw what all 3D Viewports show, without their sidebars."""
    _redraw_regions("WINDOW")


def _redraw_regions(kind: str) -> None:
    for window in _windows():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == kind:
                        region.tag_redraw()


def _windows() -> Iterable[bpy.types.Window]:
    """Return the open windows; Blender has no window manager while it quits."""
    manager = bpy.context.window_manager
    return manager.windows if manager else ()
