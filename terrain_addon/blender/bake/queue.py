# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes in the background, one after the other.

An image is computed after the one before it is stored, so memory holds the pixels of one only.
"""

import traceback
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.numerics import user_message
from ..app.registration import handlers_factory
from ..app.status import redraw
from ..app.undo import push_step
from ..app.worker import Job, Result, Worker
from .job import BakeJob


@dataclass
class _State:
    worker: Worker
    jobs: deque[BakeJob] = field(default_factory=deque)
    """The first is running."""
    messages: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """By the session_uid of the terrain's mesh: how its last bake ended, whether it failed."""
    ranges: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By the same: lowest and highest point of the last image by heights."""


def start(job: BakeJob) -> None:
    """Bake in the background, after the bakes that wait; :func:`message` says how it ended."""
    _state.messages.pop(job.mesh, None)
    _state.ranges.pop(job.mesh, None)
    _state.jobs.append(job)
    if len(_state.jobs) == 1:
        _make_next()


def is_busy() -> bool:
    """Whether something is being baked."""
    return bool(_state.jobs)


def waiting() -> int:
    """Return the number of bakes that wait for the running one."""
    return max(len(_state.jobs) - 1, 0)


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1), and the layer or image being computed; None without a bake."""
    return (_state.worker.share, _state.worker.text) if is_busy() else None


def message(mesh: bpy.types.Mesh) -> tuple[str, bool]:
    """How the last bake of a terrain ended, "" for none, and whether it failed."""
    return _state.messages.get(mesh.session_uid, ("", False))


def height_range(mesh: bpy.types.Mesh) -> tuple[float, float] | None:
    """Lowest and highest point in meters of the image of a terrain that was baked last."""
    return _state.ranges.get(mesh.session_uid)


def cancel() -> None:
    """Drop all bakes; images that are stored already stay."""
    _state.worker.cancel()
    for job in reversed(_state.jobs):  # the message of the running one is shown
        _state.messages[job.mesh] = job.canceled(), False
        _push_undo(job)
    _state.jobs.clear()
    redraw()


def finish() -> None:
    """Wait for all bakes and store them."""
    _state.worker.finish()


def _make_next() -> None:
    """Compute the next image, if there is one."""
    if _state.jobs:
        job = _state.jobs[0]
        _state.worker.start(Job(job.done, job, job.make))


def _receive(result: Result) -> bool:
    """Store an image; ignore those of canceled bakes."""
    if not _state.jobs or result.job.goal is not _state.jobs[0]:
        return True
    job = _state.jobs[0]
    error = result.error or _store(job, result.made)
    if error or job.is_done:
        _state.messages[job.mesh] = job.failed(error) if error else str(job), bool(error)
        _state.jobs.popleft()
        _push_undo(job)
    _make_next()
    return True


def _store(job: BakeJob, made: Any) -> str:
    """Store an image; return what went wrong, "" for nothing."""
    try:
        job.store(made)
    except Exception as error:  # nothing above a timer could handle it
        if not isinstance(error, (ValueError, OSError, MemoryError)):
            traceback.print_exception(error)
        return user_message(error)
    image = job.stored[-1]
    if image.what.kind.measure == "height":
        _state.ranges[job.mesh] = image.low, image.high
    return ""


def _push_undo(job: BakeJob) -> None:
    """Make a job one undo step: otherwise the next undo would remove its images."""
    if job.changed_file:
        push_step(job.title)


@persistent
def _on_undo(*_: Any) -> None:
    """Undo removes the images of the running job, which is no step yet: it starts again."""
    if _state.jobs and _state.jobs[0].changed_file:
        _state.worker.cancel()
        _state.jobs[0] = _state.jobs[0].again()
        _make_next()


@persistent
def _on_load(*_: Any) -> None:
    """Images belong to the file that they were baked in."""
    _state.jobs.clear()
    _state.messages.clear()
    _state.ranges.clear()
    _state.worker.reset()


_state = _State(Worker(_receive))

register, _remove_handlers = handlers_factory(
    {"load_pre": _on_load, "undo_post": _on_undo, "redo_post": _on_undo}
)


def unregister() -> None:
    _remove_handlers()
    _on_load()
