# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of coordinate systems and units, which ``docs/scripts/make_systems.py`` writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path

DIFFERENCES = {"code", "conversion", "plane"}
"""Columns of whole numbers that the table holds as differences, which pack to a third."""
TABLE = Path(__file__).with_name("table.txt")


@cache
def sections() -> dict[str, list[str]]:
    """Return the lines of the table by the names of its sections."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = found.setdefault(line[1:-1], [])
        elif not line.startswith("#"):
            lines.append(line)
    return found


def rows(section: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a section, whose lines are its columns."""
    return zip(*(_column(line) for line in sections()[section]), strict=True)


def _column(line: str) -> Iterable[str]:
    name, _, text = line.partition(" ")
    values = expanded(text)
    return map(str, accumulate(map(int, values))) if name in DIFFERENCES else values


def expanded(text: str) -> list[str]:
    """Return the values of a column.

    Examples
    --------
    >>> expanded("2000,1*3,7")
    ['2000', '1', '1', '1', '7']
    """
    values: list[str] = []
    for run in text.split(","):
        value, _, times = run.partition("*")
        values += [value] * int(times or 1)
    return values


@cache
def coded(section: str) -> dict[int, tuple[str, ...]]:
    """Return the rows of a section by the codes that they begin with."""
    return {int(row[0]): row[1:] for row in rows(section)}


@cache
def conversions() -> list[tuple[str, tuple[str, ...]]]:
    """Return the method of each conversion and the values of its parameters.

    The table holds the methods in order, and the parameters of each method in a section.
    """
    methods = [method for (method,) in rows("conversions")]
    values = {method: rows(method) for method in sections().keys() & set(methods)}
    return [(method, next(values[method]) if method in values else ()) for method in methods]
