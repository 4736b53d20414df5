# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker: which jobs it runs, drops and runs again, and which results arrive."""

from threading import Event

import pytest

from terrain_addon.blender.app.worker import Job, Worker
from terrain_addon.core import Cancelled

LONG = 60.0
"""Seconds after which a job that nothing releases fails."""


@pytest.fixture
def made():
    """What arrived from the worker, in order."""
    return []


@pytest.fixture
def worker(made):
    worker = Worker(lambda result: made.append(result.made) or True)
    yield worker
    worker.reset()


class Slow:
    """A job that runs until it is released, and stops then if it was canceled."""

    def __init__(self, made):
        self._made, self._runs, self._release = made, Event(), Event()

    def __call__(self, progress, cancelled):
        self._runs.set()
        assert self._release.wait(LONG)
        if cancelled():
            raise Cancelled
        return self._made

    def start(self, worker, *, goal="goal", **others):
        """Start it and return once it runs."""
        worker.start(Job(1, goal, self, **others))
        assert self._runs.wait(LONG)

    def release(self):
        self._release.set()


def quick(made):
    """A job that returns at once."""
    return lambda progress, cancelled: made


def test_a_job_that_runs_already_is_not_started_again(worker, made):
    slow = Slow("first")
    slow.start(worker)
    worker.start(Job(1, "goal", quick("second")))
    slow.release()
    worker.finish()
    assert made == ["first"]


def test_a_job_that_was_canceled_starts_again_while_it_still_runs(worker, made):
    slow = Slow("first")
    slow.start(worker)
    worker.cancel()
    worker.start(Job(1, "goal", quick("second")))
    slow.release()
    worker.finish()
    assert made == ["second"]


@pytest.mark.parametrize(("finish", "arrives"), [(False, ["new"]), (True, ["old", "new"])])
def test_a_newer_job_stops_an_older_one_that_is_not_to_finish(worker, made, finish, arrives):
    slow = Slow("old")
    slow.start(worker, goal="old", finish=finish)
    worker.start(Job(1, "new", quick("new")))
    slow.release()
    worker.finish()
    assert made == arrives


def test_results_of_before_a_reset_never_arrive(worker, made):
    """They belong to the meshes of the file before."""
    worker.start(Job(1, "goal", quick("old")))
    worker._join()
    worker.reset()
    worker.start(Job(2, "goal", quick("new")))
    worker.finish()
    assert made == ["new"]
