# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles in degrees."""

from __future__ import annotations

import math


def cos_sin(degrees: float) -> tuple[float, float]:
    """Return the cosine and sine of an angle; whole numbers for quarter turns, which keep axes
    apart."""
    quarters = degrees / 90
    if quarters.is_integer():
        return [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(quarters % 4)]
    angle = math.radians(degrees)
    return math.cos(angle), math.sin(angle)
