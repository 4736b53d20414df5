# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines through points."""

from __future__ import annotations

from ...numerics.arrays import Doubles


def fitted_slope(x: Doubles, y: Doubles) -> float:
    """Return the slope of the straight line nearest to points, NaN with fewer than two."""
    if x.size < 2:
        return float("nan")
    x = x - x.mean()
    return float((x * y).sum() / (x * x).sum())
