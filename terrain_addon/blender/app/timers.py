# SPDX-License-Identifier: GPL-3.0-or-later
"""Timers of Blender, each running once at a time.

A function of `bpy.app.timers` returns the seconds to its next call, or None to end.
"""

from collections.abc import Callable

import bpy

Timer = Callable[[], float | None]


def start(timer: Timer, seconds: float = 0.0, *, persistent: bool = False) -> None:
    """Call a function after some seconds, unless it waits already.

    A persistent timer survives the opening of another file.
    """
    if not bpy.app.timers.is_registered(timer):
        bpy.app.timers.register(timer, first_interval=seconds, persistent=persistent)


def stop(timer: Timer) -> None:
    """Remove a timer, if it waits."""
    if bpy.app.timers.is_registered(timer):
        bpy.app.timers.unregister(timer)
