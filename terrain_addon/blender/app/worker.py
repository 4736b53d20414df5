# SPDX-License-Identifier: GPL-3.0-or-later
"""A thread that computes while the window stays awake. It never touches Blender."""

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from ...core import Cancelled
from ...core.numerics import Cancel, LayerProgress, user_message

POLL = 0.05
"""Seconds between two looks at what a worker has finished."""


@dataclass(frozen=True)
class Job:
    """Something to compute."""

    key: int
    """A newer job of the same key takes the place of an older one."""
    goal: Any
    """What is to come out: two jobs of the same key and goal are the same."""
    make: Callable[[LayerProgress, Cancel], Any]
    """Computes it, from plain data: it runs in the thread. Stops by raising Cancelled."""
    finish: bool = False
    """Go on even when a newer job of the same key waits."""


@dataclass(frozen=True)
class Result:
    """What became of a job: what it made, or the reason why there is nothing."""

    job: Job
    made: Any = None
    error: str = ""


class Worker:
    """One daemon thread, alive while there is work. All methods are for the main thread."""

    def __init__(self) -> None:
        self.share = 0.0
        self.text = ""
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

    def works_on(self, key: int) -> bool:
        """Whether a job of that key is waiting or at work."""
        with self._lock:
            current = self._current
            return key in self._waiting or (current is not None and current.key == key)

    def ask(self, job: Job) -> None:
        """Put a job in line; one that is at work already is left to finish."""
        with self._lock:
            self._waiting.pop(job.key, None)
            current = self._current
            asked = (job.key, job.goal)
            if current and asked == (current.key, current.goal) and not self._cancel:
                return
            self._waiting[job.key] = job
            if self._thread is None:
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
                self._cancel = False
                if not self._waiting:
                    self._current, self._thread = None, None
                    return
                self._current = job = self._waiting.pop(next(iter(self._waiting)))
                self.share, self.text = 0.0, ""
            try:
                made = job.make(self._progress, lambda job=job: self._dropped(job))
                self._results.put(Result(job, made))
            except Cancelled:
                pass
            except Exception as error:  # a thread has nobody above it to tell
                if not isinstance(error, (ValueError, OSError, MemoryError)):
                    traceback.print_exception(error)
                self._results.put(Result(job, error=user_message(error)))

    def _progress(self, share: float, text: str) -> None:
        self.share, self.text = share, text

    def _dropped(self, job: Job) -> bool:
        """A newer job of the same key waits, or the user has had enough."""
        return self._cancel or (not job.finish and job.key in self._waiting)
