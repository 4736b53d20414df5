# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes in the background, one after the other.

An image is computed after the one before it is stored, so memory holds the pixels of one only.
"""

import traceback
from collections import deque
from typing import Any

import bpy

from ...core.numerics import user_message
from ..app.tasks import Task
from ..app.undo import push_step
from ..app.worker import Job, Result
from .job import BakeJob


class _Bakes(Task):
    """The bakes that run and wait; the first is running."""

    def __init__(self) -> None:
        super().__init__()
        self._jobs = deque[BakeJob]()
        self._ranges: dict[int, tuple[float, float]] = {}

    def start(self, job: BakeJob) -> None:
        """Bake in the background, after the bakes that wait; `message` says how it ended."""
        self._messages.pop(job.mesh, None)
        self._ranges.pop(job.mesh, None)
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self._make_next()

    def waiting(self) -> int:
        """Return the number of bakes that wait for the running one."""
        return max(len(self._jobs) - 1, 0)

    def height_range(self, mesh: bpy.types.Mesh) -> tuple[float, float] | None:
        """Return the lowest and highest point in meters of the last height image of a terrain."""
        return self._ranges.get(mesh.session_uid)

    def canceled(self) -> None:
        """Drop all bakes; images that are stored already stay."""
        for job in reversed(self._jobs):  # of two bakes of a mesh, the running one has the message
            self.say(job.canceled(), mesh=job.mesh)
            _push_undo(job)
        self._jobs.clear()

    def reset(self) -> None:
        """Drop all bakes: images belong to the file that they were baked in."""
        super().reset()
        self._jobs.clear()
        self._ranges.clear()

    def undone(self) -> None:
        """Start the running job again: undo removed its images, which are no step yet."""
        if self._jobs and self._jobs[0].changed_file:
            self.worker.cancel()
            self._jobs[0] = self._jobs[0].again()
            self._make_next()

    def receive(self, result: Result) -> bool:
        """Store an image, and compute the next."""
        job = self._jobs[0]
        error = result.error or self._store(job, result.made)
        if error or job.is_done:
            self.say(job.failed(error) if error else str(job), bool(error), job.mesh)
            self._jobs.popleft()
            _push_undo(job)
        self._make_next()
        return True

    def _make_next(self) -> None:
        if self._jobs:
            job = self._jobs[0]
            self.worker.start(Job(job.done, job, job.make))

    def _store(self, job: BakeJob, made: Any) -> str:
        """Store an image; return what went wrong, "" for nothing."""
        try:
            job.store(made)
        except Exception as error:  # nothing above a timer could handle it
            if not isinstance(error, (ValueError, OSError, MemoryError)):
                traceback.print_exception(error)
            return user_message(error)
        image = job.stored[-1]
        if image.what.kind.measure == "height":
            self._ranges[job.mesh] = image.low, image.high
        return ""


def _push_undo(job: BakeJob) -> None:
    """Make a job one undo step: otherwise the next undo would remove its images."""
    if job.changed_file:
        push_step(job.title)


bakes = _Bakes()
