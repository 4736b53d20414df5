# SPDX-License-Identifier: GPL-3.0-or-later
"""Background jobs: a thread computes, a timer delivers. The thread never touches Blender."""

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...core import Cancelled
from ...core.numerics import Cancel, LayerProgress, user_message
from . import timers
from .status import redraw

POLL = 0.05
"""Seconds between two deliveries."""


@dataclass(frozen=True)
class Job:
    """Something to compute."""

    key: int
    """A newer job of the same key replaces an older one."""
    goal: Any
    """What it computes: two jobs of the same key and goal are the same."""
    make: Callable[[LayerProgress, Cancel], Any]
    """Computes it from plain data, in the thread; stops by raising Cancelled."""
    finish: bool = False
    """Whether to continue while a newer job of the same key waits."""


@dataclass(frozen=True)
class Result:
    """What a job made, or why it failed."""

    job: Job
    made: Any = None
    error: str = ""


class Worker:
    """One daemon thread, alive while there are jobs. All methods are for the main thread.

    ``receive`` is called with each result, from a timer; it returns whether the result is dealt
    with, otherwise it gets the result again later. ``delivered`` is called when the last one is.
    """

    def __init__(
        self, receive: Callable[[Result], bool], delivered: Callable[[], None] = lambda: None
    ) -> None:
        self.share = 0.0
        self.text = ""
        self._receive, self._delivered = receive, delivered
        self._lock = threading.Lock()
        self._waiting: dict[int, Job] = {}
        self._current: Job | None = None
        self._thread: threading.Thread | None = None
        self._results: list[Result] = []  # not delivered yet; the thread only appends to it
        self._cancel = False
        self._timer = self.poll  # Blender compares functions by identity

    @property
    def busy(self) -> bool:
        """Whether a job is waiting or running."""
        return self._thread is not None

    @property
    def is_pending(self) -> bool:
        """Return True while a job waits or runs, or its result is to be delivered."""
        return self._thread is not None or bool(self._results)

    def works_on(self, key: int) -> bool:
        """Return whether a job of a key waits or runs, or its result is to be delivered."""
        with self._lock:
            jobs = [*self._waiting.values(), *(result.job for result in self._results)]
            if self._current:
                jobs.append(self._current)
        return any(job.key == key for job in jobs)

    def start(self, job: Job) -> None:
        """Run a job after those that wait; one that is running already continues."""
        with self._lock:
            self._waiting.pop(job.key, None)
            current, same = self._current, (job.key, job.goal)
            if current and same == (current.key, current.goal) and not self._cancel:
                return
            self._waiting[job.key] = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        timers.start(self._timer, POLL, persistent=True)

    def cancel(self) -> None:
        """Drop all jobs and results; the running job ends soon, and delivers nothing."""
        with self._lock:
            self._waiting.clear()
            self._results.clear()
            self._cancel = self._thread is not None

    def finish(self) -> None:
        """Wait for all jobs and deliver their results."""
        self._join()
        self.poll()
        while self.busy:  # a delivery may start another job
            self._join()
            self.poll()

    def reset(self) -> None:
        """Drop all jobs and results, and the timer."""
        self.cancel()
        self._join()
        timers.stop(self._timer)

    def poll(self) -> float | None:
        """Deliver results and show the progress; return seconds to the next call, None for none."""
        busy, had = self.busy, bool(self._results)
        self._deliver()
        if had and not (self.busy or self._results):
            self._delivered()
        redraw((self.share, self.text) if self.busy else None)
        return POLL if busy or self.busy or self._results else None

    def _deliver(self) -> None:
        """Deliver the results, oldest first; those that cannot be dealt with yet stay."""
        kept = 0
        while len(self._results) > kept:
            result = self._results.pop(kept)
            if not self._receive(result):
                self._results.insert(kept, result)
                kept += 1

    def _join(self) -> None:
        while thread := self._thread:
            thread.join()

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
                self._keep(Result(job, made))
            except Cancelled:
                pass
            except Exception as error:  # nothing above a thread could handle it
                if not isinstance(error, (ValueError, OSError, MemoryError)):
                    traceback.print_exception(error)
                self._keep(Result(job, error=user_message(error)))

    def _keep(self, result: Result) -> None:
        """Keep a result for delivery, unless its job was canceled."""
        with self._lock:
            if not self._cancel:
                self._results.append(result)

    def _progress(self, share: float, text: str) -> None:
        self.share, self.text = share, text

    def _dropped(self, job: Job) -> bool:
        """Return whether everything was canceled, or a newer job of the same key waits."""
        return self._cancel or (not job.finish and job.key in self._waiting)
