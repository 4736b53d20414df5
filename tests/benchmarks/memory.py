# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of NumPy arrays and Python objects, without Blender's own data."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

from .timing import Row

MIB = 2**20


def peak(job: Callable[[], object]) -> int:
    """Peak of the bytes that a job allocates."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        job()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def rows(unit: str, size: int, jobs: dict[str, Callable[[], object]]) -> list[Row]:
    """The peak of each job, with its ratio to ``size``, the bytes of what ``unit`` names."""
    used = {unit: size, **{name: peak(job) for name, job in jobs.items()}}
    return [Row(name, count / MIB, count / size, unit, "MiB") for name, count in used.items()]
