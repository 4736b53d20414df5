# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of options that several commands take."""

from __future__ import annotations

from .command import UsageError


def height_range(text: str) -> tuple[float, float]:
    """Parse ``--range=LOW,HIGH`` in meters; UsageError if that fails."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high:
        raise UsageError(f"--range {text}: expected two heights in meters, as --range=-100,2400")
    return low, high


def tiles(text: str) -> tuple[int, int]:
    """Parse ``--tiles NxM``; UsageError if that fails."""
    try:
        columns, rows = map(int, text.lower().split("x"))
    except ValueError:
        raise UsageError(f"--tiles {text}: expected tiles along x and y, as 2x2") from None
    return columns, rows
