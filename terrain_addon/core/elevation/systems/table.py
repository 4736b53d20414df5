# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of coordinate systems and units, which ``docs/scripts/make_systems.py`` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

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
    return {int(code): values for code, *values in rows}
