# SPDX-License-Identifier: GPL-3.0-or-later
"""Time several ways of doing a thing fairly: one process, interleaved, medians."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Row:
    """One line of a table: what was done, its median, and how that compares to the unit."""

    name: str
    milliseconds: float
    ratio: float
    unit: str


def medians(jobs: Mapping[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Median milliseconds of each job; they take turns, so that a busy moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(rounds + 1):
        for name, job in jobs.items():
            begun = time.perf_counter()
            job()
            if turn:  # the first turn warms up
                times[name].append((time.perf_counter() - begun) * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def compare(unit: str, jobs: Mapping[str, Callable[[], object]], rounds: int = 7) -> list[Row]:
    """Rows of all jobs; the ratio is to the job called ``unit``."""
    found = medians(jobs, rounds)
    return [Row(name, ms, ms / found[unit], unit) for name, ms in found.items()]


def machine() -> dict[str, object]:
    """What the numbers were measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def report(title: str, rows: list[Row]) -> None:
    """Print rows as a table."""
    print(f"\n{title}")
    for row in rows:
        print(f"  {row.name:52} {row.milliseconds:10.2f} ms  {row.ratio:9.2f} x {row.unit}")


def write(path: Path, tables: Mapping[str, list[Row]]) -> None:
    """Write tables and machine as JSON."""
    data = {
        "machine": machine(),
        "tables": {title: [vars(row) for row in rows] for title, rows in tables.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
