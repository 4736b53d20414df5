# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory at its peak: arrays of NumPy and objects of Python, not what Blender keeps for itself."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

from .timing import Row

MIB = 2**20


def peak(job: Callable[[], object]) -> int:
    """Bytes that a job needs at its peak beyond what was there before."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        job()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def rows(unit: str, wanted: int, jobs: dict[str, Callable[[], object]]) -> list[Row]:
    """The peak of each job beside the ``wanted`` bytes of what is called ``unit``."""
    used = {unit: wanted, **{name: peak(job) for name, job in jobs.items()}}
    return [Row(name, count / MIB, count / wanted, unit, "MiB") for name, count in used.items()]
