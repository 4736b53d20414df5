# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare the time of several ways to do one thing: one process, interleaved, medians.

A benchmark is a module ``bench_NAME`` with ``tables() -> dict[title, list[Row]]``.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

Jobs = dict[str, Callable[[], object]]
Tables = dict[str, list["Row"]]


@dataclass(frozen=True)
class Target:
    """A limit for a figure, the figure, and whether it is within the limit."""

    wanted: str
    found: str
    met: bool


@dataclass(frozen=True)
class Row:
    """One line of a table: a job, its figure, and the ratio to that of the unit."""

    name: str
    value: float
    ratio: float
    unit: str
    measure: str = "ms"
    targets: tuple[Target, ...] = ()


def medians(
    jobs: Mapping[str, Callable[[], object]],
    rounds: int = 7,
    after: Callable[[], object] = lambda: None,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median milliseconds of each job.

    Jobs take turns, so that a busy moment of the machine affects all of them alike. ``after``
    cleans up after each job, untimed. With `time.process_time` as ``clock``, processor time counts.
    """
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(rounds + 1):
        for name, job in jobs.items():
            begun = clock()
            job()
            spent = clock() - begun
            after()
            if turn:  # the first turn warms up
                times[name].append(spent * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def compare(
    unit: str,
    jobs: Mapping[str, Callable[[], object]],
    rounds: int = 7,
    *,
    after: Callable[[], object] = lambda: None,
    scale: Mapping[str, float] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Row]:
    """Rows of all jobs, with ratios to the job called ``unit``.

    ``scale`` multiplies the time of jobs that do only a part of the work, such as fewer points.
    """
    found = medians(jobs, rounds, after, clock)
    for name, factor in (scale or {}).items():
        found[name] *= factor
    return [Row(name, ms, ms / found[unit], unit) for name, ms in found.items()]


class Beside:
    """Times jobs between two runs of a peer.

    A busy moment, and memory that other programs use, affect both alike. The median of the ratios
    varies less from run to run than the ratio of two medians.
    """

    def __init__(
        self, name: str, peer: Callable[[], object], clock: Callable[[], float] = time.process_time
    ) -> None:
        self.name, self._peer, self._clock = name, peer, clock
        self._spent: dict[str, list[tuple[float, float]]] = {}

    def run(self, name: str, job: Callable[[], object]) -> object:
        """Run a job and return its result. It does not count if that is False, nor if it is the
        first one of its name, which warms up."""
        before = self._timed(self._peer)[0]
        spent, result = self._timed(job)
        around = (before + self._timed(self._peer)[0]) / 2
        if result is not False:
            self._spent.setdefault(name, []).append((spent, around))
        return result

    def rows(self) -> list[Row]:
        """Return the medians of all jobs, after that of the peer."""
        turns = {name: turns[1:] for name, turns in self._spent.items() if len(turns) > 1}
        peer = statistics.median(around for pairs in turns.values() for _, around in pairs)
        rows = [Row(self.name, peer, 1.0, self.name)]
        for name, pairs in turns.items():
            ms = statistics.median(spent for spent, _ in pairs)
            ratio = statistics.median(spent / around for spent, around in pairs)
            rows.append(Row(name, ms, ratio, self.name))
        return rows

    def _timed(self, job: Callable[[], object]) -> tuple[float, object]:
        begun = self._clock()
        result = job()
        return (self._clock() - begun) * 1e3, result


def aim(rows: list[Row], name: str, limit: float, than: str = "") -> None:
    """Add a target to the row called ``name``.

    Its value must be at most ``limit``, or ``limit`` times that of the row called ``than``. Where
    that is the unit of the row, its ratio counts.
    Without effect where one of the rows is missing, as that of a peer that is not installed.
    """
    by_name = {row.name: row for row in rows}
    if name not in by_name or (than and than not in by_name):
        return
    row = by_name[name]
    ratio = row.ratio if than in ("", row.unit) else row.value / by_name[than].value
    if not than:
        target = _target(row.value, limit, f"{limit:g} {row.measure}", row.measure)
    elif limit < 1:
        wanted = f"at least {1 / limit:.3g} times as fast as {than}"
        target = Target(wanted, f"{_short(1 / ratio)} times", ratio <= limit)
    else:
        target = _target(ratio, limit, f"{limit:.3g} x {than}", "x")
    rows[rows.index(row)] = replace(row, targets=(*row.targets, target))


def _target(found: float, limit: float, wanted: str, measure: str) -> Target:
    return Target(f"at most {wanted}", f"{_short(found)} {measure}", found <= limit)


def _short(value: float) -> str:
    """Three digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def machine() -> dict[str, object]:
    """Description of this machine."""
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
        print(f"  {row.name:52} {row.value:10.2f} {row.measure}  {row.ratio:9.2f} x {row.unit}")
        for target in row.targets:
            print(f"    {'met' if target.met else 'MISSED'}: {target.wanted}, is {target.found}")


def write(path: Path, tables: Mapping[str, list[Row]], about: Mapping[str, object]) -> None:
    """Write tables and the description of the machine as JSON."""
    data = {
        "machine": {**machine(), **about},
        "tables": {title: [asdict(row) for row in rows] for title, rows in tables.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
