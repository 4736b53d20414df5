# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the dearest test functions of a run, in CPU seconds of the tests and their processes.

python3 tests/environments.py core pytest --times build/times/core.tsv tests/core
python3 tests/environments.py core python tests/times.py build/times/*.tsv

The last lines name the functions that take more than a second a test, but are not marked `slow`.
Every run ends with these as well. What a fixture takes counts for the test that asks for it first.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SLOW = 1.0
"""Mean CPU seconds of a test function from which it is marked slow."""
MARKS = ("slow", "nightly", "smoke")
SHOWN = 30


@dataclass
class Function:
    """The tests of one function: all its parameters."""

    name: str
    marks: str
    seconds: list[float] = field(default_factory=list)

    @property
    def total(self) -> float:
        return sum(self.seconds)

    @property
    def mean(self) -> float:
        return self.total / len(self.seconds)


def cpu_seconds() -> float:
    """Return the CPU seconds that this process and its ended children have taken."""
    return sum(os.times()[:4])


class Recorder:
    """Writes one line a test to the file of `--times`: CPU seconds, marks, and the test's id."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.seconds: dict[str, float] = defaultdict(float)
        self.marks: dict[str, str] = {}

    def pytest_runtest_logstart(self) -> None:
        self.clock = cpu_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Tell each report what its phase of the test took; xdist hands the attributes on."""
        report = yield
        now = cpu_seconds()
        marks = [name for name in MARKS if item.get_closest_marker(name)]
        report.cpu, report.marks = now - self.clock, ",".join(marks)
        self.clock = now
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] += getattr(report, "cpu", 0.0)  # that of a crash has none
        self.marks[report.nodeid] = getattr(report, "marks", "")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        lines = [
            f"{spent:.3f}\t{self.marks[name]}\t{name}"
            for name, spent in sorted(self.seconds.items())
        ]
        for each in unmarked(functions_of(lines)):
            terminalreporter.line(f"SLOW, and not marked so: {_line(each)}", yellow=True)
        path: Path | None = terminalreporter.config.getoption("times")
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def functions_of(lines: Iterable[str]) -> list[Function]:
    """Return the test functions of recorded lines, the dearest first."""
    functions: dict[str, Function] = {}
    for line in lines:
        spent, marks, test = line.split("\t", 2)
        name = test.partition("[")[0]
        functions.setdefault(name, Function(name, marks)).seconds.append(float(spent))
    return sorted(functions.values(), key=lambda function: -function.total)


def unmarked(functions: Iterable[Function]) -> list[Function]:
    """Return the functions that are slow and not marked so. Smoke tests, the rules for every file
    and the tests of the zip run each time whatever they take."""
    always = ("tests/architecture/", "tests/package/")
    return [
        each
        for each in functions
        if each.mean > SLOW and not each.marks and not each.name.startswith(always)
    ]


def report(paths: list[Path]) -> str:
    """Return the table that this script prints."""
    functions = functions_of(
        line for path in paths for line in path.read_text(encoding="utf-8").splitlines()
    )
    folders: dict[str, float] = defaultdict(float)
    for each in functions:
        folders["/".join(each.name.split("/")[:2])] += each.total
    total = sum(folders.values())
    count = sum(len(each.seconds) for each in functions)
    lines = [f"{total:.0f} CPU seconds in {count} tests of {len(functions)} functions:"]
    lines += [f"{spent:9.1f}  {folder}" for folder, spent in sorted(folders.items())]
    lines += ["", f"{'CPU s':>9} {'tests':>6} {'mean':>6}  function"]
    lines += [_line(each) for each in functions[:SHOWN]]
    if slow := unmarked(functions):
        lines += ["", f"More than {SLOW:g} s a test and not marked slow:", *map(_line, slow)]
    return "\n".join(lines)


def _line(each: Function) -> str:
    marks = f"  ({each.marks})" if each.marks else ""
    return f"{each.total:9.1f} {len(each.seconds):6} {each.mean:6.2f}  {each.name}{marks}"


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    print(report([Path(name) for name in sys.argv[1:]]))
