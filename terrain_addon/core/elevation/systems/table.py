# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of coordinate systems and units, which ``docs/scripts/make_systems.py`` writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

COUNTED = {"projected": (0, 2), "compound": (0, 1)}
"""Columns of whole numbers that the table holds as differences, which pack to a third; in other
sections the first one."""
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


@cache
def coded(section: str) -> dict[int, list[str]]:
    """Return the values by the codes that the lines of a section begin with."""
    rows = (line.split(",") for line in sections()[section])
    return {int(code): values for code, *values in summed(rows, COUNTED.get(section, (0,)))}


def summed(rows: Iterable[list[str]], columns: Sequence[int]) -> Iterator[list[str]]:
    """Undo the differences of some columns from the row above; nothing stands for one more.

    Examples
    --------
    >>> list(summed([["2000", "7"], ["", "8"], ["4", "8"]], [0]))
    [['2000', '7'], ['2001', '8'], ['2005', '8']]
    """
    above = dict.fromkeys(columns, 0)
    for row in rows:
        for column in columns:
            above[column] += int(row[column] or 1)
            row[column] = str(above[column])
        yield row
