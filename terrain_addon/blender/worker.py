# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread that makes surfaces while the window stays awake. It never touches Blender."""

import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from ..core import Cache, Cancelled, Grid, Recipe
from .build import surface
from .costs import Stopwatch
from .meshes import Surface
from .recipes import Signature


@dataclass(frozen=True)
class Job:
    """A surface that is wanted: plain data, valid in any thread."""

    mesh: int
    """``session_uid`` of the mesh: a reference to it could be gone when the job is done."""
    signature: Signature
    recipe: Recipe
    grid: Grid


@dataclass(frozen=True)
class Result:
    """What became of a job: a surface, or the reason why there is none."""

    job: Job
    surface: Surface | None = None
    watch: Stopwatch | None = None
    error: str = ""


class SharedCache(Cache):
    """A cache for the main thread and the worker."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def get(self, key: object) -> Any:
        with self._lock:
            return super().get(key)

    def put(self, key: object, stage: Any) -> None:
        with self._lock:
            super().put(key, stage)

    def clear(self) -> None:
        with self._lock:
            super().clear()


class Worker:
    """One daemon thread, alive while there is work; the newest job of a mesh replaces the older.

    All methods are for the main thread.
    """

    def __init__(self, cache: Cache) -> None:
        self.share = 0.0
        self.text = ""
        self._cache = cache
        self._lock = threading.Lock()
        self._waiting: dict[int, Job] = {}
        self._current: Job | None = None
        self._thread: threading.Thread | None = None
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._cancel = False

    @property
    def busy(self) -> bool:
        """Whether a job is waiting or at work."""
        return self._thread is not None

    def works_on(self, mesh: int) -> bool:
        """Whether a job of that mesh is waiting or at work."""
        with self._lock:
            current = self._current
            return mesh in self._waiting or (current is not None and current.mesh == mesh)

    def ask(self, job: Job) -> None:
        """Put a job in line; one that is at work already is left to finish."""
        with self._lock:
            self._waiting.pop(job.mesh, None)
            current = self._current
            asked = (job.mesh, job.signature)
            if current and asked == (current.mesh, current.signature) and not self._cancel:
                return
            self._waiting[job.mesh] = job
            if self._thread is None:
                self._cancel = False
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def cancel(self) -> None:
        """Drop all jobs; the one at work ends soon."""
        with self._lock:
            self._waiting.clear()
            self._cancel = self._thread is not None

    def join(self) -> None:
        """Wait until nothing is at work."""
        while thread := self._thread:
            thread.join()

    def results(self) -> list[Result]:
        """What was finished since the last call."""
        found = []
        while True:
            try:
                found.append(self._results.get_nowait())
            except Empty:
                return found

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._current, self._thread = None, None
                    return
                self._cancel = False
                self._current = job = self._waiting.pop(next(iter(self._waiting)))
                self.share, self.text = 0.0, ""
            try:
                self._results.put(self._do(job))
            except Cancelled:
                pass
            except Exception as error:  # a thread has nobody above it to tell
                self._results.put(Result(job, error=str(error) or type(error).__name__))

    def _do(self, job: Job) -> Result:
        watch = Stopwatch(job.recipe, job.grid)

        def progress(share: float, text: str) -> None:
            self.share, self.text = share, text
            watch(share, text)

        made = surface(job.recipe, job.grid, self._cache, progress, lambda: self._dropped(job))
        watch.stop()
        return Result(job, made, watch)

    def _dropped(self, job: Job) -> bool:
        """A newer job of the same mesh waits, or the user has had enough."""
        return self._cancel or job.mesh in self._waiting
