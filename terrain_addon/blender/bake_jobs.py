# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake while the window stays awake: a worker makes the pixels, a timer stores the image."""

from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..core import Image, told
from .baking import Plan
from .live import POLL
from .status import redraw
from .worker import Job, Result, Worker


@dataclass
class _State:
    worker: Worker = field(default_factory=Worker)
    count: int = 0
    message: str = ""
    failed: bool = False
    mesh: int = 0
    """session_uid of the terrain's mesh that the message is about"""


_state = _State()


def start(plan: Plan) -> None:
    """Bake in the background; :func:`message` tells how it ended."""
    _tell("", plan.mesh)
    _state.count += 1  # each one counts: a newer bake does not replace an older one
    _state.worker.ask(Job(_state.count, plan, plan.make))
    if not bpy.app.timers.is_registered(_poll):
        bpy.app.timers.register(_poll, first_interval=POLL, persistent=True)


def is_busy() -> bool:
    """Whether something is being baked."""
    return _state.worker.busy


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1) and the layer at work, None when nothing is being baked."""
    worker = _state.worker
    return (worker.share, worker.text) if worker.busy else None


def message(mesh: bpy.types.Mesh) -> tuple[str, bool]:
    """How the last bake of a terrain ended, and whether that was a failure; "" for no news."""
    return (_state.message, _state.failed) if _state.mesh == mesh.session_uid else ("", False)


def cancel() -> None:
    """Drop all bakes; nothing is stored."""
    if is_busy():
        _state.worker.cancel()
        _tell("The bake was cancelled: no image was stored", _state.mesh)
    redraw()


def _tell(text: str, mesh: int, *, failed: bool = False) -> None:
    _state.message, _state.mesh, _state.failed = text, mesh, failed


def finish() -> None:
    """Wait for all bakes and store them."""
    _state.worker.join()
    _poll()


def _poll() -> float | None:
    """Timer: store what is done and show the progress."""
    busy = _state.worker.busy
    for result in _state.worker.results():
        _store(result)
    redraw(progress())
    return POLL if busy else None


def _store(result: Result) -> None:
    plan: Plan = result.job.goal
    made: Image = result.made
    try:
        _tell(result.error or str(plan.store(made)), plan.mesh, failed=bool(result.error))
    except (ValueError, OSError, MemoryError) as error:
        _tell(told(error), plan.mesh, failed=True)
    if not _state.failed and not bpy.app.background:
        bpy.ops.ed.undo_push(message="Bake Image")  # else the next undo would take the image away


@persistent
def _on_load(*_: Any) -> None:
    """Images belong to the file that they were baked in."""
    _state.worker.cancel()
    _state.worker.join()
    _state.worker.results()
    _tell("", 0)


def register() -> None:
    bpy.app.handlers.load_pre.append(_on_load)


def unregister() -> None:
    bpy.app.handlers.load_pre.remove(_on_load)
    _on_load()
    if bpy.app.timers.is_registered(_poll):
        bpy.app.timers.unregister(_poll)
