# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of NumPy arrays and Python objects, and of whole processes."""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable

from tests.benchmarks.timing import Row

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


REPORT = """
with open("/proc/self/status") as status:
    print(status.read())
"""


def peak_of_process(script: str) -> float:
    """Peak MiB of a Python process that runs a script, on Linux: all that it holds, code included.

    (The peak that a parent learns includes its own memory, from before the child's program.)
    """
    command = [sys.executable, "-c", script + REPORT]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert found, "the system does not tell"
    return int(found[1]) / 1024
